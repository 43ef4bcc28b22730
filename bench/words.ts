/**
 * A vocabulary of made-up words, shaped like a trained BPE vocabulary and exact for a bench: every word of `benchWord` with a
 * leading space is one token, so a prompt of n words has n tokens.
 */
import { byteLevelTokenizer, type Tokenizer } from '../test/support/models/tokenizers.ts';

const consonants = 'bcdfghjklmnprstvwxyz';
const vowels = 'aeiou';
const syllables = [...consonants].flatMap((consonant) => [...vowels].map((vowel) => consonant + vowel));
const control = ['<|im_end|>', '<|im_start|>', '<|endoftext|>'];

/** Distinct words there are. */
export const benchWordCount = syllables.length ** 2;

/** Two syllables: `baba`, `babe` … */
export function benchWord(index: number): string {
  return syllables[Math.floor(index / syllables.length)]! + syllables[index % syllables.length]!;
}

/**
 * 256 bytes, 100 syllables and 10,000 words, both with a leading space, then words of three syllables up to `size` tokens.
 * @param pieces tokens that no prompt contains, see `byteLevelTokenizer`
 * @throws {RangeError} if the words cannot fill exactly `size` tokens
 */
export function buildWordTokenizer(size: number, pieces: readonly Uint8Array[] = []): Tokenizer {
  const merges: [string, string][] = [];
  for (const syllable of syllables) merges.push([syllable[0]!, syllable[1]!]);
  for (const first of syllables) for (const second of syllables) merges.push([first, second]);
  for (const syllable of syllables) merges.push([' ', syllable]);
  for (let index = 0; index < benchWordCount; index++) merges.push([' ', benchWord(index)]);
  const longer = size - 256 - control.length - merges.length - pieces.length;
  if (longer < 0 || longer > benchWordCount * syllables.length)
    throw new RangeError(`the size of the vocabulary is out of range: ${size}`);
  for (let index = 0; index < longer; index++) {
    const word = benchWord(Math.floor(index / syllables.length));
    merges.push([` ${word}`, syllables[index % syllables.length]!]);
  }
  return byteLevelTokenizer({ merges, control: control, pieces });
}
