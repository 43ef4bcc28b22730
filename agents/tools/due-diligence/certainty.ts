/**
 * Withholds findings that the document does not confirm, in any layout: terms with two values, single thresholds, flags from
 * lists and quotations. Each test names a reason for the report.
 */
import { type Certain, withhold } from '../left-out.ts';
import { indexAt } from '../text/ranges.ts';
import type { Span } from '../text/span.ts';
import type { ControlTerm } from './control-terms.ts';
import type { Dispute } from './dispute-words.ts';
import { type Flow, within } from './flow.ts';
import type { CapTable } from './holdings.ts';
import { type FoundTerm, findTermCandidates, findValueTerms } from './term-values.ts';
import type { WarrantyLimit } from './warranty-limits.ts';

export type Doubt =
  | 'values'
  | 'percentages'
  | 'range'
  | 'threshold'
  | 'cap'
  | 'nominal'
  | 'contradiction'
  | 'name'
  | 'list'
  | 'quotation'
  | 'negation';

/** Why findings are left out, for readers of the report. */
export const doubtReasons: Readonly<Record<Doubt, string>> = {
  values: 'the document gives another value of the same term',
  percentages: 'their sentence contains a second percentage',
  range: 'their value is outside the usual range',
  threshold: 'a single threshold may be one for each claim or for all claims',
  cap: 'a threshold is not below the cap',
  nominal: 'their amount is nominal',
  contradiction: 'the document names a consequence for the same party',
  name: 'a number stands where a holder should be named',
  list: 'their sentence lists several subjects',
  quotation: 'their sentence quotes other words',
  negation: 'their sentence contains a negation',
};

/** Higher percentages are another figure: a share, a threshold of votes. */
const percentMax: ReadonlyMap<FoundTerm['term'], number> = new Map([
  ['interest', 25],
  ['dividend', 25],
  ['option-pool', 30],
]);

/** A higher amount is that of all shares. */
const priceMax = 50_000;

export function findCertainTerms(flow: Flow): Certain<FoundTerm, Doubt> {
  const byTerm = Map.groupBy(findTermCandidates(flow), ({ kind, term }) => `${kind} ${term}`);
  return withhold(findValueTerms(flow), ({ kind, term, value, start }) => {
    if (kind === 'period') return undefined;
    // Prices differ by class of shares.
    const rivals = term === 'price-per-share' ? [] : (byTerm.get(`${kind} ${term}`) ?? []);
    if (rivals.some((each) => each.value !== value)) return 'values';
    if (kind === 'money') return term === 'price-per-share' && Number(value) > priceMax ? 'range' : undefined;
    if (Number(value) > (percentMax.get(term) ?? 100)) return 'range';
    const sentence = flow.sentences[indexAt(flow.sentences, start) ?? -1];
    return sentence !== undefined && within(flow.percents, sentence).length > 1 ? 'percentages' : undefined;
  });
}

/** A higher multiple of the threshold of a single claim is a cap. */
const basketFactorMax = 100;

/** Of several limits, a basket is certain only next to a de minimis; both must be below the cap. */
export function certainLimits(found: readonly WarrantyLimit[]): Certain<WarrantyLimit, Doubt> {
  const single = found.find(({ limit, amount: value }) => limit === 'de-minimis' && value !== undefined)?.amount;
  const hasSingle = found.some(({ limit }) => limit === 'de-minimis');
  const lowest = found.reduce(
    (least, { limit, amount }) => (limit === 'cap' && amount !== undefined ? Math.min(least, Number(amount)) : least),
    Number.POSITIVE_INFINITY,
  );
  return withhold(found, ({ limit, amount }) => {
    if (limit === 'basket' && !hasSingle && found.length > 1) return 'threshold';
    if (limit === 'basket' && single !== undefined && Number(amount) > Number(single) * basketFactorMax)
      return 'threshold';
    return limit !== 'cap' && amount !== undefined && Number(amount) >= lowest ? 'cap' : undefined;
  });
}

/** A smaller amount in dispute is the number of something else, or a symbolic sum. */
const disputedMin = 100;

export function certainDisputes(found: readonly Dispute[]): Certain<Dispute, Doubt> {
  return withhold(found, ({ amount }) =>
    amount !== undefined && Number(amount) < disputedMin ? 'nominal' : undefined,
  );
}

/** In a misread table, the holders are the cells of another column. */
export function certainTables<Table extends Pick<CapTable, 'holdings'>>(
  found: readonly Table[],
): Certain<Table, Doubt> {
  return withhold(found, ({ holdings }) =>
    holdings.every(({ holder }) => /\p{L}/u.test(holder)) ? undefined : 'name',
  );
}

/** An agreement "without such a clause" of a party whose agreement has one. */
export function certainControlTerms(found: readonly ControlTerm[]): Certain<ControlTerm, Doubt> {
  const bound = new Set(
    found.flatMap(({ counterparty, consequence }) => (consequence === 'none' ? [] : [counterparty])),
  );
  return withhold(found, ({ counterparty, consequence }) =>
    consequence === 'none' && counterparty !== undefined && bound.has(counterparty) ? 'contradiction' : undefined,
  );
}

export interface FlagMention {
  readonly id: string;
  readonly isCritical: boolean;
  readonly excerpt: string;
  readonly span: Span;
}

/** So many flags in one sentence are a list of what may be a flag. */
const listedMin = 3;

export function certainMentions<Mention extends FlagMention>(found: readonly Mention[]): Certain<Mention, Doubt> {
  // The words before a colon may be part of the sentence or not.
  const endOf = ({ span }: Mention) => `${span.message}:${span.end}`;
  const bySentence = Map.groupBy(found, endOf);
  const isListed = (mention: Mention) => {
    const { size } = new Set(bySentence.get(endOf(mention))!.map(({ id }) => id));
    // A report may enumerate its findings: each has a clause of its own.
    return size >= listedMin && mention.excerpt.split(';').length < Math.min(size, listedMin);
  };
  return withhold(found, (mention) => {
    const { isCritical, excerpt } = mention;
    if (isListed(mention)) return 'list';
    if (quotation.test(excerpt)) return 'quotation';
    return isCritical && denying.test(excerpt) ? 'negation' : undefined;
  });
}

/** Of at least three words; a name in quotation marks quotes nothing. */
const quotation = /["“„«][^"”“»\s]{1,40}\s[^"”“»\s]{1,40}\s[^"”“»]/;
const denying =
  /(?<!\p{L})(?:no|not|never|none|nor|neither|nicht|kein\p{L}{0,2}|pas|n['’](?:est|a|ont)|aucune?|ning\p{L}*|nada|niet|geen|nessun\p{L}?|nie|inte|ej|ingen|inget|não|nenhum\p{L}{0,2})(?!\p{L})/iu;
