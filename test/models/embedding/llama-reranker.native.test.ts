/** Cross-encoders in GGUF: the demo reranker, written as GGUF, gives the scores of its ONNX files. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { kindOfFile } from '../../../models/catalogue/file-kind.ts';
import { loadLlamaEmbedding, loadLlamaTokenizer } from '../../../models/embedding/llama-embedding.ts';
import { loadOnnxEmbedding, loadOnnxTokenizer } from '../../../models/embedding/onnx-embedding.ts';
import {
  demoRerankerPath as onnxPath,
  type RerankerGgufOptions,
  writeDemoReranker,
} from '../../support/models/demo-reranker-gguf.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scoreDifferenceMax = 1e-3;
const scratch = await scratchFolder();
let files = 0;
afterAll(() => scratch[Symbol.asyncDispose]());

function ggufFile(options: RerankerGgufOptions = {}): string {
  const path = join(scratch.path, `${files++}.gguf`);
  writeDemoReranker(path, options);
  return path;
}

const load = (modelPath: string) => loadLlamaEmbedding({ modelPath, threads: 1, gpu: 'off', scoresPairs: true });

const query = 'How do I renew my passport?';
const documents = [
  'Passports are renewed at the town hall.',
  'A recipe for bread',
  'naïve café',
  '',
  'word '.repeat(300),
];

describe('a cross-encoder in GGUF', () => {
  it('joins the texts of a pair as the ONNX model does', async () => {
    const modelPath = ggufFile();
    const [own, other] = [await loadLlamaTokenizer(modelPath), await loadOnnxTokenizer({ modelPath: onnxPath })];
    for (const second of documents) {
      for (const secondTokensMax of [undefined, 2]) {
        const pair = { first: query, second };
        expect(own.tokenizePair!(pair, { secondTokensMax })).toEqual(other.tokenizePair!(pair, { secondTokensMax }));
      }
    }
  });

  it('gives the scores of the ONNX model', async () => {
    const modelPath = ggufFile();
    const [own, other] = [
      await load(modelPath),
      await loadOnnxEmbedding({ modelPath: onnxPath, threads: 1, gpu: 'off', scoresPairs: true }),
    ];
    expect(own.info).toMatchObject({ dimensions: 1, contextLength: 512, batching: 'packed' });
    const pairs = documents.map((second) => own.tokenizer!.tokenizePair!({ first: query, second }).tokens);
    const [scores, expected] = [await own.embed(pairs), await other.embed(pairs)].map((logits) =>
      [...logits].map((logit) => 1 / (1 + Math.exp(-logit))),
    );
    for (const [index, score] of scores!.entries()) {
      expect(Math.abs(score - expected![index]!), documents[index]).toBeLessThan(scoreDifferenceMax);
    }
    expect(new Set(scores).size).toBe(documents.length);
    await Promise.all([own.close(), other.close()]);
  });

  it('is recognized by its pooling', async () => {
    expect(await kindOfFile(ggufFile())).toBe('llama-reranker');
    expect(await kindOfFile(ggufFile({ pooling: 2 }))).toBe('llama-embedding');
  });

  it('is refused as an embedding model', async () => {
    const loading = loadLlamaEmbedding({ modelPath: ggufFile(), threads: 1, gpu: 'off' });
    await expect(loading).rejects.toThrow('this model ranks texts, it does not embed them');
  });

  it.each<[string, RerankerGgufOptions, string]>([
    ['embeds texts', { pooling: 2 }, 'its pooling_type is not rank (4)'],
    ['has no head', { hasHead: false }, 'it has no classification head'],
    ['distinguishes the texts by token types', { tokenTypes: 2 }, 'which llama.cpp does not compute'],
  ])('is refused if it %s', async (_, options, reason) => {
    await expect(load(ggufFile(options))).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
      message: expect.stringContaining(reason),
    });
  });
});
