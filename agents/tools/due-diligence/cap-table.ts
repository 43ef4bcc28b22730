/**
 * Cap-table arithmetic: issued and fully diluted shares, ownership, option pool, and the conversion of convertibles in the
 * round that the documents describe. Computes only from stated figures, and names what is missing.
 */
import type { AgentTool } from '../../agent/agent.ts';
import { documentsOnly } from '../../document/corpus.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { place, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { add, decimal, formatDecimal, multiply, subtract } from '../text/decimal.ts';
import { bounded } from '../text/span.ts';
import { certainTables, doubtReasons, findCertainTerms } from './certainty.ts';
import { convertRound, type RoundResult } from './conversion.ts';
import { flowOf } from './flow.ts';
import { type CapTable, findCapTables, type Holding, percentOf } from './holdings.ts';
import { type FoundInstrument, findInstruments, findRoundTerms, type RoundTerms } from './round-terms.ts';
import type { FoundTerm } from './term-values.ts';

export const capTable: AgentTool = {
  name: 'cap_table',
  version: '3',
  purpose:
    'Computes holdings, dilution and a round from a cap table. Text: holders with their shares, and the terms of the round.',
  run(documents) {
    const readings = documentsOnly(documents).map(readDocument);
    const { facts: tables, doubts } = certainTables(
      readings.flatMap((reading) => findCapTables(reading).map((table) => ({ ...table, reading }))),
    );
    const instruments = readings.flatMap((reading) => findInstruments(reading).map((each) => ({ ...each, reading })));
    const terms = readings.map(findRoundTerms).find(({ preMoney }) => preMoney !== undefined) ?? {};
    // If there are several tables, the one with the most holders is used; the others are listed, not added.
    const main = tables.reduce<(typeof tables)[number] | undefined>(
      (best, table) => (best === undefined || table.holdings.length > best.holdings.length ? table : best),
      undefined,
    );
    const summary = main === undefined ? undefined : summaryOf(main);
    const round = roundOf(main, instruments, terms);
    const valuations = readings.flatMap((reading) => valuationErrors(reading, summary?.fully_diluted));
    const omitted = leftOut(doubts, doubtReasons);
    const result = {
      tables_found: tables.length,
      ...(main === undefined || summary === undefined
        ? { not_computable: 'no table of holders and shares found' }
        : {
            table: {
              ...summary,
              lines: bounded(
                main.holdings.map((each) => lineOf(each, main.disagreements)),
                60,
              ),
              span: main.reading.spanOf(main),
            },
          }),
      convertibles: bounded(instruments.map(shownInstrument), 30),
      round,
      left_out: omitted,
      ...(valuations.length === 0 ? {} : { valuation_disagreements: valuations.slice(0, 5) }),
    };
    return toFindings(result, [
      ...leftOutLines(omitted),
      ...digestOf(summary, main, instruments, round),
      ...valuations
        .slice(0, 5)
        .map(
          ({ figure, stated, computed, span }) =>
            `The valuation does not add up: the other figures make ${computed} ${figure}, the document says ${stated} ${place(span)}.`,
        ),
    ]);
  },
};

/** A line of the table, for one holder and class, with its percentage if that does not contradict the shares. */
function lineOf({ holder, shareClass, count, percent }: Holding, disagreements: readonly string[]) {
  const isWrong = disagreements.some((each) => each.startsWith(`${holder}: holds`));
  return {
    holder,
    share_class: shareClass,
    shares: String(count),
    ...(percent === undefined || isWrong ? {} : { percent }),
  };
}

export interface Summary {
  readonly issued: string;
  readonly options_granted: string;
  readonly pool_unissued: string;
  readonly warrants: string;
  readonly fully_diluted: string;
  readonly pool_percent: string;
  readonly holders: ReturnType<
    typeof bounded<{ holder: string; shares: string; issued_percent: string; fully_diluted_percent: string }>
  >;
  readonly disagreements: readonly string[];
}

