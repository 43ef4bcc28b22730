/** Tables whose cells contain line breaks: the same cells as with blanks in their place. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinBrokenRows } from '../../../agents/document/broken-rows.ts';
import { parseDocument } from '../../../agents/document/document.ts';
import { toText } from '../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../agents/tools/financial/statements.ts';
import { splitLines } from '../../../agents/tools/text/lines.ts';

const tablesOf = (text: string) =>
  parseDocument({ message: 0, text }).tables.map(({ headerRows, rows }) => ({
    header: headerRows.map((cells) => cells.map(({ text: cell }) => cell)),
    rows: rows.map(({ cells }) => cells.map((cell) => cell?.text ?? '')),
  }));
const revenueOf = (text: string) =>
  [...(readStatements([{ message: 0, text }]).figures.get('revenue') ?? [])].map(([period, { value }]) => [
    period,
    toText(value),
  ]);

describe('a table with line breaks in its header cells', () => {
  const rule = '|:--|--:|--:|';
  const body = '| Net sales | 5,310 | 4,870 |\n| Net income | 402 | 377 |\n';
  const header = (mark: string) =>
    `| In millions | Years ended${mark}March 29,${mark}2025 | Year ended${mark}March 30,${mark}2024 |`;

  it.each([
    ['a blank', ' '],
    ['a soft line break', '\n'],
    ['a line break and an indentation', ' \n          '],
    ['CR LF', '\r\n'],
    ['a hard line break', '\\\n'],
    ['<br>', '<br>'],
    ['<br/>', '<br/>'],
    ['<BR />', '<BR />'],
  ])('has the columns of its periods in Markdown with %s', (_, mark) => {
    const text = `${header(mark)}\n${rule}\n${body}`;
    expect(tablesOf(text)[0]!.header).toEqual([
      ['In millions', 'Years ended March 29, 2025', 'Year ended March 30, 2024'],
    ]);
    expect(revenueOf(text)).toEqual([
      ['2025', '5310000000'],
      ['2024', '4870000000'],
    ]);
  });

  it.each(['<br>', '<br/>', '</p><p>', '</div>\n<div>', '\n', '&#10;'])('has them in HTML with %j', (mark) => {
    const cell = (text: string) => `<th><div><p>${text.replaceAll('|', mark)}</p></div></th>`;
    const text = `<table><tr><th>In millions</th>${cell('Years ended|March 29,|2025')}${cell('Years ended|March 30,|2024')}</tr>
<tr><td>Net sales</td><td>5,310</td><td>4,870</td></tr><tr><td>Net income</td><td>402</td><td>377</td></tr></table>`;
    expect(revenueOf(text)).toEqual([
      ['2025', '5310000000'],
      ['2024', '4870000000'],
    ]);
  });

  it('has them in CSV with line breaks between quotation marks', () => {
    const text =
      'In millions,"Year ended\nMarch 29,\n2025","Year ended\nMarch 30,\n2024"\nNet sales,"5,310","4,870"\nNet income,402,377\n';
    expect(revenueOf(text)).toEqual([
      ['2025', '5310000000'],
      ['2024', '4870000000'],
    ]);
  });
});

describe('rows of a body', () => {
  it('continue on the next lines until they have the cells of the rule', () => {
    const text =
      '| Name | Position |\n|---|---|\n| R. Okafor | Director,\nfinance and\naccounting |\n| L. Brandt | Chair |\n';
    expect(tablesOf(text)[0]!.rows).toEqual([
      ['R. Okafor', 'Director, finance and accounting'],
      ['L. Brandt', 'Chair'],
    ]);
  });

  it.each([
    ['without closing bars', '| Net sales | 12 | 11\n| Net income | 3 | 2\n', 2],
    ['with fewer cells and a paragraph below', '| Net sales | 12\nThe table ends here.\n', 1],
    ['with fewer cells and another row below', '| Net sales | 12\n| Net income | 3 | 2 |\n', 2],
  ])('end with their line %s', (_, rows, count) => {
    expect(tablesOf(`| | 2025 | 2024 |\n|---|---|---|\n| Costs | 9 | 9 |\n${rows}`)[0]!.rows).toHaveLength(count + 1);
  });
});

it('keeps a quotation that a paragraph opens and never closes as one paragraph per line', () => {
  const text = 'He said, "we pay 5,\n\nand we pay on time.\n\nFees are due in 30 days.';
  expect(parseDocument({ message: 0, text }).text).toBe(text);
});

it('joins 200,000 characters of rows that never end in linear time', () => {
  const start = performance.now();
  for (const piece of ['| a\n', '|\n|-|\n', ',"a\n', '| a | b\nc', ',"a""\n', '|-|-|\n| a\n']) {
    const text = piece.repeat(200_000 / piece.length);
    joinBrokenRows(text, splitLines(text));
  }
  expect(performance.now() - start).toBeLessThan(6_000);
});

it('keeps positions in the source for any text of bars, quotation marks and line breaks', () => {
  const character = fc.constantFrom('|', '-', '"', ',', '\n', '\\', ' ', 'a', '7', '\r\n');
  fc.assert(
    fc.property(fc.array(character, { maxLength: 120 }), (characters) => {
      const text = characters.join('');
      const document = parseDocument({ message: 0, text });
      for (const { start, end } of document.blocks) {
        const span = document.spanOf({ start, end });
        expect(span.start).toBeLessThanOrEqual(span.end);
        expect(span.end).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});
