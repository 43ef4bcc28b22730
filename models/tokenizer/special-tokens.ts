/** Ids that a tokenizer puts before and after every text. */
export class SpecialTokens {
  readonly #before: ArrayLike<number>;
  readonly #after: ArrayLike<number>;

  constructor({ before, after }: { before: ArrayLike<number>; after: ArrayLike<number> }) {
    this.#before = before;
    this.#after = after;
  }

  /** @param tokens of the text alone · @returns a new array, also where nothing is put around */
  around(tokens: readonly number[]): Int32Array {
    const before = this.#before.length;
    const whole = new Int32Array(before + tokens.length + this.#after.length);
    whole.set(this.#before);
    whole.set(tokens, before);
    whole.set(this.#after, before + tokens.length);
    return whole;
  }

  /**
   * Takes ids of the text away until `length` are left, those around it included.
   * @throws {RangeError} where nothing of the text would be left
   */
  truncate(tokens: Int32Array, length: number): Int32Array {
    if (tokens.length <= length) return tokens;
    const after = this.#after.length;
    if (length < this.#before.length + after + 1) throw new RangeError(`nothing is left of a text cut to ${length}`);
    const cut = tokens.slice(0, length);
    cut.set(tokens.subarray(tokens.length - after), length - after);
    return cut;
  }
}