/** Totals by kind, and each holder's share of the issued and of the fully diluted shares, largest first. */
export function summaryOf({ holdings, disagreements }: Pick<CapTable, 'holdings' | 'disagreements'>): Summary {
  const totalOf = (kind: Holding['kind']) =>
    holdings.filter((each) => each.kind === kind).reduce((sum, { count }) => sum + count, 0n);
  const issued = totalOf('shares');
  const all = holdings.reduce((sum, { count }) => sum + count, 0n);
  const byHolder = new Map<string, { all: bigint; issued: bigint }>();
  for (const { holder, kind, count } of holdings) {
    const known = byHolder.get(holder) ?? { all: 0n, issued: 0n };
    byHolder.set(holder, { all: known.all + count, issued: known.issued + (kind === 'shares' ? count : 0n) });
  }
  const holders = [...byHolder].sort((a, b) =>
    a[1].all === b[1].all ? (a[0] < b[0] ? -1 : 1) : a[1].all > b[1].all ? -1 : 1,
  );
  const pool = totalOf('pool unissued');
  return {
    issued: String(issued),
    options_granted: String(totalOf('options granted')),
    pool_unissued: String(pool),
    warrants: String(totalOf('warrants')),
    fully_diluted: String(all),
    pool_percent: percentOf(pool, all),
    holders: bounded(
      holders.map(([holder, counts]) => ({
        holder,
        shares: String(counts.all),
        issued_percent: percentOf(counts.issued, issued),
        fully_diluted_percent: percentOf(counts.all, all),
      })),
      60,
    ),
    disagreements: disagreements.slice(0, 20),
  };
}

const roundCharactersMax = 160;
/** The same, if the table of holders and the price confirm the valuation. */
const confirmedCharactersMax = 900;

/**
 * Compares the stated post-money valuation with the sum of pre-money valuation and investment.
 * @param shares fully diluted, of the table: multiplied with the price, they may confirm the post-money valuation
 */
function valuationErrors(reading: Document, shares: string | undefined) {
  const flow = flowOf(reading);
  const values = findCertainTerms(flow).facts;
  const of = (term: string) => values.find((each) => each.kind === 'money' && each.term === term);
  const [pre, investment, post] = [of('pre-money'), of('investment'), of('post-money')];
  if (pre?.value === undefined || investment?.value === undefined || post?.value === undefined) return [];
  if (new Set([pre.currency, investment.currency, post.currency]).size > 1) return [];
  // Three figures next to each other belong to one round.
  const places = [pre.start, investment.start, post.start];
  const room = confirms(shares, values, post.value) ? confirmedCharactersMax : roundCharactersMax;
  if (Math.max(...places) - Math.min(...places) > room) return [];
  const computed = formatDecimal(add(decimal(pre.value), decimal(investment.value)));
  if (Number(computed) === Number(post.value)) return [];
  // "Pre-money: 6.2m (post-money less the contribution)": the document derives the one from the other.
  const pieces = flow.text.slice(pre.end, Math.max(pre.end, investment.start));
  const isDerived = pre.end < investment.start && pieces.length < 90 && subtracted.test(pieces);
  if (isDerived || confirms(shares, values, post.value)) {
    const derived = formatDecimal(subtract(decimal(post.value), decimal(investment.value)));
    return [{ figure: 'pre-money', stated: pre.value, computed: derived, span: reading.spanOf(flow.placeOf(pre)) }];
  }
  return [{ figure: 'post-money', stated: post.value, computed, span: reading.spanOf(flow.placeOf(post)) }];
}

function confirms(shares: string | undefined, values: readonly FoundTerm[], post: string): boolean {
  const [price, other] = values.filter(({ term }) => term === 'price-per-share');
  if (shares === undefined || price?.value === undefined || other !== undefined) return false;
  return Number(formatDecimal(multiply(decimal(shares), decimal(price.value)))) === Number(post);
}

const subtracted =
  /(?<!\p{L})post[- ]?money[^.;]{0,40}(?:less|minus|net of|−|–|-|abzüglich|vermindert um|moins|diminuée? de|menos|verminderd met|minus)(?!\p{L})/iu;

