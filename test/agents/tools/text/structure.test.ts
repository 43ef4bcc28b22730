import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findDefinitions } from '../../../../agents/tools/text/definitions.ts';
import { listLines } from '../../../../agents/tools/text/list-lines.ts';
import { compilePhrases, findPhrases, phraseList } from '../../../../agents/tools/text/phrases.ts';
import { splitSentences } from '../../../../agents/tools/text/sentences.ts';
import { bounded, excerpt } from '../../../../agents/tools/text/span.ts';
import { splitWords } from '../../../../agents/tools/text/words.ts';

const shown = (text: string) => (range: { start: number; end: number }) => text.slice(range.start, range.end);

describe('splitSentences', () => {
  it('does not end at abbreviations, initials and numbering', () => {
    const text = '1. The Supplier (Acme Ltd. of London) acts. See Art. 5 and No. 3. J. Smith agrees! Does he?';
    expect(splitSentences(text).map(shown(text))).toEqual([
      '1. The Supplier (Acme Ltd. of London) acts.',
      'See Art. 5 and No. 3.',
      'J. Smith agrees!',
      'Does he?',
    ]);
  });

  it('does not end within a date', () => {
    const text =
      'Doručeno dne 27. 3. 2026. Lhůta běží od 16. února. Am 5. März 2026 zugestellt. It is on page 12. March was cold. See no 3. 2024 was dry.';
    expect(splitSentences(text).map(shown(text))).toEqual([
      'Doručeno dne 27. 3. 2026.',
      'Lhůta běží od 16. února.',
      'Am 5. März 2026 zugestellt.',
      'It is on page 12.',
      'March was cold.',
      'See no 3.',
      '2024 was dry.',
    ]);
  });

  it('divides at empty lines and list items', () => {
    const text = 'Intro:\n- one\n- two\n\nNext paragraph\ngoes on';
    expect(splitSentences(text).map(shown(text))).toEqual(['Intro:', '- one', '- two', 'Next paragraph\ngoes on']);
  });

  it('keeps every character except white space, in order', () => {
    const parts = fc.array(fc.constantFrom('Aa ', '. ', '\n', '1. ', '- ', '!', '"', ' ', 'e.g. '), { maxLength: 80 });
    fc.assert(
      fc.property(parts, (list) => {
        const text = list.join('');
        expect(splitSentences(text).map(shown(text)).join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});

describe('findPhrases', () => {
  const list = compilePhrases([
    ['law', phraseList('governed by ~3 law|laws of; law')],
    ['liability', ['liab* ~4 not exceed']],
  ]);
  const found = (text: string) => findPhrases(splitWords(text), list).map((match) => [match.label, shown(text)(match)]);

  it('matches alternatives, prefixes and gaps, and returns the longest match per label', () => {
    expect(found('It is governed by the exclusive laws of X. Liability shall not exceed 5.')).toEqual([
      ['law', 'governed by the exclusive laws of'],
      ['liability', 'Liability shall not exceed'],
    ]);
  });

  it('does not match across sentences or long gaps', () => {
    expect(found('Liability ends. Not exceed. Liability a b c d e not exceed')).toEqual([]);
  });

  it('rejects phrases whose search could be slow', () => {
    const use = (phrase: string) => () => findPhrases(splitWords('a b'), compilePhrases([['x', [phrase]]]));
    expect(use('a ~2 b ~2 c ~2 d')).toThrow(TypeError);
    expect(use('~2 b')).toThrow(TypeError);
    expect(use('a ~99 b')).toThrow(TypeError);
  });
});

describe('definitions', () => {
  it('distinguishes terms defined in clauses from terms defined in brackets', () => {
    const text = '"Fees" means the fees. The start (the "Start") and “quoted” words. "Plan" shall mean this.';
    expect(findDefinitions(text).map(({ term, kind }) => [term, kind])).toEqual([
      ['Fees', 'clause'],
      ['Start', 'inline'],
      ['Plan', 'clause'],
    ]);
  });
});

describe('listLines', () => {
  it('formats a list as one line, or as several with the same title', () => {
    expect(listLines('Found', ['a', 'b'])).toEqual(['Found: a; b.']);
    const lines = listLines(
      'Found',
      Array.from({ length: 40 }, (_, index) => `item number ${index}`),
    );
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.every((line) => line.startsWith('Found: item') && line.length <= 280)).toBe(true);
    expect(listLines('Found', [])).toEqual([]);
  });
});

describe('excerpts and bounded lists', () => {
  it('stay on one line, within their limit, and split no character', () => {
    expect(excerpt('a\n\n b\tc ', { start: 0, end: 8 })).toBe('a b c');
    expect(excerpt('x'.repeat(500), { start: 0, end: 500 }, 10)).toBe('xxxxxxxxx…');
    expect(excerpt('ab\ud83d\ude00', { start: 0, end: 3 }).isWellFormed()).toBe(true);
  });

  it('count the omitted items', () => {
    expect(bounded([1, 2, 3], 2)).toEqual({ items: [1, 2], more: 1 });
  });
});
