/** A growing list of token ids in one flat array. */
export class TokenList {
  #tokens: Int32Array;
  #length = 0;

  constructor(tokens: Int32Array = new Int32Array(0)) {
    this.#tokens = Int32Array.from(tokens);
    this.#length = tokens.length;
  }

  get length(): number {
    return this.#length;
  }

  append(tokens: Int32Array): void {
    const length = this.#length + tokens.length;
    if (length > this.#tokens.length) {
      const grown = new Int32Array(Math.max(256, length, this.#tokens.length * 2));
      grown.set(this.#tokens.subarray(0, this.#length));
      this.#tokens.fill(0);
      this.#tokens = grown;
    }
    this.#tokens.set(tokens, this.#length);
    this.#length = length;
  }

  /** Zeroes and removes the tokens from `length` on. */
  truncate(length: number): void {
    if (length >= this.#length) return;
    this.#tokens.fill(0, length, this.#length);
    this.#length = length;
  }

  /** A copy of the first `length` tokens. */
  slice(length: number = this.#length): Int32Array {
    return this.#tokens.slice(0, Math.min(length, this.#length));
  }

  /** Length of the common prefix with `tokens`. */
  commonPrefix(tokens: Int32Array): number {
    const length = Math.min(this.#length, tokens.length);
    const own = this.#tokens;
    let index = 0;
    while (index < length && own[index] === tokens[index]) index += 1;
    return index;
  }
}
