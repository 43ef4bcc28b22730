/** Writes HTML as Markdown, for readers of text: models, and people who look for a finding. */
import { buildBlocks } from './blocks.ts';
import { parseHtml } from './html-parser.ts';
import { type Cell, fullRows, type Table } from './table.ts';

/** Headings, list items, and tables between bars; a cell that spans columns is repeated in the heading, and blank elsewhere. */
export function htmlToMarkdown(html: string): string {
  const { text, blocks } = buildBlocks(html, parseHtml(html));
  const pieces: string[] = [];
  let end = 0;
  for (const block of blocks) {
    pieces.push(gap(text.slice(end, block.start)));
    const shown = text.slice(block.start, block.end);
    if (block.kind === 'table') pieces.push('\n', tableText(block.table), '\n');
    else if (block.kind === 'heading' && block.isMarked) pieces.push(`${'#'.repeat(block.heading.level)} ${shown}`);
    else if (block.kind === 'item') pieces.push(/^[\p{L}\d]{1,5}[.)]|^\W/u.test(shown) ? shown : `- ${shown}`);
    else pieces.push(shown);
    end = block.end;
  }
  return `${pieces
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

/** Without the blanks at the ends of lines: between blocks are only white space and marks of lists. */
function gap(between: string): string {
  const breaks = between.split('\n').length - 1;
  return breaks > 1 ? '\n\n' : breaks === 1 ? '\n' : between;
}

/** More rows of headings are the rows of a form, with labels next to values. */
const headingRowsMax = 2;

function tableText(table: Table): string {
  const rows = fullRows(table);
  const headers = Math.max(1, table.headerRows.length);
  const isShown = table.columns.map((_, column) => rows.some((row, index) => isOwn(row, column, index < headers)));
  const shown = rows.map((row, index) => {
    const cells = row.filter((_, column) => isShown[column]);
    const given = table.headerRows[index];
    // Cells of a heading that is not aligned with the columns below it.
    return given === undefined || given.every((cell) => cells.includes(cell)) ? cells : given;
  });
  if (shown.every((cells) => cells.length <= 1)) return shown.map(([cell]) => cell?.text ?? '').join('\n');
  const lines = shown.map((cells) => `| ${cells.map(({ text }) => cellText(text)).join(' | ')} |`);
  const rule = `|${' --- |'.repeat(isShown.filter(Boolean).length)}`;
  const aboveRule = headers > headingRowsMax ? 1 : headers;
  return [...lines.slice(0, aboveRule), rule, ...lines.slice(aboveRule)].join('\n');
}

/** Whether a cell has a text that is not the same heading as on its left. */
function isOwn(row: readonly Cell[], column: number, isHeading: boolean): boolean {
  const { text } = row[column]!;
  return text !== '' && !(isHeading && row[column - 1] === row[column]);
}

function cellText(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
}
