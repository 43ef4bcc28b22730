/** Disputes in tables and sentences: claimant, respondent, claim and status. */
import type { Document } from '../../document/document.ts';
import type { Cell, Table } from '../../document/table.ts';
import { findAmounts } from '../text/amounts.ts';
import type { Range } from '../text/span.ts';
import { type Flow, type Sentence, within } from './flow.ts';
import { namesIn } from './names.ts';
import { senseOf } from './sense.ts';

export interface Dispute extends Range {
  readonly claimant?: string;
  readonly respondent?: string;
  readonly amount?: string;
  readonly currency?: string;
  readonly status?: 'pending' | 'threatened' | 'settled' | 'dismissed' | 'judgment';
}

const statuses: readonly (readonly [NonNullable<Dispute['status']>, RegExp])[] = [
  [
    'settled',
    /\bsettle[dm]\S*|\bvergleich\S*|\bverglichen|\btransig\S*|\btransaction(?:nel)?\b|\bacuerdo transaccional|\btransacción|\bgeschikt|\bschikking/i,
  ],
  [
    'dismissed',
    /\bdismiss(?:ed|al)\b|\bstruck out\b|\bwithdrawn\b|\babgewiesen|\bzurückgenommen|\bdébouté\S*|\brejeté\S*|\bdesestimad\S*|\barchivad\S*|\bafgewezen/i,
  ],
  [
    'threatened',
    /\bthreat\S*|\bletter before (?:claim|action)|\bdemand letter|\bcease and desist|\bangedroht\S*|\babmahnung|\bmise en demeure|\bamenaza\S*|\brequerimiento extrajudicial|\bburofax|\bsommatie|\baangekondigd/i,
  ],
  [
    'judgment',
    /\bjudgments?\b(?! (?:is )?(?:reserved|pending))|\bawarded\b|\bordered to pay\b|\bverurteilt|\burteil vom|\bcondamné\S*|\bcondenad\S*|\bsentencia\b(?! pendiente)|\bveroordeeld/i,
  ],
  [
    'pending',
    /\bpending\b|\bongoing\b|\bsued\b|\bfiled\b|\btrial\b|\bhearing\b|\bappeal\S*|\bdefence\b|\barbitration\b|\bclaims?\b|\bseeks?\b|\bcommenced\b|\bklage\b|\bklagt\b|\banhängig|\bberufung|\bassign\S*|\bréclam\S*|\bdemande\b|\ben cours|\breclama\b|\bdemand\S*|\bjuicio|\bpendiente|\bvorder\S*|\bdagvaard\S*|\bgedagvaard|\baanhangig/i,
  ],
];

function statusOf(text: string): Dispute['status'] {
  const live = text.replace(/\bno (?:appeal|settlement)\b/gi, '');
  if (
    /\b(?:under appeal|appeal (?:is |was |has been )?(?:pending|filed|lodged)|berufung (?:ist |wurde )?(?:eingelegt|anhängig))/i.test(
      live,
    )
  )
    return 'pending';
  return statuses.find(([, words]) => words.test(live))?.[0];
}

const headings = {
  claimant: /\bclaimants?\b|\bplaintiffs?\b|\bkläger\S*|\bdemandeur\S*|\bdemandante|\bactor\b|\beiser\S*|\bapplicant/i,
  respondent: /\bdefendants?\b|\brespondents?\b|\bbeklagte\S*|\bdéfendeur\S*|\bdemandad\S*|\bgedaagde|\bverweerder/i,
  amount:
    /\bamount|\bsum\b|\bclaimed\b|\bvalue\b|\bstreitwert|\bbetrag|\bmontant|\bcuantía|\bimporte|\bbedrag|\bbelang|\bquantum/i,
  status:
    /\bstatus\b|\bposition\b|\bstage\b|\bstand\b|\bverfahrensstand|\bétat\b|\bestado\b|\bsituación|\bstadium|\bcomment|\bremarks?|\bbemerkung/i,
  forum: /\bforum\b|\bcourt\b|\bgericht|\btribunal|\bjuzgado|\brechtbank/i,
};

