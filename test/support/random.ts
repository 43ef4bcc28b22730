/** Pseudorandom numbers that are the same for the same seed, so that a failure can be reproduced. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** An integer from 0 to `below` - 1. */
  below(below: number): number {
    // Uses the high bits, because the low bits of this generator repeat after a few steps.
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    const high = this.#state >>> 8;
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return (((high * 16_777_216 + (this.#state >>> 8)) / 2 ** 48) * below) >>> 0;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }
}
