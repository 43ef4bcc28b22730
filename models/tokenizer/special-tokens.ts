/** The special tokens that a tokenizer adds to texts. */
import type { PairTokens } from '../interface/embedding-model.ts';

/** The special tokens that a tokenizer adds before and after every text. */
export class SpecialTokens {
  readonly #before: ArrayLike<number>;
  readonly #after: ArrayLike<number>;

  constructor({ before, after }: { before: ArrayLike<number>; after: ArrayLike<number> }) {
    this.#before = before;
    this.#after = after;
  }

  /** @param tokens token ids of the text · @returns always a new array */
  around(tokens: readonly number[]): Int32Array {
    const before = this.#before.length;
    const whole = new Int32Array(before + tokens.length + this.#after.length);
    whole.set(this.#before);
    whole.set(tokens, before);
    whole.set(this.#after, before + tokens.length);
    return whole;
  }

  /**
   * Truncates the text so that `length` ids are left, special tokens included.
   * @throws {RangeError} if no id of the text would be left
   */
  truncate(tokens: Int32Array, length: number): Int32Array {
    if (tokens.length <= length) return tokens;
    const after = this.#after.length;
    if (length < this.#before.length + after + 1)
      throw new RangeError(`a text cannot be truncated to ${length} tokens: only special tokens would be left`);
    const cut = tokens.slice(0, length);
    cut.set(tokens.subarray(tokens.length - after), length - after);
    return cut;
  }
}

/** The special tokens that a tokenizer adds to two texts that a model reads together. */
export class PairSpecialTokens {
  readonly #before: readonly number[];
  readonly #between: readonly number[];
  readonly #after: readonly number[];

  constructor({ before, between, after }: Readonly<Record<'before' | 'between' | 'after', readonly number[]>>) {
    this.#before = before;
    this.#between = between;
    this.#after = after;
  }

  /** The first token between the texts, which starts the second token type; undefined if nothing is between them. */
  get separator(): number | undefined {
    return this.#between[0];
  }

  join(first: readonly number[], second: readonly number[]): PairTokens {
    const tokens = Int32Array.from([...this.#before, ...first, ...this.#between, ...second, ...this.#after]);
    return { tokens, secondFrom: this.#before.length + first.length + this.#between.length };
  }
}
