/** The face of the native addon's BERT encoder, beside native/embedder.ts: text encoders whose weights are in our hands. */
import { type BertWeights, checkBertWeights } from './bert-weights.ts';
import { binding, type NativeBertEncoder } from './binding.ts';

export class BertEncoder {
  readonly #native: NativeBertEncoder;
  /** Numbers per token. */
  readonly width: number;

  private constructor(native: NativeBertEncoder, width: number) {
    this.#native = native;
    this.width = width;
  }

  /** Whether this machine's processor has what the kernels are written for: AVX-512 with VNNI. */
  static isSupported(): boolean {
    return binding().BertEncoder.isSupported();
  }

  /**
   * Copies what it keeps.
   * @param options.threads that compute, the calling one included
   * @throws {RangeError} where the weights do not fit each other, or the kernels
   */
  static create(weights: BertWeights, { threads }: { readonly threads: number }): BertEncoder {
    if (!Number.isInteger(threads) || threads < 1) throw new RangeError('threads must be a whole number from 1 on');
    checkBertWeights(weights);
    return new BertEncoder(new (binding().BertEncoder)(weights, threads), weights.width);
  }

  /**
   * One pass, which blocks the calling thread until it is computed. A text's numbers are the same whatever it is with.
   * @param tokens the texts end to end, special tokens included
   * @param lengths [texts]
   * @returns [tokens, width], the last hidden state
   * @throws {RangeError} where lengths and tokens do not match, or one is out of the model's range
   */
  encode(tokens: Int32Array, lengths: Int32Array): Float32Array {
    if (!(tokens instanceof Int32Array)) throw new TypeError('tokens must be an Int32Array');
    if (!(lengths instanceof Int32Array)) throw new TypeError('lengths must be an Int32Array');
    return this.#native.encode(tokens, lengths);
  }

  /** Zeroes the weights and what was computed, and frees them. */
  close(): void {
    this.#native.close();
  }
}
