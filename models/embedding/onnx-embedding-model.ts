/** Text encoders of any shape on ONNX Runtime. */
import { Tensor } from 'onnxruntime-node';
import type { EmbeddingModel, EmbeddingModelInfo, TextTokenizer } from '../interface/embedding-model.ts';
import { ModelError } from '../interface/errors.ts';
import type { InferenceSession, OpenedSession } from '../onnx/onnx-session.ts';
import { normalizeRows, poolTokens } from '../sentence-transformers/pooling.ts';
import type { Graph, InputName } from './onnx-embedding-graph.ts';

/** Facts of a model that are known before it is opened. */
export interface OnnxModelFacts {
  readonly description: string;
  readonly contextLength: number;
  readonly normalizes: boolean;
  readonly paddingToken: number;
  /** Whether texts in one batch affect each other's results, so that each must be computed alone. */
  readonly computesAlone: boolean;
  readonly tokenizer: TextTokenizer | undefined;
  /** The token that ends the first text of a pair: the ids after it have token type 1. Undefined: all have type 0. */
  readonly pairSeparator?: number | undefined;
}

export class OnnxEmbeddingModel implements EmbeddingModel {
  readonly tokenizer?: TextTokenizer;
  #info: EmbeddingModelInfo;
  readonly #session: InferenceSession;
  readonly #graph: Graph;
  readonly #normalizes: boolean;
  readonly #paddingToken: number;
  readonly #pairSeparator: number | undefined;
  /** One text per run: without a mask, padding would be read; in int8, other texts of a batch would affect the results. */
  readonly #alone: boolean;
  /** Output buffer of the runtime; grows to the largest batch. */
  #hidden = new Float32Array(0);

  constructor(opened: OpenedSession, graph: Graph, facts: OnnxModelFacts) {
    const { description, contextLength, computesAlone, tokenizer } = facts;
    this.#session = opened.session;
    this.#graph = graph;
    this.#normalizes = facts.normalizes;
    this.#paddingToken = facts.paddingToken;
    this.#pairSeparator = facts.pairSeparator;
    this.#alone = computesAlone || !graph.hasMask;
    if (tokenizer !== undefined) this.tokenizer = tokenizer;
    this.#info = {
      description,
      ...opened.place,
      dimensions: 0,
      contextLength,
      batching: this.#alone ? 'none' : 'padded',
    };
  }

  get info(): EmbeddingModelInfo {
    return this.#info;
  }

  /** Determines the width of the vectors, and checks that the graph computes. */
  async warmUp(): Promise<void> {
    const result = await this.#session.run(this.#feeds([Int32Array.of(this.#paddingToken)], 1));
    const tensor = result[this.#graph.output] as Tensor;
    const width = tensor.dims.at(-1)!;
    if (!Number.isInteger(width) || width < 1)
      throw new ModelError('ERR_MODEL_LOAD', 'the output of the graph has no valid embedding dimension');
    this.#info = { ...this.#info, dimensions: width };
  }

  /** Sets the reason for not using the own kernels, for display. */
  explain(whyNotOwnKernels: string): this {
    this.#info = { ...this.#info, whyNotOwnKernels };
    return this;
  }

  async embed(sequences: readonly Int32Array[]): Promise<Float32Array> {
    const { dimensions } = this.#info;
    const vectors = new Float32Array(sequences.length * dimensions);
    if (this.#alone) {
      for (const [index, sequence] of sequences.entries()) await this.#run([sequence], vectors, index * dimensions);
    } else {
      await this.#run(sequences, vectors, 0);
    }
    if (this.#normalizes) normalizeRows(vectors, dimensions);
    return vectors;
  }

  async close(): Promise<void> {
    this.#hidden.fill(0);
    await this.#session.release();
  }

  /** Runs one pass and writes [sequences, dimensions] to `vectors` from `at` on. */
  async #run(sequences: readonly Int32Array[], vectors: Float32Array, at: number): Promise<void> {
    const { output, isPooled, pooling } = this.#graph;
    const width = this.#info.dimensions;
    const lengths = Int32Array.from(sequences, (sequence) => sequence.length);
    const length = lengths.reduce((longest, one) => Math.max(longest, one), 0);
    const shape = isPooled ? [sequences.length, width] : [sequences.length, length, width];
    const hidden = await this.#compute(this.#feeds(sequences, length), output, shape);
    if (isPooled) vectors.set(hidden, at);
    else poolTokens({ hidden, lengths, length, width }, pooling!, vectors, at);
  }

  /** @returns the output, in a buffer that the next call overwrites */
  async #compute(feeds: Record<string, Tensor>, output: string, shape: readonly number[]): Promise<Float32Array> {
    if (this.#graph.outputType === 'float16') {
      const result = await this.#session.run(feeds);
      return Float32Array.from((result[output] as Tensor).data as unknown as ArrayLike<number>);
    }
    const size = shape.reduce((product, one) => product * one, 1);
    if (this.#hidden.length < size) this.#hidden = new Float32Array(size);
    const hidden = this.#hidden.subarray(0, size);
    await this.#session.run(feeds, { [output]: new Tensor('float32', hidden, shape) });
    return hidden;
  }

  /** Creates the inputs, each [sequences, length], with padding at the end. */
  #feeds(sequences: readonly Int32Array[], length: number): Record<string, Tensor> {
    const shape = [sequences.length, length];
    return Object.fromEntries(
      this.#graph.inputs.map(({ name, type }) => {
        const values = new Int32Array(sequences.length * length);
        if (name === 'input_ids') values.fill(this.#paddingToken);
        for (const [row, sequence] of sequences.entries()) {
          if (name === 'token_type_ids') this.#fillTypes(values, sequence, row * length);
          else fillRow(name, values, sequence, row * length);
        }
        const tensor =
          type === 'int64' ? new Tensor('int64', widened(values), shape) : new Tensor('int32', values, shape);
        return [name, tensor];
      }),
    );
  }

  /** Token type 1 from the second text of a pair on; 0 is the value of a new array. */
  #fillTypes(values: Int32Array, sequence: Int32Array, at: number): void {
    const end = this.#pairSeparator === undefined ? -1 : sequence.indexOf(this.#pairSeparator);
    if (end >= 0) values.fill(1, at + end + 1, at + sequence.length);
  }
}

/** Widens values to 64 bits. No value is negative, so the upper halves stay zero; they come second on little-endian machines. */
function widened(values: Int32Array): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const halves = new Int32Array(wide.buffer);
  for (let index = 0; index < values.length; index++) halves[2 * index] = values[index]!;
  return wide;
}

function fillRow(
  name: Exclude<InputName, 'token_type_ids'>,
  values: Int32Array,
  sequence: Int32Array,
  at: number,
): void {
  switch (name) {
    case 'input_ids':
      values.set(sequence, at);
      return;
    case 'attention_mask':
      values.fill(1, at, at + sequence.length);
      return;
    case 'position_ids':
      for (let index = 0; index < sequence.length; index++) values[at + index] = index;
  }
}
