/** The transfer pricing part of the tax analyst's tools: ranges by both methods, the test, the adjustment. */
import type { AgentDocument, AgentTool } from '../../agent/agent.ts';
import { type Document, readDocument } from '../../document/document.ts';
import { type Rational, toText } from '../financial/rational.ts';
import { readStatements } from '../financial/statements.ts';
import { place, toFindings } from '../findings.ts';
import { type Certain, doubtCollector, leftOut, leftOutLines } from '../left-out.ts';
import { indexAt } from '../text/ranges.ts';
import { bounded, excerpt } from '../text/span.ts';
import { certainRanges, type Doubt, doubtReasons, rangeDoubt } from './certainty.ts';
import { type Comparable, type ComparableSet, findComparables, findCostBase, findTestedResult } from './comparables.ts';
import { type Layout, readLayout } from './layout.ts';
import { findAppliedMethods, findStatedTests } from './pricing-statements.ts';
import { adjustmentAmount, type QuartileMethod, type Quartiles, quartiles, testArmsLength } from './quartiles.ts';
import { findStatedRanges, type StatedRange } from './stated-range.ts';

const methods: readonly QuartileMethod[] = ['us_regulation', 'linear_interpolation'];

/** Maximum number of sets in the result, and of comparables per set. */
const setsMax = 4;
const listedMax = 30;

/** Maximum number of methods and tests per text. */
const statedMax = 12;

export const transferPricingTool: AgentTool = {
  name: 'transfer_pricing_range',
  version: '2',
  purpose:
    'Computes the interquartile range of comparables and tests a result against it. Text: comparables with their margins, and the tested result.',
  run(documents) {
    const { doubts, keep } = doubtCollector<Doubt>();
    const sets = bounded(
      documents
        .map(readDocument)
        .flatMap((document) => keep(certainSets(findComparables(document))).map((set) => ({ document, set }))),
      setsMax,
    );
    const read = documents.map(readLayout).map((layout) => ({ layout, tests: findStatedTests(layout) }));
    const stated = bounded(
      read.flatMap(({ layout, tests }) =>
        keep(certainStatedRanges(layout, tests)).map((range) => ({ document: layout.document, range })),
      ),
      setsMax,
    );
    const tests = read.map(({ layout, tests }) => ({
      document: layout.document,
      applied: findAppliedMethods(layout).slice(0, statedMax),
      stated: keep(certainRanges(tests)).slice(0, statedMax),
    }));
    const omitted = leftOut(doubts, doubtReasons);
    const tested = testedOf(documents);
    const results = sets.items.map(({ document, set }) => setResult(document, set, tested, baseOf(documents, set)));
    return toFindings(
      {
        methods: {
          us_regulation: '26 CFR 1.482-1(e)(2)(iii)(C)',
          linear_interpolation:
            'rank 1 + share × (count − 1), as in QUARTILE.INC; OECD Guidelines 3.57 leave the method open',
        },
        sets: results.map(({ result }) => result),
        sets_more: sets.more,
        stated_ranges: stated.items.map(({ document, range }) => statedJson(document, range, tested, results)),
        stated_ranges_more: stated.more,
        applied_methods: tests.flatMap(({ document, applied }) =>
          applied.map(({ method, testedParty, ...range }) => ({
            method,
            tested_party: testedParty?.slice(0, 120).toWellFormed() ?? null,
            ...document.spanOf(range),
          })),
        ),
        stated_tests: tests.flatMap(({ document, stated: own }) =>
          own.map(({ lower, median, upper, result, position, ...range }) => ({
            lower: toText(lower),
            median: median === undefined ? null : toText(median),
            upper: toText(upper),
            result: result === undefined ? null : toText(result),
            position: position ?? null,
            ...document.spanOf(range),
          })),
        ),
        left_out: omitted,
      },
      [
        ...results.flatMap(({ digest }) => digest),
        ...stated.items.map(({ document, range }) => statedLine(document, range, tested, results)),
        ...tests.flatMap(({ document, applied }) =>
          applied.map(
            (found) =>
              `Method applied: ${found.method}${found.testedParty === undefined ? '' : `, tested party ${found.testedParty.slice(0, 60)}`} ${place(document.spanOf(found))}`,
          ),
        ),
        ...leftOutLines(omitted),
      ],
    );
  },
};

