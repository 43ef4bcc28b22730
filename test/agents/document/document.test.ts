import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Document, parseDocument } from '../../../agents/document/document.ts';
import { slowness } from '../../support/pace.ts';

const read = (text: string): Document => parseDocument({ message: 0, text });
const blocksOf = (text: string) => {
  const document = read(text);
  return document.blocks.map(({ kind, start, end }) => [kind, document.text.slice(start, end)]);
};
const cellsOf = (text: string) =>
  read(text).tables.map(({ rows }) => rows.map(({ cells }) => cells.map((cell) => cell?.text ?? '')));
const headingsOf = (text: string) =>
  read(text).tables.map(({ columns }) =>
    columns.map(({ headerCells }) => headerCells.map((cell) => cell.text).join(' ')),
  );

describe('blocks', () => {
  it('are paragraphs, not headings, if the next line continues the sentence of a numbered or capitalised line', () => {
    const text =
      '6.1 The Guarantor guarantees the debt. Its liability under this Article\nis limited to one million.\n\nTHIS AGREEMENT IS GOVERNED BY THE LAW OF THE STATE OF NEW\nYORK.\n\n7. Notices and communications\nNotices are sent by post.\n';
    expect(read(text).sections.map(({ number, title }) => [number, title])).toEqual([
      ['6.1', ''],
      ['7', 'Notices and communications'],
    ]);
  });

  it('are headings, paragraphs, items, labelled lines and log lines', () => {
    const text =
      '# Report\n\nThe Supplier shall deliver the goods to the warehouse of\nthe Customer.\n\n- one\n- two\n  and more\n\nAge: 45\n2026-01-01 12:00:00 sshd[1]: *up*\n';
    expect(blocksOf(text)).toEqual([
      ['heading', 'Report'],
      ['paragraph', 'The Supplier shall deliver the goods to the warehouse of\nthe Customer.'],
      ['item', '- one'],
      ['item', '- two\n  and more'],
      ['field', 'Age: 45'],
      ['line', '2026-01-01 12:00:00 sshd[1]: *up*'],
    ]);
  });

  it('keep short lines separate and join wrapped ones', () => {
    expect(blocksOf('Chest clear\nAbdomen soft')).toHaveLength(2);
    expect(blocksOf('Each party shall keep\nthe information secret')).toHaveLength(1);
  });

  it('contain the text of Markdown without its markup, with positions in the source', () => {
    const text = 'The **Supplier** shall pay [the fee](https://x.example) of `EUR 5` &amp; no more.';
    const document = read(text);
    expect(document.text).toBe('The Supplier shall pay the fee of EUR 5 & no more.');
    const { start, end } = document.spanOf({ start: document.text.indexOf('EUR'), end: document.text.indexOf(' &') });
    expect(text.slice(start, end)).toBe('EUR 5');
  });

  it.each(['html', 'markdown'])('show what a reader sees of references and soft hyphens in %s', (form) => {
    const text =
      'The sup\u00adplier pays&nbsp;EUR&#160;1\u200b0,0&ZeroWidthSpace;00 &check;,&ensp;A &rarr; B&#10;&unknown; &copy &#0;';
    const seen = 'The supplier pays\u00a0EUR\u00a010,000 ✓, A → B &unknown; &copy \ufffd';
    expect(read(form === 'html' ? `<p>${text}</p>` : text).text.trim()).toBe(seen);
  });

  it.each([
    '2 * 3 * 4',
    'snake_case_name',
    '5.9* and 6.1*',
    'a ** b',
    '____',
    'C:\\Users\\ada',
    '[●] days',
    'x < y > z',
  ])('keep %s unchanged', (text) => {
    expect(read(text).text).toBe(text);
  });

  it("are those of the HTML after EDGAR's header", () => {
    const header = '<DOCUMENT>\n<TYPE>EX-99.1\n<SEQUENCE>2\n<FILENAME>results.htm\n<DESCRIPTION>EX-99.1\n<TEXT>\n';
    const table = '<table><tr><th>Year</th><th>Sales</th></tr><tr><td>2024</td><td>17</td></tr></table>';
    const html = `<html><body><h1>Results</h1>${table}</body></html>`;
    expect(headingsOf(`${header}${html}\n</TEXT>\n</DOCUMENT>\n`)).toEqual([['Year', 'Sales']]);
    expect(cellsOf(`${header}${html}`)).toEqual(cellsOf(html));
  });

  it('are the same in HTML', () => {
    const html =
      '<!doctype html><html><head><title>x</title></head><body><h1>Fees</h1><p>The <b>fee</b> is&nbsp;due\n  now.</p><ul><li>one<li>two</ul></body></html>';
    expect(blocksOf(html)).toEqual([
      ['heading', 'Fees'],
      ['paragraph', 'The fee is\u00a0due now.'],
      ['item', 'one'],
      ['item', 'two'],
    ]);
  });
});

