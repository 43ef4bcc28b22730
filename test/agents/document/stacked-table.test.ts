/** Statements with one cell per line, as text from a PDF file prints them. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

const tablesOf = (lines: readonly string[]) => parseDocument({ message: 0, text: lines.join('\n') }).tables;
const body = ['Fees', '$', '1,210', '$', '1,130', 'Costs:', 'Wages', '(800)', '(760)', 'Rent', '(90)', '(85)'];

describe('a statement with one cell per line', () => {
  it('has a row for each label and a column for each year', () => {
    const [table] = tablesOf(['Statement of income', 'June 30,', '2025', 'December 31,', '2024', ...body, '7']);
    expect(table?.columns.map(({ headerCells }) => headerCells.map(({ text }) => text).join(' '))).toEqual([
      '',
      'June 30, 2025',
      'December 31, 2024',
    ]);
    expect(table?.rows.map(({ cells }) => cells.map((cell) => cell?.text ?? ''))).toEqual([
      ['Fees', '$1,210', '$1,130'],
      ['Costs:', '', ''],
      ['Wages', '(800)', '(760)'],
      ['Rent', '(90)', '(85)'],
    ]);
  });

  it('has groups of columns of equal width', () => {
    const rows = ['Fees', '1', '2', '3', '4', 'Wages', '5', '6', '7', '8', 'Rent', '9', '10', '11', '12'];
    const spans = ['Three months ended', 'June 30,', 'Six months ended', 'June 30,', '2025', '2024', '2025', '2024'];
    const [table] = tablesOf([...spans, ...rows]);
    expect(table?.columns.slice(1).map(({ headerCells }) => headerCells.map(({ text }) => text).join(' '))).toEqual([
      'Three months ended June 30, 2025',
      'Three months ended June 30, 2024',
      'Six months ended June 30, 2025',
      'Six months ended June 30, 2024',
    ]);
  });

  it.each([
    [
      'a row has fewer numbers than columns',
      ['2025', '2024', 'Fees', '1,210', 'Wages', '800', '760', 'Rent', '90', '85'],
    ],
    ['a row has more numbers than columns', ['2025', '2024', 'Fees', '1,210', '1,130', '1,090', 'Wages', '800', '760']],
    ['there are no headings', body],
    ['the groups are not equal', ['Three months ended', '2025', '2024', '2023', 'Total', '2022', ...body]],
  ])('is no table where %s', (_, lines) => {
    expect(tablesOf(lines)).toEqual([]);
  });
});
