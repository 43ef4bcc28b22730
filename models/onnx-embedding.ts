/** Text encoders in ONNX: models/embedding-model.ts on ONNX Runtime. */
import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { Tensor } from 'onnxruntime-node';
import { type EmbeddingFolder, type Pooling, readEmbeddingFolder } from './embedding-folder.ts';
import type { EmbeddingModel, EmbeddingModelInfo, TextTokenizer } from './embedding-model.ts';
import { ModelError } from './errors.ts';
import { quantisesActivations } from './onnx-activations.ts';
import { type Graph, type InputName, readGraph } from './onnx-embedding-graph.ts';
import { requireGraph } from './onnx-external.ts';
import { type InferenceSession, type OpenedSession, openSession, type SessionOptions } from './onnx-session.ts';
import { PinnedFiles } from './pinned-files.ts';
import { normalizeRows, poolTokens } from './pooling.ts';
import { parseTokenizer } from './tokenizer/text-tokenizer.ts';

export interface OnnxEmbeddingOptions extends Pick<SessionOptions, 'threads' | 'gpu'> {
  /** The graph; the other files lie beside it, or one folder up where it lies in `onnx/`. */
  readonly modelPath: string;
  /** Absolute paths of all files that may be opened; undefined: whatever lies there. */
  readonly pinnedPaths?: readonly string[] | undefined;
  /** Over what `1_Pooling/config.json` says. */
  readonly pooling?: Pooling | undefined;
  /** Over what `modules.json` says. */
  readonly normalizes?: boolean | undefined;
  /** Tokens per text at most, if the model's files allow as many. */
  readonly contextMax?: number | undefined;
  /** Whether the model should bring a tokeniser. Default false. */
  readonly takesText?: boolean;
}

/**
 * Loads the graph and tries it on one token.
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING, ERR_GPU_UNAVAILABLE
 */
export async function loadOnnxEmbedding(options: OnnxEmbeddingOptions): Promise<EmbeddingModel> {
  const files = new PinnedFiles(options.pinnedPaths);
  const folder = await readEmbeddingFolder(folderOf(options.modelPath), files);
  const path = requireGraph(options.modelPath, files);
  const computesAlone = await quantisesActivations(path);
  const contextLength = Math.min(folder.contextLength, options.contextMax ?? folder.contextLength);
  const sizesVary = !computesAlone || contextLength > LENGTHS_PLANNED_MAX;
  const opened = await openSession(path, { ...options, sizesVary, spinUs: SPIN_US });
  try {
    const graph = readGraph(opened.session, folder, options);
    const { size } = await stat(options.modelPath);
    const model = new OnnxEmbeddingModel({ opened, folder, graph, options, computesAlone, contextLength, bytes: size });
    await model.warmUp();
    return model;
  } catch (error) {
    await opened.session.release();
    throw error;
  }
}

/** As `loadOnnxEmbedding` reads it. @throws {ModelError} ERR_MODEL_LOAD */
export async function loadOnnxTokenizer({
  modelPath,
  pinnedPaths,
}: Pick<OnnxEmbeddingOptions, 'modelPath' | 'pinnedPaths'>): Promise<TextTokenizer> {
  const { tokenizer } = await readEmbeddingFolder(folderOf(modelPath), new PinnedFiles(pinnedPaths));
  return parseTokenizer(tokenizer);
}

/** Long enough for a node that one thread computes alone: a thread that sleeps through it costs a third more for 128 tokens. */
const SPIN_US = 500;

/** Texts that are computed one by one come in so many sizes: a plan of memory for each takes some kilobytes, and 5 % off a short run. */
const LENGTHS_PLANNED_MAX = 1024;

function folderOf(modelPath: string): string {
  const folder = dirname(modelPath);
  return folder === 'onnx' || folder.endsWith(`${sep}onnx`) ? dirname(folder) : folder;
}

/** Of `tokenizer.json`, beyond which only the tokenising threads hold it. */
const TOKENIZER_CHARACTERS_MAX = 4e6;

interface Parts {
  readonly opened: OpenedSession;
  readonly folder: EmbeddingFolder;
  readonly graph: Graph;
  readonly options: OnnxEmbeddingOptions;
  readonly computesAlone: boolean;
  readonly contextLength: number;
  readonly bytes: number;
}

