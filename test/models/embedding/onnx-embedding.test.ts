import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, describe, expect, it } from 'vitest';
import {
  loadOnnxEmbedding,
  loadOnnxTokenizer,
  type OnnxEmbeddingOptions,
} from '../../../models/embedding/onnx-embedding.ts';
import type { EmbeddingModel } from '../../../models/interface/embedding-model.ts';
import { type EmbeddingFolderOptions, tinyBert, writeEmbeddingFolder } from '../../support/models/embedding-folder.ts';
import { OnnxGraph } from '../../support/models/onnx-writer.ts';
import { seededNumbers } from '../../support/models/strange-texts.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const width = tinyBert.width;

const scratch = await scratchFolder();
let folders = 0;
const newFolder = () => join(scratch.path, String(folders++));
afterAll(() => scratch[Symbol.asyncDispose]());

async function load(folder: EmbeddingFolderOptions = {}, options: Partial<OnnxEmbeddingOptions> = {}) {
  const modelPath = writeEmbeddingFolder(newFolder(), folder);
  const onRuntime = { threads: 1, gpu: 'off', ownKernels: false } as const;
  return { modelPath, model: await loadOnnxEmbedding({ modelPath, ...onRuntime, ...options }) };
}

/** A graph that outputs two constants per token, from an external file. */
function graphWithWeightsIn(location: string): Uint8Array {
  const graph = new OnnxGraph();
  const shape = ['texts', 'length'];
  const ids = graph.input({ name: 'input_ids', type: 'int64', shape });
  graph.input({ name: 'attention_mask', type: 'int64', shape });
  const zero = graph.node('Mul', [graph.node('Cast', [ids], { to: { int: 1 } }), graph.scalar(0)]);
  const columns = graph.node('Unsqueeze', [zero, graph.integers([2])]);
  const rows = graph.node('Add', [columns, graph.external('weights', 'float32', [2], location)]);
  graph.output({ name: 'last_hidden_state', type: 'float32', shape: [...shape, 2] }, rows);
  return graph.encode();
}

/** Token ids of the given lengths. */
function sequences(...lengths: number[]): Int32Array[] {
  const next = seededNumbers(7);
  return lengths.map((length) => Int32Array.from({ length }, () => 5 + (next() % 400)));
}

/** The output of the graph for one text, pooled here in plain code. */
async function reference(modelPath: string, tokens: Int32Array, pooling: 'cls' | 'mean' | 'last' | 'max') {
  const session = await InferenceSession.create(modelPath);
  const shape = [1, tokens.length];
  const whole = (values: ArrayLike<number>) =>
    new Tensor('int64', BigInt64Array.from(Array.from(values), BigInt), shape);
  const result = await session.run({
    input_ids: whole(tokens),
    attention_mask: whole(new Int32Array(tokens.length).fill(1)),
    token_type_ids: whole(new Int32Array(tokens.length)),
  });
  const hidden = result.last_hidden_state!.data as Float32Array;
  const rows = Array.from(tokens, (_, token) => Array.from(hidden.subarray(token * width, (token + 1) * width)));
  const pooled = rows[0]!.map((_, column) => {
    const values = rows.map((row) => row[column]!);
    if (pooling === 'cls') return values[0]!;
    if (pooling === 'last') return values.at(-1)!;
    return pooling === 'max' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0) / values.length;
  });
  await session.release();
  const norm = Math.hypot(...pooled);
  return pooled.map((value) => value / norm);
}

function rows(vectors: Float32Array): number[][] {
  return Array.from({ length: vectors.length / width }, (_, row) => [
    ...vectors.subarray(row * width, (row + 1) * width),
  ]);
}

function largestDifference(a: readonly number[], b: readonly number[]): number {
  return Math.max(...a.map((value, index) => Math.abs(value - b[index]!)));
}

async function embedOne(model: EmbeddingModel, tokens: Int32Array): Promise<number[]> {
  return [...(await model.embed([tokens]))];
}

