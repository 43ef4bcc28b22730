/**
 * The groups of a statement: headings, the rows below each, and totals without a label. A total belongs to the heading whose
 * rows add up to it, if there is one.
 */
import { absolute, add, compare, type Rational, rational, subtract, zero } from './rational.ts';

/** Amounts by column or period. */
export type AmountsByKey = ReadonlyMap<string, Rational>;

interface Entry {
  /** A heading has no amounts; the label of a row is not stored. */
  readonly heading?: string;
  readonly amounts?: AmountsByKey;
  /** Kind of enumerator: letters are above Roman numerals, which are above digits. */
  readonly level: string | undefined;
}

export interface Outline {
  entries: Entry[];
}

/** Longer groups have a labelled total. */
const rowsMax = 60;

export function newOutline(): Outline {
  return { entries: [] };
}

export function addHeading(outline: Outline, heading: string) {
  outline.entries.push({ heading, level: levelOf(heading) });
}

export function addRow(outline: Outline, label: string, amounts: AmountsByKey) {
  outline.entries.push({ amounts, level: levelOf(label) });
}

/**
 * The heading whose rows add up to the total in every column; the rows are then merged into one.
 * @returns "" for the sum of all rows, undefined if no rows add up to it
 */
export function closeGroup(outline: Outline, total: AmountsByKey): string | undefined {
  const { entries } = outline;
  const sums = new Map<string, Rational>([...total.keys()].map((key) => [key, zero]));
  const levels = new Set<string>();
  let count = 0;
  for (let at = entries.length - 1; at >= 0 && entries.length - at <= rowsMax; at -= 1) {
    const { heading, amounts, level } = entries[at]!;
    if (amounts !== undefined) {
      for (const [key, amount] of amounts) if (sums.has(key)) sums.set(key, add(sums.get(key)!, amount));
      if (level !== undefined) levels.add(level);
      count += 1;
      continue;
    }
    // "I." is not the heading of rows that include "II.", and "A." not of those of "B.".
    if (count === 0 || (level !== undefined && levels.has(level)) || !isSum(total, sums, count)) {
      if (level !== undefined) levels.add(level);
      continue;
    }
    entries.splice(at, entries.length - at, { amounts: total, level });
    return heading;
  }
  const isWhole = count > 1 && entries.length <= rowsMax && isSum(total, sums, count);
  return isWhole ? '' : undefined;
}

/** Each row may be off by half of its last digit, because it is rounded. */
function isSum(total: AmountsByKey, sums: AmountsByKey, count: number): boolean {
  const tolerance = rational(BigInt(Math.floor(count / 2)));
  let agreeing = 0;
  for (const [key, printed] of total) {
    const difference = absolute(subtract(printed, sums.get(key)!));
    const bound = printed.denominator === 1n ? tolerance : { numerator: 1n, denominator: 10n };
    if (compare(difference, bound) > 0) return false;
    if (printed.numerator !== 0n) agreeing += 1;
  }
  return agreeing > 0;
}

function levelOf(label: string): string | undefined {
  const mark = /^\s{0,8}\(?([A-Za-z]|[IVX]{1,5}|\d{1,2})(?:[.)]|\s-)/.exec(label)?.[1];
  if (mark === undefined) return undefined;
  if (/^\d/.test(mark)) return 'digit';
  if (/^[IVX]+$/.test(mark)) return 'roman';
  return /^[A-Z]$/.test(mark) ? 'letter' : 'small';
}

/** Words that never end a label, so the label continues on the next line. */
const unfinished =
  /(?:[,/&–-]|(?<!\p{L})(?:and|or|of|for|to|in|on|from|by|with|at|the|less|net|including|und|oder|der|des|die|den|von|vom|aus|für|auf|im|mit|zur|zum|an|gegenüber|et|de|du|des|sur|aux|à|au|en|y|o|del|al|di|da|dei|delle|dell'|e|su|per|van|voor|op|aan|uit|met))\s*$/iu;

/** Whether the second label continues the first: "Creditors: amounts falling due" / "within one year". */
export function isContinued(first: string, second: string): boolean {
  if (/:\s*$/.test(first)) return false;
  return unfinished.test(first) || /^\s{0,12}\p{Ll}{2,}(?![.)])/u.test(second);
}