describe('tables', () => {
  const rows = [
    ['Item', '2024', '2023'],
    ['Revenue', '1,250', '1,100'],
    ['Net loss', '(30)', '(1,020)'],
  ];
  const forms = {
    bars: rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n'),
    'bars with a rule': rows
      .map((cells) => `${cells.join(' | ')}`)
      .join('\n')
      .replace('\n', '\n---|---|---\n'),
    tabs: rows.map((cells) => cells.join('\t')).join('\n'),
    semicolons: rows.map((cells) => cells.join(';')).join('\n'),
    'quoted commas': rows.map((cells) => cells.map((cell) => `"${cell}"`).join(',')).join('\n'),
    'aligned columns': rows
      .map(([label, ...cells]) => label!.padEnd(20) + cells.map((cell) => cell.padStart(12)).join(''))
      .join('\n'),
    'two blanks': rows.map((cells) => cells.join('  ')).join('\n'),
    HTML: `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
  };

  it.each(Object.entries(forms))('are the same as %s', (_, text) => {
    expect(cellsOf(text)).toEqual([rows.slice(1)]);
    expect(headingsOf(text)).toEqual([rows[0]]);
  });

  it('keep empty cells in their columns', () => {
    expect(cellsOf('| a | b | c |\n|---|---|---|\n| x | | 3 |\n| y | 2 | |\n')).toEqual([
      [
        ['x', '', '3'],
        ['y', '2', ''],
      ],
    ]);
    expect(cellsOf('Item | 2024 | 2023\nSales | 100 | 90\n | 300 | 280\nCosts | 5 | 4\n')).toEqual([
      [
        ['Sales', '100', '90'],
        ['', '300', '280'],
        ['Costs', '5', '4'],
      ],
    ]);
    expect(cellsOf('Item        2024     2023\nRevenue      120      110\nCash                   9\n')).toEqual([
      [
        ['Revenue', '120', '110'],
        ['Cash', '', '9'],
      ],
    ]);
  });

  it('give each column the group heading above it, and join currency signs in separate cells to their amounts', () => {
    const text = `                        Three Months Ended    Six Months Ended
                          2024      2023       2024      2023
Revenue                 $  100    $   90     $  190    $  180
Net income (loss)           12       (4)         20        (9)
`;
    expect(headingsOf(text)).toEqual([
      ['', 'Three Months Ended 2024', 'Three Months Ended 2023', 'Six Months Ended 2024', 'Six Months Ended 2023'],
    ]);
    expect(cellsOf(text)[0]![0]).toEqual(['Revenue', '$ 100', '$ 90', '$ 190', '$ 180']);
  });

  it('start a new table when a row of periods repeats the column headings', () => {
    expect(read('| | 2024 | 2023 |\n| Cash | 1 | 2 |\n| | 2022 | 2021 |\n| Cash | 3 | 4 |\n').tables).toHaveLength(2);
  });

  it.each([
    'One sentence.  Another one.',
    'Apples, pears, plums\nand, so, on',
    'Betrag: 1 000,00 Kč\nDPH: 190,00 Kč\nCelkem: 1 190,00 Kč',
    'First; second; third\nFourth; fifth; sixth',
  ])('are not read from prose: %j', (text) => {
    expect(read(text).tables).toEqual([]);
  });
});

describe('any text', () => {
  const parts = fc.constantFrom(
    ...[
      'a ',
      'B',
      '1',
      '2024',
      '  ',
      '\n',
      '\n\n',
      '|',
      '| a | b |\n',
      '\t',
      ';',
      ',',
      '"',
      '**',
      '*',
      '`',
      '_',
      '[a](b)',
      '&amp;',
      '&shy;',
      '\u200b',
      '<td>',
      '<table>',
      '</p>',
    ],
    ...['<tr>', '# ', '- ', '1. ', ':', '$ ', '(', ')', '...', '---', '```\n', '<div>', '\r\n', '\u00a0', 'é'],
  );
  const texts = fc.array(parts, { maxLength: 60 }).map((list) => list.join(''));

  it('gives blocks in order, within the text, and spans within the source', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), (body, asHtml) => {
        const source = asHtml ? `<p>${body}</p>` : body;
        const document = read(source);
        let floor = 0;
        for (const block of document.blocks) {
          expect(block.start).toBeGreaterThanOrEqual(floor);
          expect(block.end).toBeGreaterThan(block.start);
          floor = block.end;
          const span = document.spanOf(block);
          expect(span.start).toBeGreaterThanOrEqual(0);
          expect(span.end).toBeGreaterThanOrEqual(span.start);
          expect(span.end).toBeLessThanOrEqual(source.length);
        }
        expect(floor).toBeLessThanOrEqual(document.text.length);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every letter and digit of plain text, in order', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('ab ', 'C', '12', '  ', '\n', '|', '\t', ';', ', ', '- ', '.', ': ')),
        (list) => {
          const text = list.join('');
          expect(read(text).text.replace(/[^\p{L}\p{N}]/gu, '')).toBe(text.replace(/[^\p{L}\p{N}]/gu, ''));
        },
      ),
    );
  });
});

