/** Writes HTML as Markdown, for readers of text: models, and people who look for a finding. */
import { buildBlocks } from './blocks.ts';
import { parseHtml } from './html-parser.ts';
import { readInlineXbrl, type TaggedNumbers } from './inline-xbrl.ts';
import { type Cell, fullRows, type Table } from './table.ts';

/**
 * Headings, list items, and tables between bars; a cell that spans columns is repeated in the heading, and blank elsewhere. The unit that
 * inline XBRL gives the amounts of a table is a line above it, unless the text above names it.
 */
export function htmlToMarkdown(html: string): string {
  const { text, blocks, plain } = buildBlocks(html, parseHtml(html));
  const tagged = readInlineXbrl(html);
  const pieces: string[] = [];
  let end = 0;
  for (const block of blocks) {
    pieces.push(gap(text.slice(end, block.start)));
    const shown = text.slice(block.start, block.end);
    if (block.kind === 'table') {
      const unit = tagged === undefined ? undefined : unitOf(block.table, (cell) => tagged(plain.sourceOf(cell)));
      const isNamed =
        unit !== undefined &&
        text
          .slice(Math.max(0, block.start - captionReach), block.end)
          .toLowerCase()
          .includes(unit.scale);
      pieces.push('\n', unit === undefined || isNamed ? '' : `${unit.shown}\n\n`, tableText(block.table), '\n');
    } else if (block.kind === 'heading' && block.isMarked) pieces.push(`${'#'.repeat(block.heading.level)} ${shown}`);
    else if (block.kind === 'item') pieces.push(/^[\p{L}\d]{1,5}[.)]|^\W/u.test(shown) ? shown : `- ${shown}`);
    else pieces.push(shown);
    end = block.end;
  }
  return `${pieces
    .join('')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

const captionReach = 300;
const scaleNames: Readonly<Record<number, string>> = { 3: 'thousand', 6: 'million', 9: 'billion' };

/** "(in millions of USD)", if most tagged amounts of money in the table have one scale; without a currency if the file defines no units. */
function unitOf(
  { rows }: Table,
  tagged: TaggedNumbers,
): { readonly scale: string; readonly shown: string } | undefined {
  const numbers = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (cell === undefined ? [] : tagged(cell).slice(0, 1))),
  );
  const money = numbers.some(({ currency }) => currency !== undefined)
    ? numbers.filter(({ currency }) => currency !== undefined)
    : numbers;
  const units = Map.groupBy(money, ({ scale, currency = '' }) => `${scale} ${currency}`);
  const [first] = [...units.values()].sort((a, b) => b.length - a.length);
  const [sample] = first ?? [];
  const scale = sample === undefined ? undefined : scaleNames[sample.scale];
  if (scale === undefined || first!.length * 2 <= money.length) return undefined;
  return { scale, shown: `(in ${scale}s${sample!.currency === undefined ? '' : ` of ${sample!.currency}`})` };
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
