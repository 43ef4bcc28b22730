import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadLlamaText } from '../../../models/gguf/llama-text.ts';
import type { Step, TextModel } from '../../../models/interface/model.ts';
import { runCanary } from '../../../runtime/chat/canary.ts';
import { Engine } from '../../../runtime/chat/engine.ts';
import type { RequestEvent } from '../../../runtime/chat/worker-messages.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import { FakeModel } from '../../support/runtime/fake-model.ts';

function startEngine(model: TextModel) {
  let onDone = () => {};
  let text = '';
  const emit = (events: readonly RequestEvent[]) => {
    for (const { event } of events) {
      if (event.kind === 'delta') text += event.content;
      if (event.kind === 'done') onDone();
    }
  };
  const limits = { queuedRequestsMax: 4, prefixCacheBytes: 0, promptLookup: 'off' } as const;
  const engine = new Engine({ model, ...limits, emit, now: () => performance.now() });
  let ids = 0;
  const answer = async (prompt: string, maxTokens = 8) => {
    text = '';
    const done = new Promise<void>((resolve) => {
      onDone = resolve;
    });
    void engine.submit(++ids, chatRequest(prompt, { maxTokens }));
    await done;
    return text;
  };
  return { engine, answer };
}

describe('a canary of an idle engine', () => {
  it('computes one token on an empty sequence and trims it', async () => {
    const model = new FakeModel();
    const { engine } = startEngine(model);
    await engine.canary();
    expect(model.steps).toMatchObject([
      { operations: [], rows: [{ sequence: 0, position: 0, sample: false }] },
      { operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] },
    ]);
    await engine.drain();
  });

  it('keeps the contents of all sequences if none is empty', async () => {
    const model = new FakeModel({ sequences: 1 });
    const { engine, answer } = startEngine(model);
    const first = await answer('hello, this is a prompt that is worth keeping');
    await engine.canary();
    expect(model.steps.at(-2)).toMatchObject({ rows: [{ sequence: 0, position: 52 }] });
    expect(await answer('hello, this is a prompt that is worth keeping')).toBe(first);
    expect(engine.stats.cachedPromptTokens).toBeGreaterThan(30);
    await engine.drain();
  });

  it('runs a step without rows if no sequence can be trimmed', async () => {
    const model = new FakeModel({ sequences: 1, canTrim: false });
    const { engine, answer } = startEngine(model);
    await answer('hello');
    await engine.canary();
    expect(model.steps.at(-1)).toEqual({ operations: [], rows: [] });
    await engine.drain();
  });

  it('rejects with the error of its step, and the next canary can succeed', async () => {
    let isBroken = true;
    const beforeStep = ({ rows }: Step) => {
      if (isBroken && rows.length > 0) throw new Error('the device is gone');
    };
    const { engine, answer } = startEngine(new FakeModel({ beforeStep }));
    await expect(engine.canary()).rejects.toThrow('the device is gone');
    isBroken = false;
    await engine.canary();
    expect(await answer('hello')).toHaveLength(8);
    await engine.drain();
  });
});

it('a canary of a busy engine resolves with a regular step', async () => {
  let canary: Promise<void> | undefined;
  const model = new FakeModel({
    beforeStep: ({ rows }) => {
      if (rows[0]?.position === 12) canary = engine.canary();
    },
  });
  const { engine, answer } = startEngine(model);
  await answer('hello', 32);
  await canary;
  expect(canary).toBeDefined();
  expect(model.steps.flatMap(({ rows }) => rows).every(({ sample }) => sample)).toBe(true);
  await engine.drain();
});

describe('a canary of the demo model', () => {
  let model: TextModel;
  const modelPath = fileURLToPath(new URL('../../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));
  beforeAll(async () => {
    const options = { modelPath, sequences: 2, contextPerSequence: 256, batchTokens: 64, threads: 1, gpu: 'off' };
    model = await loadLlamaText(options as Parameters<typeof loadLlamaText>[0]);
  });
  afterAll(() => model.close());

  it('does not change the next answer', async () => {
    const prepared = await model.prepareChat(chatRequest('What is 7 plus 5?').input);
    const draw = async () => {
      const { tokens } = prepared;
      model.beginSampling(0, chatRequest('x').sampling, prepared);
      const row = { sequence: 0, position: 0, tokens, sample: true };
      const trim = { kind: 'trim', sequence: 0, from: 0 } as const;
      return (await model.step({ operations: [trim], rows: [row] })).tokens[0];
    };
    const token = await draw();
    await runCanary(model, { sequence: 1, length: 0 });
    await runCanary(model, { sequence: 0, length: prepared.tokens.length });
    await runCanary(model, undefined);
    const row = { sequence: 0, position: prepared.tokens.length, tokens: Int32Array.of(token!), sample: true };
    expect((await model.step({ operations: [], rows: [row] })).tokens).toHaveLength(1);
    expect(await draw()).toBe(token);
  });
});