describe('hostile text', () => {
  const units = [
    ...[
      '<',
      '<a ',
      '<td>',
      '<table>',
      '</p><p>',
      '<b>',
      '<!--',
      '<table><tr><td>1</td>',
      '<td colspan=200>',
      '*',
      '**',
      '*a ',
      '_a',
      '`',
      '[',
      '[a](',
      '&',
      '&#',
    ],
    ...[
      '\\',
      '|',
      'a|b\n',
      'a\t',
      '"',
      ',',
      'a,b\n',
      'a;b;c\n',
      '  ',
      'a  b\n',
      'x  1  2\n',
      '.',
      '...',
      '#',
      '- ',
      '1. ',
      '(',
      '\n',
      '> ',
      '2024 ',
    ],
    ...['Item 2024 2023\n', '~~~\n', 'a: ', '|a|\n', '.... 5\n', '"a","1","2"\n', '$ ', '= = ', 'ab  c\n\n', '1\n'],
    ...['\n<table>\n', '<ul><li>\n', '{|\n', '|===\n|a\n', '┌─┐\n', 'Title\n---\n\n', '1. A\n2. B\n'],
  ];
  const charactersMax = 200_000;
  const milliseconds = (text: string) => {
    const start = process.cpuUsage();
    read(text);
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000;
  };

  const fewMilliseconds = 300 * slowness();

  it.each(units)('is parsed in time in proportion to its length: %j', (unit) => {
    const body = unit.repeat(Math.ceil(charactersMax / unit.length)).slice(0, charactersMax);
    // A different last line must not make the parser read the other lines again.
    for (const wrap of [
      (some: string) => some,
      (some: string) => `${some}\n"a","b`,
      (some: string) => `<p>${some}</p>`,
    ]) {
      const text = wrap(body);
      const quarter = wrap(body.slice(0, body.length / 4));
      // Garbage collection slows some runs, and so does a busy machine. A quadratic parser takes 16 times as long as for a quarter.
      const fits = [1, 2, 3, 4].some(() => milliseconds(text) < Math.max(fewMilliseconds, 10 * milliseconds(quarter)));
      expect(fits).toBe(true);
    }
  });
});
