/** Headings and tables in the markup of other programs than Markdown. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

const parse = (lines: readonly string[]) => parseDocument({ message: 0, text: lines.join('\n') });
const headingsIn = (lines: readonly string[]) =>
  parse(lines).blocks.flatMap((block) =>
    block.kind === 'heading' ? [[block.heading.level, block.heading.title]] : [],
  );
const tablesIn = (lines: readonly string[]) =>
  parse(lines).tables.map(({ columns, rows }) => [
    columns.map(({ headerCells }) => headerCells.map((cell) => cell?.text ?? '').join(' ')),
    ...rows.map(({ cells }) => cells.map((cell) => cell?.text ?? '')),
  ]);

const prices = [
  ['Item', 'Price'],
  ['Berth', 'EUR 1,210'],
  ['Crane', 'EUR 95'],
];

describe('headings', () => {
  it.each([
    ['underlined', ['Crew leave', '==========', '', 'Text.', '', 'Notice', '---', '', 'Text.'], [1, 2]],
    ['between two rules', ['', '----------', 'Crew leave', '----------', 'Text.', '', 'Notice', '~~~~~~'], [2, 2]],
    ['of AsciiDoc', ['= Crew leave', '', 'Text.', '', '=== Notice', 'Text.'], [1, 3]],
    ['of MediaWiki', ['== Crew leave ==', 'Text.', '=== Notice ===', 'Text.'], [2, 3]],
  ])('%s', (_name, lines, levels) => {
    expect(headingsIn(lines)).toEqual([
      [levels[0], 'Crew leave'],
      [levels[1], 'Notice'],
    ]);
  });

  it.each([
    ['a labelled value', ['Berth: 14', '---------', 'Text.']],
    ['the last line of a sum', ['', 'Crane 95.00', '-----------']],
    ['the number of a page', ['', 'Page 3 of 9', '-----------']],
    ['the end of a paragraph', ['The crane is free until', 'Monday morning', '--------------']],
    ['an equation', ['Hours', '= 12 x 8 plus the rest']],
  ])('are not %s', (_name, lines) => {
    expect(headingsIn(lines)).toEqual([]);
  });
});

describe('titles with numbers', () => {
  it('directly below each other are items of a list', () => {
    const kinds = parse(['Plan', '1. Start bisoprolol', '2. Review in 4 weeks']).blocks.map(({ kind }) => kind);
    expect(kinds).toEqual(['paragraph', 'item', 'item']);
  });

  it('are headings if text follows directly below, or empty lines divide them', () => {
    expect(headingsIn(['1. Rent of 2 berths', '2. Price', 'The price is due.']).map(([, title]) => title)).toEqual([
      'Price',
    ]);
    expect(headingsIn(['1. Reserved', '', '2. Price', '', 'The price is due.'])).toHaveLength(2);
    expect(headingsIn(['4. Rent of 2 berths', '9. Price'])).toHaveLength(2);
    expect(headingsIn(['1. Scope', '2. Price', '3. Term'])).toHaveLength(3);
  });
});

describe('tables', () => {
  it.each([
    [
      'of HTML in Markdown',
      [
        '# Harbour',
        '',
        '<table class="prices">',
        '  <thead><tr><th>Item</th><th>Price</th></tr></thead>',
        '  <tr><td>Berth</td>',
        '      <td>EUR&nbsp;1,210</td></tr>',
        '',
        '  <tr><td>Crane</td><td>EUR 95</td></tr>',
        '</table>',
        '',
        'Text.',
      ],
    ],
    ['of AsciiDoc', ['|===', '|Item |Price', '', '|Berth', '|EUR 1,210', '', '|Crane |EUR 95', '|===']],
    [
      'of AsciiDoc, with columns',
      ['[cols="2,1", options="header"]', '|===', '|Item', '|Price', '', '|Berth |EUR 1,210', '|Crane |EUR 95', '|==='],
    ],
    [
      'of MediaWiki',
      [
        '{| class="wikitable"',
        '! Item',
        '! Price',
        '|-',
        '| Berth || EUR 1,210',
        '|-',
        '| style="text-align:left" | Crane',
        '| EUR 95',
        '|}',
      ],
    ],
    [
      'of reStructuredText',
      [
        '+-------+-----------+',
        '| Item  | Price     |',
        '+=======+===========+',
        '| Berth | EUR 1,210 |',
        '+-------+-----------+',
        '| Crane | EUR 95    |',
        '+-------+-----------+',
      ],
    ],
    [
      'that a program drew',
      [
        '┌───────┬───────────┐',
        '│ Item  │ Price     │',
        '├───────┼───────────┤',
        '│ Berth │ EUR 1,210 │',
        '│ Crane │ EUR 95    │',
        '└───────┴───────────┘',
      ],
    ],
    [
      'that a program drew with double lines',
      [
        '╔═══════╦═══════════╗',
        '║ Item  ║ Price     ║',
        '╠═══════╬═══════════╣',
        '║ Berth ║ EUR 1,210 ║',
        '║ Crane ║ EUR 95    ║',
        '╚═══════╩═══════════╝',
      ],
    ],
  ])('%s', (_name, lines) => {
    const shown = tablesIn(lines).map((rows) => rows.map((row) => row.map((cell) => cell.replace('\u00a0', ' '))));
    expect(shown).toEqual([prices]);
  });

  it('keep the lists and the text around them', () => {
    const { text, blocks } = parse(['Before.', '<ul>', '<li>Berth</li>', '<li>Crane</li>', '</ul>', 'After.']);
    expect(text.split(/\n+/)).toEqual(['Before.', 'Berth', 'Crane', 'After.']);
    expect(blocks.map(({ kind }) => kind)).toEqual(['paragraph', 'item', 'item', 'paragraph']);
  });

  it('that are not closed are text', () => {
    expect(tablesIn(['{|', '| a || b', '|-', '| c || d'])).toEqual([]);
    expect(parse(['Look:', '<table>', 'no rows']).text).toContain('no rows');
  });
});

describe('hostile markup', () => {
  const marks = [
    '<table>',
    '</table>',
    '<ul>',
    '{|',
    '|}',
    '|-',
    '|===',
    '| a || b',
    '! x',
    '|',
    '===',
    '---',
    'Title',
    '┌─┐',
    '│ a │',
    '',
  ];

  it('never fails, and keeps the offsets of the source', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 30 }), (lines) => {
        const source = lines.join('\n');
        const document = parseDocument({ message: 0, text: source });
        for (const block of document.blocks) {
          const { start, end } = document.spanOf(block);
          expect(start <= end && end <= source.length).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