export function findDisputes(document: Document, flow: Flow): Dispute[] {
  const scale =
    /\b(?:amounts?|figures|expressed|stated|in|beträge|montants|importes|bedragen)\b[^.\n]{0,30}\b(?:thousands?|tausend|T€|TEUR|milliers|miles|duizenden)\b/i.test(
      document.text,
    )
      ? 3
      : 0;
  const tables = document.tables.flatMap(disputesOfTable);
  const rows = document.tables.filter((table) => columnsOf(table) !== undefined);
  const sentences = flow.sentences.flatMap((sentence) => {
    const place = flow.placeOf(sentence);
    if (rows.some(({ start, end }) => place.start >= start && place.start < end)) return [];
    return disputeOfSentence(sentence, flow, scale);
  });
  const placed = sentences.map((each) => ({ ...each, ...flow.placeOf(each) }));
  return [...tables, ...placed];
}

function columnsOf({ columns }: Table): Map<keyof typeof headings, number> | undefined {
  const found = new Map<keyof typeof headings, number>();
  columns.forEach(({ headerCells }, index) => {
    const title = headerCells.map(({ text }) => text).join(' ');
    for (const [name, words] of Object.entries(headings) as [keyof typeof headings, RegExp][])
      if (!found.has(name) && title.length < 60 && words.test(title)) {
        found.set(name, index);
        return;
      }
  });
  return found.has('claimant') && (found.has('respondent') || found.has('amount')) ? found : undefined;
}

function disputesOfTable(table: Table): Dispute[] {
  const columns = columnsOf(table);
  if (columns === undefined) return [];
  const found: Dispute[] = [];
  // A row without a number or an amount continues with the cells above it.
  const groups: (Cell | undefined)[][][] = [];
  const opens = columns.get('amount') ?? columns.get('claimant')!;
  for (const { cells } of table.rows) {
    const isNew = cells[0] !== undefined && cells[opens] !== undefined;
    if (isNew || groups.length === 0) groups.push([[...cells]]);
    else groups.at(-1)!.push([...cells]);
  }
  for (const group of groups) {
    const cellOf = (name: keyof typeof headings) => {
      const column = columns.get(name);
      return column === undefined
        ? ''
        : group
            .map((cells) => cells[column]?.text ?? '')
            .join(' ')
            .trim();
    };
    const [amount] = findAmounts(cellOf('amount'));
    const status = statusOf(cellOf('status')) ?? statusOf(cellOf('forum'));
    const all = group.flat().filter((cell) => cell !== undefined);
    if (cellOf('claimant') === '' || all.length === 0) continue;
    found.push({
      claimant: cellOf('claimant').slice(0, 100),
      ...(cellOf('respondent') === '' ? {} : { respondent: cellOf('respondent').slice(0, 100) }),
      ...(amount === undefined
        ? {}
        : { amount: amount.value, ...(amount.currency === undefined ? {} : { currency: amount.currency }) }),
      ...(status === undefined ? {} : { status }),
      start: all[0]!.start,
      end: Math.max(...all.map(({ end }) => end)),
    });
  }
  return found;
}

