/** Normal forms of unusual and hostile texts. */
import { describe, expect, it } from 'vitest';
import { buildNormalizer } from '../../../models/tokenizer/normalizers.ts';
import { strangeTexts } from '../../support/models/strange-texts.ts';
import { tinyWords } from '../../support/models/tiny-words.ts';

/** Each character decomposes into two combining marks that canonical ordering must sort. */
const marks = '\u0f73'.repeat(100_000);

describe.each(['NFC', 'NFD', 'NFKC', 'NFKD'] as const)('%s', (form) => {
  const normalize = buildNormalizer({ type: form });

  it('normalizes a text of marks only in linear time', { timeout: 4_000 }, () => {
    expect(normalize(`a${marks}`)).toHaveLength(200_001);
  });

  it('equals JavaScript for texts with at most 30 consecutive marks', () => {
    for (const text of [...strangeTexts(2_000, { seed: 3, words: tinyWords }), `x${'\u0301\u0323'.repeat(15)}y`]) {
      expect(normalize(text)).toBe(text.normalize(form));
    }
  });

  it('does not reorder marks across a boundary of 30', () => {
    const text = `x${'\u0301'.repeat(30)}\u0323`;
    expect(normalize(text)).toBe(text);
  });

  it('never splits the surrogate pair of a combining mark', () => {
    const text = normalize(`a${'\u{1d165}\u{1d16d}'.repeat(1_000)}`);
    expect([text.isWellFormed(), Array.from(text).length]).toEqual([true, 2_001]);
  });
});

it('the BERT normalizer strips many accents in linear time', { timeout: 4_000 }, () => {
  const normalize = buildNormalizer({ type: 'BertNormalizer', clean_text: true, lowercase: true });
  expect(normalize(`A${marks}B`)).toBe('ab');
});
