/** Normal forms of texts that nobody writes, and that somebody sends. */
import { describe, expect, it } from 'vitest';
import { buildNormalizer } from '../../../models/tokenizer/normalizers.ts';
import { strangeTexts } from '../../support/models/strange-texts.ts';
import { tinyWords } from '../../support/models/tiny-words.ts';

/** Each is two marks of classes that have to be put in order. */
const marks = '\u0f73'.repeat(100_000);

describe.each(['NFC', 'NFD', 'NFKC', 'NFKD'] as const)('%s', (form) => {
  const normalize = buildNormalizer({ type: form });

  it('of a text of nothing but marks takes no more than a moment', { timeout: 4_000 }, () => {
    expect(normalize(`a${marks}`)).toHaveLength(200_001);
  });

  it('is that of JavaScript for whatever has at most 30 marks in a row', () => {
    for (const text of [...strangeTexts(2_000, { seed: 3, words: tinyWords }), `x${'\u0301\u0323'.repeat(15)}y`]) {
      expect(normalize(text)).toBe(text.normalize(form));
    }
  });

  it('does not reorder marks across a boundary of 30 in a row', () => {
    const text = `x${'\u0301'.repeat(30)}\u0323`;
    expect(normalize(text)).toBe(text);
  });

  it('cuts no mark in half', () => {
    const text = normalize(`a${'\u{1d165}\u{1d16d}'.repeat(1_000)}`);
    expect([text.isWellFormed(), Array.from(text).length]).toEqual([true, 2_001]);
  });
});

it('BERT’s loses all of many accents in a moment', { timeout: 4_000 }, () => {
  const normalize = buildNormalizer({ type: 'BertNormalizer', clean_text: true, lowercase: true });
  expect(normalize(`A${marks}B`)).toBe('ab');
});
