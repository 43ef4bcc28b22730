/** Percentages in a text, as decimal strings of percent: "7.5 %" is `7.5`. */
import { findNumbers, type NumberHint } from './numbers.ts';
import type { Range } from './span.ts';

export interface FoundPercent extends Range {
  /** In percent; basis points are converted: "50 bps" is `0.50`. */
  readonly value: string;
}

const sign = /[ \u00a0\u202f]{0,2}(?:(%|per ?cent\b|percent\b|v\.H\.|Prozent\b|procent)|(bps\b|basis points\b))/iuy;

/** Ordered by position in the text. A single mark before three digits ("0.125 %", "12,345 %") is a decimal mark here. */
export function findPercents(text: string, { decimalMark }: NumberHint = {}): FoundPercent[] {
  const found: FoundPercent[] = [];
  for (const number of findNumbers(text, { decimalMark })) {
    if (!mayFollow(text, number.end)) continue;
    sign.lastIndex = number.end;
    const match = sign.exec(text);
    if (match === null) continue;
    const end = number.end + match[0].length;
    if (match[2] !== undefined) found.push({ start: number.start, end, value: fromBasisPoints(number.value) });
    else found.push({ start: number.start, end, value: asFraction(number, text) });
  }
  return found;
}

/** A cheap test for texts that are mostly numbers. */
function mayFollow(text: string, end: number): boolean {
  for (let at = end; at < end + 3; at += 1) if ('%pPbBvV'.includes(text[at] ?? ' ')) return true;
  return false;
}

function asFraction(number: { start: number; end: number; value: string; ambiguous: boolean }, text: string): string {
  if (!number.ambiguous || number.value.includes('.')) return number.value;
  return text.slice(number.start, number.end).includes(',')
    ? `${number.value.slice(0, -3)}.${number.value.slice(-3)}`
    : number.value;
}

function fromBasisPoints(value: string): string {
  const negative = value.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? value.slice(1) : value).split('.');
  const padded = whole.padStart(3, '0');
  return `${negative ? '-' : ''}${padded.slice(0, -2)}.${padded.slice(-2)}${fraction}`;
}
