/** Headings that a text marks itself: Markdown, reStructuredText, AsciiDoc, MediaWiki, and underlined titles of plain text. */
import { trimRange } from '../tools/text/lines.ts';
import type { Range } from '../tools/text/span.ts';

export interface MarkedHeading {
  /** 1 for the highest. */
  readonly level: number;
  /** The title without its marks. */
  readonly title: Range;
  /** Number of lines that it takes. */
  readonly lines: number;
}

/** Longer lines are paragraphs. */
const titleCharactersMax = 90;

/** @param lines without the blanks at their ends · @returns undefined unless a heading begins at this line */
export function markedHeading(text: string, lines: readonly Range[], index: number): MarkedHeading | undefined {
  return (
    numberSigns(text, lines[index]!) ??
    boldLine(text, lines[index]!) ??
    equalSigns(text, lines, index) ??
    underlined(text, lines, index)
  );
}

const before = /^[ \t]{0,3}(#{1,6})[ \t]+(?=\S)/;
const behind = /[ \t]#{1,10}[ \t]*$/;

/** "## Title ##" */
function numberSigns(text: string, line: Range): MarkedHeading | undefined {
  const marks = before.exec(text.slice(line.start, Math.min(line.end, line.start + 200)));
  if (marks === null) return undefined;
  const closing = behind.exec(text.slice(Math.max(line.start, line.end - 20), line.end));
  const title = { start: line.start + marks[0].length, end: line.end - (closing?.[0].length ?? 0) };
  return { level: marks[1]!.length, title, lines: 1 };
}

/** A line that is entirely bold. */
function boldLine(text: string, line: Range): MarkedHeading | undefined {
  const isBold = line.end - line.start < 100 && /^[ \t]{0,3}\*\*[^*]{2,90}\*\*:?[ \t]*$/.test(textOf(text, line));
  return isBold ? { level: 2, title: line, lines: 1 } : undefined;
}

/** "== Title", "== Title ==". One sign marks the title of a whole document, so elsewhere it is arithmetic. */
function equalSigns(text: string, lines: readonly Range[], index: number): MarkedHeading | undefined {
  const line = lines[index]!;
  if (text[line.start] !== '=' || line.end - line.start > titleCharactersMax + 14) return undefined;
  const shape = /^(={1,6})[ \t]+([^=\s][^=]{0,100}?)(?:[ \t]+\1)?$/.exec(textOf(text, line));
  if (shape === null || !isTitle(shape[2]!)) return undefined;
  const level = shape[1]!.length;
  if (level === 1 && !(isEmpty(lines[index - 1]) && lines.slice(0, index).every(isEmpty))) return undefined;
  const start = line.start + textOf(text, line).indexOf(shape[2]!);
  return { level, title: { start, end: start + shape[2]!.length }, lines: 1 };
}

const underline = /^[ \t]{0,3}(={3,400}|-{3,400}|~{3,400}|\^{3,400}|─{3,400}|═{3,400}|━{3,400})$/;
/** An underline is at least this share of its title. */
const underlineShareMin = 0.4;

/** A title alone above a rule, or between two. */
function underlined(text: string, lines: readonly Range[], index: number): MarkedHeading | undefined {
  const over = ruleOf(text, lines[index]!);
  const at = over === undefined ? index : index + 1;
  const [title, below] = [lines[at], lines[at + 1]];
  if (title === undefined || below === undefined || !isEmpty(lines[index - 1])) return undefined;
  const under = ruleOf(text, below);
  if (under === undefined || (over !== undefined && over !== under)) return undefined;
  const range = trimRange(text, title);
  const shown = textOf(text, range);
  if (under.length < underlineShareMin * shown.length || !isTitle(shown) || isValue.test(shown)) return undefined;
  return { level: /^[=═━]/.test(under) ? 1 : 2, title: range, lines: at + 2 - index };
}

function ruleOf(text: string, line: Range): string | undefined {
  return line.end - line.start > 403 ? undefined : underline.exec(textOf(text, line))?.[1];
}

/** A labelled value, a row of a table, the last line of a sum, or the number of a page. */
const isValue = /:\s+\S|[|\t]|\S {2,}\S|\d[.,]\d{2,3}\)?%?$|^(?:page|seite|pagina|página|side|sida|strona)\s+\d/iu;

function isTitle(shown: string): boolean {
  return (
    shown.length <= titleCharactersMax &&
    /\p{L}{2}/u.test(shown) &&
    /^[\p{Lu}\p{Lo}\d"“„(§]/u.test(shown) &&
    !/[.;,]$/.test(shown)
  );
}

function isEmpty(line: Range | undefined): boolean {
  return line === undefined || line.end === line.start;
}

function textOf(text: string, { start, end }: Range): string {
  return text.slice(start, end);
}
