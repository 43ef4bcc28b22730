/**
 * Reconciliations of rates: from the applicable rate over points of percent to the effective one.
 *
 * @see IAS 12 Income Taxes, paragraph 81 (c)(ii); Regulation S-X § 210.4-08(h)(2) asks for the same in percentages
 */
import { normaliseName } from '../financial/line-items.ts';
import { add, parseRational, type Rational, subtract, sum } from '../financial/rational.ts';
import { splitLines } from '../text/lines.ts';
import { guessDecimalMark } from '../text/numbers.ts';
import { type FoundPercent, findPercents } from '../text/percents.ts';
import type { Range } from '../text/span.ts';

export interface RateItem extends Range {
  readonly label: string;
  /** In percent. */
  readonly points: Rational;
}

export interface RateReconciliation extends Range {
  /** Which of the columns, from 1. */
  readonly column: number;
  readonly applicable: Rational;
  readonly items: readonly RateItem[];
  readonly effective: Rational;
  /** Effective less applicable and items: 0 where the reconciliation closes. */
  readonly unexplained: Rational;
}

/** More lines than these between both rates are no reconciliation. */
const linesMax = 40;
const columnsMax = 4;

const applicableShape =
  /\b(?:statutory|applicable|domestic|nominal|standard|federal|gesetzlich\w*|theorique|zakonn\w*|teoretick\w*)\b.*\b(?:rate|tax|satz|steuersatz|taux|sazba|dan)\b/;
const effectiveShape =
  /^(?:average )?effective (?:income )?(?:tax )?rate|^effektiver steuersatz|^konzernsteuerquote|^taux (?:d impot )?effectif|^efektivni (?:danova )?sazba/;

interface Line extends Range {
  readonly label: string;
  readonly percents: readonly FoundPercent[];
}

/** In the order of the text, one per column. */
export function findRateReconciliations(text: string): RateReconciliation[] {
  const decimalMark = guessDecimalMark([text]);
  const found: RateReconciliation[] = [];
  let open: Line[] = [];
  let linesOpen = 0;
  for (const { start, end } of splitLines(text)) {
    if (open.length > 0 && ++linesOpen > linesMax) open = [];
    if (end === start || end - start > 400) continue;
    const line = text.slice(start, end);
    if (!line.includes('%')) continue;
    const percents = findPercents(line, { decimalMark });
    if (percents.length === 0) continue;
    const entry: Line = { label: normaliseName(line.slice(0, percents[0]!.start)), percents, start, end };
    if (open.length > 0 && effectiveShape.test(entry.label)) {
      found.push(...build(text, open, entry));
      open = [];
    } else if (open.length === 0 || applicableShape.test(entry.label)) {
      open = applicableShape.test(entry.label) ? [entry] : [];
      linesOpen = 0;
    } else open.push(entry);
  }
  return found;
}

function build(text: string, [first, ...rest]: readonly Line[], last: Line): RateReconciliation[] {
  const columns = last.percents.length;
  // Without a line between them, two rates are stated, not reconciled.
  if (first === undefined || rest.length === 0 || first.percents.length !== columns) return [];
  return Array.from({ length: Math.min(columns, columnsMax) }, (_, column): RateReconciliation | undefined => {
    const applicable = pointsOf(first, column);
    const effective = pointsOf(last, column);
    if (applicable === undefined || effective === undefined) return undefined;
    const items = rest.flatMap((line): RateItem[] => {
      const points = line.percents.length === columns ? pointsOf(line, column) : undefined;
      if (points === undefined) return [];
      return [{ label: labelOf(text, line), points, start: line.start, end: line.end }];
    });
    const explained = add(applicable, sum(items.map(({ points }) => points)));
    return {
      column: column + 1,
      applicable,
      items,
      effective,
      unexplained: subtract(effective, explained),
      start: first.start,
      end: last.end,
    };
  }).filter((entry) => entry !== undefined);
}

function pointsOf({ percents }: Line, column: number): Rational | undefined {
  return parseRational(percents[column]!.value);
}

function labelOf(text: string, { start, percents }: Line): string {
  const label = text.slice(start, start + percents[0]!.start).replaceAll('|', ' ');
  return label.replace(/[ .(]{1,60}$/, '').trim();
}
