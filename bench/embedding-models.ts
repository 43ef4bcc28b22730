/**
 * One text encoder of MiniLM's shape with random weights, in every form that the embedding bench compares. Every word of
 * `words.ts` is one token, so a text of n words is n + 2 tokens.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeEmbeddingFolder } from '../test/support/models/embedding-folder.ts';
import { writeGguf } from '../test/support/models/gguf.ts';
import type { BertShape } from '../test/support/models/random-bert.ts';
import { randomBertGguf } from '../test/support/models/random-bert-gguf.ts';
import { type TokenizerFile, wordPieceFile } from '../test/support/models/tokenizer-files.ts';
import { BENCH_WORD_COUNT, benchWord } from './words.ts';

/** As all-MiniLM-L6-v2. */
const MINILM: BertShape = { vocabulary: 30_522, layers: 6, width: 384, heads: 12, feedForward: 1536, context: 512 };
const SEED = 1;
/** What transformers reads of it, as BERT's own has it. */
const TOKENIZER_CONFIG = {
  tokenizer_class: 'BertTokenizer',
  model_max_length: MINILM.context,
  model_input_names: ['input_ids', 'token_type_ids', 'attention_mask'],
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  mask_token: '[MASK]',
};
const MODELS_FOLDER = join(import.meta.dirname, 'models');
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];

export type OnnxPrecision = 'fp32' | 'int8';

/** The folder with the graph in `onnx/model.onnx`, written if it is not there yet. */
export function ensureOnnxModel(precision: OnnxPrecision): string {
  return ensure(`random-bert-minilm-${precision}`, (folder) =>
    writeEmbeddingFolder(folder, {
      shape: MINILM,
      tokenizer: benchTokenizer(),
      seed: SEED,
      type: precision === 'fp32' ? 'float32' : 'int8',
      files: { 'tokenizer_config.json': TOKENIZER_CONFIG },
    }),
  );
}

/** The same weights for llama.cpp; the file's path. */
export function ensureGgufModel(type: 'F32' | 'Q8_0'): string {
  return ensure(`random-bert-minilm-${type.toLowerCase()}.gguf`, (path) =>
    writeGguf(path, randomBertGguf(MINILM, { seed: SEED, type, tokenizer: benchTokenizer() })),
  );
}

function ensure(name: string, write: (path: string) => unknown): string {
  const path = join(MODELS_FOLDER, name);
  if (existsSync(path)) return path;
  mkdirSync(MODELS_FOLDER, { recursive: true });
  const partial = `${path}.${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  write(partial);
  renameSync(partial, path);
  return path;
}

/** A WordPiece vocabulary of the shape's size: letters, 10,000 words, then longer ones that no text has. */
export function benchTokenizer(): TokenizerFile {
  const file = wordPieceFile();
  const special = file.added_tokens.map(({ content }) => content);
  const words = Array.from({ length: BENCH_WORD_COUNT }, (_, index) => benchWord(index));
  const pieces = [...special, ...LETTERS, ...LETTERS.map((letter) => `##${letter}`), ...words];
  for (let index = 0; pieces.length < MINILM.vocabulary; index++) {
    pieces.push(benchWord(index % BENCH_WORD_COUNT) + benchWord(Math.floor(index / BENCH_WORD_COUNT)));
  }
  return { ...file, model: { ...file.model, vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])) } };
}
