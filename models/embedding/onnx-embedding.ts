/** Text encoders in ONNX: models/interface/embedding-model.ts on ONNX Runtime, or on our own kernels where these can compute one. */
import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { PinnedFiles } from '../files/pinned-files.ts';
import type { EmbeddingModel, TextTokenizer } from '../interface/embedding-model.ts';
import { requireGraph } from '../onnx/external.ts';
import { quantisesActivations } from '../onnx/onnx-activations.ts';
import type { Provider } from '../onnx/onnx-provider.ts';
import { openSession, type SessionOptions } from '../onnx/onnx-session.ts';
import { type EmbeddingFolder, type Pooling, readEmbeddingFolder } from '../sentence-transformers/embedding-folder.ts';
import { parseTokenizer } from '../tokenizer/text-tokenizer.ts';
import { chooseKernels } from './bert-choice.ts';
import { type Graph, readGraph } from './onnx-embedding-graph.ts';
import { OnnxEmbeddingModel, type OnnxModelFacts } from './onnx-embedding-model.ts';

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
  /** Whether a BERT on the CPU is computed by our own kernels, where they give the same numbers. Default true. */
  readonly ownKernels?: boolean;
}

/**
 * Loads the graph and tries it.
 * @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING, ERR_GPU_UNAVAILABLE
 */
export async function loadOnnxEmbedding(options: OnnxEmbeddingOptions): Promise<EmbeddingModel> {
  const { modelPath, threads, ownKernels = true } = options;
  const files = new PinnedFiles(options.pinnedPaths);
  const folder = await readEmbeddingFolder(folderOf(modelPath), files);
  const path = requireGraph(modelPath, files);
  const facts = await describe(path, folder, options);
  const open = () => openOnRuntime(path, facts, { folder, options });
  const { model, graph, provider } = await open();
  if (!ownKernels || provider !== 'cpu') return model;
  const source = { path, graph, config: folder.config, files };
  return await chooseKernels({ model, source, facts, threads, reopen: async () => (await open()).model });
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
const spinUs = 500;

/** Texts that are computed one by one come in so many sizes: a plan of memory for each takes some kilobytes, and 5 % off a short run. */
const lengthsPlannedMax = 1024;

/** Of `tokenizer.json`, beyond which only the tokenising threads hold it. */
const tokenizerCharactersMax = 4e6;

function folderOf(modelPath: string): string {
  const folder = dirname(modelPath);
  return folder === 'onnx' || folder.endsWith(`${sep}onnx`) ? dirname(folder) : folder;
}

async function describe(path: string, folder: EmbeddingFolder, options: OnnxEmbeddingOptions): Promise<OnnxModelFacts> {
  const { size } = await stat(path);
  const computesAlone = await quantisesActivations(path);
  const name = `${folder.architecture}, ONNX, ${(size / 1e6).toFixed(size < 1e8 ? 1 : 0)} MB`;
  // Larger vocabularies take a hundred megabytes and more of objects.
  const takesText = options.takesText === true && folder.tokenizer.length <= tokenizerCharactersMax;
  return {
    description: computesAlone ? `${name}, int8` : name,
    contextLength: Math.min(folder.contextLength, options.contextMax ?? folder.contextLength),
    normalizes: options.normalizes ?? folder.normalizes,
    paddingToken: folder.paddingToken,
    computesAlone,
    tokenizer: takesText ? parseTokenizer(folder.tokenizer) : undefined,
  };
}

async function openOnRuntime(
  path: string,
  facts: OnnxModelFacts,
  { folder, options }: { folder: EmbeddingFolder; options: OnnxEmbeddingOptions },
): Promise<{ model: OnnxEmbeddingModel; graph: Graph; provider: Provider }> {
  const sizesVary = !facts.computesAlone || facts.contextLength > lengthsPlannedMax;
  const opened = await openSession(path, { ...options, sizesVary, spinUs: spinUs });
  try {
    const graph = readGraph(opened.session, folder, options);
    const model = new OnnxEmbeddingModel(opened, graph, facts);
    await model.warmUp();
    return { model, graph, provider: opened.provider };
  } catch (error) {
    await opened.session.release();
    throw error;
  }
}