/** A range in doubt counts once, though the tests of the text are read from the same sentences. */
function certainStatedRanges(layout: Layout, tests: ReturnType<typeof findStatedTests>): Certain<StatedRange, Doubt> {
  const found = findStatedRanges(layout.document.text);
  const doubted = tests.filter((test) => rangeDoubt(test) !== undefined);
  const isCounted = ({ start, end }: StatedRange) => {
    const index = indexAt(doubted, end - 1);
    return index !== undefined && doubted[index]!.end > start;
  };
  return {
    facts: certainRanges(found).facts,
    doubts: found.flatMap((range) => (isCounted(range) ? [] : (rangeDoubt(range) ?? []))),
  };
}

/** The sets of comparables whose quartiles are those of an indicator. */
function certainSets(sets: readonly ComparableSet[]): Certain<ComparableSet, Doubt> {
  const read = sets.map((set) => ({
    set,
    doubt: rangeDoubt(
      quartiles(
        set.comparables.map(({ value }) => value),
        'linear_interpolation',
      ),
    ),
  }));
  return {
    facts: read.filter(({ doubt }) => doubt === undefined).map(({ set }) => set),
    doubts: read.flatMap(({ doubt }) => doubt ?? []),
  };
}

interface Tested {
  readonly document: Document;
  readonly found: Comparable;
}

function testedOf(documents: readonly AgentDocument[]): Tested | undefined {
  for (const document of documents.map(readDocument)) {
    const found = findTestedResult(document.text);
    if (found !== undefined) return { document, found };
  }
  return undefined;
}

interface Base {
  readonly name: string;
  readonly value: Rational;
}

/** Margins on sales are adjusted on revenue, mark-ups on costs on the cost base; other indicators have no base in the text. */
function baseOf(documents: readonly AgentDocument[], { indicator, isPercent }: ComparableSet): Base | undefined {
  if (!isPercent) return undefined;
  if (/\bmark ?up\b|\bncp\b|\bnet cost plus\b|\bfull cost\b/.test(indicator)) {
    const value = documents.flatMap((each) => findCostBase(readDocument(each).text) ?? [])[0];
    return value === undefined ? undefined : { name: 'total costs', value };
  }
  if (!/\boperating (?:profit )?margin\b|\bros\b|\breturn on sales\b|\bop s\b|\bebit margin\b/.test(indicator))
    return undefined;
  const { figures, periods } = readStatements(documents);
  const revenue = periods.map((period) => figures.get('revenue')?.get(period)).find((figure) => figure !== undefined);
  return revenue === undefined ? undefined : { name: 'revenue', value: revenue.value };
}

function setResult(document: Document, set: ComparableSet, tested: Tested | undefined, base: Base | undefined) {
  const values = set.comparables.map(({ value }) => value);
  const unit = set.isPercent ? '%' : '';
  const own = set.stated.get('tested');
  const subject = own !== undefined ? { document, found: own } : set.isPercent ? tested : undefined;
  const ranges = methods.map((method) => {
    const range = quartiles(values, method);
    const test = subject === undefined ? undefined : testArmsLength(subject.found.value, range);
    return { range, test };
  });
  const result = {
    ...document.spanOf(set),
    unit: set.isPercent ? 'percent' : 'as printed',
    count: values.length,
    rejected: set.rejected,
    comparables: set.comparables.slice(0, listedMax).map((comparable) => ({
      name: comparable.name.slice(0, 60).toWellFormed(),
      value: toText(comparable.value),
      ...document.spanOf(comparable),
    })),
    comparables_more: Math.max(0, values.length - listedMax),
    ...(subject === undefined
      ? {}
      : { tested: { value: toText(subject.found.value), ...subject.document.spanOf(subject.found) } }),
    ranges: ranges.map(({ range, test }) => ({
      method: range.method,
      lower: toText(range.lower),
      median: toText(range.median),
      upper: toText(range.upper),
      ...(test === undefined ? {} : testJson(test, base, set.isPercent)),
    })),
    stated: [...set.stated]
      .filter(([kind]) => kind !== 'tested')
      .map(([kind, found]) => ({
        kind,
        value: toText(found.value),
        agrees_with: ranges
          .filter(({ range }) => isSame(range[kind as 'lower'], found.value))
          .map(({ range }) => range.method),
        ...document.spanOf(found),
      })),
    excerpt: excerpt(document.text, set, 80),
  };
  return {
    result,
    ranges: ranges.map(({ range }) => range),
    digest: digestOf(document, set, ranges, unit, subject, base),
  };
}

