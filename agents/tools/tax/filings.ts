/** Deadlines of tax filings and payments: in calendars, and in sentences that state a due date. */
import type { Document } from '../../document/document.ts';
import type { FoundDate } from '../text/dates.ts';
import type { DurationUnit } from '../text/durations.ts';
import { allWithin, indexAt } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { done, kindsSince, labelledPair, lineCharactersMax } from './filing-clauses.ts';
import { type FilingKind, kindIn, kindsIn } from './filing-words.ts';
import { foldText, phraseShape } from './fold.ts';
import { headerOver } from './labels.ts';
import type { Layout, Line, Segment } from './layout.ts';
import { taxSentences } from './sentences.ts';
import { withheld } from './withholding-words.ts';

export interface Deadline extends Range {
  readonly kind: FilingKind;
  /** ISO. */
  readonly date?: string;
  readonly period?: { readonly count: number; readonly unit: DurationUnit };
}

export function findDeadlines(layout: Layout): Deadline[] {
  const found = [
    ...calendarDeadlines(layout),
    ...listDeadlines(layout),
    ...cellDeadlines(layout),
    ...sentenceDeadlines(layout),
    ...dividendDates(layout),
  ];
  const seen = new Set<string>();
  return found.filter(({ kind, date, period }) => {
    const key = `${kind} ${date ?? `${period!.count} ${period!.unit}`}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

const dueHead = phraseShape(
  'due|due date|due by|deadline|filing deadline|filing date|statutory deadline|date|by|frist|abgabefrist|fallig*|fallig am|abgabe bis|termin|stichtag|echeance|date limite|date limite de depot|scadenza|termine|vencimiento|plazo|fecha limite|fecha|deadline datum|uiterste datum|indienen voor|termijn|frist dato|innleveringsfrist|forfall|sista dag|inlamningsdag|termin zlozenia|lhuta|prazo|datum|data',
);
const otherHead = phraseShape(
  'period end|year end|filed|filed on|submitted|submitted on|done|completed|eingereicht|eingereicht am|abgegeben am|depose le|presentato il|presentado|ingediend|innsendt|received|prepared|from|start|beginn|reminder',
);

/** Rows of a calendar: a filing and its date, below a header for due dates; else a list "VAT return May: 10.06.2026". */
function calendarDeadlines(layout: Layout): Deadline[] {
  const { dates } = layout.document;
  let next = 0;
  return layout.lines.flatMap((line): Deadline[] => {
    while (next < dates.length && dates[next]!.start < line.start) next += 1;
    const own: FoundDate[] = [];
    for (let at = next; at < dates.length && dates[at]!.start < line.end; at += 1) own.push(dates[at]!);
    if (own.length === 0 || line.segments.length < 2) return [];
    const cells = line.segments.filter(
      (segment) =>
        !own.some(
          ({ start, end }) => start >= segment.start && end <= segment.end && end - start > segment.text.length - 4,
        ),
    );
    const folded = cells.map((segment) => segment.folded).join(' | ');
    const kind = kindIn(folded)?.kind;
    if (kind === undefined || folded.length > 260) return [];
    const candidates = own
      .filter(({ iso }) => iso.length === 10)
      .flatMap((date) => {
        const segment = line.segments.find(({ start, end }) => date.start >= start && date.start < end)!;
        const lead = segment.folded.slice(0, date.start - segment.start);
        // "uiterlijk 31 juli 2026 – was te laat": the word of a last day marks it.
        const isMarked = lead.length < 24 && lastDay.test(lead);
        if (!isMarked && date.end - date.start < segment.text.length - 12) return [];
        const head = headerOver(layout, segment, 80)?.folded ?? headBefore(layout, line, segment.from, segment.to);
        return [
          {
            date,
            isDue: isMarked || (head !== undefined && dueHead.test(head)),
            isOther: !isMarked && head !== undefined && otherHead.test(head),
          },
        ];
      });
    const due =
      candidates.find(({ isDue, isOther }) => isDue && !isOther) ??
      candidates.find(({ isOther }) => !isOther && candidates.length === 1);
    return due === undefined ? [] : [{ kind, date: due.date.iso, start: line.start, end: line.end }];
  });
}

/** A last day in a cell. */
const lastDay =
  /(?:^|\b)(?:by|due|until|no later than|not later than|at the latest|bis(?: zum)?|spatestens(?: am)?|au plus tard(?: le)?|avant le|jusqu'au|entro(?: il)?|entro e non oltre(?: il)?|a mas tardar(?: el)?|antes del|hasta el|uiterlijk(?: op)?|voor|senest(?: den)?|senast(?: den)?|innen|do(?: dnia)?|najpozniej(?: do)?|nejpozdeji(?: do)?|ate) ?$/;

/** A header that a rule or a gap separates from the rows. */
function headBefore({ lines }: Layout, line: Line, from: number, to: number): string | undefined {
  for (let at = line.index - 1; at >= Math.max(0, line.index - 60); at -= 1) {
    const head = lines[at]!.segments.find(
      (segment) => !/\d/.test(segment.text) && Math.min(to, segment.to) > Math.max(from, segment.from),
    );
    if (head !== undefined && head.text.length < 40) return head.folded;
  }
  return undefined;
}

const before =
  /(?:by|until|till|before|than|due|due on|due date|deadline|falls on|on or before|expires on|ends on|runs until|lapses on|latest|bis|bis zum|spatestens am|am|zum|fallig am|frist|jusqu'au|avant le|au plus tard le|le|au|entro il|entro|scade il|il|antes del|hasta el|a mas tardar el|el|uiterlijk|uiterlijk op|voor|op|voor of op|innen|senest|senast|senest den|den|do|do dnia|nejpozdeji do|ate|is|ist|:)[ :]{0,2}(?:the )?$/;
const obligation = phraseShape(
  'due|deadline|by|must|shall|has to|have to|is to be|are to be|to be filed|to be submitted|to be lodged|no later than|not later than|latest|until|on or before|before|frist|fristen|bis|spatestens|abzugeben|einzureichen|fallig|endet|avant le|au plus tard|jusqu au|doit|doivent|date limite|echeance|entro|scade|scadenza|antes del|a mas tardar|hasta el|vence|plazo|uiterlijk|voor|termijn|innen|frist|senest|senast|do dnia|nejpozdeji|termin|ate|within|innerhalb|binnen|dans|dans les|dans un delai|delai|delai de|sous|plazo|period of|upon request|auf anforderung|en el plazo|inom|ciagu|after|nach',
);
const past = phraseShape(
  'was filed|were filed|has been filed|have been filed|filed on|filed in|was submitted|were submitted|has been submitted|submitted on|was lodged|expired|was paid|wurde eingereicht|wurde abgegeben|wurden eingereicht|abgelaufen|a ete depose*|e stata presentata|se presento|is ingediend|ble levert|lamnades',
);
/** "Filed in Sweden by": to be filed. */
const stillToFile = /(?<!\b(?:was|were|been) )\bfiled (?=(?:[\w-]+ ){0,3}(?:by|until|before) $)/;
const within =
  /(?:within|in|innerhalb(?: von)?|binnen|innert|dans(?: les| un delai de)?|sous|entro|en (?:el|un) plazo de|dentro de(?: los)?|inom|innen|w ciagu|w terminie|do|no later than|not later than|delai de|delai est de|frist von|frist betragt|plazo de|plazo es de|termine di|termijn van|frist pa|period of|period is|time limit of|deadline of)\s{0,2}(?:a period of |the |first )?$/;
/** "… ist am 31.07.2026 fällig". */
const isDueBehind =
  /^ ?(?:is |ist |sind )?(?:fallig|due\b|einzureichen|abzugeben|zu (?:entrichten|zahlen)|exigible|verschuldigd|in scadenza)/;
const fromEvent =
  /^(?:['s ]{0,3})(?: ?(?:of|after|from|following|upon|nach|ab|seit|ub|der|des|du|de|dalla|dal|dopo|desde|a contar|contados|siguientes|successivi|na|vanaf|van|efter|etter|fran|od|po|a compter|a partir|apres|qui suiv|suivant|sur (?:mise|demande|requisition)|auf (?:anforderung|verlangen|aufforderung)))/;

function isPeriodFrom(lead: string, after: string): boolean {
  return (
    (within.test(lead) && fromEvent.test(after)) || /^ (?:after|nach|following|apres|na|efter|etter|po)\b/.test(after)
  );
}

function sentenceDeadlines({ document }: Layout): Deadline[] {
  const { text } = document;
  return sentencesOf(document).flatMap((sentence): Deadline[] => {
    if (sentence.end - sentence.start > 900) return [];
    const shown = text.slice(sentence.start, sentence.end);
    const folded = foldText(shown).replaceAll('\n', ' ');
    if (!/\d/.test(folded) && !/day|month|week|tag|monat|woche|jour|mois|giorn|mes|dag|maand|dni/.test(folded))
      return [];
    const named = kindIn(folded) ?? kindOfSection(document, sentence, folded);
    if (named === undefined || !obligation.test(folded) || /^["“„»«]/.test(shown)) return [];
    const inside = (range: Range) => range.start >= sentence.start && range.end <= sentence.end;
    const dates = document.dates.filter((date) => inside(date) && date.iso.length === 10);
    const list = dates.flatMap((date, nth): Deadline[] => {
      const lead = folded.slice(0, date.start - sentence.start);
      const since = nth === 0 ? '' : lead.slice(dates[nth - 1]!.end - sentence.start);
      const clause = lead.split(/[;]|, (?:and|und|et) /).at(-1)!;
      if (
        !before.test(lead.slice(-26)) ||
        past.test(clause.replace(stillToFile, ' ')) ||
        !(obligation.test(lead) || isDueBehind.test(folded.slice(date.end - sentence.start))) ||
        /\b(?:meets?|meeting|closing|tagt|sitzung|for the (?:year|period) ended|dated|vom|implemented|effective from|started|since|seit)\b[^.]{0,30}$/.test(
          clause.slice(-44),
        )
      )
        return [];
      const behind = folded.slice(date.end - sentence.start);
      // A further date of the sentence belongs to what stands since the previous one.
      const further = kindsSince(since);
      if (further === 'unknown') return [];
      const own = further ?? [clause, behind, folded].map(kindsIn).find((each) => each.length > 0) ?? [named.kind];
      return own
        .filter((kind) => kind !== 'dividend-payment')
        .map((kind) => ({ kind, date: date.iso, start: sentence.start, end: sentence.end }));
    });
    const periods = document.durations.filter(inside).flatMap((duration): Deadline[] => {
      const at = duration.start - sentence.start;
      const lead = folded.slice(Math.max(0, at - 40), at);
      const after = folded.slice(duration.end - sentence.start, duration.end - sentence.start + 40);
      if (!isPeriodFrom(lead, after) || past.test(folded) || named.kind === 'dividend-payment') return [];
      const parts = folded.slice(0, at).split(';').map(kindsIn);
      const own = parts.at(-1)!.length > 0 ? parts.at(-1)! : kindsIn(folded.slice(0, at));
      return (own.length > 0 ? own : [named.kind]).map((kind) => ({
        kind,
        period: { count: Number(duration.count), unit: duration.unit },
        start: sentence.start,
        end: sentence.end,
      }));
    });
    return [...list, ...periods];
  });
}

const returnNoun =
  /\b(?:returns?|filings?|declarations?|anmeldung(?:en)?|erklarung(?:en)?|meldung|gemeldet|melden|reported|notified|aangifte|melding|dichiarazion[ei]|comunicazion[ei]|declaracion(?:es)?|deklaracj[aei]|zglosze?ni[ae]|zglosic|priznani|hlaseni|declarac(?:ao|oes)|deklaration(?:er)?|angivelse)\b/;

/** "Anmeldung II/2026: bis 10.07.2026", below a heading that names the tax. */
function kindOfSection(
  document: Document,
  { start }: Range,
  folded: string,
): { readonly kind: FilingKind } | undefined {
  if (!returnNoun.test(folded)) return undefined;
  const title = foldText(titleAt(document, start));
  if (withheld.test(title)) return { kind: 'withholding-tax-return' };
  const kind = kindIn(title)?.kind;
  return kind === undefined || kind === 'other-filing' || kind === 'dividend-payment' ? undefined : { kind };
}

/** A calendar's heading. */
const calendarTitle =
  /deadline|due date|calendar|kalendarz|kalendar|calendari|prazos|plazos|terminy|tidsfrist|skattefrister|timetable|key dates|frist|termin|falligkeit|kalender|echean|calendrier|scaden|vencimi|calendario|agenda|terminar|datumlijst|lhut/;
/** Lists: "VAT return July: 23 September 2026 (overdue)", and under the heading of a calendar "23.09.2026 – VAT return". */
function listDeadlines({ document, lines }: Layout): Deadline[] {
  return lines.flatMap(({ segments, start, end, index }): Deadline[] => {
    const [only] = segments;
    const pair = segments.length === 1 ? labelledPair(document, only!) : [];
    if (pair.length > 0) return pair;
    if (segments.length !== 1 || end - start > lineCharactersMax || !/\d/.test(only!.text)) return [];
    const full = allWithin(document.dates, { start, end }).filter(({ iso }) => iso.length === 10);
    const date = full.at(-1);
    if (date === undefined || full.length > 2) return [];
    const lead = only!.folded.slice(0, date.start - start).replace(/^[-*•–\s]+/, '');
    const behind = only!.folded.slice(date.end - start);
    if (done.test(behind) || done.test(lead)) return [];
    const title = foldText(titleAt(document, start));
    if (done.test(title)) return [];
    const isLabelled =
      /[:–—→=|](?: ?(?:by|due|due by|due on|on|until|bis|bis zum|spatestens|am|le|avant le|jusqu'au|il|entro il|el|hasta el|op|uiterlijk|voor|innen|senast|senest|do|den))? ?$/.test(
        lead,
      ) && /^ ?(?:\([^)]{0,60}\)?|\[[^\]]{0,60}\]?)?[.;,]? ?$/.test(behind);
    const isFirst = lead === '' && /^ ?[:–—|-] ?\D/.test(behind) && calendarTitle.test(title);
    if (!isLabelled && !isFirst) return [];
    const below = isFirst ? goesOnBelow(lines, index) : [];
    const kinds = [isLabelled ? lead : behind, ...below].flatMap(kindsIn);
    return kinds.filter((kind) => kind !== 'dividend-payment').map((kind) => ({ kind, date: date.iso, start, end }));
  });
}

/** Further filings of the same day on the lines below it, up to a blank line or the next date. */
function goesOnBelow(lines: readonly Line[], index: number): string[] {
  const found: string[] = [];
  for (const { segments, follows } of lines.slice(index + 1, index + 5)) {
    const text = segments.map(({ folded }) => folded).join(' ');
    if (follows !== 'line' || /^\d{1,2}[./ ]/.test(text) || text.length > lineCharactersMax) break;
    if (!done.test(text)) found.push(text);
  }
  return found;
}

function titleAt({ sections }: Document, position: number): string {
  return sections[indexAt(sections, position) ?? -1]?.title ?? '';
}

const filingWord =
  /\b(?:report|reporting|file|filing|notify|notification|submit|disclose|due|deadline|meldung|melden|meldefrist|abgabe|frist|declar[a-z]*|depot|deposer|presentar|presentare|comunicazione|indienen|melding|levere|lamna|zglosz[a-z]*)\b/;

/** A cell such as "report by 30 September 2026" or "file within 30 days of signing": its row, head or heading names the filing. */
function cellDeadlines(layout: Layout): Deadline[] {
  const { document, lines } = layout;
  return lines.flatMap(({ segments, start, end }): Deadline[] => {
    if (segments.length < 2) return [];
    return segments.flatMap((segment): Deadline[] => {
      const { folded } = segment;
      const isLabelled = segments[0] !== segment && kindIn(segments[0]!.folded) !== undefined;
      if (folded.length > lineCharactersMax || done.test(folded)) return [];
      if (!filingWord.test(folded) && !isLabelled) return [];
      const [date] = allWithin(document.dates, segment).filter(({ iso }) => iso.length === 10);
      const [duration] = allWithin(document.durations, segment);
      const at = (date ?? duration)?.start;
      if (at === undefined) return [];
      const lead = folded.slice(Math.max(0, at - segment.start - 40), at - segment.start);
      const isDue =
        date === undefined ? isPeriodFrom(lead, folded.slice(duration!.end - segment.start)) : before.test(lead);
      if (!isDue) return [];
      const kind = kindOfCell(layout, segment, segments);
      if (kind === undefined || kind === 'dividend-payment') return [];
      const when =
        date === undefined ? { period: { count: Number(duration!.count), unit: duration!.unit } } : { date: date.iso };
      return [{ kind, ...when, start, end }];
    });
  });
}

/** The kind that the cell or its row names, before that of a head or the heading. */
function kindOfCell(layout: Layout, cell: Segment, row: readonly Segment[]): FilingKind | undefined {
  const kindsOf = (list: readonly string[]) =>
    list.filter((folded) => folded.length <= 260).flatMap((folded) => kindIn(folded)?.kind ?? []);
  const isSpecial = (kind: FilingKind) => kind !== 'other-filing';
  const own = kindsOf([cell.folded, ...row.map(({ folded }) => folded)]);
  const named = own.find(isSpecial) ?? (row[0] === cell ? undefined : kindsOf([row[0]?.folded ?? ''])[0]);
  if (named !== undefined) return named;
  const heads = kindsOf([cell, ...row].map((segment) => headerOver(layout, segment, 80)?.folded ?? ''));
  return heads.find(isSpecial) ?? kindIn(foldText(titleAt(layout.document, cell.start)))?.kind;
}

/** Sentences of prose; rows of tables are read as calendars. */
function sentencesOf(document: Document): Range[] {
  const { tables, text } = document;
  let next = 0;
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of taxSentences(document)) {
    while (next < tables.length && tables[next]!.end < start) next += 1;
    if (tables[next] !== undefined && start >= tables[next]!.start) continue;
    const last = joined.at(-1);
    // "… of Alder S.L. must be lodged": the abbreviation does not end the sentence.
    const goesOn =
      last !== undefined &&
      start - last.end <= 2 &&
      end - last.start < 800 &&
      /^\p{Ll}/u.test(text.slice(start, start + 1));
    if (goesOn) last.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

const paidOn =
  /\b(?:payment date|pay(?:ment)? day|paid on|payable on|date of payment|value date|zahltag|zahlungstag|ausgezahlt am|ausschuttung am|fallig am|mis en paiement le|verses? le|versees? le|payee?s? le|gezahlt am|payment on|utbetald|udbetalt|date de paiement|data di pagamento|pagat[oaie] il|fecha de pago|pagad[oa]s? el|betaald op|betaaldatum|utbetalt|utbetales|utbetalningsdag|data wyplaty|wyplacono)\b[^\d]{0,24}$/;
const payDay =
  /\b(?:payment date|pay(?:ment)? day|zahltag|zahlungstag|auszahlung|date de paiement|mise en paiement|data di pagamento|fecha de pago|betaaldatum|utbetaling|utbetalning|data wyplaty)\b/;
const dividend = phraseShape(
  'dividend*|dividende*|dividendo*|ausschuttung*|gewinnausschuttung*|utbytte*|utdelning*|udbytte*|dywidend*|distribution',
);

/** The payment date of a dividend: a date after such a label, near the word. */
function dividendDates(layout: Layout): Deadline[] {
  const { document, lines } = layout;
  return lines.flatMap((line): Deadline[] => {
    const folded = foldText(document.text.slice(line.start, Math.min(line.end, line.start + 400)));
    if (!/pa[iy]|zahl|schutt|fallig|paiement|vers|pag|betaal|utbet|wypla|value/.test(folded)) return [];
    const date = document.dates.find(({ start, iso }) => start >= line.start && start < line.end && iso.length === 10);
    if (date === undefined) return [];
    const behind = folded.slice(date.end - line.start);
    const isNamed = paidOn.test(folded.slice(0, date.start - line.start));
    // "18 June 2026   dividend of Vekta GmbH (payment date)".
    if (!isNamed && !(dividend.test(behind) && payDay.test(behind))) return [];
    const around = lines
      .slice(Math.max(0, line.index - 16), line.index + 8)
      .map((each) => each.segments.map((segment) => segment.folded).join(' '))
      .join(' ');
    return dividend.test(around) && !/invoice|rechnung|facture/.test(folded)
      ? [{ kind: 'dividend-payment', date: date.iso, start: line.start, end: line.end }]
      : [];
  });
}
