/** Reads the configuration files of an embedding model in the layout of Hugging Face's tools. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PinnedFiles } from '../files/pinned-files.ts';
import { ModelError } from '../interface/errors.ts';

export type Pooling = 'cls' | 'mean' | 'last' | 'max';

export interface EmbeddingFolder {
  /** The text of `tokenizer.json`. */
  readonly tokenizer: string;
  /** Undefined if no file states it. */
  readonly pooling: Pooling | undefined;
  readonly normalizes: boolean;
  /** Whether dense layers follow the transformer: then only an output named `sentence_embedding` is complete. */
  readonly hasDenseLayers: boolean;
  /** Tokens per text, special tokens included. */
  readonly contextLength: number;
  /** Pads shorter texts of a batch; the attention mask hides it. */
  readonly paddingToken: number;
  readonly architecture: string;
  /** The object in `config.json`. */
  readonly config: Json;
}

/** Used if no file states a context. */
const contextLengthFallback = 512;
/** Model types whose positions are counted after the padding token's id, as in RoBERTa. */
const offsetPositions = new Set(['roberta', 'xlm-roberta', 'camembert', 'mpnet', 'xlm-roberta-xl', 'longformer']);

/**
 * Reads `config.json` and `tokenizer.json` and, if they exist, `tokenizer_config.json`, `modules.json`,
 * `sentence_bert_config.json` and `1_Pooling/config.json`.
 * @param files files that may not be opened count as missing
 * @throws {ModelError} ERR_MODEL_LOAD
 */
export async function readEmbeddingFolder(folder: string, files: PinnedFiles): Promise<EmbeddingFolder> {
  const from = { folder, files };
  const config = await requireJson(from, 'config.json');
  const [tokenizer, tokenizerConfig, sentence, modules, pooling] = await Promise.all([
    readText(from, 'tokenizer.json'),
    readJson(from, 'tokenizer_config.json'),
    readJson(from, 'sentence_bert_config.json'),
    readJson(from, 'modules.json'),
    readJson(from, '1_Pooling/config.json'),
  ]);
  if (tokenizer === undefined) throw new ModelError('ERR_MODEL_LOAD', 'the folder of the model has no tokenizer.json');
  const moduleTypes = Array.isArray(modules) ? modules.map((module) => String(module?.type)) : undefined;
  return {
    tokenizer,
    pooling: pooling && poolingOf(pooling),
    // The default is length 1, like OpenAI's embeddings.
    normalizes: moduleTypes?.some((type) => type.endsWith('.Normalize')) ?? true,
    hasDenseLayers: moduleTypes?.some((type) => type.endsWith('.Dense')) ?? false,
    contextLength: contextLengthOf(config, sentence, tokenizerConfig),
    paddingToken: whole(config.pad_token_id) ?? 0,
    architecture: typeof config.model_type === 'string' ? config.model_type : 'unknown',
    config,
  };
}

/** Whether a `config.json` names a cross-encoder, which gives one logit for a pair of texts. */
export function isCrossEncoder({ architectures }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(architectures) && String(architectures[0]).endsWith('ForSequenceClassification');
}

type Json = Readonly<Record<string, unknown>>;

interface Source {
  readonly folder: string;
  readonly files: PinnedFiles;
}

/** @see sentence-transformers, models/Pooling.py, for the names */
function poolingOf(config: Json): Pooling {
  const modes = {
    cls: config.pooling_mode_cls_token,
    mean: config.pooling_mode_mean_tokens,
    max: config.pooling_mode_max_tokens,
    last: config.pooling_mode_lasttoken,
  };
  const chosen = (Object.keys(modes) as Pooling[]).filter((mode) => modes[mode] === true);
  if (chosen.length === 1) return chosen[0]!;
  throw new ModelError(
    'ERR_MODEL_LOAD',
    `1_Pooling/config.json must choose one of cls, mean, last and max, got ${chosen.join(' and ') || 'none'}`,
  );
}

/** @returns tokens per text, from `config.json`, `sentence_bert_config.json` and `tokenizer_config.json` */
export function contextLengthOf(config: Json, sentence: Json | undefined, tokenizer: Json | undefined): number {
  const offset = offsetPositions.has(String(config.model_type)) ? (whole(config.pad_token_id) ?? 1) + 1 : 0;
  const positions = whole(config.max_position_embeddings) ?? whole(config.n_positions);
  const limits = [
    positions === undefined ? undefined : positions - offset,
    whole(sentence?.max_seq_length),
    // Some files write 10^30 for "no limit".
    whole(tokenizer?.model_max_length),
  ].filter((limit) => limit !== undefined && limit > 0 && limit < 2 ** 24) as number[];
  return limits.length === 0 ? contextLengthFallback : Math.min(...limits);
}

function whole(value: unknown): number | undefined {
  return Number.isInteger(value) ? Number(value) : undefined;
}

async function requireJson(from: Source, name: string): Promise<Json> {
  const json = await readJson(from, name);
  if (json === undefined) throw new ModelError('ERR_MODEL_LOAD', `the folder of the model has no ${name}`);
  return json;
}

async function readJson(from: Source, name: string): Promise<Json | undefined> {
  const text = await readText(from, name);
  if (text === undefined) return undefined;
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return json as Json;
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', `${name} is not valid JSON`, { cause });
  }
  throw new ModelError('ERR_MODEL_LOAD', `${name} must contain a JSON object`);
}

async function readText({ folder, files }: Source, name: string): Promise<string | undefined> {
  const path = join(folder, name);
  if (!files.has(path)) return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', `${name} cannot be read`, { cause });
  }
}
