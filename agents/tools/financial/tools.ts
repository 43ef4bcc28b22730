/** The financial analyst's tools: figures, ratios, growth. Numbers in results are exact decimals as text. */
import type { AgentDocument, AgentTool, Json, ToolFindings } from '../../agent/agent.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { bounded } from '../text/span.ts';
import { doubtReasons } from './certainty.ts';
import { checkConsistency, unitDoubt } from './consistency.ts';
import { compoundGrowth, growthByPeriod } from './growth.ts';
import type { LineItem } from './line-items.ts';
import { ratioTable } from './ratio-table.ts';
import { toText } from './rational.ts';
import { type Computed, computeRatios, type RatioResult } from './ratios.ts';
import { remembering } from './remembered.ts';
import { readStatements, type Statements } from './statements.ts';
import { tieOutFailures } from './tie-outs.ts';

export { disclosuresTool } from './disclosures-tool.ts';
export { scoresTool } from './scores-tool.ts';

/**
 * Each figure with its position, the periods, currencies and units found, totals that do not tie out, and contradictory
 * mentions.
 */
export const statementsTool: AgentTool = {
  name: 'financial_statements',
  version: '2',
  purpose:
    'Reads figures of statements and checks that they add up. Text: a table or lines of items with their periods.',
  run: (documents) => remembering(() => readAndCheck(documents)),
};

function readAndCheck(documents: readonly AgentDocument[]): ToolFindings {
  const statements = readStatements(documents);
  const checks = checkConsistency(statements);
  const conflicts = bounded(statements.conflicts, 20);
  return {
    result: {
      periods: statements.periods,
      currencies: statements.currencies,
      currency_left_out: isCurrencyLeftOut(statements),
      units: statements.zeros.map((zeros) => `1${'0'.repeat(zeros)}`),
      figures: figuresJson(statements),
      figures_without_period: statements.unassigned,
      figures_left_out: leftOut(statements.doubts, doubtReasons),
      units_doubtful_in: unitDoubt(statements) ?? null,
      checks: checks.map((check) => ({ ...check })),
      failures: tieOutFailures(statements).map(({ span, ...failure }) => ({ ...failure, ...span })),
      conflicts: conflicts.items.map(({ item, period, used, other }) => ({
        item,
        period,
        used: { value: toText(used.value), ...used.span },
        other: { value: toText(other.value), ...other.span },
      })),
      conflicts_more: conflicts.more,
    },
    digest: statementsDigest(statements, checks),
  };
}

/** The whole ratio table for every period; ratios that cannot be computed name the missing inputs. */
export const ratiosTool: AgentTool = {
  name: 'financial_ratios',
  version: '2',
  purpose:
    'Computes ratios of liquidity, leverage, margin, return and cash conversion. Text: a table or lines of items with their periods.',
  run(documents) {
    const statements = readStatements(documents);
    const results = computeRatios(statements);
    return {
      result: ratioTable.map(({ id, group, formula, unit }) => ({
        id,
        group,
        formula,
        unit,
        values: results
          .filter(({ definition }) => definition.id === id)
          .map(({ period, computed }) => ({ period, ...computedJson(computed) })),
      })),
      digest: statements.figures.size === 0 ? [] : ratiosDigest(statements, results),
    };
  },
};

/** Growth between consecutive periods, and compound annual growth over at least three years. */
export const growthTool: AgentTool = {
  name: 'financial_growth',
  version: '2',
  purpose: 'Computes growth from period to period and compound growth. Text: a table of items with their periods.',
  run(documents) {
    const statements = readStatements(documents);
    const growth = growthByPeriod(statements);
    const compound = compoundGrowth(statements);
    const line = ({ item, from, to, change }: (typeof growth)[number]) =>
      `${item} ${from} to ${to}: ${'percent' in change ? `${change.percent} %` : `not computable: ${change.not_computable}`}`;
    return {
      result: {
        formula: { growth: '(to − from) / from', cagr: '(to / from)^(1 / years) − 1' },
        growth: growth.map(({ change, ...rest }) => ({ ...rest, ...change })),
        cagr: compound.map(({ change, ...rest }) => ({ ...rest, ...change })),
      },
      digest: [
        ...compound.map((entry) => `CAGR ${line(entry)} a year over ${entry.years} years`),
        ...growth.filter(({ to }) => to === statements.periods[0] || to === statements.periods[1]).map(line),
      ].slice(0, 40),
    };
  },
};

