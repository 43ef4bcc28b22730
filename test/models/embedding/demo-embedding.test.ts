/** The shipped embedding model: its files are complete and small, and it finds texts with the same meaning. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadOnnxEmbedding, loadOnnxTokenizer } from '../../../models/embedding/onnx-embedding.ts';
import type { EmbeddingModel, TextTokenizer } from '../../../models/interface/embedding-model.ts';

const folder = join(import.meta.dirname, '../../../models/demo/embedding');
const files = [
  'onnx/model.onnx',
  'tokenizer.json',
  'tokenizer_config.json',
  'config.json',
  'modules.json',
  '1_Pooling/config.json',
];
const bytesMax = 8e6;
const demoWidth = 256;
/** Below the value on the model card; chance is 0.005. */
const recallMin = 0.7;
const recallMin64 = 0.68;

let model: EmbeddingModel;
let tokenizer: TextTokenizer;

beforeAll(async () => {
  const modelPath = join(folder, 'onnx/model.onnx');
  [model, tokenizer] = await Promise.all([
    loadOnnxEmbedding({ modelPath, threads: 1, gpu: 'off' }),
    loadOnnxTokenizer({ modelPath }),
  ]);
}, 30_000);

afterAll(() => model.close());

/** One row per text, all in one batch. */
async function embed(texts: readonly string[]): Promise<Float32Array[]> {
  const sequences = tokenizer.tokenize(texts).map((tokens) => tokenizer.truncate(tokens, model.info.contextLength));
  const vectors = await model.embed(sequences);
  return texts.map((_, row) => vectors.subarray(row * demoWidth, (row + 1) * demoWidth));
}

/** @returns the cosine of the first `width` values of both */
function similarity(a: Float32Array, b: Float32Array, width = demoWidth): number {
  let [product, aSquares, bSquares] = [0, 0, 0];
  for (let index = 0; index < width; index++) {
    product += a[index]! * b[index]!;
    aSquares += a[index]! ** 2;
    bSquares += b[index]! ** 2;
  }
  return product / Math.sqrt(aSquares * bSquares);
}

function heldOutPairs(): string[][] {
  const lines = readFileSync(join(folder, 'held-out/pairs.txt'), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' = '));
}

/** Share of queries whose nearest text is their partner. */
function recallAt1(queries: readonly Float32Array[], texts: readonly Float32Array[], width?: number): number {
  const found = queries.filter((query, index) => {
    const own = similarity(query, texts[index]!, width);
    return texts.every((text, other) => other === index || similarity(query, text, width) < own);
  });
  return found.length / queries.length;
}

describe('the files of the demo embedding model', () => {
  it('are complete and at most 8 MB in total', () => {
    const bytes = files.map((file) => statSync(join(folder, file)).size).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
  });

  it('contain a text encoder with 256 dimensions and 512 tokens', () => {
    expect(model.info).toMatchObject({ dimensions: demoWidth, contextLength: 512 });
    expect(model.info.description).toMatch(/^bert, ONNX/);
  });

  it('lower-case texts and strip accents', () => {
    const [plain, dressed] = tokenizer.tokenize(['cafe in paris', 'CAFÉ in Paris']);
    expect(dressed).toEqual(plain);
  });
});

describe('the demo embedding model', () => {
  it.each([
    ['my head hurts', 'I have a headache', 'the train is late'],
    ['how can I get a refund', 'I want my money back', 'what is recursion'],
    ['it is raining', 'wet weather with showers', 'my password does not work'],
    ['a dish without meat', 'vegetarian dinner for six guests', 'rent a car for a week'],
    ['is the server genuine', 'attestation of the confidential virtual machine', 'feed the cat'],
    ['loop that never ends', 'infinite loop', 'the soup is too salty'],
  ])('finds that "%s" is nearer to "%s" than to "%s"', async (text, same, other) => {
    const [first, second, third] = await embed([text, same, other]);
    expect(similarity(first!, second!)).toBeGreaterThan(similarity(first!, third!) + 0.1);
  });

  it('finds most partners among 202 hand-written pairs outside its training set', async () => {
    const pairs = heldOutPairs();
    expect(pairs).toHaveLength(202);
    const first = await embed(pairs.map(([text]) => text!));
    const second = await embed(pairs.map(([, text]) => text!));
    expect((recallAt1(first, second) + recallAt1(second, first)) / 2).toBeGreaterThan(recallMin);
    // Trained so that truncated vectors work nearly as well; a request can set `dimensions`.
    expect((recallAt1(first, second, 64) + recallAt1(second, first, 64)) / 2).toBeGreaterThan(recallMin64);
  });

  it('gives a text the same vector alone and in a batch that is mostly padding', async () => {
    const long = heldOutPairs().flat().join(' ');
    const texts = ['a quiet hotel near the beach', 'how do I sort a list', long];
    const together = await embed(texts);
    for (const [index, text] of texts.entries()) {
      const [alone] = await embed([text]);
      expect(similarity(alone!, together[index]!)).toBeGreaterThan(0.99999);
    }
  });

  it('returns vectors of length 1', async () => {
    for (const vector of await embed(['hello', 'x'])) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });
});
