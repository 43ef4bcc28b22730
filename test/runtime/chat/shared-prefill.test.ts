/** Prompts of one account that begin alike and arrive together compute their common prefix once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alone, start } from '../../support/compute/recorded-engine.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import type { FakeModelOptions } from '../../support/runtime/fake-model.ts';

const document = 'a document of three hundred letters, '.repeat(8);
const wide: FakeModelOptions = { sequences: 4, contextPerSequence: 1000, stepTokensMax: 40 };

/** Sends all prompts at once. @returns tokens fed from prompts, and the answers */
async function serve(prompts: readonly string[], { accounts = ['a'], options = wide } = {}) {
  const { engine, model, recorder } = start(options);
  const requests = prompts.map((prompt, id) =>
    chatRequest(prompt, { account: accounts[id % accounts.length]!, maxTokens: 1 }),
  );
  await Promise.all(requests.map((request, id) => engine.submit(id, request)));
  for (const id of prompts.keys()) await recorder.ended(id);
  await engine.drain();
  const fed = model.steps.flatMap(({ rows }) => rows).reduce((sum, { tokens }) => sum + tokens.length, 0);
  const cached = prompts.map((_, id) => recorder.of(id)[0] as { cachedTokens: number }).map((one) => one.cachedTokens);
  return { fed, cached, texts: prompts.map((_, id) => recorder.text(id)), requests };
}

describe('prompts that arrive together', () => {
  it('compute a common prefix once', async () => {
    const { fed, cached } = await serve(['one', 'two', 'three!'].map((end) => document + end));
    expect(fed).toBeLessThan(document.length + 20);
    expect(Math.min(...cached.slice(1))).toBeGreaterThanOrEqual(document.length);
  });

  it('share nothing between accounts', async () => {
    const prompts = ['one', 'two'].map((end) => document + end);
    const { fed, cached } = await serve(prompts, { accounts: ['a', 'b'] });
    expect(fed).toBe(2 * (document.length + 3));
    expect(cached).toEqual([0, 0]);
  });

  it('finish if the prompt for which they wait is cancelled', async () => {
    const { engine, recorder } = start(wide);
    const prompts = ['one', 'two', 'three'].map((end) => chatRequest(document + end, { maxTokens: 4 }));
    await Promise.all(prompts.map((request, id) => engine.submit(id, request)));
    await new Promise((resolve) => setImmediate(resolve));
    engine.cancel(0);
    for (const id of [1, 2]) {
      await recorder.ended(id);
      expect(recorder.text(id)).toBe(await alone(prompts[id]!, wide));
    }
    await engine.drain();
  });

  it('get the answers that they would get alone, whatever they share', async () => {
    const prompt = fc
      .array(fc.constantFrom('x'.repeat(70), 'y'.repeat(70), 'z'.repeat(90), 'short'), { minLength: 1, maxLength: 4 })
      .map((pieces) => pieces.join(''));
    await fc.assert(
      fc.asyncProperty(fc.array(prompt, { minLength: 1, maxLength: 8 }), async (prompts) => {
        const { texts, requests } = await serve(prompts, { accounts: ['a', 'a', 'b'] });
        for (const [id, request] of requests.entries()) expect(texts[id]).toBe(await alone(request, wide));
      }),
      { numRuns: 40 },
    );
  });
});
