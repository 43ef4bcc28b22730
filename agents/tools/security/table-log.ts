/** Logs whose first line names their fields: exports as CSV of a SIEM, W3C extended logs (IIS, firewalls), and Zeek. */
import type { Range } from '../text/span.ts';
import { isLogName, isTimeName } from './field-names.ts';
import { recordOfFields } from './log-fields.ts';
import type { LogRecord } from './log-record.ts';

/** The header is searched in the beginning of the text, and a text may repeat it. */
const headCharactersMax = 6000;
interface Header {
  readonly names: readonly string[];
  readonly delimiter: string | RegExp;
  readonly from: number;
}

/** @returns no records for a text without a header that names a time and two more fields of logs */
export function readTableLog(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  if (/<tr[\s>]/i.test(text)) return readHtmlLog(text, isDayFirst);
  const header = headerOf(text);
  if (header === undefined) return [];
  let { names } = header;
  const records: LogRecord[] = [];
  for (const { cells, line, ...range } of rowsOf(text, header)) {
    if (line.startsWith('#')) {
      if (/^#fields:?\s/i.test(line))
        names = line
          .replace(/^#fields:?\s/i, '')
          .trim()
          .split(/\s+/);
      continue;
    }
    if (cells.length < 3 || cells.length > names.length + 2) continue;
    const fields = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const value = cells[index]?.trim();
      const key = name.trim().toLowerCase();
      if (value !== undefined && value !== '' && value !== '-' && !fields.has(key))
        fields.set(key, value.slice(0, 400));
    }
    const record = recordOfFields(fields, range, cells.join(' ').slice(0, 400), isDayFirst);
    if (record !== undefined) records.push(record);
  }
  return records.length >= 2 ? records : [];
}

/** Rows of HTML tables below a row of headings. */
function readHtmlLog(text: string, isDayFirst: boolean | undefined): LogRecord[] {
  let names: readonly string[] = [];
  const records: LogRecord[] = [];
  for (const match of text.matchAll(/<tr[\s>](?:(?!<\/tr>)[\s\S]){0,4000}/gi)) {
    const cells = match[0]
      .split(/<t[hd](?=[\s>])[^>]{0,200}>/i)
      .slice(1)
      .map((cell) => plainText(cell));
    if (isHeader(cells)) names = cells;
    else if (names.length > 0 && cells.length === names.length) {
      const fields = new Map(names.map((name, index) => [name.toLowerCase(), cells[index]!] as const));
      const range = { start: match.index, end: match.index + match[0].length };
      const record = recordOfFields(fields, range, cells.join(' ').slice(0, 400), isDayFirst);
      if (record !== undefined) records.push(record);
    }
  }
  return records.length >= 2 ? records : [];
}

const plainText = (cell: string) =>
  cell
    .replace(/<[^>]{0,200}>/g, '')
    .replace(/&nbsp;|\s+/g, ' ')
    .trim()
    .slice(0, 400);

const isHeader = (names: readonly string[]) =>
  names.length >= 3 &&
  names.some(isTimeName) &&
  names.filter(isLogName).length >= 3 &&
  names.every(({ length }) => length <= 60);

function headerOf(text: string): Header | undefined {
  const head = text.slice(0, headCharactersMax);
  const extended = /^[ \t]{0,24}#fields:?[ \t]([^\r\n]{10,2000})$/im.exec(head);
  if (extended !== null) {
    const names = extended[1]!.trim().split(/\s+/);
    const isTabbed = extended[1]!.includes('\t');
    return { names, delimiter: isTabbed ? '\t' : /[ \t]+/, from: extended.index + extended[0].length + 1 };
  }
  let at = 0;
  for (const line of head.split('\n')) {
    const from = at + line.length + 1;
    at = from;
    if (line.length < 12 || line.length > 3000) continue;
    for (const delimiter of [',', ';', '\t', '|', /\t| {2,}/]) {
      const cells = cellsOf(line, delimiter).map((cell) => cell.trim());
      const names =
        delimiter === '|'
          ? cells.filter((cell, index) => cell !== '' || (index > 0 && index < cells.length - 1))
          : cells;
      if (!isHeader(names)) continue;
      return { names, delimiter, from };
    }
  }
  return undefined;
}

const rowCharactersMax = 4000;

function* rowsOf(text: string, { delimiter, from }: Header): Generator<Range & { cells: string[]; line: string }> {
  let start = from;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed;
    const line = text.slice(start, Math.min(end, start + rowCharactersMax)).replace(/^ {1,24}|\r$/g, '');
    if (line.trim() !== '' && !/^[\s|:-]+$/.test(line)) {
      const written = delimiter === '|' ? line.trim().replace(/^\|/, '').replace(/\|$/, '') : line;
      yield {
        start,
        end,
        line,
        cells: cellsOf(written, delimiter),
      };
    }
    start = end + 1;
  }
}

const cellsOf = (line: string, delimiter: string | RegExp) =>
  typeof delimiter === 'string' ? splitRow(line, delimiter) : line.trim().split(delimiter);

/** Cells with quotation marks may contain the delimiter. */
function splitRow(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at <= line.length; at += 1) {
    if (line[at] === '"') isQuoted = !isQuoted;
    if (at < line.length && (isQuoted || line[at] !== delimiter)) continue;
    const cell = line.slice(start, at).trim();
    cells.push(/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    start = at + 1;
  }
  return cells;
}
