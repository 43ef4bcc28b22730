import { describe, expect, it } from 'vitest';
import { blankUnasserted } from '../../../agents/document/unasserted.ts';

const shown = (text: string) => blankUnasserted(text).replace(/ {2,}/g, ' ').trim();

describe('blankUnasserted', () => {
  it.each([
    ['An earlier draft, since rejected, read: "The cap is EUR 5,000."', ''],
    ['By way of example only: "The term is 3 years."', ''],
    ['It is not the case that the fee is EUR 70.', ''],
    ['At an unrelated company the following held: "Notice is 9 weeks."', ''],
    ['Es trifft nicht zu, dass die Frist drei Monate beträgt.', ''],
    ["Il n'est pas exact que le délai est de trois mois.", ''],
    ['The cap is EUR 9. Suppose that it were EUR 5. It stays.', 'The cap is EUR 9. It stays.'],
    ['The term, as the brochure of 2019 explains, is 2 years.', 'The term , is 2 years.'],
  ])('leaves out what a sentence takes back: %s', (text, rest) => {
    expect(shown(text)).toBe(rest);
  });

  it.each([
    'The fee is EUR 70.',
    'For example, the supplier reviews access every six months.',
    'The committee did not say that it is true.',
    'In Case C-1/20 the Court held that "the period is two months".',
  ])('keeps what a sentence states: %s', (text) => {
    expect(blankUnasserted(text)).toBe(text);
  });

  it('keeps the offsets and line breaks of the text', () => {
    const text = 'A first line.\nIt is not the case that\nthe fee is EUR 70. A last line.';
    const blanked = blankUnasserted(text);
    expect(blanked).toHaveLength(text.length);
    expect(blanked.indexOf('A last line.')).toBe(text.indexOf('A last line.'));
    expect(blanked.split('\n')).toHaveLength(3);
  });

  it('takes time in proportion to the text', () => {
    const text = 'It is not the case that "'.repeat(8_000);
    const start = performance.now();
    blankUnasserted(text);
    expect(performance.now() - start).toBeLessThan(500);
  });
});
