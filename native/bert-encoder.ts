/** The TypeScript interface of the addon's BERT encoder: text encoders whose weights are passed from JavaScript. */
import { type BertWeights, checkBertWeights } from './bert-weights.ts';
import { binding, type NativeBertEncoder } from './binding.ts';

export class BertEncoder {
  readonly #native: NativeBertEncoder;
  /** Values per token. */
  readonly width: number;

  private constructor(native: NativeBertEncoder, width: number) {
    this.#native = native;
    this.width = width;
  }

  /** Whether the processor supports AVX-512 with VNNI, which the kernels require. */
  static isSupported(): boolean {
    return binding().BertEncoder.isSupported();
  }

  /**
   * Creates an encoder with a copy of the weights.
   * @param options.threads compute threads, including the calling thread
   * @throws {RangeError} if the weights are inconsistent or the kernels do not support them
   */
  static create(weights: BertWeights, { threads }: { readonly threads: number }): BertEncoder {
    if (!Number.isInteger(threads) || threads < 1) throw new RangeError('threads must be an integer of at least 1');
    checkBertWeights(weights);
    return new BertEncoder(new (binding().BertEncoder)(weights, threads), weights.width);
  }

  /**
   * Computes one pass and blocks the calling thread meanwhile. The result of a text does not depend on other texts of the pass.
   * @param tokens the concatenated texts, special tokens included
   * @param lengths [texts]
   * @returns [tokens, width], the last hidden state
   * @throws {RangeError} if lengths and tokens do not match, or a value is out of the model's range
   */
  encode(tokens: Int32Array, lengths: Int32Array): Float32Array {
    if (!(tokens instanceof Int32Array)) throw new TypeError('tokens must be an Int32Array');
    if (!(lengths instanceof Int32Array)) throw new TypeError('lengths must be an Int32Array');
    return this.#native.encode(tokens, lengths);
  }

  /** Zeroes and frees the weights and activations. */
  close(): void {
    this.#native.close();
  }
}
