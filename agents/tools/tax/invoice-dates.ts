/** The dates of an invoice: issue, supply and payment due, each by its own label. */
import type { FoundDate } from '../text/dates.ts';
import type { Range } from '../text/span.ts';
import { foldText, phrasePattern, phraseShape } from './fold.ts';
import type { InvoicePart } from './invoice-parts.ts';
import { type DateRole, dateRoleOfLabel, lastDateCue } from './invoice-words.ts';
import { labelsOf } from './labels.ts';
import type { Layout, Segment } from './layout.ts';

export interface InvoiceDate extends Range {
  readonly role: Exclude<DateRole, 'other'>;
  /** ISO: a day, or the month of a supply over a month. */
  readonly iso: string;
}

/** Maximum distance of a label before its date in running text. */
const fillerMax = 34;
const discountShape = phraseShape(
  'skonto|discount|escompte|sconto|descuento|korting|rabatt|rabat|sleva|kassarabatt|pronto pago|kontant|alennus|desconto',
);
const otherDocument = phraseShape(
  'order|bestellung|lieferschein|commande|ordine|pedido|zamowieni*|objednavk*|bestelling|vertrag|contract|offer|angebot|original*|our invoice|unsere rechnung|goods returned|returned',
);

/** A credit note that names the invoice it credits in the same line gives dates of that invoice's supply. */
const ofCredited =
  /\b(?:against|crediting|for|to|zu|zur|sur|de la|alla|a la|op|til|till|do|k) (?:our |your |the |unserer |notre |nostra |onze )?(?:invoice|rechnung|facture|fattura|factura|factuur|faktura|faktury|fakture)\b/;

/** The first of each role; what no label names is none, except a date right behind the invoice's own number. */
export function findInvoiceDates(layout: Layout, part: InvoicePart): InvoiceDate[] {
  const found = new Map<DateRole, InvoiceDate>();
  const dates = datesBySegment(layout, part);
  for (const [segment, list] of dates) {
    let since = segment.start;
    for (const [index, date] of list.entries()) {
      const own = roleOf(layout, part, segment, date, since);
      const role = own === 'supply' && part.type === 'credit-note' && ofCredited.test(segment.folded) ? 'other' : own;
      const next = list[index + 1];
      const period = next === undefined ? undefined : wholeMonth(date, next, segment);
      if (role !== undefined && role !== 'other' && !found.has(role) && isFit(role, date, period)) {
        if (!(role === 'supply' && period === undefined && next !== undefined && isRange(segment, date, next))) {
          found.set(role, {
            role,
            iso: period ?? date.iso,
            start: date.start,
            end: (period === undefined ? date : next!).end,
          });
        }
      }
      since = date.end;
    }
  }
  if (!found.has('invoice-issue')) {
    const beside = dateline(dates, part);
    if (beside !== undefined) found.set('invoice-issue', beside);
  }
  const issued = found.get('invoice-issue');
  if (!found.has('supply') && issued !== undefined && isSuppliedOnIssue(layout, part))
    found.set('supply', { ...issued, role: 'supply' });
  return [...found.values()].filter((date): date is InvoiceDate => (date.role as string) !== 'other');
}

const supplyDate =
  '(?:liefer|leistungs|liefer- ?(?:und|/|bzw\\.) ?leistungs)(?:datum|zeitpunkt|termin)|(?:date of )?(?:supply|delivery|service)(?: date)?|tax point|date de (?:la )?(?:livraison|prestation)|data (?:di |della )?(?:consegna|prestazione)|fecha de (?:entrega|operacion)|(?:lever|prestatie)datum|leveringsdato|leveransdatum|data (?:dostawy|sprzedazy)|datum (?:plneni|dodani)|duzp';
const issueDate =
  "(?:rechnungs|beleg|ausstellungs)datum|(?:date of (?:the )?)?(?:invoice|issue)(?: date)?|date (?:de la |de |d'emission de la )?facture|data (?:della )?fattura|fecha de (?:la )?factura|factuurdatum|fakturadato|fakturadatum|data wystawienia|datum vystaveni";
