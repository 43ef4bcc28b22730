/**
 * A vocabulary of made-up words, learnt-looking for a BPE tokenizer and exact for a bench: every word of `benchWord`
 * behind a space is one token, so a prompt of n words is n tokens.
 */
import { byteLevelTokenizer, type Tokenizer } from '../test/support/models/tokenizers.ts';

const CONSONANTS = 'bcdfghjklmnprstvwxyz';
const VOWELS = 'aeiou';
const SYLLABLES = [...CONSONANTS].flatMap((consonant) => [...VOWELS].map((vowel) => consonant + vowel));
const CONTROL = ['<|im_end|>', '<|im_start|>', '<|endoftext|>'];

/** Distinct words there are. */
export const BENCH_WORD_COUNT = SYLLABLES.length ** 2;

/** Two syllables: `baba`, `babe` … */
export function benchWord(index: number): string {
  return SYLLABLES[Math.floor(index / SYLLABLES.length)]! + SYLLABLES[index % SYLLABLES.length]!;
}

/**
 * 256 bytes, 100 syllables, 10,000 words, both behind a space, then words of three syllables up to `size` tokens.
 * @param pieces tokens that no prompt holds, see `byteLevelTokenizer`
 * @throws {RangeError} if `size` holds less or more than that
 */
export function buildWordTokenizer(size: number, pieces: readonly Uint8Array[] = []): Tokenizer {
  const merges: [string, string][] = [];
  for (const syllable of SYLLABLES) merges.push([syllable[0]!, syllable[1]!]);
  for (const first of SYLLABLES) for (const second of SYLLABLES) merges.push([first, second]);
  for (const syllable of SYLLABLES) merges.push([' ', syllable]);
  for (let index = 0; index < BENCH_WORD_COUNT; index++) merges.push([' ', benchWord(index)]);
  const longer = size - 256 - CONTROL.length - merges.length - pieces.length;
  if (longer < 0 || longer > BENCH_WORD_COUNT * SYLLABLES.length) throw new RangeError(`no vocabulary of ${size}`);
  for (let index = 0; index < longer; index++) {
    const word = benchWord(Math.floor(index / SYLLABLES.length));
    merges.push([` ${word}`, SYLLABLES[index % SYLLABLES.length]!]);
  }
  return byteLevelTokenizer({ merges, control: CONTROL, pieces });
}