describe('loadOnnxEmbedding', () => {
  it('reports the facts of the model', async () => {
    const { model } = await load();
    expect(model.info).toEqual({
      description: 'bert, ONNX, 0.2 MB',
      device: 'CPU, 1 thread',
      dimensions: width,
      contextLength: 64,
      batching: 'padded',
    });
    await model.close();
  });

  it.each(['cls', 'mean', 'last', 'max'] as const)(
    'pools by %s like a plain implementation, without padding',
    async (pooling) => {
      const { model, modelPath } = await load({}, { pooling });
      const texts = sequences(5, 20, 1, 11);
      const found = rows(await model.embed(texts));
      for (const [index, tokens] of texts.entries()) {
        expect(largestDifference(found[index]!, await reference(modelPath, tokens, pooling))).toBeLessThan(1e-5);
      }
      await model.close();
    },
  );

  it('gives a text the same vector in any batch', async () => {
    const { model } = await load();
    const texts = sequences(3, 40, 17, 64, 8, 9);
    const together = rows(await model.embed(texts));
    for (const [index, tokens] of texts.entries()) {
      expect(largestDifference(together[index]!, await embedOne(model, tokens))).toBeLessThan(1e-6);
    }
    await model.close();
  });

  it('reads outputs of half precision', async () => {
    const [half, whole] = [await load({ outputType: 'float16' }), await load()];
    const texts = sequences(5, 20);
    const [found, expected] = [rows(await half.model.embed(texts)), rows(await whole.model.embed(texts))];
    for (const index of texts.keys()) expect(largestDifference(found[index]!, expected[index]!)).toBeLessThan(1e-3);
    await Promise.all([half.model.close(), whole.model.close()]);
  });

  it('limits the context to `contextMax`', async () => {
    const { model } = await load({}, { contextMax: 20 });
    expect(model.info.contextLength).toBe(20);
    await model.close();
  });

  it('gives a text bit-identical vectors in any batch in int8', async () => {
    const { model } = await load({ type: 'int8' });
    expect(model.info.description).toMatch(/int8$/);
    const texts = sequences(3, 40, 17);
    const together = rows(await model.embed(texts));
    for (const [index, tokens] of texts.entries()) expect(together[index]).toEqual(await embedOne(model, tokens));
    await model.close();
  });

  it.each([
    ['a graph without token types', { tokenTypes: false }],
    ['an output of another name', { output: 'token_embeddings' }],
    ['a graph that pools by itself', { output: 'sentence_embedding' }],
    ['a graph without a mask', { attentionMask: false }],
    ['a graph at the root', { graph: 'model.onnx' }],
    ['a graph of another name', { graph: 'onnx/model_quantized.onnx' }],
  ] as const)('takes %s', async (_, folder) => {
    const { model } = await load(folder);
    const texts = sequences(4, 9);
    const together = rows(await model.embed(texts));
    expect(together.map((row) => Math.hypot(...row))).toEqual([expect.closeTo(1, 5), expect.closeTo(1, 5)]);
    expect(largestDifference(together[0]!, await embedOne(model, texts[0]!))).toBeLessThan(1e-6);
    await model.close();
  });

  it('keeps the length of vectors if the model does not normalize', async () => {
    const files = { 'modules.json': [{ type: 'sentence_transformers.models.Transformer' }] };
    const { model } = await load({ files });
    expect(Math.hypot(...(await embedOne(model, sequences(6)[0]!)))).not.toBeCloseTo(1, 2);
    await model.close();
    const normalized = await load({ files }, { normalizes: true });
    expect(Math.hypot(...(await embedOne(normalized.model, sequences(6)[0]!)))).toBeCloseTo(1, 5);
    await normalized.model.close();
  });

  it.each([
    ['max_seq_length', { 'sentence_bert_config.json': { max_seq_length: 48 } }, 48],
    ['model_max_length', { 'tokenizer_config.json': { model_max_length: 32 } }, 32],
    ['positions that begin after the padding token', { 'config.json': roberta(64) }, 62],
    ['no limit in the tokenizer', { 'tokenizer_config.json': { model_max_length: 1e30 } }, 64],
  ])('takes its context from %s', async (_, files, contextLength) => {
    const { model } = await load({ files });
    expect(model.info.contextLength).toBe(contextLength);
    await model.close();
  });

  it.each([
    ['without config.json', { files: { 'config.json': undefined } }, /no config\.json/],
    ['without tokenizer.json', { files: { 'tokenizer.json': undefined } }, /no tokenizer\.json/],
    ['without a pooling', { files: { '1_Pooling/config.json': undefined } }, /the pooling is unknown/],
    ['with two poolings', { files: { '1_Pooling/config.json': twoModes() } }, /cls and mean/],
    ['whose dense layer is missing', { files: { 'modules.json': [{ type: 'models.Dense' }] } }, /dense layer/],
  ])('refuses a folder %s', async (_, folder, message) => {
    await expect(load(folder)).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
      message: expect.stringMatching(message),
    });
  });

  it('refuses a file that is not a model', async () => {
    const modelPath = writeEmbeddingFolder(newFolder());
    const notAGraph = modelPath.replace('onnx/model.onnx', 'config.json');
    expect(existsSync(notAGraph)).toBe(true);
    await expect(loadOnnxEmbedding({ modelPath: notAGraph, threads: 1, gpu: 'off' })).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
    });
  });

  it('reports what CUDA lacks if `cuda` is requested', async () => {
    const modelPath = writeEmbeddingFolder(newFolder());
    const loading = loadOnnxEmbedding({ modelPath, threads: 1, gpu: 'cuda' });
    await expect(loading).rejects.toMatchObject({ code: 'ERR_GPU_UNAVAILABLE', message: /CUDA/ });
  });
});

