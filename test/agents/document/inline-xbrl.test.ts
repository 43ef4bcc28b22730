/** Numbers that inline XBRL marks: their scale, sign, concept, context and unit. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';
import { readInlineXbrl } from '../../../agents/document/inline-xbrl.ts';
import { htmlToMarkdown } from '../../../agents/document/markdown.ts';

const header = `<ix:header><ix:resources>
<xbrli:context id="y"><xbrli:entity/><xbrli:period><xbrli:startDate>2025-02-02</xbrli:startDate><xbrli:endDate>2026-01-31</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="d"><xbrli:entity><xbrli:segment><xbrldi:explicitMember dimension="a:B">a:C</xbrldi:explicitMember></xbrli:segment></xbrli:entity><xbrli:period><xbrli:instant>2026-01-31</xbrli:instant></xbrli:period></xbrli:context>
<xbrli:unit id="e"><xbrli:measure>iso4217:EUR</xbrli:measure></xbrli:unit>
<xbrli:unit id="s"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:EUR</xbrli:measure></xbrli:unitNumerator><xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
</ix:resources></ix:header>`;
const number = (attributes: string, text: string) => `<ix:nonFraction ${attributes}>${text}</ix:nonFraction>`;
const page = (cell: string) =>
  `<?xml version="1.0"?>\n<!-- program -->\n<html><body>${header}<p>Accounts</p><table><tr><td>Item</td><td>Year</td></tr><tr><td>Sales</td><td>${cell}</td></tr></table></body></html>`;
const tagsOf = (cell: string) => {
  const document = parseDocument({ message: 0, text: page(cell) });
  return document.taggedNumbers(document.tables[0]!.rows.at(-1)!.cells[1]!);
};

describe('a tagged number', () => {
  it('has its scale, sign, concept, context, unit and decimal mark', () => {
    const cell = `(${number('name="x:Sales" contextRef="y" unitRef="e" scale="3" sign="-" format="ixt:num-comma-decimal"', '5.210')})`;
    expect(tagsOf(cell)).toMatchObject([
      {
        concept: 'Sales',
        scale: 3,
        isNegative: true,
        decimalMark: ',',
        currency: 'EUR',
        context: { start: '2025-02-02', end: '2026-01-31', isPart: false },
      },
    ]);
    const document = parseDocument({ message: 0, text: page(cell) });
    const { start, end } = document.spanOf(document.tables[0]!.rows.at(-1)!.cells[1]!);
    expect(page(cell).slice(start, end)).toBe(cell);
  });

  it('of a segment, or per share, says so', () => {
    expect(tagsOf(number('name="x:A" contextRef="d" unitRef="s"', '1'))).toMatchObject([
      { scale: 0, currency: 'EUR', context: { end: '2026-01-31', isPart: true } },
    ]);
  });

  it('may have several concepts, the outermost first', () => {
    const nested = number('name="x:A" scale="6"', number('name="x:B" scale="6"', '7'));
    expect(tagsOf(nested).map(({ concept }) => concept)).toEqual(['A', 'B']);
  });

  it.each([
    ['next to another', `${number('name="x:A" scale="6"', '7')} / ${number('name="x:A" scale="6"', '8')}`],
    ['of two scales', number('name="x:A" scale="6"', number('name="x:B" scale="3"', '7'))],
    ['of a scale beyond twelve', number('name="x:A" scale="99"', '7')],
    ['of a scale that is no number', number('name="x:A" scale="6e9"', '7')],
    ['that is not closed', '<ix:nonFraction name="x:A" scale="6">7'],
    ['that is not opened', '7</ix:nonFraction>'],
    ['without a tag', '7'],
  ])('%s says nothing', (_, cell) => {
    expect(tagsOf(cell)).toEqual([]);
  });

  it('without a context, a name or a unit has its scale', () => {
    expect(tagsOf(number('contextRef="none" unitRef="none" scale="-2"', '7'))).toMatchObject([
      { concept: '', scale: -2 },
    ]);
  });

  it('takes time in proportion to the text', () => {
    const hostile = [
      '<ix:nonFraction scale="6">',
      '<ix:nonFraction scale="6">1</ix:nonFraction>',
      '<xbrli:context id="a">',
      '<xbrli:context id="a"><xbrli:instant>2025-01-01</xbrli:instant></xbrli:context>',
      '<ix:nonFraction name="',
      '<ix:continuation id="a" continuedAt="a">',
    ];
    for (const part of hostile) {
      const repeated = part.repeat(Math.floor(100_000 / part.length));
      const text = page(repeated + number('name="x:A"', '1') + '</ix:nonFraction>'.repeat(2_000));
      const startedAt = performance.now();
      const document = parseDocument({ message: 0, text });
      for (const { rows } of document.tables)
        for (const { cells } of rows) for (const cell of cells) if (cell !== undefined) document.taggedNumbers(cell);
      expect(performance.now() - startedAt, part).toBeLessThan(500);
    }
  });
});

describe('text without tagged numbers', () => {
  it('has none', () => {
    expect(readInlineXbrl('<p>Sales 7</p>')).toBeUndefined();
    expect(parseDocument({ message: 0, text: 'Sales 7' }).taggedNumbers({ start: 0, end: 7 })).toEqual([]);
  });
});

describe('the Markdown of a tagged table', () => {
  const cell = number('name="x:Sales" contextRef="y" unitRef="e" scale="6"', '5,210');

  it('names the unit, unless the text above does', () => {
    expect(htmlToMarkdown(page(cell))).toBe(
      'Accounts\n\n(in millions of EUR)\n\n| Item | Year |\n| --- | --- |\n| Sales | 5,210 |\n',
    );
    expect(htmlToMarkdown(page(cell).replace('Accounts', 'Accounts (EUR million)'))).not.toContain('(in millions');
    expect(htmlToMarkdown(page(cell.replace('scale="6"', '')))).not.toContain('(in ');
    expect(htmlToMarkdown(page(cell.replace('unitRef="e"', '')))).toContain('\n(in millions)\n');
  });
});
