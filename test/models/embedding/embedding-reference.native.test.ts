/**
 * Compares vectors with those of Python's ONNX Runtime, for encoders exported from the published classes. `reference/write.py`
 * wrote the models and the vectors.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadOnnxEmbedding, loadOnnxTokenizer } from '../../../models/embedding/onnx-embedding.ts';
import type { EmbeddingModel } from '../../../models/interface/embedding-model.ts';
import { BertEncoder } from '../../../native/bert-encoder.ts';

interface Reference {
  readonly texts: readonly string[];
  readonly cases: readonly {
    readonly name: string;
    readonly folder: string;
    /** Tokens of each text. */
    readonly lengths: readonly number[];
    readonly vectors: readonly (readonly number[])[];
  }[];
}

const referenceFolder = join(import.meta.dirname, 'reference');
const { texts, cases }: Reference = JSON.parse(readFileSync(join(referenceFolder, 'reference.json'), 'utf8'));
const cosineMin = 0.9999;
const models: EmbeddingModel[] = [];

afterAll(() => Promise.all(models.map((model) => model.close())));

function cosine(a: Float32Array, b: readonly number[]): number {
  const dot = b.reduce((sum, value, index) => sum + value * a[index]!, 0);
  return dot / Math.hypot(...a) / Math.hypot(...b);
}

describe.each([
  ['on ONNX Runtime', false],
  ['on the own kernels if they support the model', true],
])('embeddings of ONNX models, %s,', (_, ownKernels) => {
  it.each(cases)(
    'equal those of Python for $name, alone and in a batch',
    async ({ name, folder, lengths, vectors }) => {
      const modelPath = join(referenceFolder, folder, 'onnx/model.onnx');
      const model = await loadOnnxEmbedding({ modelPath, threads: 1, gpu: 'off', takesText: true, ownKernels });
      models.push(model);
      const hasOwnKernels = ownKernels && name !== 'qwen3' && BertEncoder.isSupported();
      expect(model.info.batching === 'packed', model.info.whyNotOwnKernels).toBe(hasOwnKernels);
      const tokens = (await loadOnnxTokenizer({ modelPath })).tokenize(texts);
      expect(tokens.map(({ length }) => length)).toEqual(lengths);
      expect(model.tokenizer?.tokenize(texts)).toEqual(tokens);
      const { dimensions } = model.info;
      const together = await model.embed(tokens);
      for (const [index, expected] of vectors.entries()) {
        const alone = await model.embed([tokens[index]!]);
        expect(cosine(alone, expected), `text ${index} alone`).toBeGreaterThan(cosineMin);
        const row = together.subarray(index * dimensions, (index + 1) * dimensions);
        expect(cosine(row, expected), `text ${index} among others`).toBeGreaterThan(cosineMin);
      }
    },
  );
});

it('the vectors differ between texts, so that the comparison is meaningful', () => {
  for (const { name, vectors } of cases) {
    const [first, second] = vectors;
    expect(cosine(Float32Array.from(first!), second!), name).toBeLessThan(0.98);
  }
});
