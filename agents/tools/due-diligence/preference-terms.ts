/** Liquidation preferences and anti-dilution protection. */
import type { Document } from '../../document/document.ts';
import { fullRows, type Table } from '../../document/table.ts';
import type { Range } from '../text/span.ts';
import type { Flow, Sentence } from './flow.ts';
import { isElsewhere } from './term-context.ts';
import { anyAlphabet } from './word-bounds.ts';

export interface Preference extends Range {
  readonly share_class?: string;
  readonly multiple?: string;
  readonly participation?: 'non-participating' | 'participating' | 'capped';
  readonly cap_multiple?: string;
}

export interface AntiDilution extends Range {
  readonly form: 'broad-based-weighted-average' | 'narrow-based-weighted-average' | 'full-ratchet' | 'none';
}

const subject = anyAlphabet(
  /\bliquidation (?:preference|priority|event|proceeds|amount)|\bliquidity event\b|\bexit (?:event|proceeds|preference|waterfall)\b|\bon (?:a |an )?(?:liquidation|exit|sale)\b|\bliquiditätsereignis\S*|\bévénement de liquidité|\bevento de liquide[zc]|\bliquiditeitsgebeurtenis|\bpreferential payments?\b|\bdeemed liquidation\b|\bliquidations?-?(?:präferenz|erlös|vorzug)\S*|\berlös(?:präferenz|vorzug|verteilung)\S*|\bpréférence de liquidation|\bliquidation préférentielle|\b(?:preferencia|cuota|liquidación) (?:de liquidación|preferente)|\bliquidatiepreferen\S*|\bcash-out amount\b|\bwinding[- ]up\b|\bdissolution\b/i,
);
const entitled = anyAlphabet(
  /\bentitled to\b|\b(?:is|are|be) paid\b|\bshall (?:first )?(?:receive|be paid)\b|\bfirst pay\b|\breceives?\b|\bpreference\b|\bpreferred return\b|\bgreater of\b|\berhalten\b|\bpräferenz\b|\bvorrangig\b|\bvorab\b|\breçoi\S*|\bpréférence\b|\brecib\S*|\bpreferen\S*|\bontvang\S*/i,
);
const nonParticipating = anyAlphabet(
  /\bnon[- ]?participating\b|\bnicht[- ]?partizipierend\S*|\bnicht[- ]?teilnehmend\S*|\bnon[- ]?participa(?:nt|tiv)\S*|\bsans (?:droit de )?participation|\bsin participación|\bno participativ\S*|\bniet[- ]?participerend\S*|\b(?:greater|higher) of\b|\bdoes not participate\b|\bno participation\b|\bnot participate\b|\bnicht partizip\S*|\bne particip\S+ pas|\bje nachdem, welche\S*|\bhöheren? (?:wert|betrag)|\b(?:balance|remainder|rest|remaining (?:\S+ ){0,3}|surplus)\b[^.;]{0,60}\b(?:go(?:es)?|belongs?|distributed|paid|accrues?|shared)\b[^.;]{0,40}\b(?:common|ordinary)\b(?![^.;]{0,60}\b(?:preferred|series|investors?)\b)|\bbalance of (?:any|the) proceeds\b[^.]{0,60}\b(?:common|ordinary)\b|\b(?:remaining|residual|surplus) (?:assets|proceeds|amounts?)\b[^.]{0,60}\b(?:to|among)\b[^.]{0,30}\b(?:common|ordinary)\b(?![^.]{0,60}\bpreferred|[^.]{0,60}\bpreference)|\ble plus élevé\b|\bel mayor\b|\bhoogste van\b|\banrechenbar\S*|\bwithout (?:further )?participation/i,
);
const participating = anyAlphabet(
  /(?<!non[- ]?|not |no |without |nicht[- ]?|niet[- ]?)\b(?:fully )?participat(?:ing|es|ion|e)\b|\bpartizipierend\S*|(?<!non[- ]?)\bparticipante?s?\b|(?<!no )\bparticipativ[ao]s?\b|(?<!niet[- ]?)\bparticiperend\S*|\b(?:remaining|balance)\b[^.]{0,160}\b(?:among|by|to|between)\b[^.]{0,60}\bpreferred\b[^.]{0,40}\band\b[^.]{0,30}\b(?:common|ordinary)\b|\bnicht anrechenbar\S*|\b(?:am|an|auf) (?:de[nm] )?(?:übrigen|verbleibenden|restlichen|weiteren) (?:\S+ )?(?:erlös\S*|rest)\b[^.]{0,60}\b(?:beteilig\S*|teil|partizip\S*)|\bparticipates? (?:\S+ ){0,3}in the (?:rest|remainder|surplus|balance)\b|\bfurther participates\b/i,
);
const capWord =
  /\bcapped\b|\bcap of\b|\bup to\b|\bexceed\b|\bmaximum\b|\buntil\b|\bbis zu[mr]?\b|\bhöchstens\b|\bbegrenzt\b|\bplafonn\S*|\bjusqu[’']à\b|\bhasta\b|\bmáximo\b|\btot maximaal\b|\bgemaximeerd\b|\bnot more than\b/i;

const spelled: ReadonlyMap<string, string> = new Map(
  'one:1 two:2 three:3 four:4 five:5 einfache:1 einfachen:1 einfacher:1 zweifache:2 zweifachen:2 dreifache:3 dreifachen:3 anderthalbfache:1.5 anderthalbfachen:1.5 une:1 deux:2 trois:3 una:1 dos:2 tres:3 een:1 één:1 eenmaal:1 tweemaal:2 driemaal:3'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);
const multipleShape =
  /(?<![\d.,])(\d(?:[.,]\d{1,2})?)\s?x\b|\((\d(?:[.,]\d{1,2})?)\)\s(?:times|mal|fois|veces|maal)|(?<![\d.,])(\d(?:[.,]\d{1,2})?)[- ]?(?:times|fach(?:e[nrs]?)?|fois|veces|maal|mal)\b|\b(one|two|three|four|five|une|deux|trois|una|dos|tres|een|één) (?:times?|fois|veces|vez|maal)\b|\b((?:einfache|zweifache|dreifache|anderthalbfache)[nr]?|eenmaal|tweemaal|driemaal)\b|\b(100|150|200|300)\s?%\s(?:of|des|der|du|de|del|van)\b/giu;

interface Multiple extends Range {
  readonly value: string;
}

function multiplesIn(text: string): Multiple[] {
  return [...text.matchAll(multipleShape)].map((match) => {
    const [, a, b, c, word, compound, percent] = match;
    const raw = a ?? b ?? c ?? spelled.get((word ?? compound ?? '').toLowerCase()) ?? String(Number(percent) / 100);
    return { value: raw.replace(',', '.'), start: match.index, end: match.index + match[0].length };
  });
}

const classShape =
  /\bSeed Preferred(?: Stock| Shares?)?|\b(?:Series|Class|Serie|Série|Klasse|Categoría|Catégorie) [A-Z][\w-]{0,8}(?:[- ]\d)?(?: (?:Convertible )?(?:Preferred|Preference)(?: Stock| Shares?)?)?|\b[A-Z]\d? (?:Preferred|Preference) (?:Stock|Shares?)/;

/** One per class of shares that a sentence on liquidation names; one in total for a document without classes. */
export function findPreferences(flow: Flow): Preference[] {
  const found: (Preference & { shares?: string })[] = [];
  let lastParagraph = -2;
  for (const sentence of flow.sentences) {
    const isOnSubject = subject.test(`${sentence.label} ${sentence.text}`);
    if (isOnSubject) lastParagraph = sentence.paragraph;
    const follows = sentence.paragraph - lastParagraph <= 1;
    const isCompact = !sentence.isRow && isCompactPreference(sentence.text);
    if (/\bmeans\b/.test(sentence.text.slice(0, 60)) || refused.test(sentence.text)) continue;
    if (sentence.isTitle || isElsewhere(sentence) || !(isOnSubject || isCompact || (follows && found.length > 0)))
      continue;
    if (/\boutstanding principal\b|\bprincipal\b[^.]{0,40}\binterest\b/i.test(sentence.text)) continue;
    readPreference(sentence, found);
  }
  return found.filter(({ multiple, participation }) => multiple !== undefined || participation !== undefined);
}

/** "Series B: 1x, non-participating": a class, a multiple and a participation need no further word. */
function isCompactPreference(text: string): boolean {
  const isOnClass = classShape.exec(text.replace(/^\W*(?:\d{1,2}\W+)?/, ''))?.index === 0;
  if (!isOnClass || text.length > 300 || multiplesIn(text).length === 0) return false;
  return nonParticipating.test(text) || participating.test(text) || /\bparticipates?\b/i.test(text);
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** A table with a row per class: "Series B | 1x | non-participating" below "Class", "Preference" and "Participation". */
function preferencesByRow(table: Table): Preference[] {
  const [heads = [], ...rows] = fullRows(table);
  const columns = heads.flatMap(({ text }, column) => (column > 0 && aspect.test(text) ? [column] : []));
  if (columns.length === 0) return [];
  return rows.slice(0, 60).flatMap((cells): Preference[] => {
    const share = classShape.exec(cells[0]?.text ?? '')?.[0];
    if (share === undefined) return [];
    const text = columns.map((column) => `${heads[column]!.text}: ${cells[column]?.text ?? ''}`).join(' | ');
    const found: Mutable<Preference>[] = [];
    readPreference(
      {
        text: text.replace(noParticipation, 'non-participating'),
        label: 'preference',
        start: cells[0]!.start,
        end: cells.at(-1)!.end,
      },
      found,
    );
    return found.filter(({ multiple }) => multiple !== undefined).map((each) => ({ ...each, share_class: share }));
  });
}

const aspect =
  /preference|participation|multiple|präferenz|partizipation|préférence|preferencia|participación|preferentie/i;
const noParticipation =
  /(?:participation|partizipation|participación)\s?:\s(?:none|no|keine|nein|aucune|non|ninguna|geen|-|–)(?![\p{L}-])/iu;

/** A table with a column per class: "Liquidation preference | 1.5x, non-participating | 1x". */
export function preferencesOfTables({ tables }: Pick<Document, 'tables'>): Preference[] {
  return tables.flatMap((table) => {
    const { titles, rows } = classRows(table);
    if (titles.length === 0) return preferencesByRow(table);
    return rows
      .filter((cells) => subject.test(cells[0]?.text ?? ''))
      .flatMap((cells) =>
        titles.flatMap(({ share, column }): Preference[] => {
          const text = cells[column]?.text ?? '';
          const found: Mutable<Preference>[] = [];
          readPreference(
            {
              text: `${cells[0]!.text}: ${text}`,
              label: cells[0]!.text,
              start: cells[0]!.start,
              end: cells.at(-1)!.end,
            },
            found,
          );
          return found.map((each) => ({ ...each, share_class: share }));
        }),
      );
  });
}

function classRows(table: Table) {
  const all = fullRows(table);
  const titles = (all[0] ?? []).flatMap(({ text }, column) => {
    const share = classShape.exec(text)?.[0];
    return column === 0 || share === undefined || text.length > 40 ? [] : [{ share, column }];
  });
  const once = titles.filter(({ share }, index) => titles.findIndex((each) => each.share === share) === index);
  return { titles: once.length < 2 ? [] : once, rows: all.slice(1, 60) };
}

function readPreference(
  sentence: Pick<Sentence, 'text' | 'label' | 'start' | 'end'>,
  found: Mutable<Preference>[],
): void {
  const { text } = sentence;
  const share = classShape.exec(text.replace(/\bbefore\b[^,.;]{0,160}/gi, ''))?.[0];
  const multiples = multiplesIn(text);
  const isCapped = multiples.find(({ start }) => capWord.test(text.slice(Math.max(0, start - 60), start)));
  const own = multiples.find((each) => each !== isCapped)?.value;
  const participation =
    nonParticipating.test(text) && !(isCapped !== undefined && /\bexceed\b/i.test(text))
      ? 'non-participating'
      : isCapped !== undefined && (participating.test(text) || /\bpartici?p/i.test(text))
        ? 'capped'
        : participating.test(text)
          ? 'participating'
          : undefined;
  const implied =
    own === undefined &&
    (participation === 'non-participating' || /\b(?:are|is|be) paid\b/i.test(text)) &&
    /\bissue price\b|\boriginal price\b|\bpurchase (?:price|amount)\b|\bcash-out amount\b|\bausgabe(?:preis|betrag)|\binvest\S*|\bprix d[’']émission|\bprecio de emisión/i.test(
      text,
    )
      ? '1'
      : undefined;
  const isNamed = entitled.test(`${sentence.label} ${text}`) || isCompactPreference(text);
  const multiple = isNamed ? (own ?? implied) : undefined;
  if (multiple === undefined && participation === undefined) return;
  const known = found.find(
    ({ share_class }) => share_class === share || share === undefined || share_class === undefined,
  );
  if (known === undefined) {
    found.push({
      ...(share === undefined ? {} : { share_class: share }),
      ...(multiple === undefined ? {} : { multiple }),
      ...(participation === undefined ? {} : { participation }),
      ...(participation === 'capped' && isCapped !== undefined ? { cap_multiple: isCapped.value } : {}),
      start: sentence.start,
      end: sentence.end,
    });
    return;
  }
  known.multiple ??= multiple!;
  if (known.multiple === undefined) delete (known as { multiple?: string }).multiple;
  if (participation === undefined) return;
  if (participation === 'capped' && known.participation !== 'non-participating') {
    known.participation = 'capped';
    known.cap_multiple = isCapped!.value;
  } else known.participation ??= participation;
}

const denied = anyAlphabet(
  /\b(?:no|not|nor|never|without|kein\S*|nicht|ohne|pas|aucun\S*|sans|sin|ningún|ninguna|geen|niet|excluding|rather than|instead of)\b[\s"“„«']{0,2}(?:\S+\s){0,2}["“„«']?$/i,
);
/** "The investor had asked for a full ratchet, which the Board declined." */
const refused =
  /(?<!\p{L})(?:declined|rejected|refused|not (?:been )?(?:agreed|accepted)|asked for|proposed by|abgelehnt|nicht vereinbart|refusé\p{L}*|rechazad\p{L}*|geweigerd|afgewezen)(?!\p{L})/iu;
const lapsed = anyAlphabet(
  /\bno longer\b|\bformer\b|\bprevious\b|\bnicht mehr\b|\bne s[’']applique plus|\bya no\b|\bniet langer\b/i,
);

const antiDilutionForms = (
  [
    [
      'none',
      /\b(?:no|kein(?:en|e)?|aucune?|sin|ninguna|geen|without(?: any)?) (?:price-based )?(?:anti-?dilution|verwässerungsschutz|(?:clause|protection) anti-?dilution|(?:protección )?antidilución|anti-?verwatering\S*)|\b(?:anti-?dilution|verwässerungsschutz|antidilución|anti-?verwatering)[^.:]{0,20}: ?(?:none|keine?r?|aucune|ninguna|geen)\b/i,
    ],
    [
      'narrow-based-weighted-average',
      /\bNBWA\b|\bnarrow[- ]?based\b|\b(?:narrow|restricted) base\b|\bmoyenne pondérée (?:étroite|réduite)|\bbase (?:reducida|estrecha|étroite)|\beng(?:e[nr]?)? gewichtet\S*|\bsmalle? (?:basis|gewogen)/i,
    ],
    [
      'full-ratchet',
      /\bfull[- ]?ratchet\b|\bratchet (?:intégral|complet|total|completo)|\breduced[^.]{0,60}\bto the (?:consideration|price) per share\b|\breduced to (?:that|the|such)(?: lower| new)* (?:issue |purchase )?price\b|\bauf den (?:niedrigeren|neuen) (?:ausgabe)?preis\b/i,
    ],
    [
      'broad-based-weighted-average',
      /\bBBWA\b|\bbroad[- ]?based\b|\bbroad base\b|\bCP x \(OS\b|\b(?:counting|including|treating|deemed|assuming)\b[^.]{0,60}\boutstanding\b[^.]{0,120}\b(?:issuable|options|convertible|warrants)\b|\bweighted[- ]average (?:anti|basis|formula|adjust|method|conversion)\S*|\bgewichtete[nrs]? durchschnitt\S*|\bgewichtete[nr]? mittel|\bmoyenne pondérée|\bmedia ponderada|\bgewogen gemiddelde|\bCP\s?2 ?= ?CP\s?1\b/i,
    ],
  ] satisfies [AntiDilution['form'], RegExp][]
).map(([form, words]) => [form, anyAlphabet(words)] as const);

/** The first form of anti-dilution that a sentence affirms. */
export function findAntiDilution(flow: Flow): AntiDilution | undefined {
  const about =
    /dilut|verwässer|dilución|verwater|ratchet|weighted|pondér|ponderad|gewicht|gewogen|conversion price|CP\s?2/i;
  for (const sentence of flow.sentences) {
    const { text, label, start } = sentence;
    if (!about.test(`${label} ${text}`) || isElsewhere(sentence)) continue;
    if (/strike|exercise price/i.test(text) && !/dilut|ratchet/i.test(`${label} ${text}`)) continue;
    for (const [form, words] of antiDilutionForms) {
      const match = words.exec(`${text}`);
      if (match === null || lapsed.test(text)) continue;
      if (form !== 'none' && refused.test(text)) continue;
      if (form !== 'none' && denied.test(text.slice(Math.max(0, match.index - 40), match.index))) continue;
      return { form, start: start + match.index, end: start + match.index + match[0].length };
    }
  }
  return undefined;
}
