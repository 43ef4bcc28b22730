import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { idForFile, kindOfFile, type ModelKind } from '../../../models/catalogue/catalogue.ts';
import { tinyBert } from '../../support/models/embedding-folder.ts';
import { writeGguf } from '../../support/models/gguf.ts';
import { randomBertGguf } from '../../support/models/random-bert-gguf.ts';
import { tinyModelFile } from '../../support/models/tiny-models.ts';
import { wordPieceFile } from '../../support/models/tokenizer-files.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scratch = await scratchFolder();
const at = (name: string) => join(scratch.path, name);
afterAll(() => scratch[Symbol.asyncDispose]());

/** An encoder, whose file may lack a pooling type. */
function encoder(pooling: 'none' | 'mean' | 'cls'): string {
  const path = at(`${pooling}.gguf`);
  writeGguf(path, randomBertGguf(tinyBert, { seed: 1, tokenizer: wordPieceFile(), pooling }));
  return path;
}

/** A decoder, with or without a pooling type. */
function decoder(pooling: number | undefined): string {
  const path = at(`decoder-${pooling}.gguf`);
  const metadata = { 'general.architecture': 'qwen3', 'qwen3.context_length': { u32: 64 } };
  const pooled = pooling === undefined ? {} : { 'qwen3.pooling_type': { u32: pooling } };
  writeGguf(path, { metadata: { ...metadata, ...pooled }, tensors: [] });
  return path;
}

describe('kindOfFile', () => {
  const files: readonly [what: string, path: () => string, kind: ModelKind][] = [
    ['a chat in GGUF', () => tinyModelFile(), 'llama-text'],
    ['an encoder that pools by mean', () => encoder('mean'), 'llama-embedding'],
    ['an encoder that pools by its first token', () => encoder('cls'), 'llama-embedding'],
    ['an encoder without a pooling type', () => encoder('none'), 'llama-embedding'],
    ['a decoder that pools by its last token', () => decoder(3), 'llama-embedding'],
    ['a decoder that does not pool', () => decoder(0), 'llama-text'],
    ['a decoder without a pooling type', () => decoder(undefined), 'llama-text'],
    ['a graph', () => '/models/bge/onnx/model.onnx', 'onnx-embedding'],
    ['a pipeline', () => '/models/sd/model_index.json', 'onnx-image'],
    ['a file that is not there', () => at('absent.gguf'), 'llama-text'],
  ];

  it.each(files)('recognizes %s', async (_, path, kind) => {
    expect(await kindOfFile(path())).toBe(kind);
  });

  it('returns `llama-text` for a file that is not a model, so that the loader reports it', async () => {
    writeFileSync(at('page.gguf'), '<html>');
    expect(await kindOfFile(at('page.gguf'))).toBe('llama-text');
  });
});

describe('idForFile', () => {
  it.each([
    ['/m/bge-small-en-v1.5/onnx/model.onnx', 'bge-small-en-v1.5-TEE'],
    ['/m/bge-small-en-v1.5/model_quantized.onnx', 'bge-small-en-v1.5-TEE'],
    ['/m/own.onnx', 'own-TEE'],
    ['/m/nomic-embed-text-v1.5.Q8_0.gguf', 'nomic-embed-text-v1.5.Q8_0-TEE'],
  ])('of %s is %s', (path, id) => {
    expect(idForFile(path)).toBe(id);
  });
});
