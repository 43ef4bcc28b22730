/** Disclosures in addition to the statement lines: segments, forecasts, covenants, restatements, and the accounting standards. */
import type { AgentTool, Json } from '../../agent/agent.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { bounded, excerpt, type Range } from '../text/span.ts';
import { readCovenants } from './covenants.ts';
import { withoutRivals } from './disclosure-certainty.ts';
import type { DocumentReading } from './document-reading.ts';
import { readGuidance } from './guidance.ts';
import { readOrganicGrowth } from './organic-growth.ts';
import { toText } from './rational.ts';
import { readBasis } from './reporting-basis.ts';
import { readRestatements } from './restatements.ts';
import { readSegments } from './segments.ts';
import { readStatements } from './statements.ts';

/** Segments have many figures: eight segments, two items, five periods. */
const segmentsMax = 120;

export const disclosuresTool: AgentTool = {
  name: 'financial_disclosures',
  version: '2',
  purpose:
    'Reads segments, forecasts, covenant tests, restatements and the accounting standards. Text: a financial report or certificate.',
  run(documents) {
    const statements = readStatements(documents);
    const all = statements.readings.map(disclosuresOf);
    const segments = bounded(
      all.flatMap((each) => each.segments),
      segmentsMax,
    );
    const left = leftOut(
      all.flatMap(({ doubts }) => doubts),
      disclosureDoubts,
    );
    const guidance = all.flatMap((each) => each.guidance).slice(0, 60);
    const covenants = all.flatMap((each) => each.covenants).slice(0, 30);
    const restatements = all.flatMap((each) => each.restatements).slice(0, 60);
    const organicGrowth = all.flatMap((each) => each.organicGrowth);
    const bases = all.flatMap((each) => each.bases);
    return {
      result: {
        bases,
        segments: segments.items,
        segments_more: segments.more,
        guidance,
        covenants,
        restatements,
        organic_growth: organicGrowth,
        disclosures_left_out: left,
      },
      digest: [
        ...digestOf({ bases, segments: segments.items, guidance, covenants, restatements, organicGrowth }),
        ...leftOutLines(left),
      ],
    };
  },
};

/** Why disclosures are left out, for readers of the report. */
const disclosureDoubts = {
  sum: 'segments do not add up to a printed amount',
  rivals: 'the document gives two values for a forecast, a covenant, a restatement or organic growth',
} as const;

type Found = { readonly [key: string]: Json };

interface Disclosures {
  readonly bases: readonly Found[];
  readonly segments: readonly Found[];
  readonly guidance: readonly Found[];
  readonly covenants: readonly Found[];
  readonly restatements: readonly Found[];
  readonly organicGrowth: readonly Found[];
}

function disclosuresOf(
  reading: DocumentReading,
): Disclosures & { readonly doubts: readonly (keyof typeof disclosureDoubts)[] } {
  const { document, reportedCurrency: currency } = reading;
  const place = (range: Range): Found => ({ quote: excerpt(document.text, range, 100), ...document.spanOf(range) });
  const money: Found = currency === undefined ? {} : { currency };
  const basis = readBasis(reading);
  const segments = readSegments(reading);
  const guidance = withoutRivals(readGuidance(reading), {
    keyOf: ({ measure, period }) => `${measure}|${period}`,
    amountsOf: ({ low, high }) => [low, high],
  });
  const covenants = readCovenants(reading);
  const restatements = withoutRivals(readRestatements(reading), {
    keyOf: ({ item, period }) => `${item}|${period}`,
    amountsOf: ({ reported, restated }) => [reported, restated],
  });
  const organic = withoutRivals(readOrganicGrowth(reading), {
    keyOf: ({ period }) => period,
    amountsOf: ({ percent }) => [percent],
  });
  return {
    bases:
      basis === undefined
        ? []
        : [
            {
              ...(basis.framework === undefined ? {} : { framework: basis.framework }),
              ...(basis.currency === undefined ? {} : { currency: basis.currency }),
              ...(basis.zeros === undefined ? {} : { unit: `1${'0'.repeat(basis.zeros)}` }),
              ...(basis.named === undefined ? {} : place(basis.named)),
            },
          ],
    doubts: [
      ...Array.from({ length: segments.leftOut }, () => 'sum' as const),
      ...Array.from(
        { length: guidance.leftOut + covenants.leftOut + restatements.leftOut + organic.leftOut },
        () => 'rivals' as const,
      ),
    ],
    segments: segments.figures.map(({ segment, item, period, value, start, end }) => ({
      segment,
      item,
      period,
      value: toText(value),
      ...money,
      ...document.spanOf({ start, end }),
    })),
    guidance: guidance.facts.map((each) => ({
      measure: each.measure,
      low: toText(each.low),
      high: toText(each.high),
      ...(each.currency === undefined ? {} : money),
      ...(each.period === undefined ? {} : { period: each.period }),
      ...place(each),
    })),
    covenants: covenants.facts.map((each) => ({
      covenant: each.covenant,
      limit: toText(each.limit),
      bound: each.bound,
      actual: toText(each.actual),
      outcome: each.outcome,
      ...(each.testDate === undefined ? {} : { test_date: each.testDate }),
      severity: each.outcome === 'breached' ? 'high' : 'info',
      ...place(each),
    })),
    restatements: restatements.facts.map((each) => ({
      item: each.item,
      reported: toText(each.reported),
      restated: toText(each.restated),
      ...(each.period === undefined ? {} : { period: each.period }),
      ...money,
      ...place(each),
    })),
    organicGrowth: organic.facts.map((each) => ({
      percent: toText(each.percent),
      period: each.period,
      ...place(each),
    })),
  };
}

function digestOf({ bases, segments, guidance, covenants, restatements, organicGrowth }: Disclosures): string[] {
  return [
    ...bases.map(
      ({ framework, currency, unit }) =>
        `Standards ${framework ?? 'not named'}, currency ${currency ?? 'not named'}, unit ${unit ?? '1'}`,
    ),
    ...covenants.map(
      (each) => `Covenant ${each.covenant}: ${each.actual} against a ${each.bound} of ${each.limit}: ${each.outcome}`,
    ),
    ...restatements
      .slice(0, 10)
      .map((each) => `Restated: ${each.item} ${each.period ?? ''} from ${each.reported} to ${each.restated}`),
    ...guidance
      .slice(0, 12)
      .map((each) => `Forecast: ${each.measure} ${each.low} to ${each.high} (${each.period ?? 'no period'})`),
    ...organicGrowth.slice(0, 8).map((each) => `Organic growth ${each.percent} % (${each.period})`),
    ...segments.slice(0, 20).map((each) => `Segment ${each.segment}, ${each.item}: ${each.value} (${each.period})`),
  ];
}