type Ranges = readonly {
  readonly range: ReturnType<typeof quartiles>;
  readonly test: ReturnType<typeof testArmsLength> | undefined;
}[];

function testJson(test: NonNullable<Ranges[number]['test']>, base: Base | undefined, isPercent: boolean) {
  const money = base !== undefined && isPercent && test.position !== 'within';
  return {
    position: test.position,
    adjustment_to_median: toText(test.toMedian),
    adjustment_to_nearest_end: toText(test.toNearestEnd),
    ...(money
      ? { adjustment_to_median_amount: toText(adjustmentAmount(test.toMedian, base.value), 2), base: base.name }
      : {}),
  };
}

/** Stated quartiles are printed with one or two decimals. */
function isSame(computed: Rational, stated: Rational): boolean {
  const places = toText(stated).split('.')[1]?.length ?? 0;
  const rounded = toText(computed, places);
  return rounded === toText(stated, places);
}

const statedNames = { lower: 'a lower quartile', median: 'a median', upper: 'an upper quartile' } as const;

function digestOf(
  document: Document,
  set: ComparableSet,
  ranges: Ranges,
  unit: string,
  subject: Tested | undefined,
  base: Base | undefined,
): string[] {
  const lines = ranges.map(({ range, test }) => {
    const numbers = `lower quartile ${toText(range.lower, 4)}${unit}, median ${toText(range.median, 4)}${unit}, upper quartile ${toText(range.upper, 4)}${unit}`;
    if (test === undefined || subject === undefined) return `${range.method}: ${numbers}; no tested result found`;
    const tested = `tested ${toText(subject.found.value, 4)}${unit} is ${test.position} the range`;
    if (test.position === 'within') return `${range.method}: ${numbers}; ${tested}: no adjustment`;
    const money =
      base === undefined || !set.isPercent
        ? ''
        : `, ${toText(adjustmentAmount(test.toMedian, base.value), 2)} on ${base.name}`;
    return `${range.method}: ${numbers}; ${tested}: adjustment to the median ${toText(test.toMedian, 4)}${set.isPercent ? ' points' : ''}${money}`;
  });
  const heading = `${set.comparables.length} comparables${set.rejected === 0 ? '' : ` (${set.rejected} rejected left out)`} ${place(document.spanOf(set))}`;
  const wrong = [...set.stated].flatMap(([kind, { value }]) =>
    kind !== 'tested' && !ranges.some(({ range }) => isSame(range[kind], value))
      ? [`The text states ${statedNames[kind]} of ${toText(value)}${unit}, which neither method gives`]
      : [],
  );
  return [...wrong, heading, ...lines];
}

type SetResults = readonly { readonly ranges: readonly Quartiles[] }[];

/** Determines which method gives the range that the text states, over all sets. */
function methodsOf({ lower, upper }: StatedRange, results: SetResults): QuartileMethod[] {
  const agreeing = results.flatMap(({ ranges }) =>
    ranges.filter((range) => isSame(range.lower, lower) && isSame(range.upper, upper)).map(({ method }) => method),
  );
  return [...new Set(agreeing)];
}

function statedTest(range: StatedRange, tested: Tested | undefined) {
  // Without a stated median, the adjustment is unknown, so only the position is reported.
  const { lower, upper, median } = range;
  if (tested === undefined) return undefined;
  const test = testArmsLength(tested.found.value, { method: 'us_regulation', lower, upper, median: median ?? lower });
  return { position: test.position, ...(median === undefined ? {} : { toMedian: test.toMedian }) };
}

function statedJson(document: Document, range: StatedRange, tested: Tested | undefined, results: SetResults) {
  const test = statedTest(range, tested);
  return {
    lower: toText(range.lower),
    upper: toText(range.upper),
    median: range.median === undefined ? null : toText(range.median),
    agrees_with: methodsOf(range, results),
    position_of_tested: test?.position ?? null,
    ...document.spanOf(range),
  };
}

function statedLine(document: Document, range: StatedRange, tested: Tested | undefined, results: SetResults): string {
  const test = statedTest(range, tested);
  const methods = methodsOf(range, results);
  const origin =
    results.length === 0
      ? 'no comparables to recompute it from'
      : methods.length === 0
        ? 'neither method gives it'
        : methods.join(' and ');
  const position = test === undefined ? '' : `; the tested result is ${test.position} it`;
  return `The text states the range ${toText(range.lower)}% to ${toText(range.upper)}% (${origin})${position} ${place(document.spanOf(range))}`;
}
