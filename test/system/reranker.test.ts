/** Cross-encoders on the real server: a GGUF file gives the scores of the same model in ONNX. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeDemoReranker } from '../support/models/demo-reranker-gguf.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const onnx = 'cloister-demo-reranker-TEE';
const gguf = 'own-reranker-TEE';
const scoreDifferenceMax = 1e-3;

let scratch: Awaited<ReturnType<typeof scratchFolder>>;
let server: RunningServer;

beforeAll(async () => {
  scratch = await scratchFolder();
  const path = join(scratch.path, 'own-reranker.gguf');
  writeDemoReranker(path);
  server = await startServer(['--model', `${path},${onnx}`]);
}, 60_000);

afterAll(async () => {
  await server?.stop();
  await scratch?.[Symbol.asyncDispose]();
});

it('serves a GGUF file with a classification head as a reranker', async () => {
  const query = 'How do I renew my passport?';
  const documents = ['A recipe for bread', 'Passports are renewed at the town hall.', 'The passport office is closed'];
  const [own, expected] = await Promise.all(
    [gguf, onnx].map(async (model) => {
      const answer = await server.post('/rerank', { model, query, documents });
      expect(answer.status).toBe(200);
      const { results } = (await answer.json()) as { results: { index: number; relevance_score: number }[] };
      return results;
    }),
  );
  expect(own!.map(({ index }) => index)).toEqual(expected!.map(({ index }) => index));
  for (const [place, { relevance_score: score }] of own!.entries()) {
    expect(Math.abs(score - expected![place]!.relevance_score)).toBeLessThan(scoreDifferenceMax);
  }
  const models = await fetch(`${server.listening.baseUrl}/models`, {
    headers: { authorization: `Bearer ${server.listening.apiKey}` },
  });
  const { data } = (await models.json()) as { data: { id: string; capabilities: Record<string, boolean> }[] };
  expect(data.find(({ id }) => id === gguf)?.capabilities).toMatchObject({ rerank: true });
});