function isCurrencyLeftOut({ readings }: Statements): boolean {
  return readings.some(({ currency, reportedCurrency }) => currency !== reportedCurrency);
}

function unknownCurrency(statements: Statements): string {
  return isCurrencyLeftOut(statements)
    ? 'units (currency left out, because the document names several)'
    : 'units (no currency found)';
}

function figuresJson(statements: Statements): Json {
  return [...statements.figures].map(([item, byPeriod]) => ({
    item,
    values: [...byPeriod]
      .filter(([period, { isDash }]) => statements.periods.includes(period) && !isDash)
      .map(([period, { value, source, span }]) => ({ period, value: toText(value), source, ...span })),
  }));
}

function statementsDigest(statements: Statements, checks: ReturnType<typeof checkConsistency>): string[] {
  const notes = leftOutLines(leftOut(statements.doubts, doubtReasons));
  if (statements.figures.size === 0) return ['No figures of financial statements were found.', ...notes];
  const heading = `Figures in whole ${statements.currencies.join('/') || unknownCurrency(statements)}; periods ${statements.periods.join(', ')}`;
  const broken = checks.filter(({ agrees }) => !agrees);
  const doubt = unitDoubt(statements);
  const items = [...statements.figures.keys()].sort((a, b) => rankOf(mainItems, a) - rankOf(mainItems, b));
  return [
    heading,
    ...notes,
    ...(doubt === undefined ? [] : [`Units are doubtful in ${doubt}: revenue and total assets are too far apart`]),
    ...broken
      .slice(0, 10)
      .map(
        (c) => `Does not tie out, ${c.period}: ${c.rule}; ${c.total} against ${c.parts}, difference ${c.difference}`,
      ),
    ...(checks.length > 0 && broken.length === 0 ? [`All ${checks.length} tie-out checks agree`] : []),
    ...statements.conflicts
      .slice(0, 5)
      .map(
        ({ item, period, used, other }) =>
          `Two values for ${item} ${period}: ${toText(used.value)} and ${toText(other.value)}`,
      ),
    ...items.map((item) => `${item}: ${byPeriod(statements, item)}`),
  ];
}

/** The ratios shown first; the others keep their order. */
const mainItems: readonly string[] = ['revenue', 'ebit', 'net_income', 'operating_cash_flow', 'total_assets', 'equity'];
const mainRatios: readonly string[] = [
  'current_ratio',
  'debt_to_equity',
  'operating_margin',
  'net_margin',
  'interest_cover',
  'net_debt_to_ebitda',
  'return_on_equity',
  'free_cash_flow',
  'cash_conversion',
  'cash_conversion_cycle',
];

function rankOf(order: readonly string[], id: string): number {
  const at = order.indexOf(id);
  return at === -1 ? order.length : at;
}

function byPeriod(statements: Statements, item: LineItem): string {
  return statements.periods
    .flatMap((period) => {
      const figure = statements.figures.get(item)?.get(period);
      return figure === undefined || figure.isDash ? [] : [`${toText(figure.value)} (${period})`];
    })
    .join(', ');
}

function computedJson(computed: Computed): { readonly [key: string]: Json } {
  return { ...computed };
}

/** The two newest periods, one line per ratio; then one line with the missing inputs. */
function ratiosDigest(statements: Statements, results: readonly RatioResult[]): string[] {
  const periods = statements.periods.slice(0, 2);
  const missing: string[] = [];
  const ordered = [...ratioTable].sort((a, b) => rankOf(mainRatios, a.id) - rankOf(mainRatios, b.id));
  const lines = ordered.flatMap(({ id, unit }) => {
    const own = results.filter(({ definition, period }) => definition.id === id && periods.includes(period));
    const values = own.flatMap(({ period, computed }) => {
      if ('not_computable' in computed) return [];
      return [`${computed.value}${unit === 'percent' ? ' %' : unit === 'days' ? ' days' : ''} (${period})`];
    });
    if (values.length > 0) return [`${id}: ${values.join(', ')}`];
    const [first] = own;
    if (first !== undefined && 'not_computable' in first.computed)
      missing.push(`${id} (${first.computed.not_computable})`);
    return [];
  });
  return [...lines, ...(missing.length === 0 ? [] : [`Not computable: ${missing.join('; ')}`])];
}
