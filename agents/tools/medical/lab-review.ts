/** The tool that reports laboratory values with their flags, conversions and trends. */
import type { AgentTool } from '../../agent/agent.ts';
import { place, sharedBytes, toFindings } from '../findings.ts';
import { leftOut, leftOutLines } from '../left-out.ts';
import type { RangeOf } from './analytes.ts';
import { doubtReasons } from './certainty.ts';
import type { LabFlag, ReviewedLab } from './lab-flags.ts';
import { readRecord } from './record.ts';
import { roundTo } from './rounding.ts';
import { showUnit } from './units.ts';

export const laboratoryValues: AgentTool = {
  name: 'laboratory_values',
  version: '3',
  purpose: 'Converts laboratory values and flags them. Text: one value per line with unit.',
  run(documents) {
    const { labs, doubts } = readRecord(documents);
    const omitted = leftOut(doubts.labs, doubtReasons);
    const abnormal = labs.filter(({ flag }) => flag !== 'normal' && flag !== 'not judged').sort(bySeverity);
    const shown = labs.map(plainLab);
    const trends = findTrends(labs);
    const digest = [
      ...abnormal.slice(0, 25).map(labLine),
      ...trends.slice(0, 10).map(({ name, from, to, change }) => `TREND ${name}: ${from} to ${to} (${change})`),
    ];
    if (labs.length > 0)
      digest.push(`${labs.length} values read, ${labs.length - abnormal.length} within range or not assessed`);
    return toFindings(
      { ...sharedBytes({ values: shown, trends }, 58_000), abnormalCount: abnormal.length, leftOut: omitted },
      [...digest, ...leftOutLines(omitted)],
    );
  },
};

const severities: Readonly<Record<LabFlag, number>> = {
  'critically low': 0,
  'critically high': 0,
  low: 1,
  high: 1,
  normal: 2,
  'not judged': 3,
};

function bySeverity(one: ReviewedLab, other: ReviewedLab): number {
  return severities[one.flag] - severities[other.flag];
}

function plainLab({ analyte, lab, flag, range, rangeSource, date, span }: ReviewedLab): object {
  return {
    analyte: analyte.name,
    label: lab.label,
    written: lab.written,
    writtenNumber: lab.writtenNumber,
    ...(lab.writtenRange === undefined ? {} : { writtenRange: lab.writtenRange }),
    writtenUnit: showUnit(lab.unit),
    ...(lab.unitIsInferred === undefined ? {} : { unitIsInferred: true }),
    value: lab.value,
    unit: showUnit(analyte.unit),
    ...(lab.other === undefined ? {} : { conventional: { value: lab.other.value, unit: showUnit(lab.other.unit) } }),
    ...(lab.bound === undefined ? {} : { bound: lab.bound }),
    flag,
    ...(lab.givenFlag === undefined ? {} : { flagInDocument: lab.givenFlag }),
    range,
    rangeSource,
    ...(date === undefined ? {} : { date }),
    span,
  };
}

function labLine({ analyte, lab, flag, range, rangeSource, date, span }: ReviewedLab): string {
  const unit = analyte.unit === '1' ? '' : ` ${showUnit(analyte.unit)}`;
  const stated = lab.unitIsInferred ? ' (unit not stated)' : '';
  const written = lab.unit === '1' ? lab.written : `${lab.written} ${showUnit(lab.unit)}${stated}`;
  const converted = lab.unit === analyte.unit ? '' : ` = ${lab.value}${unit}`;
  const when = date === undefined ? '' : `, ${date}`;
  return `LAB ${flag.toUpperCase()}: ${analyte.name} ${written}${converted} (${rangeSource} ${limitsOf(range)}${unit}${when}) ${place(span)}`;
}

function limitsOf({ low, high }: RangeOf): string {
  if (low === undefined) return `up to ${high}`;
  return high === undefined ? `from ${low}` : `${low}–${high}`;
}

/** First and last value of what was measured more than once. */
function findTrends(
  labs: readonly ReviewedLab[],
): { name: string; from: string; to: string; change: string; values: number }[] {
  const byAnalyte = new Map<string, ReviewedLab[]>();
  for (const lab of labs) {
    const known = byAnalyte.get(lab.analyte.key);
    if (known === undefined) byAnalyte.set(lab.analyte.key, [lab]);
    else known.push(lab);
  }
  return [...byAnalyte.values()].flatMap((list) => {
    const [first, last] = inTimeOrder(list);
    if (first === undefined || last === undefined || first === last) return [];
    const unit = showUnit(first.analyte.unit);
    const show = ({ lab, date }: ReviewedLab) => `${lab.value} ${unit}${date === undefined ? '' : ` (${date})`}`;
    const percent =
      first.lab.value === 0 ? undefined : roundTo(((last.lab.value - first.lab.value) / first.lab.value) * 100, 0);
    const change = percent === undefined ? 'from zero' : `${percent > 0 ? '+' : ''}${percent} %`;
    return [{ name: first.analyte.name, from: show(first), to: show(last), change, values: list.length }];
  });
}

function inTimeOrder(list: readonly ReviewedLab[]): [ReviewedLab | undefined, ReviewedLab | undefined] {
  const sorted = [...list].sort((one, other) =>
    (one.date ?? '') < (other.date ?? '') ? -1 : (one.date ?? '') > (other.date ?? '') ? 1 : 0,
  );
  return [sorted[0], sorted.at(-1)];
}