class OnnxEmbeddingModel implements EmbeddingModel {
  readonly tokenizer?: TextTokenizer;
  #info: EmbeddingModelInfo;
  readonly #session: InferenceSession;
  readonly #graph: Graph;
  readonly #normalizes: boolean;
  readonly #paddingToken: number;
  /** One text per run: without a mask padding would be read, and in int8 a text's neighbours would change its numbers. */
  readonly #alone: boolean;
  /** Grows to the largest batch and is written into by the runtime. */
  #hidden = new Float32Array(0);

  constructor({ opened, folder, graph, options, computesAlone, contextLength, bytes }: Parts) {
    this.#session = opened.session;
    this.#graph = graph;
    this.#normalizes = options.normalizes ?? folder.normalizes;
    this.#paddingToken = folder.paddingToken;
    this.#alone = computesAlone || !graph.hasMask;
    // Larger vocabularies take a hundred megabytes and more of objects.
    if (options.takesText && folder.tokenizer.length <= TOKENIZER_CHARACTERS_MAX) {
      this.tokenizer = parseTokenizer(folder.tokenizer);
    }
    const name = `${folder.architecture}, ONNX, ${(bytes / 1e6).toFixed(bytes < 1e8 ? 1 : 0)} MB`;
    this.#info = {
      description: computesAlone ? `${name}, int8` : name,
      ...opened.place,
      dimensions: 0,
      contextLength,
      batching: this.#alone ? 'none' : 'padded',
    };
  }

  get info(): EmbeddingModelInfo {
    return this.#info;
  }

  /** Learns the width of the vectors and proves that the graph computes. */
  async warmUp(): Promise<void> {
    const result = await this.#session.run(this.#feeds([Int32Array.of(this.#paddingToken)], 1));
    const tensor = result[this.#graph.output] as Tensor;
    const width = tensor.dims.at(-1)!;
    if (!Number.isInteger(width) || width < 1) throw new ModelError('ERR_MODEL_LOAD', 'the graph gives out nothing');
    this.#info = { ...this.#info, dimensions: width };
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

  /** One pass; writes [sequences, dimensions] into `vectors` from `at` on. */
  async #run(sequences: readonly Int32Array[], vectors: Float32Array, at: number): Promise<void> {
    const { output, isPooled, pooling } = this.#graph;
    const width = this.#info.dimensions;
    const lengths = Int32Array.from(sequences, (sequence) => sequence.length);
    const length = lengths.reduce((longest, one) => Math.max(longest, one), 0);
    const shape = isPooled ? [sequences.length, width] : [sequences.length, length, width];
    const hidden = await this.#compute(this.#feeds(sequences, length), output, shape);
    if (isPooled) vectors.set(hidden, at);
    else poolTokens({ hidden, lengths, length, width }, pooling, vectors, at);
  }

  /** @returns the output's numbers, in a buffer that the next call overwrites */
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

  /** [sequences, length] each, filled up at the end. */
  #feeds(sequences: readonly Int32Array[], length: number): Record<string, Tensor> {
    const shape = [sequences.length, length];
    return Object.fromEntries(
      this.#graph.inputs.map(({ name, type }) => {
        const values = new Int32Array(sequences.length * length);
        if (name === 'input_ids') values.fill(this.#paddingToken);
        for (const [row, sequence] of sequences.entries()) fillRow(name, values, sequence, row * length);
        const tensor =
          type === 'int64' ? new Tensor('int64', widened(values), shape) : new Tensor('int32', values, shape);
        return [name, tensor];
      }),
    );
  }
}

/** Nothing is negative, so the upper half of each number stays zero; machines that this runs on have it last. */
function widened(values: Int32Array): BigInt64Array {
  const wide = new BigInt64Array(values.length);
  const halves = new Int32Array(wide.buffer);
  for (let index = 0; index < values.length; index++) halves[2 * index] = values[index]!;
  return wide;
}

function fillRow(name: InputName, values: Int32Array, sequence: Int32Array, at: number): void {
  switch (name) {
    case 'input_ids':
      values.set(sequence, at);
      return;
    case 'attention_mask':
      values.fill(1, at, at + sequence.length);
      return;
    case 'position_ids':
      for (let index = 0; index < sequence.length; index++) values[at + index] = index;
      return;
    case 'token_type_ids':
  }
}
