/** A single short text on an idle engine is tokenized and computed by one thread. */
import { afterEach, describe, expect, it } from 'vitest';
import { type EmbeddingEngineOptions, startEmbeddingEngine } from '../../../runtime/embeddings/embedding-engine.ts';
import type { EmbeddingEngine, EmbeddingRequest } from '../../../runtime/embeddings/embedding-request.ts';
import { type FakeEmbeddingData, fakeContext, fakeDimensions, fakeTexts } from '../../support/models/fake-embedding.ts';
import { patientWatch } from '../../support/runtime/thread-watch.ts';

const workerUrl = new URL('../../support/runtime/fake-embedding-worker.ts', import.meta.url);
const engines: EmbeddingEngine[] = [];
const gates: Int32Array[] = [];

afterEach(async () => {
  for (const gate of gates.splice(0)) open(gate);
  await Promise.all(engines.splice(0).map((engine) => engine.drain({ signal: AbortSignal.abort() })));
});

function shared(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT));
}

async function start(data: FakeEmbeddingData = {}, options: Partial<EmbeddingEngineOptions> = {}) {
  const tokenized = shared(2);
  const computed = shared(2);
  const ready = Promise.withResolvers<void>();
  const engine = startEmbeddingEngine({
    ...{ workerUrl, workerData: { ...data, tokenized, computed } },
    ...{ tokenizerThreads: 1, sessionThreads: 1, queuedTextsMax: 100, batchTokensMax: 64 },
    ...{ verifyWeights: async () => undefined, watch: patientWatch },
    ...options,
    onState: ({ kind }) => kind === 'ready' && ready.resolve(),
  });
  engines.push(engine);
  await ready.promise;
  return { engine, tokenized, computed };
}

function open(gate: Int32Array): void {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
}

function embed(
  engine: EmbeddingEngine,
  input: EmbeddingRequest['input'],
  { signal = new AbortController().signal } = {},
) {
  return engine.embed({ input, account: 'a', truncate: false, priority: 0, timeoutMs: 60_000 }, { signal });
}

describe('a single short text on an idle engine', () => {
  it('is tokenized by the thread that computes it, and is counted like any other text', async () => {
    const { engine, tokenized } = await start();
    const { vectors, promptTokens } = await embed(engine, ['abc']);
    expect([...vectors.subarray(0, fakeDimensions)]).toEqual([3, 97, 1]);
    expect(promptTokens).toBe(3);
    expect([...tokenized]).toEqual([0, 1]);
    expect(engine.stats).toMatchObject({ texts: 1, promptTokens: 3, batches: 1, waitingTexts: 0 });
  });

  it('is computed by the model that uses every core', async () => {
    const { engine, computed } = await start({}, { sessionThreads: 2 });
    await embed(engine, ['abc']);
    expect([...computed]).toEqual([0, 1]);
  });

  it('is computed by one of several threads if many arrive at once and are computed one by one', async () => {
    const { engine, computed } = await start({ batching: 'none' }, { sessionThreads: 2, batchTokensMax: 1000 });
    await embed(engine, new Array<string>(8).fill('x'.repeat(16)));
    expect([...computed]).toEqual([2, 0]);
    await embed(engine, ['ab', 'cd']);
    expect([...computed]).toEqual([2, 1]);
  });

  it('is computed by the only model thread if the model distributes batches over the cores itself', async () => {
    const { engine, computed } = await start({ batching: 'packed' }, { sessionThreads: 2, batchTokensMax: 64 });
    await embed(engine, new Array<string>(8).fill('x'.repeat(16)));
    expect([...computed]).toEqual([0, 2]);
    await embed(engine, ['ab']);
    expect([...computed]).toEqual([0, 3]);
  });

  it('is queued if it is long, not alone in its request, or the model has no tokenizer', async () => {
    const { engine, tokenized } = await start();
    await embed(engine, ['ab', 'cd']);
    await expect(embed(engine, ['x'.repeat(5000)])).rejects.toMatchObject({ code: 'ERR_CONTEXT_OVERFLOW' });
    expect([...tokenized]).toEqual([3, 0]);
    const without = await start({ takesText: false });
    await embed(without.engine, ['abc']);
    expect([...without.tokenized]).toEqual([1, 0]);
  });

  it('is queued while another text is computed', async () => {
    const gate = shared(2);
    gates.push(gate);
    const { engine, tokenized } = await start({ gate });
    const first = embed(engine, ['abc']);
    const { async, value } = Atomics.waitAsync(gate, 0, 0);
    if (async) await value;
    const second = embed(engine, ['de']);
    while (Atomics.load(tokenized, 0) < 1) await new Promise(setImmediate);
    open(gate);
    await Promise.all([first, second]);
    expect([...tokenized]).toEqual([1, 1]);
  });

  it('is refused with the same error as a queued text', async () => {
    const { engine, tokenized } = await start();
    await expect(embed(engine, [fakeTexts.empty])).rejects.toMatchObject({ code: 'ERR_INPUT_EMPTY' });
    await expect(embed(engine, [[0x3000]])).rejects.toMatchObject({ code: 'ERR_TOKEN_UNKNOWN' });
    await expect(embed(engine, ['x'.repeat(fakeContext + 1)])).rejects.toMatchObject({
      code: 'ERR_CONTEXT_OVERFLOW',
      details: { item: 0, limit: fakeContext, counted: fakeContext + 1 },
    });
    await expect(embed(engine, [fakeTexts.fails])).rejects.toMatchObject({ code: 'ERR_INTERNAL' });
    expect(tokenized[0]).toBe(0);
  });

  it('frees the thread for others when its caller disconnects', async () => {
    const gate = shared(2);
    gates.push(gate);
    const { engine } = await start({ gate });
    const left = new AbortController();
    const first = embed(engine, ['abc'], left);
    const { async, value } = Atomics.waitAsync(gate, 0, 0);
    if (async) await value;
    left.abort();
    await expect(first).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    const second = embed(engine, ['de']);
    open(gate);
    expect((await second).promptTokens).toBe(2);
  });
});
