/** A KV cache in Q8_0 compared with one in F16, on the demo model, which is trained: what it costs in accuracy and saves in memory. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, type LlamaTextOptions, loadLlamaText, planLlamaMemory } from '../../models/gguf/llama-text.ts';
import type { PreparedChat } from '../../models/interface/model.ts';
import { ask, generate, greedy } from './models.ts';

const modelPath = fileURLToPath(new URL('../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));
const base = { modelPath, sequences: 2, contextPerSequence: 1024, threads: 1, poll: 0, gpu: 'off' } as const;
const types = ['f16', 'q8_0'] as const;

const text =
  'The Velora office in Brenmark opened on 4 March 2021. It has 37 employees. The manager is Tomas Ildren. Invoice 88231 of ' +
  'Karsten Mobel was sent on 12 May 2024. The total is 4,318.50 euros, due within 30 days.';
const prompts = [
  `Repeat this exactly: ${text}`,
  `Summarise this in one sentence: ${text}`,
  `Who is named in this text? ${text}`,
];
const answerTokensMax = 60;

/** The log probability of each token of an answer, computed one at a time, and the five likeliest at its place. */
async function score(model: LlamaText, prepared: PreparedChat, answer: readonly number[]) {
  model.beginSampling(1, { ...greedy, logprobs: 5 }, prepared);
  const found: number[] = [];
  let position = 0;
  let tokens: Int32Array = prepared.tokens;
  for (const token of answer) {
    const row = { sequence: 1, position, tokens, sample: true };
    const operations = position === 0 ? [{ kind: 'trim' as const, sequence: 1, from: 0 }] : [];
    const { logprobs } = await model.step({ operations, rows: [row] });
    found.push(logprobs[0]!.top.find((likely) => likely.token === token)?.logprob ?? Number.NEGATIVE_INFINITY);
    position += tokens.length;
    tokens = Int32Array.of(token);
  }
  return found;
}

describe('a KV cache in q8_0', () => {
  const models: LlamaText[] = [];
  beforeAll(async () => {
    for (const kvCacheType of types) models.push(await loadLlamaText({ ...base, kvCacheType }));
  });
  afterAll(() => Promise.all(models.map((model) => model.close())));

  it('changes the log probabilities of answers by less than 0.02, and their mean by less than 0.01', async () => {
    const [f16, q8] = models as [LlamaText, LlamaText];
    const scores: (readonly [number, number])[] = [];
    for (const content of prompts) {
      const prepared = await f16.prepareChat({ ...ask, messages: [{ role: 'user', content }] });
      const again = await q8.prepareChat({ ...ask, messages: [{ role: 'user', content }] });
      const operations = [{ kind: 'trim', sequence: 0, from: 0 }] as const;
      const answer = await generate(f16, { prepared, operations }, { sequence: 0, count: answerTokensMax });
      const exact = await score(f16, prepared, answer);
      const rounded = await score(q8, again, answer);
      scores.push(...exact.map((logprob, index) => [logprob, rounded[index]!] as const));
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const differences = scores.map(([exact, rounded]) => rounded - exact);
    expect(scores.length).toBeGreaterThan(40);
    expect(mean(differences.map(Math.abs))).toBeLessThan(0.02);
    expect(Math.abs(mean(differences))).toBeLessThan(0.01);
  });

  it('takes 17/32 of the memory: the contexts, and the states that the prefix cache counts', async () => {
    const plans = await Promise.all(
      types.map((kvCacheType) => planLlamaMemory({ ...base, kvCacheType } satisfies LlamaTextOptions)),
    );
    const [f16, q8] = plans.map(({ devices }) => devices.at(-1)!.contextBytes);
    expect(q8).toBe((f16! * 17) / 32);
    const [whole, half] = models.map(({ info }) => info.stateBytesPerToken);
    // Each position also has its number and sequence, in 12 bytes.
    expect(half! - 12).toBe(((whole! - 12) * 17) / 32);
    expect(models.map(({ info }) => info.canSplit)).toEqual([true, true]);
  });
});
