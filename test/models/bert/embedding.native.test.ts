/** Text encoders on Cloister's own kernels, compared with plain arithmetic and with ONNX Runtime. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadOnnxEmbedding, type OnnxEmbeddingOptions } from '../../../models/embedding/onnx-embedding.ts';
import { OnnxEmbeddingModel } from '../../../models/embedding/onnx-embedding-model.ts';
import type { EmbeddingModel } from '../../../models/interface/embedding-model.ts';
import { BertEncoder } from '../../../native/bert-encoder.ts';
import {
  bertJson,
  type EmbeddingFolderOptions,
  tinyBert,
  writeEmbeddingFolder,
} from '../../support/models/embedding-folder.ts';
import { OnnxGraph } from '../../support/models/onnx-writer.ts';
import { plainBert } from '../../support/models/plain-bert.ts';
import { seededNumbers } from '../../support/models/strange-texts.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const { width: WIDTH, context: CONTEXT } = tinyBert;
/** Two texts of one pass, and one that needs its own pass. */
const longContext = 3000;
const canRun = BertEncoder.isSupported();
const note = canRun ? '' : ' (skipped: this processor lacks AVX2)';

const scratch = await scratchFolder();
let folders = 0;
const models: EmbeddingModel[] = [];
afterAll(async () => {
  await Promise.all(models.map((model) => model.close()));
  await scratch[Symbol.asyncDispose]();
});

function write(folder: EmbeddingFolderOptions = {}): string {
  return writeEmbeddingFolder(join(scratch.path, String(folders++)), folder);
}

async function load(modelPath: string, options: Partial<OnnxEmbeddingOptions> = {}): Promise<EmbeddingModel> {
  const model = await loadOnnxEmbedding({ modelPath, threads: 2, gpu: 'off', ...options });
  models.push(model);
  return model;
}

function sequences(...lengths: number[]): Int32Array[] {
  const next = seededNumbers(11);
  return lengths.map((length) => Int32Array.from({ length }, () => 5 + (next() % 400)));
}

function rows(vectors: Float32Array): Float32Array[] {
  return Array.from({ length: vectors.length / WIDTH }, (_, row) => vectors.slice(row * WIDTH, (row + 1) * WIDTH));
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const dot = left.reduce((sum, value, index) => sum + value * right[index]!, 0);
  return dot / Math.hypot(...left) / Math.hypot(...right);
}

