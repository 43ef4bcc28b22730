/** The tool that reads tax rate reconciliations, recomputes them and reports what they leave unexplained. */
import type { AgentTool, Json } from '../../agent/agent.ts';
import type { Document } from '../../document/document.ts';
import { multiply, type Rational, subtract, toPercent, toText } from '../financial/rational.ts';
import { boundedBytes, place, resultBytesMax, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import { bounded, excerpt } from '../text/span.ts';
import { certainBridges, doubtReasons } from './certainty.ts';
import { readLayout } from './layout.ts';
import { findReconciliations } from './reconciliation.ts';
import { bridgeErrors, type Reconciliation, type ReconciliationItem, shareOf } from './reconciliation-result.ts';

const bridgesMax = 8;

/** Maximum number of listed items per reconciliation; all of them are included in the computation. */
const itemsMax = 25;

export const rateBridgeTool: AgentTool = {
  name: 'effective_tax_rate_bridge',
  version: '2',
  purpose:
    'Reads and recomputes reconciliations of the tax rate, in amounts and percentages. Text: lines with expected tax, items and total tax or effective rate.',
  run(documents) {
    const read = documents.map((source) => {
      const layout = readLayout(source);
      const { facts, doubts } = certainBridges(findReconciliations(layout));
      return { doubts, bridges: facts.map((bridge) => ({ document: layout.document, bridge })) };
    });
    const omitted = leftOut(
      read.flatMap(({ doubts }) => doubts),
      doubtReasons,
    );
    const kept = bounded(
      read.flatMap(({ bridges }) => bridges),
      bridgesMax,
    );
    const { items, more } = boundedBytes(
      kept.items.map(({ document, bridge }) => bridgeJson(document, bridge)),
      resultBytesMax,
    );
    return toFindings(
      {
        formula:
          'effective rate = total tax / profit before tax; points = amount / profit before tax × 100; amounts as printed, to be multiplied by 10^unit_zeros; positive increases the tax; IAS 12.81(c)',
        bridges: items,
        bridges_more: kept.more + more,
        left_out: omitted,
      },
      [...kept.items.flatMap(({ document, bridge }) => bridgeDigest(document, bridge)), ...leftOutLines(omitted)],
    );
  },
};

const text = (value: Rational | undefined) => (value === undefined ? null : toText(value));
const share = (amount: Rational | undefined, profit: Rational | undefined) => {
  const found = amount === undefined ? undefined : shareOf(amount, profit);
  return found === undefined ? null : toPercent(found, 2);
};

function bridgeJson(document: Document, bridge: Reconciliation): { readonly [key: string]: Json } {
  const { period, unit, profit, statutory, items, effective, computed } = bridge;
  return {
    period,
    unit_zeros: unit.zeros,
    currency: unit.currency ?? null,
    profit_before_tax: text(profit),
    stated_rate_percent: text(statutory.rate),
    expected_tax: text(statutory.amount),
    items: items.slice(0, itemsMax).map((item) => itemJson(document, item, profit)),
    total_tax: text(effective.amount),
    stated_effective_rate_percent: text(effective.rate),
    effective_rate_percent: share(effective.amount, profit),
    unexplained: difference(effective.amount, computed.amount),
    unexplained_points: difference(effective.rate, computed.rate),
    closes: isComputed(bridge) ? bridgeErrors(bridge).length === 0 : null,
    errors: bridgeErrors(bridge).map((error) => ({
      unit: error.unit,
      stated: toText(error.stated),
      correct: toText(error.correct),
      severity: 'high',
    })),
    rate_difference: rateDifference(bridge),
    ...document.spanOf(bridge),
  };
}

/** Whether the lines give a total that the stated one can be compared with. */
function isComputed({ computed }: Reconciliation): boolean {
  return computed.amount !== undefined || computed.rate !== undefined;
}

function difference(stated: Rational | undefined, computed: Rational | undefined): Json {
  return stated === undefined || computed === undefined ? null : toText(subtract(stated, computed));
}

/** Expected tax minus profit times the stated rate. */
function rateDifference({ profit, statutory }: Reconciliation): Json {
  if (profit === undefined || statutory.amount === undefined || statutory.rate === undefined) return null;
  return toText(
    subtract(statutory.amount, multiply(profit, { ...statutory.rate, denominator: statutory.rate.denominator * 100n })),
  );
}

function itemJson(document: Document, item: ReconciliationItem, profit: Rational | undefined): Json {
  return {
    label: excerpt(item.label, { start: 0, end: item.label.length }, 120),
    amount: text(item.amount),
    points: text(item.points) ?? share(item.amount, profit),
    stated_points: text(item.points),
    ...document.spanOf(item),
  };
}

function bridgeDigest(document: Document, bridge: Reconciliation): string[] {
  const { period, profit, statutory, items, effective } = bridge;
  const rate = text(effective.rate) ?? share(effective.amount, profit);
  const wrong = bridgeErrors(bridge).map(({ unit, stated, correct }) => {
    const sign = unit === 'percent' ? ' %' : '';
    return `${period}: the reconciliation ends in ${toText(stated)}${sign}, its lines give ${toText(correct)}${sign}: ${toText(subtract(stated, correct))} is unexplained`;
  });
  const from = statutory.rate === undefined ? '' : ` (statutory ${toText(statutory.rate)} %)`;
  const amounts =
    effective.amount === undefined
      ? ''
      : `; total tax ${toText(effective.amount)}${profit === undefined ? '' : ` on profit ${toText(profit)}`}`;
  const difference = rateDifference(bridge);
  const isOff = typeof difference === 'string' && Math.abs(Number(difference)) > 2;
  return [
    ...wrong,
    `${period}: effective rate ${rate ?? 'not stated'} %${from}${amounts}${wrong.length === 0 && isComputed(bridge) ? '; the bridge closes' : ''} ${place(document.spanOf(bridge))}`,
    ...(isOff ? [`${period}: expected tax differs from profit × stated rate by ${difference}`] : []),
    ...items.slice(0, 12).map((item) => {
      const points = text(item.points) ?? share(item.amount, profit);
      return `${period} ${excerpt(item.label, { start: 0, end: item.label.length }, 60)}: ${text(item.amount) ?? ''}${points === null ? '' : ` (${points} points)`}`;
    }),
  ];
}
