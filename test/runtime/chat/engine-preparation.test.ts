/** How the engine renders and tokenizes: limited per account, cancelled with the request, and awaited by a drain. */
import { describe, expect, it } from 'vitest';
import type { PreparationOptions } from '../../../models/interface/model.ts';
import type { EngineStats } from '../../../runtime/chat/request.ts';
import { startOn } from '../../support/compute/recorded-engine.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import { FakeModel } from '../../support/runtime/fake-model.ts';

/** A model whose preparations the test completes; like those of the real model, they notice an abort at their end. */
class SlowlyPreparing extends FakeModel {
  readonly under: { options: PreparationOptions; end: () => void }[] = [];

  override async prepareChat(input: Parameters<FakeModel['prepareChat']>[0], options: PreparationOptions = {}) {
    await new Promise<void>((end) => this.under.push({ options, end }));
    if (options.signal?.aborted) throw Object.assign(new Error('aborted'), { code: 'ERR_ABORTED' });
    return super.prepareChat(input);
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('an engine that prepares chats', () => {
  it('prepares one chat of an account at a time', async () => {
    const { engine, model } = startOn(new SlowlyPreparing());
    for (const id of [1, 2, 3]) void engine.submit(id, chatRequest('x', { account: 'a' }));
    void engine.submit(4, chatRequest('x', { account: 'b' }));
    await turn();
    expect(model.under).toHaveLength(1);
    expect(engine.stats.preparing).toBe(4);
    model.under[0]!.end();
    await turn();
    expect(model.under).toHaveLength(2);
  });

  it('cancels the preparation of a caller that disconnects, emits no event, and starts the next', async () => {
    const { engine, model, recorder } = startOn(new SlowlyPreparing());
    const submitted = engine.submit(1, chatRequest('x'));
    void engine.submit(2, chatRequest('y', { maxTokens: 1 }));
    await turn();
    engine.cancel(1);
    await submitted;
    expect(model.under[0]!.options.signal?.aborted).toBe(true);
    model.under[0]!.end();
    await turn();
    model.under[1]!.end();
    await recorder.ended(2);
    expect(recorder.of(1)).toEqual([]);
  });

  it('ends a preparation at its deadline', async () => {
    const { engine, model, recorder } = startOn(new SlowlyPreparing());
    await engine.submit(1, chatRequest('x', { timeoutMs: 5 }));
    expect(recorder.of(1)).toMatchObject([{ kind: 'error', error: { code: 'ERR_DEADLINE' } }]);
    expect(model.under[0]!.options.signal?.aborted).toBe(true);
  });

  it('on drain, waits for running preparations and answers their requests', async () => {
    const { engine, model, recorder } = startOn(new SlowlyPreparing());
    void engine.submit(1, chatRequest('x', { maxTokens: 2 }));
    await turn();
    const drained = engine.drain();
    await turn();
    expect(model.closed).toBe(false);
    model.under[0]!.end();
    await drained;
    expect(recorder.of(1).at(-1)).toEqual({ kind: 'done' });
    expect(model.closed).toBe(true);
  });

  it('on stop, ends running preparations, and frees the model when their thread is free', async () => {
    const { engine, model, recorder } = startOn(new SlowlyPreparing());
    void engine.submit(1, chatRequest('x'));
    await turn();
    const stopped = engine.stop();
    await turn();
    expect(recorder.of(1)).toMatchObject([{ kind: 'error', error: { code: 'ERR_DRAINING' } }]);
    expect(model.closed).toBe(false);
    model.under[0]!.end();
    await stopped;
    expect(model.closed).toBe(true);
  });

  it('keeps room for an account with no waiting request when other accounts fill the queue', async () => {
    const { engine, model, recorder } = startOn(new SlowlyPreparing({ sequences: 1 }), { queuedRequestsMax: 3 });
    for (let id = 0; id < 6; id++) void engine.submit(id, chatRequest('x', { account: 'greedy' }));
    void engine.submit(7, chatRequest('y', { account: 'other', maxTokens: 1 }));
    await turn();
    expect(recorder.of(5)).toMatchObject([{ kind: 'error', error: { code: 'ERR_QUEUE_FULL' } }]);
    expect(recorder.of(7)).toEqual([]);
    model.under[0]!.end();
    await turn();
    expect(engine.stats.preparing).toBeGreaterThan(0);
  });

  it('uses slow threads for long texts, many messages, tools and schemas, and counts tokens up to the limit', async () => {
    const { engine, model } = startOn(new SlowlyPreparing({ contextPerSequence: 100 }));
    const { input } = chatRequest('x');
    const tools = [{ type: 'function', function: { name: 'f' } }] as const;
    const many = Array.from({ length: 200 }, () => input.messages[0]!);
    const inputs = [input, { ...input, messages: many }, { ...input, tools }, { ...input, jsonSchema: '{}' }];
    for (const [index, one] of inputs.entries()) {
      void engine.submit(index, chatRequest('', { input: one }));
      await turn();
      model.under[index]!.end();
      await turn();
    }
    expect(model.under.map(({ options }) => options.isSlow)).toEqual([false, true, true, true]);
    expect(model.under[0]!.options.tokensMax).toBe(99);
  });
});

describe('the statistics of an engine', () => {
  it('count preparations while no step runs', async () => {
    const told: EngineStats[] = [];
    const { engine, model } = startOn(new SlowlyPreparing(), { emit: (_, stats) => void told.push(stats) });
    void engine.submit(1, chatRequest('x', { maxTokens: 1 }));
    while (told.at(-1)?.preparing !== 1) await turn();
    model.under[0]!.end();
    while (told.at(-1)?.preparing !== 0) await turn();
    await engine.drain();
  });

  it('count the prompt tokens that are left while steps only feed prompts, and are not emitted again without a change', async () => {
    const told: EngineStats[] = [];
    const model = new FakeModel({ sequences: 1, stepTokensMax: 64, beforeStep: async () => void (await turn()) });
    const { engine } = startOn(model, { emit: (_, stats) => void told.push(stats) });
    const [long, short] = ['x'.repeat(180), 'y'.repeat(10)].map((text) => chatRequest(text, { maxTokens: 1 }));
    await Promise.all([engine.submit(1, long!), engine.submit(2, short!)]);
    await engine.drain();
    const left = told.map(({ promptTokensLeft }) => promptTokensLeft);
    expect(left.filter((tokens, index) => tokens !== left[index - 1])).toEqual([0, 180, 126, 62, 10, 0]);
    const changes = told.filter(({ steps, ...stats }, index) => {
      const { steps: _, ...before } = told[index - 1] ?? { steps };
      return JSON.stringify(stats) !== JSON.stringify(before);
    });
    expect(changes).toHaveLength(told.length);
  });

  it('count no running request after the only running request was cancelled', async () => {
    const told: EngineStats[] = [];
    const { engine, model } = startOn(new FakeModel({ beforeStep: async () => void (await turn()) }), {
      emit: (_, stats) => void told.push(stats),
    });
    await engine.submit(1, chatRequest('endless', { maxTokens: 200 }));
    while (told.at(-1)?.running !== 1) await turn();
    engine.cancel(1);
    while (engine.stats.running > 0) await turn();
    await turn();
    expect(told.at(-1)).toMatchObject({ preparing: 0, running: 0, waiting: 0 });
    const { length } = told;
    const steps = model.steps.length;
    await turn();
    expect([told.length, model.steps.length]).toEqual([length, steps]);
  });
});