/** "Leistungsdatum entspricht dem Rechnungsdatum", "Date of supply: as invoice date". */
const suppliedOnIssue = new RegExp(
  `\\b(?:${supplyDate})\\b[\\s:=|]{0,6}(?:=|entspricht(?: dem)?|gleich|ist gleich|wie|identisch mit(?: dem)?|is the|is the same as(?: the)?|same as(?: the)?|as|equals(?: the)?|corresponds to(?: the)?|identique a (?:la )?|idem|coincide con (?:la )?|uguale a(?:lla)?|gelijk aan(?: de)?|samme som|samma som|jak|shodne s)[\\s:=]{0,3}(?:${issueDate})|entspricht (?:das |der )?(?:${supplyDate}) (?:dem )?(?:${issueDate})|(?:${issueDate}) (?:entspricht|ist|gleich|is) (?:dem |zugleich (?:das )?|also the |= )?(?:${supplyDate})|(?:${issueDate})\\s?=\\s?(?:${supplyDate})`,
);

function isSuppliedOnIssue(layout: Layout, { from, to }: InvoicePart): boolean {
  return layout.lines.slice(from, to).some(({ segments, start, end }) => {
    if (end - start > 400) return false;
    const folded = segments.map((segment) => segment.folded).join(' ');
    return suppliedOnIssue.test(folded) && !/\b(?:date|datum|data|fecha) ?:? ?\d/.test(folded);
  });
}

function datesBySegment(layout: Layout, { from, to }: InvoicePart): (readonly [Segment, readonly FoundDate[]])[] {
  const { dates } = layout.document;
  const result: (readonly [Segment, readonly FoundDate[]])[] = [];
  let next = 0;
  const first = layout.lines[from]?.start ?? 0;
  while (next < dates.length && dates[next]!.start < first) next += 1;
  for (const line of layout.lines.slice(from, to)) {
    for (const segment of line.segments) {
      const own: FoundDate[] = [];
      while (next < dates.length && dates[next]!.start < segment.start) next += 1;
      while (next < dates.length && dates[next]!.start < segment.end) own.push(dates[next++]!);
      if (own.length > 0) result.push([segment, own]);
    }
  }
  return result;
}

/** A day; services may also be supplied over a month. */
function isFit(role: DateRole, date: FoundDate, period: string | undefined): boolean {
  return period !== undefined || date.iso.length === 10 || role === 'supply';
}

function isRange({ text, start }: Segment, one: Range, other: Range): boolean {
  return /^\s?(?:-|–|—|bis|to|until|au|al|tot|do|a|t\/m|til|till)(?: zum| the)?\s?$/i.test(
    text.slice(one.end - start, other.start - start),
  );
}

/** "01.05.2026 – 31.05.2026" is May. */
function wholeMonth(one: FoundDate, other: FoundDate, segment: Segment): string | undefined {
  if (!isRange(segment, one, other) || one.iso.slice(0, 7) !== other.iso.slice(0, 7) || !one.iso.endsWith('-01'))
    return undefined;
  const [year, month, day] = other.iso.split('-').map(Number);
  return day === new Date(Date.UTC(year!, month!, 0)).getUTCDate() ? other.iso.slice(0, 7) : undefined;
}

function roleOf(
  layout: Layout,
  part: InvoicePart,
  segment: Segment,
  date: FoundDate,
  since: number,
): DateRole | undefined {
  // "14.03.2026 (delivery date)": the label stands in brackets behind its date.
  const behind = /^\s?\(([^()\d]{3,40})\)/.exec(segment.folded.slice(date.end - segment.start));
  const named = behind === null ? undefined : dateRoleOfLabel(behind[1]!);
  if (named !== undefined) return named;
  for (const { folded, place } of labelsOf(layout, segment, date, since)) {
    if (place !== 'own') {
      if (folded.length > 60) continue;
      const role = dateRoleOfLabel(folded);
      if (role !== undefined) return role;
      continue;
    }
    const terms = roleOfTerms(segment.folded.slice(0, date.start - segment.start), behindOf(layout, segment, date));
    if (terms !== undefined) return terms;
    const clause = folded.split(/[;|]|\. (?=[a-z])|\s[—–]\s/).at(-1)!;
    // "Invoice no. 12 of 3 May", if 12 is this invoice's number.
    if (isBehindNumber(part, date, segment) && !/\d.*\b(?:due|fallig)/.test(clause)) return 'invoice-issue';
    const cue = lastDateCue(clause);
    if (cue === undefined || cue.distance > fillerMax) return undefined;
    const after = clause.slice(clause.length - cue.distance);
    if (/[a-z]{3,}.*[a-z]{3,}.*[a-z]{3,}/.test(after) && cue.role !== 'payment-due') return undefined;
    if (/\d{4,}/.test(after)) return undefined;
    if (cue.role === 'payment-due' && discountShape.test(clause)) return 'other';
    if (cue.role === 'invoice-issue' && otherDocument.test(clause)) return 'other';
    return cue.role;
  }
  return undefined;
}

