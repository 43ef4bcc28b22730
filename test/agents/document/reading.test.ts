import { describe, expect, it } from 'vitest';
import { documentsOnly, englishShare } from '../../../agents/document/corpus.ts';
import { readDocument, sentenceAt } from '../../../agents/document/document.ts';
import { allWithin, firstWithin, indexAt } from '../../../agents/tools/text/ranges.ts';

const ranges = [
  { start: 0, end: 5 },
  { start: 6, end: 9 },
  { start: 20, end: 30 },
];

describe('places in a text', () => {
  it('are found by the last range that begins at or before them', () => {
    expect([-1, 0, 5, 6, 100].map((position) => indexAt(ranges, position))).toEqual([undefined, 0, 0, 1, 2]);
  });

  it('are inside a range, or begin in it', () => {
    expect(firstWithin(ranges, { start: 6, end: 25 })).toEqual({ start: 6, end: 9 });
    expect(firstWithin(ranges, { start: 10, end: 25 })).toBeUndefined();
    expect(allWithin(ranges, { start: 6, end: 25 })).toEqual([
      { start: 6, end: 9 },
      { start: 20, end: 30 },
    ]);
  });

  it('return the sentence around them', () => {
    const reading = readDocument({ message: 0, text: 'One is here. Two is there.' });
    expect(sentenceAt(reading, 14)).toEqual({ start: 13, end: 26 });
    expect(sentenceAt(readDocument({ message: 0, text: '' }), 0)).toEqual({ start: 0, end: 0 });
  });
});

describe('readDocument', () => {
  it('parses each object once', () => {
    const document = { message: 0, text: 'a' };
    expect(readDocument(document)).toBe(readDocument(document));
  });
});

describe('texts of a caller', () => {
  it('are questions if short and sent with a long text, and documents if sent alone', () => {
    const short = { text: 'Is it in there?' };
    const long = { text: 'x'.repeat(1_500) };
    expect(documentsOnly([short, long])).toEqual([long]);
    expect(documentsOnly([short])).toEqual([short]);
  });

  it('are classified as English or not', () => {
    const english = 'The supplier shall provide the services to the customer in accordance with this agreement. ';
    const german =
      'Der Lieferant erbringt dem Kunden die vereinbarten Leistungen gemäß diesem Vertrag und seinen Anlagen. ';
    expect(englishShare(readDocument({ message: 0, text: english.repeat(5) }).words)).toBeGreaterThan(0.3);
    expect(englishShare(readDocument({ message: 0, text: german.repeat(5) }).words)).toBeLessThan(0.1);
    expect(englishShare(readDocument({ message: 0, text: 'Too short.' }).words)).toBeUndefined();
  });
});
