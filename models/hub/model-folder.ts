/**
 * Finds the files of a model in a folder, and reads its facts: an image pipeline in diffusers' layout, or an embedding
 * model in Hugging Face's layout. The result includes every file that the loader may open, so that all of them are pinned.
 */
import { basename, posix } from 'node:path';
import type { ModelCapability, ModelKind } from '../catalogue/catalogue-entry.ts';
import { ModelError } from '../interface/errors.ts';
import { contextLengthOf, isCrossEncoder } from '../sentence-transformers/embedding-folder.ts';

/** A folder on disk or in a repository. */
export interface FolderListing {
  /** Names of all files, with "/" between folders. */
  readonly names: readonly string[];
  /** @throws {ModelError} if the file does not contain a JSON object */
  readonly readJson: (name: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** Facts that a catalogue entry takes from a model's files. */
export interface ModelFacts {
  readonly kind: ModelKind;
  readonly name: string | undefined;
  readonly contextLength: number | undefined;
  readonly capabilities: readonly ModelCapability[];
}

export interface FolderModel {
  /** The first file is loaded. */
  readonly files: readonly string[];
  readonly facts: ModelFacts;
}

/**
 * @param chosen the main file of the model, a `model_index.json` or a graph; default: the one in the folder
 * @returns undefined if the folder contains no such model
 * @throws {ModelError} ERR_REFERENCE_INVALID naming a missing file
 */
export async function findFolderModel(listing: FolderListing, chosen?: string): Promise<FolderModel | undefined> {
  const index = chosen ?? 'model_index.json';
  if (basename(index) === 'model_index.json' && listing.names.includes(index)) return pipelineOf(listing, index);
  const graph = chosen ?? graphs.find((name) => listing.names.includes(name));
  if (graph?.endsWith('.onnx') && listing.names.includes(graph)) return embeddingOf(listing, graph);
  return undefined;
}

/** Paths of the graph of an embedding model, preferred first. */
const graphs = ['onnx/model.onnx', 'model.onnx'];

/** Large weights are in files next to the graph, whose names only the graph contains. Files that match this are not weights. */
const noWeights = /(?:^|\/)\.|\.(?:onnx|safetensors|bin|msgpack|h5|ckpt|pt|pth|xml|md|txt|py|png|jpe?g|json)$/;

async function pipelineOf({ names, readJson }: FolderListing, index: string): Promise<FolderModel> {
  const folder = posix.dirname(index) === '.' ? '' : `${posix.dirname(index)}/`;
  const fields = await readJson(index);
  const has = (name: string) => Array.isArray(fields[name]) && (fields[name] as unknown[])[0] !== null;
  const encoders = has('text_encoder_2') ? ['', '_2'] : [''];
  const inside = (path: string) => requireName(names, `${folder}${path}`);
  const files = [index];
  for (const graph of [...encoders.map((suffix) => `text_encoder${suffix}`), 'unet', 'vae_decoder']) {
    const adjacent = names.filter((name) => posix.dirname(name) === `${folder}${graph}` && !noWeights.test(name));
    files.push(inside(`${graph}/config.json`), inside(`${graph}/model.onnx`), ...adjacent.sort());
  }
  for (const suffix of encoders) files.push(...tokenizerFiles(names, `${folder}tokenizer${suffix}`));
  files.push(inside('scheduler/scheduler_config.json'));
  const { max_position_embeddings: tokens } = await readJson(`${folder}text_encoder/config.json`);
  const contextLength = Number.isSafeInteger(tokens) ? Number(tokens) : undefined;
  return {
    files,
    facts: { kind: 'onnx-image', name: undefined, contextLength, capabilities: ['streaming', 'images'] },
  };
}

function tokenizerFiles(names: readonly string[], folder: string): string[] {
  const inside = (...paths: string[]) => paths.map((path) => `${folder}/${path}`);
  const config = inside('tokenizer_config.json').filter((name) => names.includes(name));
  const [whole] = inside('tokenizer.json');
  if (names.includes(whole!)) return [whole!, ...config];
  if (!names.includes(inside('vocab.json')[0]!)) requireName(names, whole!);
  return [...inside('vocab.json', 'merges.txt').map((name) => requireName(names, name)), ...config];
}

/** Files that `embedding-folder.ts` reads if they exist. */
const optionalFiles = ['tokenizer_config.json', 'modules.json', 'sentence_bert_config.json', '1_Pooling/config.json'];

async function embeddingOf({ names, readJson }: FolderListing, graph: string): Promise<FolderModel> {
  const beside = posix.dirname(graph) === '.' ? '' : `${posix.dirname(graph)}/`;
  const folder = basename(beside) === 'onnx' ? beside.slice(0, -'onnx/'.length) : beside;
  const inside = (path: string) => `${folder}${path}`;
  const optional = optionalFiles.map(inside).filter((name) => names.includes(name));
  const isExternalFile = (name: string) => name.startsWith(`${graph}_`) || name.startsWith(`${graph}.`);
  const files = [
    graph,
    ...names.filter((name) => posix.dirname(name) === posix.dirname(graph) && isExternalFile(name)).sort(),
    requireName(names, inside('config.json')),
    requireName(names, inside('tokenizer.json')),
    ...optional,
  ];
  const readOptional = async (path: string) =>
    names.includes(inside(path)) ? await readJson(inside(path)) : undefined;
  const config = await readJson(inside('config.json'));
  const contextLength = contextLengthOf(
    config,
    await readOptional('sentence_bert_config.json'),
    await readOptional('tokenizer_config.json'),
  );
  const facts: Pick<ModelFacts, 'kind' | 'capabilities'> = isCrossEncoder(config)
    ? { kind: 'onnx-reranker', capabilities: ['rerank'] }
    : { kind: 'onnx-embedding', capabilities: ['embeddings'] };
  return { files, facts: { ...facts, name: undefined, contextLength } };
}

/** @returns `name` · @throws {ModelError} ERR_REFERENCE_INVALID if it is not in `names` */
export function requireName(names: readonly string[], name: string): string {
  if (names.includes(name)) return name;
  throw new ModelError('ERR_REFERENCE_INVALID', `the model is not complete: there is no ${JSON.stringify(name)}`);
}