const withoutDiscount = phrasePattern(
  'ohne abzug|ohne skonto|ohne jeden abzug|rein netto|netto|netto kasse|netto zahlbar|net|nett|strictly net|in full|the full amount|without deduction|without discount|sans escompte|sans deduction|net sans escompte|neto|sin descuento|senza sconto|netto senza sconto|zonder korting|zonder aftrek|liquido|sem desconto|bez skonta|bez rabatu|uden rabat|utan avdrag|uden fradrag|uten rabatt',
);
const until =
  '(?:bis|bis zum|spatestens(?: am| bis zum)?|am|zum|by|before|until|no later than|on|le|avant le|jusqu au|au|al|el|antes del|hasta el|entro il|il|tot|voor|uiterlijk|op|ate|do|til|till|senest|senast|den)';
const netBehind = new RegExp(
  `^[\\s:(,-]{0,3}(?:dann |then |danach |zahlbar |fallig |payable |due |payables? |pagaderos? )?(?:${withoutDiscount})(?![a-z])`,
);
const netBefore = new RegExp(
  `(?:^|[,;.] ?|[a-z%] )(?:${withoutDiscount})[,:]? ?(?:zahlbar |payable |fallig |due |payable )?${until}? ?$`,
);
const payable =
  /(?:^|[^a-z])(?:zahlbar|zahlung|zu zahlen|fallig|payable|pay|paid|payment|due|paiement|payer|reglement|regler|pago|pagar|pagadero|pagamento|pagare|betaling|betalen|betaalbaar|platnosc|platne|zaplaty|splatn[a-z]*|betalning|betales|betalas)(?![a-z])/;
const negated = /(?:ohne|kein(?:e[rnm]?)?|without|no|sans|sin|senza|zonder|sem|bez|uden|utan|uten)(?: \p{L}+)? ?$/u;

/** The words behind a date up to the next date or the end of the sentence. */
function behindOf({ document }: Layout, segment: Segment, date: FoundDate): string {
  const next = document.dates.find(({ start }) => start >= date.end && start < segment.end);
  const end = Math.min(next?.start ?? segment.end, date.end + 60);
  return segment.folded.slice(date.end - segment.start, end - segment.start);
}

/** "Zahlbar bis 14.05. mit 2 % Skonto, bis 30.05. netto": the first date is that of the discount, the second one that of the payment. */
function roleOfTerms(before: string, behind: string): DateRole | undefined {
  const tail = before.slice(-200);
  if (netBehind.test(behind) || netBefore.test(tail))
    return payable.test(tail) || discountShape.test(tail) ? 'payment-due' : undefined;
  const own = behind.split(/[,;]|\. /, 1)[0]!;
  const discount = discountShape.exec(own);
  return discount !== null && !negated.test(own.slice(0, discount.index)) && payable.test(tail) ? 'other' : undefined;
}

function isBehindNumber({ number }: InvoicePart, date: FoundDate, segment: Segment): boolean {
  if (number === undefined || number.end > date.start || date.start - number.end > 80 || number.start < segment.start)
    return false;
  const between = foldText(segment.text.slice(number.end - segment.start, date.start - segment.start)).replace(
    /^ \([^()]*\)/,
    '',
  );
  return /^[\s,*(/—–-]{0,4}(?:of|dated|date|from|vom|v\.|du|en date du|del|dd\.?|di|de|z dnia|z|ze dne|van|d\.d\.|av|af|per|den|le|of the)?[\s:*.]{0,3}$/.test(
    between,
  );
}

const cityDate = /^\p{Lu}[\p{L} .-]{2,24},?[ ](?:le |den |dne |dnia |il |a |em |am |, )?$/u;

/** "Lyon, le 7 avril 2026" alone in its segment, above the items. */
function dateline(
  dates: readonly (readonly [Segment, readonly FoundDate[]])[],
  part: InvoicePart,
): InvoiceDate | undefined {
  for (const [segment, [date]] of dates) {
    if (segment.line > part.from + 25 || date!.iso.length !== 10 || segment.end - date!.end > 1) continue;
    const before = segment.text.slice(0, date!.start - segment.start);
    if (cityDate.test(before) && before.includes(','))
      return { role: 'invoice-issue', iso: date!.iso, start: date!.start, end: date!.end };
  }
  return undefined;
}