describe.skipIf(!canRun)(`a BERT on Cloister's kernels${note}`, () => {
  it('reports the facts of the model', async () => {
    expect((await load(write())).info).toEqual({
      description: 'bert, ONNX, 0.2 MB, own kernels',
      device: 'CPU, 2 threads',
      dimensions: WIDTH,
      contextLength: CONTEXT,
      batching: 'packed',
    });
    const quantized = await load(write({ type: 'int8' }));
    expect(quantized.info).toMatchObject({ description: 'bert, ONNX, 0.1 MB, int8, own kernels', batching: 'packed' });
  });

  it('matches the plain reference implementation', async () => {
    const model = await load(write({ seed: 9 }));
    const texts = sequences(1, 2, 5, 16, 33, CONTEXT);
    for (const [index, vector] of rows(await model.embed(texts)).entries()) {
      expect(cosine(vector, plainBert(tinyBert, 9, [...texts[index]!]))).toBeGreaterThan(0.999999);
    }
  });

  it.each(['cls', 'mean', 'last', 'max'] as const)('pools by %s as ONNX Runtime’s model does', async (pooling) => {
    const path = write();
    const [own, other] = [await load(path, { pooling }), await load(path, { pooling, ownKernels: false })];
    expect(own.info.batching).toBe('packed');
    const texts = sequences(1, 3, 40, 17, CONTEXT);
    const expected = rows(await other.embed(texts));
    for (const [index, vector] of rows(await own.embed(texts)).entries()) {
      expect(cosine(vector, expected[index]!)).toBeGreaterThan(0.999999);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  it.each([
    ['fp32', {}],
    ['int8', { type: 'int8' }],
    ['uint8 per tensor', { form: 'uint8' }],
  ] as const)('gives a text the same bits in %s regardless of the other texts of its batch', async (_, form) => {
    const model = await load(write(form));
    expect(model.info.whyNotOwnKernels).toBeUndefined();
    const texts = sequences(3, 40, 17, 1, 64, 8, 9, 33);
    const together = rows(await model.embed(texts));
    const turned = rows(await model.embed(texts.toReversed())).reverse();
    expect(turned).toEqual(together);
    for (const [index, text] of texts.entries()) {
      expect(await model.embed([text]), `text ${index}`).toEqual(together[index]);
    }
  });

  it('divides texts among passes, and computes a text longer than a pass alone', async () => {
    const model = await load(write({ shape: { context: longContext } }));
    const texts = sequences(1500, 500, 700, longContext, 4);
    const together = rows(await model.embed(texts));
    for (const [index, text] of texts.entries()) expect(await model.embed([text])).toEqual(together[index]);
    expect(await model.embed([])).toHaveLength(0);
  });

  it('computes a graph that pools itself if a file states the pooling', async () => {
    const path = write({ output: 'sentence_embedding' });
    const [own, other] = [await load(path), await load(path, { ownKernels: false })];
    expect(own.info.batching).toBe('packed');
    const [text] = sequences(12);
    expect(cosine(await own.embed([text!]), await other.embed([text!]))).toBeGreaterThan(0.999999);
    const silent = await load(write({ output: 'sentence_embedding', files: { '1_Pooling/config.json': undefined } }));
    expect(silent.info.whyNotOwnKernels).toBe('the pooling of the graph is unknown');
  });

  it('keeps the length of vectors if the model does not normalize', async () => {
    const path = write();
    const [own, other] = [{}, { ownKernels: false }].map((options) => load(path, { ...options, normalizes: false }));
    const [text] = sequences(6);
    const [found, expected] = [await (await own!).embed([text!]), await (await other!).embed([text!])];
    expect(Math.hypot(...found)).toBeCloseTo(Math.hypot(...expected), 4);
    expect(Math.hypot(...found)).not.toBeCloseTo(1, 2);
  });

  it('zeroes texts in its memory', async () => {
    const model = await load(write());
    const encode = vi.spyOn(BertEncoder.prototype, 'encode');
    onTestFinished(() => encode.mockRestore());
    const [text] = sequences(6);
    const vector = await model.embed([text!]);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(text).not.toContain(0);
    const [[tokens], rows] = [encode.mock.calls[0]!, encode.mock.results[0]!.value as Float32Array];
    expect([tokens.length, rows.length]).toEqual([6, 6 * WIDTH]);
    expect([...tokens, ...rows].every((value) => value === 0)).toBe(true);
  });

  it('rejects calls after it is closed', async () => {
    const model = await loadOnnxEmbedding({ modelPath: write(), threads: 1, gpu: 'off' });
    await model.close();
    await expect(model.embed(sequences(3))).rejects.toThrow();
  });
});

describe.skipIf(!canRun)(`ONNX Runtime computes graphs that Cloister's kernels do not support${note}`, () => {
  it.each([
    [
      'other numbers',
      { ...bertJson(tinyBert), num_attention_heads: 1 },
      /Cloister's kernels differ: cosine 0\.\d+ for 7 tokens/,
    ],
    [
      'heads of a width that the kernels do not take',
      { ...bertJson(tinyBert), num_attention_heads: 4 },
      /multiple of 16/,
    ],
    ['another architecture', { ...bertJson(tinyBert), model_type: 'mpnet' }, /mpnet is not supported/],
  ])('for %s', async (_, config, reason) => {
    const model = await load(write({ files: { 'config.json': config } }));
    expect(model.info).toMatchObject({ batching: 'padded', whyNotOwnKernels: expect.stringMatching(reason) });
    expect(await model.embed(sequences(5))).toHaveLength(WIDTH);
  });

  it('for a graph whose output is a part of its last norm', async () => {
    const model = await load(write({ widthGiven: 16 }), { normalizes: false });
    expect(model.info).toMatchObject({
      dimensions: 16,
      whyNotOwnKernels: "Cloister's kernels return 32 numbers per text, the graph returns 16",
    });
  });

  it.each([
    ['only half of its context', 64, 32],
    ['less than its context, which is long', 900, 700],
  ])('for a graph with position embeddings for %s', async (_, context, held) => {
    const places = Array.from({ length: held }, (_, place) => place);
    const model = await load(write({ shape: { context }, places }));
    expect(model.info).toMatchObject({
      batching: 'padded',
      whyNotOwnKernels: expect.stringMatching(/running Add node/),
    });
    expect(await model.embed(sequences(held))).toHaveLength(WIDTH);
  });

  it('for a graph whose padding token, known only from the default of transformers, has no special position', async () => {
    const places = Array.from({ length: 62 }, (_, place) => place + 2);
    const config = { ...bertJson(tinyBert), model_type: 'roberta', pad_token_id: undefined };
    const model = await load(write({ places, files: { 'config.json': config } }));
    expect(model.info.whyNotOwnKernels).toMatch(/Cloister's kernels differ: cosine 0\.\d+ for 7 tokens/);
  });

  it('if ONNX Runtime fails on a probe', async () => {
    const embed = vi.spyOn(OnnxEmbeddingModel.prototype, 'embed').mockRejectedValueOnce(new Error('no node\nof it'));
    onTestFinished(() => embed.mockRestore());
    const model = await load(write());
    expect(model.info.whyNotOwnKernels).toBe('no node');
    expect(await model.embed(sequences(5))).toHaveLength(WIDTH);
  });

  it('for a graph that is not a BERT', async () => {
    const modelPath = write();
    writeFileSync(modelPath, graphOfOneTable());
    const model = await load(modelPath);
    expect(model.info.whyNotOwnKernels).toBe('the output does not depend on exactly one final norm');
  });
});

/** A graph that outputs a table row per token. */
function graphOfOneTable(): Uint8Array {
  const graph = new OnnxGraph();
  const shape = ['texts', 'length'];
  const ids = graph.input({ name: 'input_ids', type: 'int64', shape });
  graph.input({ name: 'attention_mask', type: 'int64', shape });
  const table = graph.tensor('table', 'float32', [600, WIDTH], new Float32Array(600 * WIDTH).fill(1));
  graph.output(
    { name: 'last_hidden_state', type: 'float32', shape: [...shape, WIDTH] },
    graph.node('Gather', [table, ids]),
  );
  return graph.encode();
}
