/** The shipped reranker: its files are complete and small, and it ranks the partner of a held-out query above other texts. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadOnnxEmbedding, loadOnnxTokenizer } from '../../../models/embedding/onnx-embedding.ts';
import type { EmbeddingModel, TextTokenizer } from '../../../models/interface/embedding-model.ts';
import { BertEncoder } from '../../../native/bert-encoder.ts';

const demo = join(import.meta.dirname, '../../../models/demo');
const folder = join(demo, 'reranker');
const modelPath = join(folder, 'onnx/model.onnx');
const bytesMax = 8e6;
/** Below the value on the model card; chance is 0.1. */
const firstMin = 0.6;
const candidates = 10;

let model: EmbeddingModel;
let onRuntime: EmbeddingModel;
let tokenizer: TextTokenizer;

beforeAll(async () => {
  const options = { modelPath, threads: 1, gpu: 'off', scoresPairs: true } as const;
  [model, onRuntime, tokenizer] = await Promise.all([
    loadOnnxEmbedding(options),
    loadOnnxEmbedding({ ...options, ownKernels: false }),
    loadOnnxTokenizer({ modelPath }),
  ]);
}, 30_000);

afterAll(() => Promise.all([model.close(), onRuntime.close()]));

function pairsOf(query: string, documents: readonly string[]): Int32Array[] {
  return documents.map((second) => tokenizer.tokenizePair!({ first: query, second }).tokens);
}

function heldOutPairs(): string[][] {
  const lines = readFileSync(join(demo, 'embedding/held-out/pairs.txt'), 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => line.split(' = '));
}

describe('the demo reranker', () => {
  it('has files of at most 8 MB and one logit per pair', () => {
    const files = ['onnx/model.onnx', 'tokenizer.json', 'tokenizer_config.json', 'config.json'];
    const bytes = files.map((file) => statSync(join(folder, file)).size).reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeLessThanOrEqual(bytesMax);
    expect(model.info).toMatchObject({ dimensions: 1, contextLength: 512 });
    expect(model.info.description).toMatch(/^bert, ONNX/);
  });

  it.skipIf(!BertEncoder.isSupported())('runs on the own kernels, whose logits match ONNX Runtime’s', async () => {
    expect(model.info.whyNotOwnKernels).toBeUndefined();
    expect(model.info.description).toContain('own kernels');
    const texts = heldOutPairs().slice(0, 20);
    const pairs = texts.flatMap(([query], index) => pairsOf(query!, [texts[index]![1]!, texts[(index + 3) % 20]![1]!]));
    const [own, other] = [await model.embed(pairs), await onRuntime.embed(pairs)];
    for (const [index, logit] of own.entries()) expect(logit).toBeCloseTo(other[index]!, 3);
  });

  it('joins query and document as BERT does', () => {
    const [query, document] = tokenizer.tokenize(['my head hurts', 'a headache']);
    const { tokens, secondFrom } = tokenizer.tokenizePair!({ first: 'my head hurts', second: 'a headache' });
    expect([...tokens]).toEqual([...query!, ...document!.subarray(1)]);
    expect(secondFrom).toBe(query!.length);
    const cut = tokenizer.tokenizePair!({ first: 'my head hurts', second: 'a headache' }, { secondTokensMax: 1 });
    expect(cut.tokens).toHaveLength(query!.length + 2);
  });

  it('ranks the partner first for most of 202 hand-written queries among ten candidates', async () => {
    const pairs = heldOutPairs();
    let first = 0;
    for (const [index, [query, partner]] of pairs.entries()) {
      const others = Array.from(
        { length: candidates - 1 },
        (_, at) => pairs[(index + 17 * (at + 1)) % pairs.length]![1]!,
      );
      const [own, ...rest] = await model.embed(pairsOf(query!, [partner!, ...others]));
      if (rest.every((logit) => logit < own!)) first += 1;
    }
    expect(first / pairs.length).toBeGreaterThan(firstMin);
  }, 60_000);
});
