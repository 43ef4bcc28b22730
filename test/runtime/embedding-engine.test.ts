import { afterEach, describe, expect, it, vi } from 'vitest';
import { type EmbeddingEngineOptions, startEmbeddingEngine } from '../../runtime/embedding-engine.ts';
import type { EmbeddingEngine, EmbeddingFacts, EmbeddingRequest } from '../../runtime/embedding-request.ts';
import type { EngineState } from '../../runtime/request.ts';
import { FAKE_CONTEXT, FAKE_DIMENSIONS, FAKE_TEXTS, type FakeEmbeddingData } from '../support/fake-embedding.ts';
import { patientWatch, quickRestarts } from '../support/thread-watch.ts';

const NEVER = new AbortController().signal;
const workerUrl = new URL('../support/fake-embedding-worker.ts', import.meta.url);
const engines: EmbeddingEngine[] = [];
const gates: Int32Array[] = [];

afterEach(async () => {
  for (const gate of gates.splice(0)) openGate(gate);
  await Promise.all(engines.splice(0).map((engine) => engine.drain({ signal: AbortSignal.abort() })));
});

async function start(data: FakeEmbeddingData = {}, options: Partial<EmbeddingEngineOptions> = {}) {
  const states: EngineState<EmbeddingFacts>[] = [];
  const settled = Promise.withResolvers<void>();
  const engine = startEmbeddingEngine({
    workerUrl,
    workerData: data,
    tokenizerThreads: 1,
    sessionThreads: 1,
    queuedTextsMax: 100,
    batchTokensMax: 64,
    ...{ prove: async () => undefined, watch: patientWatch, restartDelays: quickRestarts },
    ...options,
    onState(state) {
      states.push(state);
      if (state.kind !== 'loading') settled.resolve();
    },
  });
  engines.push(engine);
  await settled.promise;
  return { engine, states };
}

/** An engine whose model waits at a gate. */
async function startGated(options: Partial<EmbeddingEngineOptions> = {}) {
  const gate = new Int32Array(new SharedArrayBuffer(8));
  gates.push(gate);
  return { gate, ...(await start({ gate }, options)) };
}

function openGate(gate: Int32Array): void {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
}

/** Resolves when the model computes its first batch. */
async function whenComputing(gate: Int32Array): Promise<void> {
  const { async, value } = Atomics.waitAsync(gate, 0, 0);
  if (async) await value;
}

function request(input: EmbeddingRequest['input'], fields: Partial<EmbeddingRequest> = {}): EmbeddingRequest {
  return { input, account: 'a', truncate: false, priority: 0, timeoutMs: 60_000, ...fields };
}

async function embed(engine: EmbeddingEngine, input: EmbeddingRequest['input'], fields?: Partial<EmbeddingRequest>) {
  return await engine.embed(request(input, fields), { signal: NEVER });
}

/** Length and first token of each text, as the fake model gives them. */
function firsts(vectors: Float32Array): string[] {
  const rows = Array.from({ length: vectors.length / FAKE_DIMENSIONS }, (_, row) => row * FAKE_DIMENSIONS);
  return rows.map((at) => `${vectors[at]} ${String.fromCharCode(vectors[at + 1]!)}`);
}

const refusal = (code: string) => expect.objectContaining({ name: 'RuntimeError', code });

