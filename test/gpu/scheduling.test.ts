/** The engine's loop on a GPU: batches of several requests, forks, saved states, cancellations and grammars, on the demo model. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { Step, TextModel } from '../../models/interface/model.ts';
import { startOn } from '../support/compute/recorded-engine.ts';
import { Random } from '../support/random.ts';
import { chatRequest, greedy } from '../support/runtime/chat-request.ts';
import { testedGpu } from '../support/tested-gpu.ts';

const modelPath = fileURLToPath(new URL('../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));
const sequences = 4;

let model: LlamaText;
beforeAll(async () => {
  model = await loadLlamaText({ modelPath, sequences, contextPerSequence: 512, threads: 1, gpu: testedGpu });
});
afterAll(() => model.close());

/** Engines come and go; the model stays, with empty sequences. */
async function startEmpty(options: Parameters<typeof startOn>[1] = {}) {
  const operations = Array.from({ length: sequences }, (_, sequence) => ({ kind: 'trim', sequence, from: 0 }) as const);
  await model.step({ operations, rows: [] });
  const steps: Step[] = [];
  const kept: TextModel = {
    info: model.info,
    prepareChat: (input) => model.prepareChat(input),
    preparePrompt: (input) => model.preparePrompt(input),
    beginSampling: (...sampling) => model.beginSampling(...sampling),
    endSampling: () => model.endSampling(),
    step(step) {
      steps.push(step);
      return model.step(step);
    },
    async close() {},
  };
  const { engine, recorder } = startOn(kept, options);
  return { engine, recorder, steps };
}

const kindsOf = (steps: readonly Step[]) => steps.flatMap(({ operations }) => operations.map(({ kind }) => kind));

describe('an engine on a GPU', () => {
  it('answers several requests in one batch as it answers each alone', async () => {
    const questions = ['What is 7 + 5?', 'What is 2 + 2?', 'Say hello.', 'Who are you?'];
    const alone: string[] = [];
    for (const question of questions) {
      const { engine, recorder } = await startEmpty();
      await engine.submit(1, chatRequest(question, { maxTokens: 12 }));
      await recorder.ended(1);
      alone.push(recorder.text(1));
      await engine.drain();
    }
    expect(alone[0]).toContain('12');
    const { engine, recorder, steps } = await startEmpty();
    await Promise.all(questions.map((question, id) => engine.submit(id, chatRequest(question, { maxTokens: 12 }))));
    await Promise.all(questions.map((_, id) => recorder.ended(id)));
    expect(questions.map((_, id) => recorder.text(id))).toEqual(alone);
    expect(Math.max(...steps.map(({ rows }) => rows.length))).toBe(questions.length);
    await engine.drain();
  });

  it('forks several choices from one prefill, and restores a saved conversation', async () => {
    const { engine, recorder, steps } = await startEmpty({ prefixCacheBytes: 1 << 28 });
    const sampling = { ...greedy, temperature: 1, seed: 11 };
    await engine.submit(1, chatRequest('Tell me about rivers. '.repeat(12), { choices: 3, sampling, maxTokens: 6 }));
    await recorder.ended(1);
    expect(kindsOf(steps).filter((kind) => kind === 'copy')).toHaveLength(2);
    expect([0, 1, 2].map((choice) => recorder.text(1, choice).length > 0)).toEqual([true, true, true]);

    const first = chatRequest('What is the capital of France, and of Spain? '.repeat(8));
    await engine.submit(2, first);
    await recorder.ended(2);
    const others = Array.from({ length: 6 }, (_, index) => 10 + index);
    for (const id of others) {
      const prompt = `Number ${id} of several questions about numbers. `.repeat(8);
      await engine.submit(id, chatRequest(prompt, { account: `a${id}`, maxTokens: 2 }));
      await recorder.ended(id);
    }
    await engine.submit(3, first);
    await recorder.ended(3);
    expect(recorder.text(3)).toBe(recorder.text(2));
    const started = recorder.of(3).find((event) => event.kind === 'started');
    expect(started?.cachedTokens).toBeGreaterThan(64);
    expect(kindsOf(steps)).toEqual(expect.arrayContaining(['save', 'restore']));
    await engine.drain();
  });

  it('frees the sequence of a cancelled answer, and the next answer is not changed by it', async () => {
    const { engine, recorder } = await startEmpty();
    const next = chatRequest('What is 7 + 5?', { maxTokens: 12 });
    await engine.submit(1, next);
    await recorder.ended(1);
    for (const id of [2, 3, 4, 5]) await engine.submit(id, chatRequest('Count to a hundred.', { maxTokens: 300 }));
    await recorder.until(() => recorder.text(2).length > 4);
    for (const id of [2, 3, 4, 5]) engine.cancel(id);
    await engine.submit(6, next);
    await recorder.ended(6);
    expect(recorder.text(6)).toBe(recorder.text(1));
    expect(engine.stats.running).toBe(0);
    await engine.drain();
  });

  it('follows a JSON schema', async () => {
    const { engine, recorder } = await startEmpty();
    const properties = { sum: { enum: [11, 12, 13] } };
    const schema = { type: 'object', properties, required: ['sum'], additionalProperties: false };
    const request = chatRequest('What is 7 + 5? Answer in JSON.', { maxTokens: 40 });
    await engine.submit(1, { ...request, input: { ...request.input, jsonSchema: JSON.stringify(schema) } });
    await recorder.ended(1);
    expect([11, 12, 13]).toContain((JSON.parse(recorder.text(1)) as { sum: number }).sum);
    await engine.drain();
  });

  it('ends every request of a random load with its number of tokens, and starves none', async () => {
    const random = new Random(5);
    const { engine, recorder, steps } = await startEmpty({ prefixCacheBytes: 1 << 28 });
    const requests = Array.from({ length: 16 }, (_, id) => ({
      id,
      maxTokens: 1 + random.below(10),
      choices: 1 + random.below(3),
      cancelled: random.below(4) === 0,
    }));
    for (const { id, maxTokens, choices, cancelled } of requests) {
      const prompt = 'words and words '.repeat(1 + random.below(12));
      const sampling = { ...greedy, temperature: 1.5, seed: id, logitBias: endTokensForbidden() };
      await engine.submit(id, chatRequest(prompt, { maxTokens, choices, sampling, account: `a${id % 3}` }));
      if (cancelled) engine.cancel(id);
    }
    const rest = requests.filter(({ cancelled }) => !cancelled);
    for (const { id, maxTokens, choices } of rest) {
      await recorder.ended(id);
      for (let choice = 0; choice < choices; choice += 1) {
        expect(recorder.finish(id, choice)).toMatchObject({ reason: 'length', completionTokens: maxTokens });
      }
    }
    expect(steps.every(({ rows }) => rows.length <= sequences)).toBe(true);
    await engine.drain();
  });
});

const endTokensForbidden = () => Array.from(model.info.endTokens, (token) => ({ token, bias: -100 }));
