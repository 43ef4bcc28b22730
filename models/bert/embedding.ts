/** Text encoders of BERT's kind on our own kernels: many texts in one pass, none padded. */
import { BertEncoder } from '../../native/bert-encoder.ts';
import type { BertWeights } from '../../native/bert-weights.ts';
import type { Pooling } from '../embedding-folder.ts';
import type { EmbeddingModel, EmbeddingModelInfo, TextTokenizer } from '../embedding-model.ts';
import { normalizeRows, poolTokens } from '../pooling.ts';

export interface BertEmbeddingOptions {
  readonly weights: BertWeights;
  readonly threads: number;
  /** As in the model's info. */
  readonly description: string;
  readonly place: Pick<EmbeddingModelInfo, 'device' | 'whyNotGpu'>;
  readonly contextLength: number;
  readonly pooling: Pooling;
  readonly normalizes: boolean;
  readonly tokenizer: TextTokenizer | undefined;
}

/** Of one pass: its activations stay in the cache of a large core, and more at once gain nothing. */
const PASS_TOKENS = 2048;

export class BertEmbeddingModel implements EmbeddingModel {
  readonly info: EmbeddingModelInfo;
  readonly tokenizer?: TextTokenizer;
  readonly #encoder: BertEncoder;
  readonly #pooling: Pooling;
  readonly #normalizes: boolean;

  /** @throws {Error} where the weights are of a shape that the kernels do not take */
  constructor({ weights, threads, description, place, contextLength, ...options }: BertEmbeddingOptions) {
    this.#encoder = BertEncoder.create(weights, { threads });
    this.#pooling = options.pooling;
    this.#normalizes = options.normalizes;
    if (options.tokenizer !== undefined) this.tokenizer = options.tokenizer;
    this.info = { description, ...place, dimensions: weights.width, contextLength, batching: 'packed' };
  }

  async embed(sequences: readonly Int32Array[]): Promise<Float32Array> {
    const { dimensions } = this.info;
    const vectors = new Float32Array(sequences.length * dimensions);
    for (let first = 0; first < sequences.length; ) {
      const end = endOfPass(sequences, first);
      this.#pass(sequences.slice(first, end), vectors, first * dimensions);
      first = end;
    }
    if (this.#normalizes) normalizeRows(vectors, dimensions);
    return vectors;
  }

  async close(): Promise<void> {
    this.#encoder.close();
  }

  /** Writes [sequences, dimensions] into `vectors` from `at` on. */
  #pass(sequences: readonly Int32Array[], vectors: Float32Array, at: number): void {
    const width = this.info.dimensions;
    const lengths = Int32Array.from(sequences, (sequence) => sequence.length);
    const tokens = new Int32Array(lengths.reduce((sum, length) => sum + length, 0));
    let token = 0;
    for (const sequence of sequences) {
      tokens.set(sequence, token);
      token += sequence.length;
    }
    try {
      const rows = this.#encoder.encode(tokens, lengths);
      token = 0;
      for (const [text, length] of lengths.entries()) {
        const hidden = rows.subarray(token * width, (token + length) * width);
        poolTokens(
          { hidden, lengths: Int32Array.of(length), length, width },
          this.#pooling,
          vectors,
          at + text * width,
        );
        token += length;
      }
      rows.fill(0);
    } finally {
      // They are somebody's text, and so are the rows: neither waits for the garbage collector.
      tokens.fill(0);
    }
  }
}

/** A text that is longer than a pass should be is one of its own. */
function endOfPass(sequences: readonly Int32Array[], first: number): number {
  let tokens = 0;
  let end = first;
  for (; end < sequences.length; end++) {
    tokens += sequences[end]!.length;
    if (tokens > PASS_TOKENS && end > first) break;
  }
  return end;
}
