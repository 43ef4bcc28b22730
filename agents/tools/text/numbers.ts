/** Parses numbers in European, American, Swiss and Indian notation. Values are decimal strings, never doubles. */
import type { Range } from './span.ts';

export interface ParsedNumber {
  /** Digits, at most one point, and a minus sign if negative: `-1234.5`. Accepted by `decimal`. */
  readonly value: string;
  /** Whether its only separator could be a decimal mark or a thousands separator, and nothing decides. */
  readonly ambiguous: boolean;
}

export interface NumberHint {
  /**
   * The decimal mark, if the caller knows it: `,` in German, `.` in English texts. Decides the meaning of a single separator
   * followed by three digits.
   */
  readonly decimalMark?: '.' | ',' | undefined;
}

/** White space that separates thousands: blank, no-break, narrow no-break, thin. */
const blanks = ' \u00a0\u202f\u2009';

/**
 * Parses one number with nothing around it except blanks, a sign, parentheses (which mean negative) or a trailing minus. The
 * caller removes percent signs and currencies. With two kinds of separator, the last is the decimal mark; one kind that repeats
 * separates thousands; a single comma before exactly three digits separates thousands and a single point is a decimal mark, and
 * both are marked as ambiguous unless a hint decides.
 * @returns undefined if it is not a number, or has more than 30 digits
 */
