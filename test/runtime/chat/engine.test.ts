import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { alone, start } from '../../support/compute/recorded-engine.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import { endToken } from '../../support/runtime/fake-model.ts';

describe('Engine', () => {
  it('emits `started`, deltas that add up to the text, `finished`, and then no more events', async () => {
    const { recorder, engine } = start();
    await engine.submit(7, chatRequest('hello'));
    await recorder.ended(7);
    const kinds = recorder.of(7).map(({ kind }) => kind);
    expect(kinds[0]).toBe('started');
    expect(kinds.slice(-2)).toEqual(['finished', 'done']);
    expect(recorder.text(7)).toMatch(/^[a-z]{8}$/);
    expect(recorder.of(7).at(-2)).toMatchObject({ reason: 'length', completionTokens: 8 });
  });

  it('stops at an end token, and neither emits nor counts it', async () => {
    const { recorder, engine } = start({ next: (cells) => (cells.length < 8 ? 120 : endToken) });
    await engine.submit(1, chatRequest('hello'));
    await recorder.ended(1);
    expect(recorder.text(1)).toBe('xxx');
    expect(recorder.of(1).at(-2)).toMatchObject({ reason: 'stop', completionTokens: 3 });
  });

  it('gives each request the answer that it would get alone, for any concurrent requests', async () => {
    const prompt = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 })
      .filter((text) => text[0] !== '!');
    const request = fc.record({
      prompt,
      maxTokens: fc.integer({ min: 1, max: 24 }),
      choices: fc.integer({ min: 1, max: 3 }),
    });
    const shape = fc.record({
      sequences: fc.integer({ min: 1, max: 5 }),
      stepTokensMax: fc.integer({ min: 6, max: 40 }),
      canTrim: fc.boolean(),
      canSplit: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), shape, async (requests, options) => {
        const { recorder, engine, model } = start(options, { prefixCacheBytes: 300 });
        await Promise.all(
          requests.map(({ prompt, ...rest }, id) =>
            engine.submit(id, chatRequest(prompt, { account: `a${id % 3}`, ...rest })),
          ),
        );
        for (const [id, { prompt, maxTokens, choices }] of requests.entries()) {
          await recorder.ended(id);
          for (let choice = 0; choice < choices; choice += 1) {
            const sampling = { ...chatRequest('').sampling, seed: 1 + choice };
            const expected = await alone(chatRequest(prompt, { maxTokens, sampling }), { ...options });
            expect(recorder.text(id, choice)).toBe(expected);
          }
        }
        await engine.drain();
        expect(model.closed).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('computes the prompt of several choices once', async () => {
    const { recorder, engine, model } = start();
    await engine.submit(1, chatRequest('a prompt of some thirty letters', { choices: 4, maxTokens: 2 }));
    await recorder.ended(1);
    const fed = model.steps.flatMap((step) => step.rows).reduce((sum, row) => sum + row.tokens.length, 0);
    // The prompt, its last token again for three siblings, and one generated token per answer.
    expect(fed).toBe(31 + 3 + 4);
    expect(recorder.of(1).filter(({ kind }) => kind === 'finished')).toHaveLength(4);
  });

  it('reuses the prefix of a conversation that continues, and reports the number of cached tokens', async () => {
    const { recorder, engine } = start();
    await engine.submit(1, chatRequest('the first question, long enough'));
    await recorder.ended(1);
    await engine.submit(2, chatRequest(`the first question, long enough${recorder.text(1)}, and more`));
    await recorder.ended(2);
    expect(recorder.of(2)[0]).toEqual({ kind: 'started', promptTokens: 49, cachedTokens: 38, queuedMs: 0 });
  });

  it('never reuses the prefix of another account', async () => {
    const { recorder, engine } = start({ sequences: 1 }, { prefixCacheBytes: 10_000 });
    await engine.submit(1, chatRequest('the same question from two people', { account: 'a' }));
    await recorder.ended(1);
    await engine.submit(2, chatRequest('the same question from two people', { account: 'b' }));
    await recorder.ended(2);
    expect(recorder.of(2)[0]).toMatchObject({ kind: 'started', cachedTokens: 0 });
  });

  it('restores a conversation from host memory after other requests took its sequence', async () => {
    const { recorder, engine, model } = start({ sequences: 1 }, { prefixCacheBytes: 10_000 });
    const long = 'x'.repeat(100);
    await engine.submit(1, chatRequest(`${long} first`));
    await recorder.ended(1);
    await engine.submit(2, chatRequest('quite another thing'.repeat(5)));
    await recorder.ended(2);
    await engine.submit(3, chatRequest(`${long} first${recorder.text(1)} and on`));
    await recorder.ended(3);
    expect(recorder.of(3)[0]).toMatchObject({ cachedTokens: 113 });
    expect(model.stateCount).toBeGreaterThan(0);
  });

  it('continues a decoding answer in every step while a long prompt is fed', async () => {
    const { recorder, engine, model } = start({ contextPerSequence: 1000, stepTokensMax: 32, sequences: 2 });
    await engine.submit(1, chatRequest('short', { maxTokens: 300 }));
    await recorder.until(() => recorder.text(1).length > 3);
    const before = model.steps.length;
    await engine.submit(2, chatRequest('y'.repeat(500), { maxTokens: 1 }));
    await recorder.ended(2);
    const during = model.steps.slice(before + 1).filter((step) => step.rows.some((row) => row.tokens.length > 1));
    expect(during.length).toBeGreaterThan(10);
    expect(during.every((step) => step.rows.some((row) => row.tokens.length === 1))).toBe(true);
  });

  it('lets a short prompt pass a long one', async () => {
    const { recorder, engine } = start({ contextPerSequence: 2000, stepTokensMax: 32 });
    await engine.submit(1, chatRequest('z'.repeat(1500), { maxTokens: 1 }));
    await engine.submit(2, chatRequest('short', { maxTokens: 1 }));
    await Promise.all([recorder.ended(1), recorder.ended(2)]);
    expect(recorder.events[0]!.id).toBe(2);
  });

  it('ends an answer before a stop string, and emits no part of the stop string', async () => {
    const script = 'one two STOP three';
    const { recorder, engine } = start({ next: (cells) => script.charCodeAt(cells.length - 6) });
    await engine.submit(1, chatRequest('prompt', { stop: [' STOP'], maxTokens: 100 }));
    await recorder.ended(1);
    expect(recorder.text(1)).toBe('one two');
    expect(recorder.of(1).at(-2)).toMatchObject({ kind: 'finished', reason: 'stop', stop: ' STOP' });
  });

  it('frees the sequence of a cancelled answer within one step, and emits no more events', async () => {
    const { recorder, engine, model } = start({ sequences: 1 });
    await engine.submit(1, chatRequest('endless', { maxTokens: 200 }));
    await recorder.until(() => recorder.text(1).length > 2);
    engine.cancel(1);
    const steps = model.steps.length;
    const events = recorder.of(1).length;
    await engine.submit(2, chatRequest('next', { maxTokens: 1 }));
    await recorder.ended(2);
    expect(recorder.of(1)).toHaveLength(events);
    expect(model.steps.length - steps).toBeLessThanOrEqual(3);
  });

  it('refuses a request at once when the queue is full', async () => {
    const { recorder, engine } = start({ sequences: 1 }, { queuedRequestsMax: 1 });
    const hold = chatRequest('one', { maxTokens: 200 });
    await engine.submit(1, hold);
    await recorder.until(() => recorder.text(1).length > 0);
    await engine.submit(2, hold);
    await engine.submit(3, hold);
    expect(recorder.of(3)).toMatchObject([{ kind: 'error', error: { code: 'ERR_QUEUE_FULL' } }]);
    expect(recorder.of(2)).toEqual([]);
    await engine.stop();
  });

  it('starts a request at once if a sequence is idle, even if the queue length is 0', async () => {
    const { recorder, engine } = start({ sequences: 2 }, { queuedRequestsMax: 0 });
    const hold = chatRequest('one', { maxTokens: 200 });
    for (const id of [1, 2, 3]) await engine.submit(id, hold);
    expect(recorder.of(3)).toMatchObject([{ kind: 'error', error: { code: 'ERR_QUEUE_FULL' } }]);
    await recorder.until(() => recorder.text(1).length > 0 && recorder.text(2).length > 0);
    await engine.stop();
  });

  it('does not render the prompt of a request that it refuses', async () => {
    const { recorder, engine, model } = start({ sequences: 1 }, { queuedRequestsMax: 0 });
    await engine.submit(1, chatRequest('one', { maxTokens: 200 }));
    const prepare = vi.spyOn(model, 'prepareChat');
    await engine.submit(2, chatRequest('two'));
    expect(recorder.of(2)).toMatchObject([{ kind: 'error', error: { code: 'ERR_QUEUE_FULL' } }]);
    expect(prepare).not.toHaveBeenCalled();
    await engine.stop();
  });

  it('refuses a prompt that exceeds the context before any step, and reports both numbers', async () => {
    const { recorder, engine, model } = start({ contextPerSequence: 32 });
    await engine.submit(1, chatRequest('w'.repeat(40)));
    expect(recorder.of(1)).toMatchObject([
      { kind: 'error', error: { code: 'ERR_CONTEXT_OVERFLOW', details: { limit: 32, counted: 40 } } },
    ]);
    expect(model.steps).toEqual([]);
  });

  it('keeps prompt and answer within the token limit of the request (I-012)', async () => {
    const { recorder, engine } = start({ contextPerSequence: 64 });
    await engine.submit(1, chatRequest('w'.repeat(20), { contextMax: 16 }));
    expect(recorder.of(1)).toMatchObject([{ kind: 'error', error: { details: { limit: 16, counted: 20 } } }]);
    await engine.submit(2, chatRequest('0123456789', { contextMax: 16, maxTokens: 100 }));
    await recorder.ended(2);
    expect(recorder.of(2).at(-2)).toMatchObject({ reason: 'length', completionTokens: 7 });
  });

  it('ends an answer with reason `length` when its sequence is full', async () => {
    const { recorder, engine } = start({ contextPerSequence: 16 });
    await engine.submit(1, chatRequest('0123456789', { maxTokens: 100 }));
    await recorder.ended(1);
    expect(recorder.of(1).at(-2)).toMatchObject({ reason: 'length', completionTokens: 7 });
  });

  it('refuses a logit bias for a token that is not in the vocabulary', async () => {
    const { recorder, engine } = start();
    const { sampling } = chatRequest('');
    await engine.submit(1, chatRequest('x', { sampling: { ...sampling, logitBias: [{ token: 9999, bias: 1 }] } }));
    expect(recorder.of(1)).toMatchObject([{ kind: 'error', error: { code: 'ERR_TOKEN_UNKNOWN' } }]);
  });

  it('reports an error of the chat template', async () => {
    const { recorder, engine } = start();
    await engine.submit(1, chatRequest('!'));
    expect(recorder.of(1)).toMatchObject([{ kind: 'error', error: { code: 'ERR_CHAT_TEMPLATE' } }]);
  });

  it('ends a request at its deadline, running or waiting', async () => {
    let now = 0;
    const { recorder, engine } = start({ sequences: 1 }, { now: () => now });
    await engine.submit(1, chatRequest('runs', { maxTokens: 200, timeoutMs: 50 }));
    await engine.submit(2, chatRequest('waits', { timeoutMs: 50 }));
    await recorder.until(() => recorder.text(1).length > 0);
    now = 60;
    await Promise.all([recorder.ended(1), recorder.ended(2)]);
    expect(recorder.of(1).at(-1)).toMatchObject({ kind: 'error', error: { code: 'ERR_DEADLINE' } });
    expect(recorder.of(2)).toMatchObject([{ kind: 'error', error: { code: 'ERR_DEADLINE' } }]);
  });

  it('fails only the requests in a failed step, and serves the next one', async () => {
    let broken = false;
    const { recorder, engine } = start({
      beforeStep() {
        if (broken) throw new Error('device gone');
      },
    });
    await engine.submit(1, chatRequest('breaks', { maxTokens: 200 }));
    await recorder.until(() => recorder.text(1).length > 0);
    broken = true;
    await recorder.ended(1);
    broken = false;
    expect(recorder.of(1).at(-1)).toMatchObject({ kind: 'error', error: { code: 'ERR_INTERNAL' } });
    await engine.submit(2, chatRequest('works'));
    await recorder.ended(2);
    expect(recorder.of(2).at(-1)).toEqual({ kind: 'done' });
  });

  it('on drain, finishes running requests, refuses new ones, then frees the model', async () => {
    const { recorder, engine, model } = start();
    await engine.submit(1, chatRequest('last', { maxTokens: 20 }));
    const drained = engine.drain();
    await engine.submit(2, chatRequest('late'));
    await drained;
    expect(recorder.text(1)).toHaveLength(20);
    expect(recorder.of(2)).toMatchObject([{ kind: 'error', error: { code: 'ERR_DRAINING' } }]);
    expect(model.closed).toBe(true);
  });

  it('on stop, ends running requests with an error', async () => {
    const { recorder, engine, model } = start();
    await engine.submit(1, chatRequest('cut', { maxTokens: 200 }));
    await recorder.until(() => recorder.text(1).length > 0);
    await engine.stop();
    expect(recorder.of(1).at(-1)).toMatchObject({ kind: 'error', error: { code: 'ERR_DRAINING' } });
    expect(model.closed).toBe(true);
  });
});
