/** Standard normal noise from a 32-bit seed: xoshiro128** (Blackman, Vigna 2018) and Box–Muller. Deterministic, so that a seed reproduces an image. */

export class NoiseSource {
  readonly #state = new Uint32Array(4);

  /** @param seed unsigned 32 bit */
  constructor(seed: number) {
    // SplitMix32 fills the state from the seed; the state must not be all zero.
    let mix = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      mix = (mix + 0x9e3779b9) >>> 0;
      let z = mix;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      this.#state[i] = (z ^ (z >>> 16)) >>> 0;
    }
  }

  /** @returns [length] The next samples. */
  draw(length: number): Float32Array {
    const noise = new Float32Array(length);
    for (let i = 0; i < length; i += 2) {
      const radius = Math.sqrt(-2 * Math.log(this.#uniform()));
      const angle = 2 * Math.PI * this.#uniform();
      noise[i] = radius * Math.cos(angle);
      if (i + 1 < length) noise[i + 1] = radius * Math.sin(angle);
    }
    return noise;
  }

  /** 0 < u < 1 */
  #uniform(): number {
    const s = this.#state;
    const scrambled = Math.imul(rotate(Math.imul(s[1]!, 5), 7), 9) >>> 0;
    const shifted = s[1]! << 9;
    s[2]! ^= s[0]!;
    s[3]! ^= s[1]!;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= shifted;
    s[3] = rotate(s[3]!, 11);
    return (scrambled + 0.5) / 2 ** 32;
  }
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
