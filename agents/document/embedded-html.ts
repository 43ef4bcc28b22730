/** Tables and lists in HTML inside a text of another format, as writers of Markdown use them. */
import type { Range } from '../tools/text/span.ts';

const element = /<(\/?)(table|ul|ol|dl)\b/gi;

/**
 * The outermost elements that begin at the start of a line and are closed, each up to the end of the line on which it ends. One pass.
 * @returns in order
 */
export function embeddedHtml(text: string): Range[] {
  if (!text.includes('</')) return [];
  const found: Range[] = [];
  let open: { readonly start: number; depth: number } | undefined;
  for (const { index, 1: closes, 2: name } of text.matchAll(element)) {
    if (open === undefined) {
      const isText = name!.toLowerCase() === 'table' && isTextTable(text, index);
      if (closes === '' && startsLine(text, index) && !isText) open = { start: index, depth: 1 };
    } else {
      open.depth += closes === '' ? 1 : -1;
      if (open.depth > 0) continue;
      found.push({ start: open.start, end: endOfLine(text, index) });
      open = undefined;
    }
  }
  return found;
}

const partOfTable = /<(\/?table|t[rdh]|tbody|thead)\b/gi;

/**
 * Whether the `<table>` at this position has lines of text and no cells, as in filings of EDGAR before HTML: `<CAPTION>` precedes the
 * headings, `<S>` and `<C>` mark where the columns begin. @see EDGAR Filer Manual, volume II, "ASCII tables"
 */
export function isTextTable(text: string, at: number): boolean {
  partOfTable.lastIndex = at + 1;
  const next = partOfTable.exec(text);
  return next !== null && next[1]!.toLowerCase() === '/table' && text.slice(at, next.index).includes('\n');
}

function startsLine(text: string, at: number): boolean {
  return /(?:^|[\r\n])[ \t]{0,8}$/.test(text.slice(Math.max(0, at - 10), at));
}

function endOfLine(text: string, at: number): number {
  const breakAt = text.slice(at).search(/[\r\n]/);
  return breakAt === -1 ? text.length : at + breakAt;
}
