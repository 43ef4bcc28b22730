/** Writes a Hugging Face folder with a tiny text encoder in ONNX. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type BertOptions, type BertShape, bertEpsilon, randomBert } from './random-bert.ts';
import { type TokenizerFile, wordPieceFile } from './tokenizer-files.ts';

export interface EmbeddingFolderOptions extends Partial<BertOptions> {
  readonly shape?: Partial<BertShape>;
  readonly tokenizer?: TokenizerFile;
  /** Name of the file with the graph. */
  readonly graph?: string;
  /** JSON files by name; undefined omits a default file. */
  readonly files?: Readonly<Record<string, unknown>>;
}

export const tinyBert: BertShape = {
  vocabulary: 600,
  layers: 2,
  width: 32,
  heads: 2,
  feedForward: 64,
  context: 64,
};

/** @returns the path of the graph */
export function writeEmbeddingFolder(folder: string, options: EmbeddingFolderOptions = {}): string {
  const { shape: changes, tokenizer = wordPieceFile(), graph = 'onnx/model.onnx', files = {}, ...bert } = options;
  const shape = { ...tinyBert, ...changes };
  const path = join(folder, graph);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, randomBert(shape, { seed: 1, ...bert }));
  const all: Record<string, unknown> = {
    'config.json': bertJson(shape),
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': { model_max_length: shape.context },
    '1_Pooling/config.json': { word_embedding_dimension: shape.width, pooling_mode_mean_tokens: true },
    ...files,
  };
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify(value));
  }
  return path;
}

/** The configuration that transformers writes for such a model. */
export function bertJson({ vocabulary, layers, width, heads, feedForward, context }: BertShape): object {
  return {
    model_type: 'bert',
    vocab_size: vocabulary,
    hidden_size: width,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    intermediate_size: feedForward,
    hidden_act: 'gelu',
    max_position_embeddings: context,
    type_vocab_size: 2,
    layer_norm_eps: bertEpsilon,
    pad_token_id: 0,
    position_embedding_type: 'absolute',
  };
}
