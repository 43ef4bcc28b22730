/** Text encoders in ONNX: implements models/interface/embedding-model.ts on ONNX Runtime, or on Cloister's own kernels if they support the model. */
import { stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { PinnedFiles } from '../files/pinned-files.ts';
import type { EmbeddingModel, TextTokenizer } from '../interface/embedding-model.ts';
import { ModelError } from '../interface/errors.ts';
import { requireGraph } from '../onnx/external.ts';
import { quantizesActivations } from '../onnx/onnx-activations.ts';
import type { Provider } from '../onnx/onnx-provider.ts';
import { openSession, type SessionOptions } from '../onnx/onnx-session.ts';
import { type EmbeddingFolder, type Pooling, readEmbeddingFolder } from '../sentence-transformers/embedding-folder.ts';
import { parseTokenizer } from '../tokenizer/text-tokenizer.ts';
import { chooseKernels } from './bert-choice.ts';
import { type Graph, readGraph, readScoreGraph } from './onnx-embedding-graph.ts';
import { OnnxEmbeddingModel, type OnnxModelFacts } from './onnx-embedding-model.ts';

export interface OnnxEmbeddingOptions extends Pick<SessionOptions, 'threads' | 'gpu'> {
  /** The graph. The other files are in the same folder, or in its parent if the graph is in `onnx/`. */
  readonly modelPath: string;
  /** Absolute paths of all files that may be opened; undefined: any file. */
  readonly pinnedPaths?: readonly string[] | undefined;
  /** Overrides `1_Pooling/config.json`. */
  readonly pooling?: Pooling | undefined;
  /** Overrides `modules.json`. */
  readonly normalizes?: boolean | undefined;
  /** Maximum tokens per text, within the limit of the model's files. */
  readonly contextMax?: number | undefined;
  /** Whether the model should have a tokenizer. Default false. */
  readonly takesText?: boolean;
  /** Whether the model is a cross-encoder: it reads pairs of texts, and its vectors are one logit each. Default false. */
  readonly scoresPairs?: boolean;
  /** Whether the own kernels compute a BERT model on the CPU, if their results match. Default true. */
  readonly ownKernels?: boolean;
}

/**
 * Loads the graph and runs it once.
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
  if (graph.inputs.some(({ name }) => options.scoresPairs === true && name === 'token_type_ids'))
    return model.explain('it tells the texts of a pair apart by token types');
  const source = { path, graph, config: folder.config, files, hasHead: options.scoresPairs === true };
  return await chooseKernels({ model, source, facts, threads, reopen: async () => (await open()).model });
}

/** Loads the tokenizer of an ONNX embedding model. @throws {ModelError} ERR_MODEL_LOAD */
export async function loadOnnxTokenizer({
  modelPath,
  pinnedPaths,
}: Pick<OnnxEmbeddingOptions, 'modelPath' | 'pinnedPaths'>): Promise<TextTokenizer> {
  const { tokenizer } = await readEmbeddingFolder(folderOf(modelPath), new PinnedFiles(pinnedPaths));
  return parseTokenizer(tokenizer);
}

/** Long enough to outlast a node that one thread computes: a thread that sleeps meanwhile costs a third more for 128 tokens. */
const spinUs = 500;

/** Texts that are computed one by one have up to this many sizes. A memory plan per size takes some kilobytes and saves 5 % of a short run. */
const lengthsPlannedMax = 1024;

/** Maximum size of a `tokenizer.json` that the model's thread loads; larger ones are loaded by tokenizer threads only. */
const tokenizerCharactersMax = 4e6;

function folderOf(modelPath: string): string {
  const folder = dirname(modelPath);
  return folder === 'onnx' || folder.endsWith(`${sep}onnx`) ? dirname(folder) : folder;
}

async function describe(path: string, folder: EmbeddingFolder, options: OnnxEmbeddingOptions): Promise<OnnxModelFacts> {
  const { size } = await stat(path);
  const computesAlone = await quantizesActivations(path);
  const name = `${folder.architecture}, ONNX, ${(size / 1e6).toFixed(size < 1e8 ? 1 : 0)} MB`;
  // Larger vocabularies take more than a hundred megabytes of objects.
  const takesText = options.takesText === true && folder.tokenizer.length <= tokenizerCharactersMax;
  return {
    description: computesAlone ? `${name}, int8` : name,
    contextLength: Math.min(folder.contextLength, options.contextMax ?? folder.contextLength),
    normalizes: options.scoresPairs === true ? false : (options.normalizes ?? folder.normalizes),
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
    const graph = options.scoresPairs ? readScoreGraph(opened.session) : readGraph(opened.session, folder, options);
    const hasTypes = graph.inputs.some(({ name }) => name === 'token_type_ids');
    const pairSeparator = options.scoresPairs && hasTypes ? parseTokenizer(folder.tokenizer).pairSeparator : undefined;
    const model = new OnnxEmbeddingModel(opened, graph, { ...facts, pairSeparator });
    await model.warmUp();
    if (options.scoresPairs && model.info.dimensions !== 1)
      throw new ModelError('ERR_MODEL_LOAD', 'the graph must have one logit per pair of texts');
    return { model, graph, provider: opened.provider };
  } catch (error) {
    await opened.session.release();
    throw error;
  }
}