const acts: readonly (readonly [RegExp, boolean])[] = [
  [
    /\b(?:has |have )?(?:sued|filed (?:a |an )?(?:suit|lawsuit|complaint|claim|action)\b[^.;]{0,30}against|commenced (?:proceedings|arbitration|an action)\b[^.;]{0,30}against|brought (?:a |an )?(?:claim|action|suit|proceedings)\b[^.;]{0,30}against|issued proceedings against|claims? (?:damages |payment )?(?:from|against)|alleges? that|has threatened|threatens|demands?)\b/i,
    true,
  ],
  [
    /\b(?:klagt (?:auf|gegen)|hat\b[^.;]{0,60}\b(?:klage|verklagt)|verklagt|fordert|macht\b[^.;]{0,60}\bgeltend|a assigné|réclame|a saisi|reclama|ha demandado|demandó|ha interpuesto|interpuso|vordert|heeft\b[^.;]{0,60}\bgedagvaard)(?!\p{L})/iu,
    true,
  ],
  [
    /\b(?:klage|claim|action|suit|lawsuit|proceedings|demanda|réclamation|vordering|procédure)\b[^.;]{0,16}?\b(?:of|by|brought by|filed by|der|des|von|de|interpuesta por|de la|van|initiée par|engagée par)\s/i,
    false,
  ],
];

function disputeOfSentence(sentence: Sentence, flow: Flow, scale: number): Dispute[] {
  const { text } = sentence;
  for (const [words, isActive] of acts) {
    const match = words.exec(text);
    if (match === null) continue;
    const turned = text.slice(0, match.index).search(/\b(?:ausgenommen|except|other than|save for|mit ausnahme)\b/i);
    if (turned < 0 && senseOf(text, [{ at: match.index, to: match.index + match[0].length }]) !== 'stated') continue;
    const from = match.index + match[0].length;
    const before = namesIn(text.slice(Math.max(0, match.index - 160), match.index));
    const after = namesIn(text.slice(from, from + 160));
    const claimant = isActive
      ? before.at(-1)?.name
      : after[0]?.start !== undefined && after[0].start < 12
        ? after[0].name
        : undefined;
    if (claimant === undefined || /^(?:The )?(?:Company|Group|Sociedad|Gesellschaft)\b/.test(claimant)) continue;
    const isOwn =
      /\b(?:the company|the group|us|die gesellschaft|la société|la sociedad|de vennootschap)\b/i.test(
        text.slice(from, from + 160),
      ) || /\b(?:company|gesellschaft|sociedad|société|vennootschap)\b/i.test(match[0]);
    const named = isActive ? after.find(({ start }) => start < 30)?.name : after[1]?.name;
    const next = flow.sentences.find(
      ({ start, paragraph }) => start > sentence.start && paragraph === sentence.paragraph,
    );
    const [amount] = [...within(flow.amounts, sentence), ...(next === undefined ? [] : within(flow.amounts, next))];
    const status = statusOf(
      `${text} ${next !== undefined && /^(?:the (?:claim|case|matter|suit|action|dispute)|it was|this claim|das verfahren|el (?:juicio|procedimiento)|l[’']affaire|de zaak)/i.test(next.text) ? next.text : ''}`,
    );
    const value =
      amount === undefined
        ? undefined
        : scale > 0 && /\d,\d{3}$/.test(flow.text.slice(amount.start, amount.end))
          ? `${amount.value}000`
          : amount.value;
    return [
      {
        claimant,
        ...(named !== undefined && !isOwn ? { respondent: named } : ownName(flow, isOwn)),
        ...(value === undefined
          ? {}
          : { amount: value, ...(amount!.currency === undefined ? {} : { currency: amount!.currency }) }),
        ...(status === undefined ? {} : { status }),
        start: sentence.start,
        end: sentence.end,
      },
    ];
  }
  return [];
}

/** The name that the text defines as "the Company". */
function ownName(flow: Flow, isOwn: boolean): { respondent?: string } {
  if (!isOwn) return {};
  const opening = flow.text.slice(0, 20_000);
  const defined = /\((?:the |die |la |de )?["“„«]?(?:Company|Gesellschaft|Sociedad|Société|Vennootschap)["”“»]?\)/.exec(
    opening,
  );
  const name =
    defined === null ? undefined : namesIn(opening.slice(Math.max(0, defined.index - 120), defined.index)).at(-1)?.name;
  return name === undefined ? {} : { respondent: name };
}