export function parseNumber(text: string, { decimalMark }: NumberHint = {}): ParsedNumber | undefined {
  if (text.length > 64) return undefined;
  const { body, negative } = withoutSign(text.trim());
  const plain = body.replace(/(?<=\d)[ \u00a0\u202f\u2009'’](?=\d{3}(?!\d))/g, '');
  const compact = plain.length === body.length ? plain : groupsOnly(body, plain);
  if (compact === undefined || !/^(?:\d[\d.,]{0,60}|[.,]\d{1,20})$/.test(compact)) return undefined;
  const read = readMarks(compact, decimalMark);
  if (read === undefined || read.whole.length + read.fraction.length > 30) return undefined;
  const whole = read.whole.replace(/^0{1,30}(?=\d)/, '');
  const magnitude = read.fraction === '' ? whole : `${whole}.${read.fraction}`;
  const isZero = /^[0.]{1,32}$/.test(magnitude);
  return { value: negative && !isZero ? `-${magnitude}` : magnitude, ambiguous: read.ambiguous };
}

/** One number in a text. */
export interface FoundNumber extends Range, ParsedNumber {}

/**
 * Every number in a text, with a sign directly before it or parentheses around it that mean negative. Digits that belong to a
 * word (`A320`, `v4`) are skipped.
 */
export function findNumbers(text: string, hint: NumberHint = {}): FoundNumber[] {
  const found: FoundNumber[] = [];
  for (const match of text.matchAll(numberShape)) {
    const { index } = match;
    const before = text[index - 1] ?? '';
    if (/[\p{L}\d_]/u.test(before)) continue;
    const parsed = parseNumber(match[0], hint);
    if (parsed === undefined) continue;
    const end = index + match[0].length;
    const inParentheses = before === '(' && text[end] === ')';
    const minus = isSign(text, index - 1);
    if ((inParentheses || minus) && !/^[0.]{1,32}$/.test(parsed.value)) {
      const start = index - 1;
      found.push({ start, end: inParentheses ? end + 1 : end, value: `-${parsed.value}`, ambiguous: parsed.ambiguous });
    } else {
      found.push({ start: index, end, ...parsed });
    }
  }
  return found;
}

/**
 * The decimal mark of the texts, determined from unambiguous numbers (two kinds of separator, a separator followed by one or
 * two digits, or a repeated separator).
 * @returns undefined if there are none, or equally many of both
 */
export function guessDecimalMark(texts: readonly string[]): '.' | ',' | undefined {
  let points = 0;
  let commas = 0;
  for (const text of texts) {
    for (const [shape] of text.matchAll(numberShape)) {
      const lastPoint = shape.lastIndexOf('.');
      const lastComma = shape.lastIndexOf(',');
      if (lastPoint === -1 && lastComma === -1) continue;
      const mark = lastPoint > lastComma ? '.' : ',';
      const decimals = shape.length - 1 - Math.max(lastPoint, lastComma);
      const repeats = shape.indexOf(mark) !== shape.lastIndexOf(mark);
      if (repeats && decimals === 3) mark === '.' ? commas++ : points++;
      else if (!repeats && (decimals === 1 || decimals === 2)) mark === '.' ? points++ : commas++;
    }
  }
  return points === commas ? undefined : points > commas ? '.' : ',';
}

/** Thousands groups first, then plain digits. Every repeat is bounded, and no two parts can match the same characters. */
const numberShape =
  /(?<![\d.,])(?:\d{1,3}(?:[ \u00a0\u202f\u2009'’.,]\d{3}(?!\d)){1,8}(?:[.,]\d{1,9}(?!\d))?|\d{1,3}(?:,\d{2}){1,6},\d{3}(?!\d)(?:\.\d{1,9})?|\d{1,30}(?!\d)(?:[.,]\d{1,12}(?!\d))?)(?![.,]?\d)/g;

function isSign(text: string, at: number): boolean {
  const character = text[at];
  if (character !== '-' && character !== '−') return false;
  // A hyphen between words or numbers is not a minus sign: "2019-2020", "Article-5".
  const before = text[at - 1];
  return before === undefined || !/[\p{L}\d)\]]/u.test(before);
}

function withoutSign(text: string): { body: string; negative: boolean } {
  if (text.startsWith('(') && text.endsWith(')')) return { body: text.slice(1, -1).trim(), negative: true };
  if (/^[-−–]/.test(text)) return { body: text.slice(1).trim(), negative: true };
  if (/[-−]$/.test(text)) return { body: text.slice(0, -1).trim(), negative: true };
  return { body: text.startsWith('+') ? text.slice(1).trim() : text, negative: false };
}

/**
 * Blanks and apostrophes must separate groups of three after a first group of one to three; otherwise the text is not one
 * number.
 */
function groupsOnly(body: string, plain: string): string | undefined {
  const [first = ''] = body.split(new RegExp(`[${blanks}'’]`), 1);
  return /^\d{1,3}$/.test(first) ? plain : undefined;
}

interface Marks {
  readonly whole: string;
  readonly fraction: string;
  readonly ambiguous: boolean;
}

function readMarks(text: string, decimalMark: '.' | ',' | undefined): Marks | undefined {
  const lastPoint = text.lastIndexOf('.');
  const lastComma = text.lastIndexOf(',');
  if (lastPoint === -1 && lastComma === -1) return { whole: text, fraction: '', ambiguous: false };
  const last = Math.max(lastPoint, lastComma);
  const mark = text[last]!;
  const other = mark === '.' ? ',' : '.';
  const decimals = text.length - 1 - last;
  const whole = text.slice(0, last);
  const repeats = whole.includes(mark);
  if (whole.includes(other)) {
    if (repeats || decimals === 0 || !isGrouped(whole, other)) return undefined;
    return { whole: whole.replaceAll(other, ''), fraction: text.slice(last + 1), ambiguous: false };
  }
  if (repeats)
    return isGrouped(text, mark) ? { whole: text.replaceAll(mark, ''), fraction: '', ambiguous: false } : undefined;
  if (decimals === 0) return undefined;
  const couldGroup = decimals === 3 && whole.length >= 1 && whole.length <= 3 && whole !== '0';
  const groups = couldGroup && (decimalMark === undefined ? mark === ',' : decimalMark !== mark);
  if (groups) return { whole: whole + text.slice(last + 1), fraction: '', ambiguous: decimalMark === undefined };
  return {
    whole: whole === '' ? '0' : whole,
    fraction: text.slice(last + 1),
    ambiguous: couldGroup && decimalMark === undefined,
  };
}

/** 1 to 3 digits, then groups of three; or, with commas, Indian grouping: groups of two and a last group of three. */
function isGrouped(text: string, mark: string): boolean {
  const groups = text.split(mark);
  const [first = '', ...rest] = groups;
  if (first.length < 1 || first.length > 3 || rest.length === 0) return false;
  if (rest.every((group) => group.length === 3)) return true;
  return (
    mark === ',' && first.length <= 2 && rest.at(-1)!.length === 3 && rest.slice(0, -1).every((g) => g.length === 2)
  );
}
