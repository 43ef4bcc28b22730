/** Which filing a date belongs to, where a sentence or a line has several dates. */
import type { Document } from '../../document/document.ts';
import { allWithin } from '../text/ranges.ts';
import type { Range } from '../text/span.ts';
import { type FilingKind, kindsIn } from './filing-words.ts';
import type { Segment } from './layout.ts';

export interface LabelledDate extends Range {
  readonly kind: FilingKind;
  /** ISO. */
  readonly date: string;
}

/** A filing that was made. */
export const done =
  /\b(?:filed(?! (?:[\w-]+ ){0,3}(?:by|until|before|no later|not later|within)\b)|submitted|lodged|done|completed|paid|eingereicht|abgegeben|erledigt|bezahlt|deposee?s?|paye|presentat[aoie]|presentad[ao]s?|ingediend|innsendt|levert|indsendt|inlamnad|zlozon[aoey]|podano)\b/;
export const lineCharactersMax = 180;

/** "Corporation tax for 2025: 1 October 2026. Tax return for 2025: 31 December 2026.": a deadline in each sentence of the line. */
export function labelledPair(document: Document, { folded, start, end }: Segment): LabelledDate[] {
  const dates = allWithin(document.dates, { start, end }).filter(({ iso }) => iso.length === 10);
  if (dates.length < 2 || end - start > lineCharactersMax) return [];
  let from = 0;
  const labels = dates.map((date) => {
    const lead = folded.slice(from, date.start - start);
    from = date.end - start;
    return /(?:^|[.;] )[-*•\s]{0,6}([^.;:]{4,80}): $/.exec(lead)?.[1];
  });
  if (labels.includes(undefined) || done.test(folded)) return [];
  return labels.flatMap((label, nth) =>
    (taxItself.test(label!) ? (['corporate-tax-payment'] as const) : kindsIn(label!)).map((kind) => ({
      kind,
      date: dates[nth]!.iso,
      start,
      end,
    })),
  );
}

/** "Corporation tax for 2025", without a return: its payment. */
const taxItself =
  /^(?:corporat(?:e|ion)(?: income)? tax|korperschaftsteuer|impot sur les societes|vennootschapsbelasting|imposta sul reddito delle societa|impuesto (?:sobre|de) sociedades)(?: (?:for|fur|pour|over|per|del) \S{2,8})?$/;

const sameFiling =
  /\b(?:the (?:one|ones|return|statement|report) for|that for|those for|diejenigen? fur|jene fur|celles? (?:de|du|pour)|celui (?:de|du|pour)|quell[ao] (?:di|del|per)|l[ao] (?:de|del) |die (?:van|voor|over))\b/;

/** @returns what the words between two dates name; 'unknown' if they begin a statement on something else */
export function kindsSince(since: string): readonly FilingKind[] | 'unknown' | undefined {
  if (since === '') return undefined;
  const kinds = kindsIn(since);
  if (kinds.length > 0) return kinds;
  const part = since.split(';').at(-1)!;
  if (part === since || sameFiling.test(part)) return undefined;
  const isPayment =
    /\b(?:tax|steuer|impot|imposta|belasting)\b.{0,40}\b(?:payable|paid|zahlen|entrichten|payer|versare|betalen)\b/.test(
      part,
    );
  return isPayment && !/\b(?:vat|withh|umsatz|lohn|tva|iva|btw)/.test(part) ? ['corporate-tax-payment'] : 'unknown';
}
