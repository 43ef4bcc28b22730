/** Tables of words in columns of blanks: schedules and registers. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../agents/document/document.ts';

const tablesOf = (text: string) =>
  parseDocument({ message: 0, text }).tables.map(({ rows }) =>
    rows.map(({ cells }) => cells.map((cell) => cell?.text ?? '')),
  );

describe('tables of words in columns of blanks', () => {
  it('divide a long cell from the column of words that begins one blank behind it', () => {
    const text = [
      'Holder                         Class          Shares     Part',
      'Orrell Holding Ltd             Ordinary       50,000    50.0%',
      'P. Vance                       Ordinary       30,000    30.0%',
      'Northern Lights Partners & Co. Preferred      12,000    12.0%',
      'Tarn Fund LP                   Preferred       8,000     8.0%',
    ].join('\n');
    expect(tablesOf(text)[0]?.[2]).toEqual(['Northern Lights Partners & Co.', 'Preferred', '12,000', '12.0%']);
  });

  it('keep a row with one date under a heading of words', () => {
    const text = [
      'Case                         Court           Claimed       Stage',
      '---------------------------  --------------  ------------  ---------------',
      'Ash Ltd v Target Ltd         High Court      £210,000      Trial',
      'on appeal from the County    Leeds                         March 2027',
      'Birch plc v Target Ltd       Sheriff Court   £11,000       Pending',
    ].join('\n');
    expect(tablesOf(text)).toHaveLength(1);
    expect(tablesOf(text)[0]).toHaveLength(3);
  });

  it('are not made of a list in a sentence that semicolons divide', () => {
    const text =
      'La Société ne peut : (a) distribuer un\ndividende ; (b) emprunter plus de 500 000 € ; (c) vendre\nune marque ; (d) modifier ses statuts ; (e) embaucher.';
    expect(tablesOf(text)).toEqual([]);
  });
});

describe('struck text', () => {
  it.each([
    ['The cap is ~~USD 9m~~ USD 7m.', 'The cap is  USD 7m.'],
    ['The cap is <del>USD 9m</del> USD 7m.', 'The cap is  USD 7m.'],
    ['<html><body><p>The cap is <s>USD 9m</s> USD 7m.</p></body></html>', 'The cap is USD 7m.'],
  ])('is no part of the document: %s', (text, shown) => {
    expect(parseDocument({ message: 0, text }).text.trim().replaceAll(/ +/g, ' ')).toBe(shown.replaceAll(/ +/g, ' '));
  });

  it('is kept where its mark is left open', () => {
    expect(parseDocument({ message: 0, text: '<p>The cap is <s>USD 9m.</p><p>It holds.</p>' }).text).toContain(
      'USD 9m',
    );
  });
});
