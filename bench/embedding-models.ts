/**
 * A text encoder of MiniLM's shape with random weights, in every format that the embedding bench compares. Every word of
 * `words.ts` is one token, so a text of n words has n + 2 tokens.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeEmbeddingFolder } from '../test/support/models/embedding-folder.ts';
import { writeGguf } from '../test/support/models/gguf.ts';
import type { BertShape } from '../test/support/models/random-bert.ts';
import { randomBertGguf } from '../test/support/models/random-bert-gguf.ts';
import { type TokenizerFile, wordPieceFile } from '../test/support/models/tokenizer-files.ts';
import { benchWord, benchWordCount } from './words.ts';

/** Same shape as all-MiniLM-L6-v2. */
const minilm: BertShape = { vocabulary: 30_522, layers: 6, width: 384, heads: 12, feedForward: 1536, context: 512 };
const seed = 1;
/** What transformers reads of it, as BERT's own has it. */
const tokenizerConfig = {
  tokenizer_class: 'BertTokenizer',
  model_max_length: minilm.context,
  model_input_names: ['input_ids', 'token_type_ids', 'attention_mask'],
  pad_token: '[PAD]',
  unk_token: '[UNK]',
  cls_token: '[CLS]',
  sep_token: '[SEP]',
  mask_token: '[MASK]',
};
const buildFolder = join(import.meta.dirname, 'build');
const letters = [...'abcdefghijklmnopqrstuvwxyz'];

export type OnnxPrecision = 'fp32' | 'int8';

/** Returns the folder with the graph in `onnx/model.onnx`; creates it if it does not exist. */
export function ensureOnnxModel(precision: OnnxPrecision): string {
  return ensure(`random-bert-minilm-${precision}`, (folder) =>
    writeEmbeddingFolder(folder, {
      shape: minilm,
      tokenizer: benchTokenizer(),
      seed: seed,
      type: precision === 'fp32' ? 'float32' : 'int8',
      files: { 'tokenizer_config.json': tokenizerConfig },
    }),
  );
}

/** Returns the path of a GGUF with the same weights for llama.cpp. */
export function ensureGgufModel(type: 'F32' | 'Q8_0'): string {
  return ensure(`random-bert-minilm-${type.toLowerCase()}.gguf`, (path) =>
    writeGguf(path, randomBertGguf(minilm, { seed: seed, type, tokenizer: benchTokenizer() })),
  );
}

function ensure(name: string, write: (path: string) => unknown): string {
  const path = join(buildFolder, name);
  if (existsSync(path)) return path;
  mkdirSync(buildFolder, { recursive: true });
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
  const words = Array.from({ length: benchWordCount }, (_, index) => benchWord(index));
  const pieces = [...special, ...letters, ...letters.map((letter) => `##${letter}`), ...words];
  for (let index = 0; pieces.length < minilm.vocabulary; index++) {
    pieces.push(benchWord(index % benchWordCount) + benchWord(Math.floor(index / benchWordCount)));
  }
  return { ...file, model: { ...file.model, vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])) } };
}