describe('a model whose files are pinned', () => {
  const threads = { threads: 1, gpu: 'off' } as const;

  it('is opened only if all external weight files of its graph are pinned', async () => {
    const modelPath = writeEmbeddingFolder(newFolder());
    const folder = dirname(dirname(modelPath));
    const weights = join(dirname(modelPath), 'other.bin');
    writeFileSync(modelPath, graphWithWeightsIn('other.bin'));
    writeFileSync(weights, Float32Array.of(1, 2));
    const known = ['config.json', 'tokenizer.json', '1_Pooling/config.json'].map((name) => join(folder, name));
    const load = (pinnedPaths: string[]) => loadOnnxEmbedding({ modelPath, pinnedPaths, ...threads });
    await expect(load([modelPath, ...known])).rejects.toThrow('other.bin is not pinned; add the model again');
    const model = await load([modelPath, weights, ...known]);
    expect(model.info.dimensions).toBe(2);
    await model.close();
  });

  it('is read from pinned files only; other files in the folder are ignored', async () => {
    const modelPath = writeEmbeddingFolder(newFolder(), {
      files: { 'tokenizer_config.json': { model_max_length: 7 } },
    });
    const folder = dirname(dirname(modelPath));
    const pinnedPaths = [modelPath, ...['config.json', 'tokenizer.json'].map((name) => join(folder, name))];
    const model = await loadOnnxEmbedding({ modelPath, pinnedPaths, pooling: 'mean', ...threads });
    expect(model.info.contextLength).toBe(64);
    await model.close();
    await expect(loadOnnxTokenizer({ modelPath, pinnedPaths: [modelPath] })).rejects.toThrow(/no config.json/);
  });
});

describe('loadOnnxTokenizer', () => {
  it('reads the tokenizer in the folder of the graph', async () => {
    const tokenizer = await loadOnnxTokenizer({ modelPath: writeEmbeddingFolder(newFolder()) });
    expect(tokenizer.tokenize(['hello'])[0]).toHaveLength(3);
  });
});

function roberta(context: number): object {
  return { model_type: 'xlm-roberta', pad_token_id: 1, max_position_embeddings: context };
}

function twoModes(): object {
  return { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true };
}
