import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type LlamaEmbeddingOptions,
  loadLlamaEmbedding,
  loadLlamaTokenizer,
} from '../../../models/embedding/llama-embedding.ts';
import { loadOnnxEmbedding } from '../../../models/embedding/onnx-embedding.ts';
import type { EmbeddingModel } from '../../../models/interface/embedding-model.ts';
import { parseTokenizer } from '../../../models/tokenizer/text-tokenizer.ts';
import { Embedder } from '../../../native/embedder.ts';
import { tinyBert, writeEmbeddingFolder } from '../../support/models/embedding-folder.ts';
import { writeGguf } from '../../support/models/gguf.ts';
import { type BertGgufOptions, randomBertGguf } from '../../support/models/random-bert-gguf.ts';
import { seededNumbers } from '../../support/models/strange-texts.ts';
import { tinyModelFile } from '../../support/models/tiny-models.ts';
import { tinyWords } from '../../support/models/tiny-words.ts';
import { wordPieceFile } from '../../support/models/tokenizer-files.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const tinyWidth = tinyBert.width;
const scratch = await scratchFolder();
let files = 0;
afterAll(() => scratch[Symbol.asyncDispose]());

function ggufFile(options: Partial<BertGgufOptions> = {}): string {
  const path = join(scratch.path, `${files++}.gguf`);
  writeGguf(path, randomBertGguf(tinyBert, { seed: 1, tokenizer: wordPieceFile(), ...options }));
  return path;
}

function load(modelPath: string, options: Partial<LlamaEmbeddingOptions> = {}): Promise<EmbeddingModel> {
  return loadLlamaEmbedding({ modelPath, threads: 1, gpu: 'off', ...options });
}

/** Token ids of the given lengths. */
function sequences(...lengths: number[]): Int32Array[] {
  const next = seededNumbers(3);
  return lengths.map((length) => Int32Array.from({ length }, () => 5 + (next() % 300)));
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, aa, bb] = [0, 0, 0];
  for (const [index, value] of a.entries()) {
    dot += value * b[index]!;
    aa += value * value;
    bb += b[index]! * b[index]!;
  }
  return dot / Math.sqrt(aa * bb);
}

const row = (vectors: Float32Array, index: number, width = tinyWidth) =>
  vectors.subarray(index * width, (index + 1) * width);

describe('loadLlamaEmbedding', () => {
  it('reports the facts of the model', async () => {
    const model = await load(ggufFile());
    expect(model.info).toMatchObject({ dimensions: tinyWidth, contextLength: tinyBert.context });
    expect(model.info.description).toMatch(/^tiny bert, /);
    expect(model.info.device).toMatch(/^CPU .* 1 thread$/);
    await model.close();
  });

  it('computes on the calling thread: a call returns vectors, not a promise', async () => {
    const options = { modelPath: ggufFile(), threads: 2, gpu: 'off', batchTokens: 64, sequences: 4 } as const;
    const embedder = await Embedder.load(options);
    const vectors = embedder.embed(Int32Array.of(5, 6, 7), Int32Array.of(2, 1));
    expect(vectors).toBeInstanceOf(Float32Array);
    expect(vectors).toHaveLength(2 * tinyWidth);
    expect(() => embedder.embed(Int32Array.of(5), Int32Array.of(2))).toThrow(RangeError);
    await embedder.close();
  });

  it.each(['mean', 'cls'] as const)(
    'gives the same vectors as the same weights in ONNX, pooled by %s',
    async (pooling) => {
      const gguf = await load(ggufFile(), { pooling });
      const onnx = await loadOnnxEmbedding({
        modelPath: writeEmbeddingFolder(join(scratch.path, `onnx-${pooling}`)),
        threads: 1,
        gpu: 'off',
        pooling,
      });
      const texts = sequences(7, 30, 2, 64);
      const [found, expected] = [await gguf.embed(texts), await onnx.embed(texts)];
      for (const index of texts.keys()) expect(cosine(row(found, index), row(expected, index))).toBeGreaterThan(0.9999);
      await Promise.all([gguf.close(), onnx.close()]);
    },
  );

  it('computes more texts than fit one pass, with the same results as alone', async () => {
    const model = await load(ggufFile());
    const texts = sequences(...Array.from({ length: 90 }, (_, index) => 1 + (index % 40)));
    const together = await model.embed(texts);
    for (const index of [0, 1, 39, 63, 64, 89]) {
      expect(cosine(row(together, index), await model.embed([texts[index]!]))).toBeGreaterThan(0.9999);
    }
    await model.close();
  });

  it('embeds with a decoder by its last token', async () => {
    const model = await load(tinyModelFile(), { pooling: 'last', contextMax: 96 });
    expect(model.info.contextLength).toBe(96);
    const { dimensions } = model.info;
    const texts = sequences(40, 9, 96);
    const together = await model.embed(texts);
    for (const [index, text] of texts.entries()) {
      expect(cosine(row(together, index, dimensions), await model.embed([text]))).toBeGreaterThan(0.999);
    }
    await model.close();
  });

  it('returns vectors of length 1 unless normalization is off', async () => {
    const path = ggufFile();
    const model = await load(path);
    expect(Math.hypot(...(await model.embed(sequences(5))))).toBeCloseTo(1, 5);
    await model.close();
    const plain = await load(path, { normalizes: false });
    expect(Math.hypot(...(await plain.embed(sequences(5))))).not.toBeCloseTo(1, 2);
    await plain.close();
  });

  it('refuses a file without a pooling type', async () => {
    const loading = load(ggufFile({ pooling: 'none' }));
    await expect(loading).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD', message: /how to pool/ });
  });

  it('refuses a pooling that llama.cpp does not support', async () => {
    await expect(load(ggufFile(), { pooling: 'max' })).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
  });

  it('refuses a missing file', async () => {
    await expect(load(join(scratch.path, 'none.gguf'))).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
  });
});

describe('loadLlamaTokenizer', () => {
  it('returns the same ids as the tokenizer.json of the same vocabulary', async () => {
    const gguf = await loadLlamaTokenizer(ggufFile());
    const reference = parseTokenizer(JSON.stringify(wordPieceFile()));
    const texts = [tinyWords.join(' '), 'Unwalked, readers; kindly!', '', 'tokens'];
    expect(gguf.tokenize(texts)).toEqual(reference.tokenize(texts));
    expect(gguf.wrap([7, 8])).toEqual(reference.wrap([7, 8]));
    expect(gguf.truncate(gguf.tokenize(texts)[0]!, 9)).toEqual(reference.truncate(reference.tokenize(texts)[0]!, 9));
    expect(gguf.vocabularySize).toBe(tinyBert.vocabulary);
  });

  it('finds special tokens in a text, and takes time in proportion to their number', async () => {
    const tokenizer = await loadLlamaTokenizer(ggufFile());
    const [start, mask, end] = tokenizer.tokenize(['[MASK]'])[0]!;
    const maskTimes = (count: number) => tokenizer.tokenize(['[MASK]'.repeat(count)])[0]!;
    expect([...maskTimes(3)]).toEqual([start, mask, mask, mask, end]);
    const leastMs = (count: number) => {
      const times = Array.from({ length: 3 }, () => {
        const started = performance.now();
        maskTimes(count);
        return performance.now() - started;
      });
      return Math.min(...times);
    };
    expect(leastMs(20_000)).toBeLessThan(8 * leastMs(5_000));
  });
});
