/** Statements in columns of blanks, as filings printed them before HTML. Texts and figures are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

const parse = (lines: readonly string[]) => parseDocument({ message: 0, text: lines.join('\n') });
const tablesIn = (lines: readonly string[]) =>
  parse(lines).tables.map(({ columns, rows }) => ({
    headings: columns.map(({ headerCells }) => headerCells.map(({ text }) => text).join(' ')),
    rows: rows.map(({ cells }) => cells.map((cell) => cell?.text ?? '')),
  }));

const statement = [
  '                                        Thirteen Weeks Ended',
  '                                       ---------------------',
  '                                       Nov. 1,     Nov. 2,',
  '                                        2025        2024',
  '                                       -------     -------',
  'Operating activities:',
  '  Net earnings                        $ 4,120     $ 3,377',
  '  Items that do not affect cash and that',
  '    net earnings include:',
  '      Depreciation                      1,950       1,802',
  '                                       -------     -------',
  'Net cash provided by operations         6,070       5,179',
  '                                       -------     -------',
  'Cash at end of period                 $ 9,014     $ 8,220',
  '                                       =======     =======',
];
const headings = ['', 'Thirteen Weeks Ended Nov. 1, 2025', 'Thirteen Weeks Ended Nov. 2, 2024'];

describe('an aligned statement', () => {
  it('is one table, with labels that are broken over lines and totals between rules', () => {
    const [table, ...others] = tablesIn(statement);
    expect(others).toEqual([]);
    expect(table!.headings).toEqual(headings);
    expect(table!.rows.map(([label]) => label)).toEqual([
      'Operating activities:',
      'Net earnings',
      'Items that do not affect cash and that',
      'net earnings include:',
      'Depreciation',
      'Net cash provided by operations',
      'Cash at end of period',
    ]);
    expect(table!.rows.at(-1)).toEqual(['Cash at end of period', '$ 9,014', '$ 8,220']);
  });

  it('of EDGAR is the same table with its tags', () => {
    const tagged = [
      '<PAGE>',
      '<TABLE>',
      '<CAPTION>',
      ...statement.slice(0, 5),
      '<S>     <C>      <C>',
      ...statement.slice(5),
    ];
    expect(tablesIn([...tagged, '</TABLE>', '', 'See notes.'])).toEqual(tablesIn(statement));
    expect(tablesIn([...tagged.slice(1), '</TABLE>'])).toEqual(tablesIn(statement));
    expect(tablesIn(['<DOCUMENT>', '<TYPE>10-Q', '<TEXT>', ...tagged, '</TABLE>'])).toEqual(tablesIn(statement));
  });

  it('of EDGAR is text, and not an empty table, in a page of HTML', () => {
    const { text } = parse([
      '<html><body><pre>',
      '<TABLE>',
      '<CAPTION>',
      ...statement,
      '</TABLE>',
      '</pre><p>End.</p></body></html>',
    ]);
    expect(text).toMatch(/Net earnings +\$ 4,120[\s\S]*End\./);
  });

  it('continues below an empty line above the title of a group', () => {
    const lines = [
      ...statement.slice(0, 5),
      '',
      ...statement.slice(5, 12),
      '',
      'Cash balances:',
      '  At the beginning         2,944       3,041',
    ];
    expect(tablesIn(lines).map(({ rows }) => rows.length)).toEqual([8]);
  });

  it('ends above the title of the next one', () => {
    const next = [
      '',
      'Segment results',
      'North                                   1,200       1,100',
      'South                                     900         800',
    ];
    expect(tablesIn([...statement, ...next])).toHaveLength(2);
  });

  it('has a caption in two parts and not a heading in parentheses', () => {
    const lines = ['                 (In thousands, except rates)  (Unaudited)', ...statement];
    expect(tablesIn(lines)[0]!.headings).toEqual(headings);
  });

  it('has headings that are wider than their columns', () => {
    const wide = ['                                      November 1, 2025   November 2, 2024', ...statement.slice(5)];
    expect(tablesIn(wide)[0]!.headings).toEqual(['', 'November 1, 2025', 'November 2, 2024']);
    const days = [statement[0]!, '                                    November 1, November 2,', ...statement.slice(3)];
    expect(tablesIn(days)[0]!.headings).toEqual([
      '',
      'Thirteen Weeks Ended November 1, 2025',
      'Thirteen Weeks Ended November 2, 2024',
    ]);
  });
});

describe('dates', () => {
  it('do not cross the rows of a heading', () => {
    const { dates } = parse([...statement, '', 'On November 1, 2025 we had 40 stores.']);
    expect(dates.map(({ iso }) => iso)).toEqual(['2025-11-01']);
  });
});