/** "Pro forma", "Series A closed": the table counts the round's shares already. */
const counted =
  /(?<!\p{L})(?:pro[- ]forma|post[- ]closing|after closing|nach (?:der )?(?:runde|closing)|après (?:l[’']opération|closing)|tras la ronda|na (?:de )?closing)(?!\p{L})/iu;

type RoundFinding =
  | { readonly computed: RoundResult; readonly assumptions: readonly string[] }
  | { readonly not_computable: string };

function roundOf(
  main: (CapTable & { reading: Document }) | undefined,
  instruments: readonly FoundInstrument[],
  terms: RoundTerms,
): RoundFinding {
  const missing = [
    ...(main === undefined ? ['table of holders'] : []),
    ...(terms.preMoney === undefined ? ['pre-money valuation'] : []),
    ...(terms.newMoney === undefined ? ['investment amount'] : []),
  ];
  if (main === undefined || terms.preMoney === undefined || terms.newMoney === undefined) {
    return { not_computable: `missing: ${missing.join(', ')}` };
  }
  const above = main.reading.text.slice(Math.max(0, main.start - 400), main.start + 200);
  if (counted.test(above)) return { not_computable: 'the table of holders already includes the shares of the round' };
  const currencies = new Set(
    [terms.preMoney, terms.newMoney, ...instruments].map(({ currency }) => currency ?? 'unknown'),
  );
  if (currencies.size > 1) return { not_computable: `amounts in several currencies: ${[...currencies].join(', ')}` };
  const sumOf = (holdings: readonly Holding[]) => holdings.reduce((sum, { count }) => sum + count, 0n);
  const result = convertRound({
    fullyDiluted: sumOf(main.holdings),
    unissuedPool: sumOf(main.holdings.filter(({ kind }) => kind === 'pool unissued')),
    preMoney: decimal(terms.preMoney.value),
    newMoney: decimal(terms.newMoney.value),
    ...(terms.poolPercent === undefined ? {} : { poolPercent: decimal(terms.poolPercent.value) }),
    instruments: instruments.map(({ terms: each }) => each),
  });
  if ('error' in result) return { not_computable: result.error };
  return {
    computed: result,
    assumptions: [
      'all convertibles that were found convert in this round, each at the lower of cap and discount price',
      'SAFE caps are post-money unless they say pre-money; note caps are pre-money unless they say post-money',
      'the option pool is increased before the new investment; shares are rounded down',
    ],
  };
}

function shownInstrument({
  kind,
  terms,
  currency,
  interest,
  excerpt,
  start,
  end,
  reading,
}: FoundInstrument & { reading: Document }) {
  return {
    kind,
    holder: terms.holder,
    amount: formatDecimal(terms.amount),
    ...(interest === undefined ? {} : { interest_included: interest }),
    ...(currency === undefined ? {} : { currency }),
    ...(terms.cap === undefined ? {} : { cap: formatDecimal(terms.cap), cap_basis: `${terms.capBasis}-money` }),
    ...(terms.discountPercent === undefined ? {} : { discount_percent: formatDecimal(terms.discountPercent) }),
    excerpt,
    span: reading.spanOf({ start, end }),
  };
}

function digestOf(
  summary: Summary | undefined,
  main: (CapTable & { reading: Document }) | undefined,
  instruments: readonly (FoundInstrument & { reading: Document })[],
  round: RoundFinding,
): string[] {
  const lines: string[] = [];
  if (summary === undefined || main === undefined)
    lines.push('Cap table: not computable, no table of holders and shares found.');
  else {
    const at = place(main.reading.spanOf(main));
    lines.push(
      `Cap table ${at}: issued ${summary.issued}; options granted ${summary.options_granted}; pool unissued ${summary.pool_unissued} (${summary.pool_percent} %); warrants ${summary.warrants}; fully diluted ${summary.fully_diluted}.`,
      `Largest holders, fully diluted: ${summary.holders.items
        .slice(0, 8)
        .map(({ holder, fully_diluted_percent: part }) => `${holder} ${part} %`)
        .join('; ')}.`,
      ...summary.disagreements.slice(0, 6).map((each) => `The table disagrees with itself: ${each}.`),
    );
  }
  for (const { kind, terms, currency = '', reading, start, end } of instruments.slice(0, 8)) {
    const cap = terms.cap === undefined ? 'no cap' : `cap ${formatDecimal(terms.cap)} ${terms.capBasis}-money`;
    const discount =
      terms.discountPercent === undefined ? 'no discount' : `discount ${formatDecimal(terms.discountPercent)} %`;
    lines.push(
      `${kind}, ${terms.holder}: ${currency} ${formatDecimal(terms.amount)}, ${cap}, ${discount} ${place(reading.spanOf({ start, end }))}`,
    );
  }
  if ('not_computable' in round) return [...lines, `Round: not computable, ${round.not_computable}.`];
  const {
    price,
    newShares,
    fullyDilutedAfter,
    newInvestorsPercent,
    unissuedPoolPercent,
    earlierHoldersPercent,
    converted,
  } = round.computed;
  lines.push(
    `Round: price ${price} per share, ${newShares} new shares, fully diluted after ${fullyDilutedAfter}; new investors ${newInvestorsPercent} %, pool ${unissuedPoolPercent} %, earlier holders ${earlierHoldersPercent} %.`,
  );
  for (const each of converted.slice(0, 8)) {
    lines.push(
      `${each.holder} converts by ${each.by} at ${each.price} into ${each.shares} shares (${each.ownershipPercent} %).`,
    );
  }
  return lines;
}
