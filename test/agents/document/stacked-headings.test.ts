/** Headings above columns of characters and CSV cells: stacked rows, groups, empty cells, several tables in one file. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

const tablesOf = (text: string) => parseDocument({ message: 0, text }).tables;
const headingsOf = (text: string, table = 0) =>
  tablesOf(text)[table]?.columns.map(({ headerCells }) => headerCells.map((cell) => cell.text).join(' '));

describe('headings in rows above each other', () => {
  it('of the last columns do not spread to the column before them', () => {
    const text = [
      '                      H1 2024     H1 2024                   Change    Change',
      'In EUR million       reported    restated     H1 2025     reported   organic',
      'Turnover                512.4       498.1       530.0       +6.4 %    +5.1 %',
      'Operating result         61.0        60.2        66.3      +10.1 %',
      'Financial result         (8.0)       (8.0)       (7.5)',
      'Tax                      (9.9)       (9.7)      (11.0)',
    ].join('\n');
    expect(headingsOf(text)).toEqual([
      'In EUR million',
      'H1 2024 reported',
      'H1 2024 restated',
      'H1 2025',
      'Change reported',
      'Change organic',
    ]);
  });

  it('name a column that only one of many rows fills', () => {
    const rows = Array.from(
      { length: 14 },
      (_, index) => `Item number ${10 + index}          1,2${10 + index}      1,1${10 + index}`,
    );
    const text = [
      '                          2025       2024     Change',
      `${rows[0]}      +3.1%`,
      ...rows.slice(1),
    ].join('\n');
    const [table] = tablesOf(text);
    expect(table?.rows[0]?.cells.map((cell) => cell?.text)).toEqual(['Item number 10', '1,210', '1,110', '+3.1%']);
  });

  it('of a group are above the columns around its middle', () => {
    const text = [
      '                 Three months ended        Nine months ended',
      '                  2025        2024          2025        2024',
      'Fees             1,210       1,130         3,610       3,330',
      'Other              310         290           900         880',
    ].join('\n');
    expect(headingsOf(text)?.slice(1)).toEqual([
      'Three months ended 2025',
      'Three months ended 2024',
      'Nine months ended 2025',
      'Nine months ended 2024',
    ]);
  });
});

describe('a CSV file', () => {
  it('has a table below each empty row that headings in other columns follow', () => {
    const text = [
      'Model,Harbour Mill,,,',
      'Printed,2025-11-21,,,',
      ',,,,',
      'Row,Item,FY 2023,FY 2024,FY 2025',
      '1,Turnover,850,900,950',
      '2,Costs,650,700,720',
      ',,,,',
      'Test,Name,Required,Result,',
      'T1,Cover,min 1.25x,1.40x,',
      'T2,Gearing,max 3.50x,2.90x,',
    ].join('\n');
    expect(tablesOf(text).map((_, index) => headingsOf(text, index))).toContainEqual([
      'Row',
      'Item',
      'FY 2023',
      'FY 2024',
      'FY 2025',
    ]);
    expect(headingsOf(text, tablesOf(text).length - 1)).toEqual(['Test', 'Name', 'Required', 'Result']);
  });

  it('does not give the heading of an adjacent column to a column without one', () => {
    const text = ['Item,2025,,2024', 'Turnover,900,a,850', 'Costs,700,b,650'].join('\n');
    expect(headingsOf(text)).toEqual(['Item', '2025', '', '2024']);
  });
});

describe('a number with thousands alone on a line', () => {
  it.each(['21,377', '(22,043)', '$ 1,204,660'])('is no row of a table: %s', (number) => {
    expect(tablesOf(`Research\n${number}\n18,940\nSales\n6,044\n5,731\n`)).toEqual([]);
  });

  it.each(['8.000.000 euros de ventas', '24.310 TEUR (Vorjahr 23.602 TEUR)'])(
    'at the beginning of a line is no heading: %s',
    (line) => {
      const { blocks } = parseDocument({
        message: 0,
        text: `Der Aufwand des Jahres war noch nie so hoch und betrug\n${line}.`,
      });
      expect(blocks.map(({ kind }) => kind)).not.toContain('heading');
    },
  );
});
