/** Prompts of an exact number of tokens for models of `make-model.ts`: distinct from the first word on, by index. */
import { benchWord, benchWordCount } from './words.ts';

/** A stride without common divisor with the word count visits every word before it repeats. */
const stride = 7919;

/** @param words tokens of the text, one per word · @param index selects one of 10,000 texts with different first words */
export function promptText(words: number, index: number): string {
  const chosen = new Array<string>(words);
  let state = (index * 2_654_435_761 + 1) >>> 0;
  chosen[0] = benchWord((index * stride) % benchWordCount);
  for (let i = 1; i < words; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    chosen[i] = benchWord((state >>> 8) % benchWordCount);
  }
  return chosen.join(' ');
}
