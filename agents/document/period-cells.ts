/** Headings whose periods are separated by single blanks only: "MSEK 30 sep 2025 31 dec 2024", "jan–sep 25 jan–sep 24". */
import type { Range } from '../tools/text/span.ts';
import { monthName } from './cell-kinds.ts';
import type { LineCell } from './grid.ts';

const lineCharactersMax = 200;

const year = '(?:19|20)\\d\\d';
const period = [
  `\\d{1,2}\\.? ${monthName}(?: ${year}|[ '’-]{1,2}\\d{2}(?![\\d.,]))`,
  `${monthName} \\d{1,2}, ${year}`,
  `${monthName} ?[-–—/] ?${monthName}(?: ${year}|[ '’-]{1,2}\\d{2}(?![\\d.,]))?`,
  `${monthName}(?: ${year}|['’-]\\d{2}(?!\\d))`,
  '\\d{1,2}[./-]\\d{1,2}[./-](?:\\d{4}|\\d{2})(?!\\d)',
  `(?:(?:[QHST][1-4]|[1-4][QHST]|9M|6M|3M|12M|FY) ?)?${year}(?:[/–-](?:20)?\\d\\d)?[AEFB]?\\*?`,
  `(?:[QH][1-4]|[1-4][QH]|FY) ?['’]?\\d\\d(?!\\d)`,
].join('|');
const token = new RegExp(`(?<![^ \\u00a0\\t])(?:${period})(?![^ \\u00a0\\t])`, 'giu');
const headingShape = new RegExp(`^(.{0,80}?)((?:(?:^|[ \\u00a0\\t]{1,60})(?:${period})){2,8})[ \\t]*$`, 'iu');

export interface PeriodHeading {
  /** The words before the periods. */
  readonly label: LineCell | undefined;
  readonly periods: readonly LineCell[];
}

/** Cells by characters of the line; undefined unless the line ends with at least two periods. */
export function periodCells(text: string, line: Range): PeriodHeading | undefined {
  if (line.end - line.start > lineCharactersMax) return undefined;
  const shown = text.slice(line.start, line.end);
  // Most lines are prose or rows of amounts, which do not end with a period.
  const mayEnd =
    (lastCharacter.test(shown) && lastPeriod.test(shown.slice(-24))) ||
    (shown.length <= monthsCharactersMax && lastMonth.test(shown));
  const match = mayEnd && periodHint.test(shown) ? headingShape.exec(shown) : null;
  const before = match?.[1]?.trim() ?? '';
  if (match === null || (before !== '' && !/\p{L}/u.test(before))) return undefined;
  const cell = (from: number, length: number): LineCell => ({
    start: line.start + from,
    end: line.start + from + length,
    from,
    to: from + length,
  });
  const offset = match[1]!.length;
  const periods = [...match[2]!.matchAll(token)].map(({ index, 0: all }) => cell(offset + index, all.length));
  if (periods.length < 2) return undefined;
  return { label: before === '' ? undefined : cell(shown.indexOf(before), before.length), periods };
}

const lastCharacter = /[\dAEFB*][ \t]*$/i;
const lastPeriod =
  /(?:(?<!\d)(?:19|20)\d\d(?:[/–-](?:20)?\d\d)?[AEFB]?\*?|[./-]\d\d|\p{L}\.?[ '’-]{1,2}\d\d|(?:[QH][1-4]|[1-4][QH]|FY) ?['’]?\d\d)[ \t]*$/iu;
const lastMonth = /[-–—/] ?\p{L}{3,10}\.?[ \t]*$/u;
/** "jul–sep jul–sep" */
const monthsCharactersMax = 100;
const periodHint = /\d\d|\p{L}{3}\.? ?[-–—] ?\p{L}{3}/u;