describe('startEmbeddingEngine', () => {
  it('reports loading, then ready with the facts of the model', async () => {
    const { states } = await start();
    expect(states).toEqual([
      { kind: 'loading', fraction: 0.5 },
      {
        kind: 'ready',
        model: {
          description: 'fake',
          device: 'nowhere',
          dimensions: FAKE_DIMENSIONS,
          contextLength: FAKE_CONTEXT,
          batching: 'padded',
          loadMs: expect.any(Number),
        },
      },
    ]);
  });

  it('says why a model cannot be loaded, and refuses work', async () => {
    const { engine, states } = await start({ failsToOpen: true });
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'the file is not a model' });
    await expect(embed(engine, ['a'])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
  });

  it('gives vectors in the order of the input, whatever the lengths, and counts the tokens', async () => {
    const { engine } = await start({}, { sessionThreads: 2, tokenizerThreads: 2 });
    const input = Array.from({ length: 40 }, (_, index) => String.fromCharCode(97 + (index % 26)).repeat(1 + index));
    const { vectors, dimensions, promptTokens } = await embed(engine, input);
    expect(dimensions).toBe(FAKE_DIMENSIONS);
    expect(firsts(vectors)).toEqual(input.map((text) => `${text.length} ${text[0]}`));
    expect(promptTokens).toBe((40 * 41) / 2);
  });

  it('takes texts and token ids side by side', async () => {
    const { engine } = await start();
    expect(firsts((await embed(engine, ['abc', [98, 97]])).vectors)).toEqual(['3 a', '2 b']);
  });

  it('computes what waits together, and counts batches and padding', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const others = [embed(engine, ['aa', 'bbb']), embed(engine, ['cccc'], { account: 'b' })];
    // Until their texts are tokenised, which nothing tells from outside: a request of another kind would come after.
    while (engine.stats.waitingTexts < 3) await new Promise(setImmediate);
    openGate(gate);
    await Promise.all([first, ...others]);
    const { texts, promptTokens, batches, paddingTokens } = engine.stats;
    expect({ texts, promptTokens }).toEqual({ texts: 4, promptTokens: 10 });
    expect(batches).toBeLessThanOrEqual(4);
    expect(paddingTokens).toBeLessThanOrEqual(3);
    expect(engine.stats.running).toBe(0);
  });

  it('refuses what is too long, with its place, its tokens and the limit', async () => {
    const { engine } = await start();
    await expect(embed(engine, ['a', 'b'.repeat(41)])).rejects.toMatchObject({
      code: 'ERR_CONTEXT_OVERFLOW',
      message: '`input[1]` has 41 tokens, the model takes 40: shorten it, or send `truncate: true`',
      details: { item: 1, counted: 41, limit: 40 },
    });
  });

  it('cuts what is too long where the request says so', async () => {
    const { engine } = await start();
    const { vectors, promptTokens } = await embed(engine, ['b'.repeat(41)], { truncate: true });
    expect(firsts(vectors)).toEqual(['40 b']);
    expect(promptTokens).toBe(40);
  });

  it('refuses token ids that the model does not have', async () => {
    const { engine } = await start();
    await expect(embed(engine, ['a', [1, 0x3000]])).rejects.toMatchObject({
      code: 'ERR_TOKEN_UNKNOWN',
      details: { item: 1, largest: 0x2fff },
    });
  });

  it('refuses a text of which nothing is left', async () => {
    const { engine } = await start();
    await expect(embed(engine, ['a', FAKE_TEXTS.empty])).rejects.toMatchObject({
      code: 'ERR_INPUT_EMPTY',
      details: { item: 1 },
    });
  });

  it('fails only the requests of a batch that fails, without their words', async () => {
    const { engine } = await start();
    const [good, bad] = await Promise.allSettled([embed(engine, ['g'.repeat(30)]), embed(engine, [FAKE_TEXTS.fails])]);
    expect(good.status).toBe('fulfilled');
    expect(bad).toEqual({ status: 'rejected', reason: refusal('ERR_INTERNAL') });
    expect((bad as PromiseRejectedResult).reason.message).not.toContain('secret');
    expect(firsts((await embed(engine, ['again'])).vectors)).toEqual(['5 a']);
  });

  it('fails only the request that is at fault where a batch holds texts of several', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const accounts = ['b', 'c', 'd'].map((account) => embed(engine, [account, account], { account }));
    const bad = embed(engine, [FAKE_TEXTS.fails]);
    const outcomes = Promise.allSettled([bad, ...accounts]);
    while (engine.stats.waitingTexts < 7) await new Promise(setImmediate);
    openGate(gate);
    await first;
    const [failed, ...others] = await outcomes;
    expect(failed).toEqual({ status: 'rejected', reason: refusal('ERR_INTERNAL') });
    expect(others.map((one) => one.status === 'fulfilled' && firsts(one.value.vectors))).toEqual([
      ['1 b', '1 b'],
      ['1 c', '1 c'],
      ['1 d', '1 d'],
    ]);
    expect(engine.stats).toMatchObject({ running: 0, waitingTexts: 0, texts: 7 });
  });

  it('fails a request whose vector holds no numbers, and not its neighbour in the batch', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const both = Promise.allSettled([embed(engine, ['gg']), embed(engine, [`${FAKE_TEXTS.nan}a`], { account: 'b' })]);
    while (engine.stats.waitingTexts < 2) await new Promise(setImmediate);
    openGate(gate);
    await first;
    const [good, bad] = await both;
    expect(good).toMatchObject({ status: 'fulfilled' });
    expect(bad).toEqual({ status: 'rejected', reason: refusal('ERR_INTERNAL') });
  });

  it('gives the only batch there is to the model that has every core, and others to the models that share them', async () => {
    const computed = new Int32Array(new SharedArrayBuffer(8));
    const { engine } = await start({ computed }, { sessionThreads: 2 });
    await embed(engine, ['one', 'two']);
    expect([...computed]).toEqual([0, 1]);
    // Four batches: none of them is the only one but, perhaps, the last.
    await embed(
      engine,
      Array.from({ length: 4 }, () => 'x'.repeat(40)),
    );
    expect(computed[0]).toBeGreaterThanOrEqual(3);
    expect(computed[0]! + computed[1]!).toBe(5);
  });

  it('hands over few texts at a time to a model that computes them one by one, and counts no padding', async () => {
    const { engine } = await start({ batching: 'none' }, { batchTokensMax: 1000 });
    await embed(engine, [...new Array<string>(7).fill('x'.repeat(40)), 'z'.repeat(35)]);
    expect(engine.stats).toMatchObject({ texts: 8, batches: 2, paddingTokens: 0 });
  });

  it('loads again after a thread was lost, proving what it loads, and then goes on', async () => {
    let proofs = 0;
    const { engine, states } = await start({}, { prove: async () => void proofs++ });
    await expect(embed(engine, [FAKE_TEXTS.dies])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    await expect(embed(engine, ['meanwhile'])).rejects.toEqual(refusal('ERR_NOT_READY'));
    await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
    expect(proofs).toBe(1);
    expect(firsts((await embed(engine, ['again'])).vectors)).toEqual(['5 a']);
  });

  it('computes nothing more where the files are no longer what was proven', async () => {
    const prove = () => Promise.reject(new Error('the weights were changed'));
    const { engine, states } = await start({}, { prove, sessionThreads: 2 });
    const texts = [FAKE_TEXTS.dies, ...Array.from({ length: 8 }, () => 'w'.repeat(40))];
    const answers = await Promise.allSettled(texts.map((text) => embed(engine, [text])));
    expect(answers[0]).toEqual({ status: 'rejected', reason: refusal('ERR_ENGINE_LOST') });
    await vi.waitFor(() => expect(states.at(-1)).toEqual({ kind: 'failed', message: 'the weights were changed' }));
    await expect(embed(engine, ['more'])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    expect(engine.stats.running).toBe(0);
  });

  it('pauses longer before each restart of threads that are lost in a row', async () => {
    const { engine, states } = await start({}, { restartDelays: { firstMs: 1, longestMs: 4, steadyMs: 60_000 } });
    for (let loss = 0; loss < 4; loss++) {
      await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
      await expect(embed(engine, [FAKE_TEXTS.dies])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    }
    await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
    const pauses = states.flatMap((state) => (state.kind === 'loading' && state.loss ? [state.loss.restartMs] : []));
    expect(pauses).toEqual([1, 2, 4, 4]);
    expect(engine.health.losses).toBe(4);
  });

  it('replaces a thread whose batch does not complete in time, and fails its texts', async () => {
    const gate = new Int32Array(new SharedArrayBuffer(8));
    gates.push(gate);
    const watch = { ...patientWatch, stepTimeoutMs: 200 };
    const { engine, states } = await start({ gate, takesText: false }, { watch });
    await expect(embed(engine, ['hangs'])).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    expect(states.at(-1)).toMatchObject({ kind: 'loading', loss: { reason: 'a task made no progress in time' } });
    openGate(gate);
    await vi.waitFor(() => expect(states.at(-1)!.kind).toBe('ready'));
    expect(firsts((await embed(engine, ['again'])).vectors)).toEqual(['5 a']);
  });

  it('drops what has not started when its caller leaves', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const leaving = new AbortController();
    const dropped = engine.embed(request(['y'.repeat(20), 'z']), { signal: leaving.signal });
    expect(engine.stats.waitingTexts).toBe(2);
    leaving.abort();
    await expect(dropped).rejects.toEqual(refusal('ERR_CANCELLED'));
    expect(engine.stats).toMatchObject({ waitingTexts: 0, running: 1 });
    openGate(gate);
    await first;
    expect(engine.stats).toMatchObject({ texts: 1, batches: 1, running: 0 });
  });

  it('goes on when the caller of a text that is being tokenised leaves', async () => {
    const tokenizerGate = new Int32Array(new SharedArrayBuffer(8));
    gates.push(tokenizerGate);
    const { engine } = await start({ tokenizerGate });
    const leaving = new AbortController();
    const dropped = engine.embed(request(['x']), { signal: leaving.signal });
    const other = embed(engine, ['other']);
    await whenComputing(tokenizerGate);
    leaving.abort();
    await expect(dropped).rejects.toEqual(refusal('ERR_CANCELLED'));
    openGate(tokenizerGate);
    expect(firsts((await other).vectors)).toEqual(['5 o']);
  });

  it('ends a request that ran out of time', async () => {
    const { engine, gate } = await startGated();
    await expect(embed(engine, ['x'], { timeoutMs: 20 })).rejects.toEqual(refusal('ERR_DEADLINE'));
    openGate(gate);
  });

  it('refuses what does not fit the queue', async () => {
    const { engine, gate } = await startGated({ queuedTextsMax: 4 });
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const waiting = embed(engine, ['a', 'b']);
    // Four would fit, but one account may not fill the queue behind itself.
    await expect(embed(engine, ['c', 'd'])).rejects.toEqual(refusal('ERR_QUEUE_FULL'));
    const other = embed(engine, ['e', 'f'], { account: 'b' });
    await expect(embed(engine, ['g'], { account: 'c' })).rejects.toEqual(refusal('ERR_QUEUE_FULL'));
    openGate(gate);
    await Promise.all([first, waiting, other]);
  });

  it('does not let an account that asks for little wait for one that asks for much', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x'], { account: 'much' });
    await whenComputing(gate);
    // Each text is a batch of its own.
    const much = embed(
      engine,
      Array.from({ length: 40 }, () => 'm'.repeat(40)),
      { account: 'much' },
    );
    const little = embed(engine, ['l'.repeat(40)], { account: 'little' });
    while (engine.stats.waitingTexts < 41) await new Promise(setImmediate);
    openGate(gate);
    await little;
    expect(engine.stats.texts).toBeLessThan(20);
    await Promise.all([first, much]);
  });

  it('finishes accepted work when it drains, and refuses more', async () => {
    const { engine, gate } = await startGated();
    const running = embed(engine, ['x', 'y'.repeat(30)]);
    await whenComputing(gate);
    const drained = engine.drain({ signal: NEVER });
    await expect(embed(engine, ['z'])).rejects.toEqual(refusal('ERR_DRAINING'));
    openGate(gate);
    expect(firsts((await running).vectors)).toEqual(['1 x', '30 y']);
    await drained;
  });

  it('ends accepted work when draining takes too long', async () => {
    const { engine, gate } = await startGated();
    const running = embed(engine, ['x', 'y'.repeat(30)]);
    await whenComputing(gate);
    const stop = new AbortController();
    const drained = engine.drain({ signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toEqual(refusal('ERR_DRAINING'));
    openGate(gate);
    await drained;
  });
});
