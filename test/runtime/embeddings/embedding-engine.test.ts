import { afterEach, describe, expect, it } from 'vitest';
import { fakeContext, fakeDimensions, fakeTexts } from '../../support/models/fake-embedding.ts';
import {
  embed,
  embeddingRequest,
  endEngines,
  firsts,
  makeGate,
  never,
  openGate,
  refusal,
  startEngine,
  startGated,
  whenComputing,
} from '../../support/runtime/embedding-engines.ts';

afterEach(endEngines);

describe('startEmbeddingEngine', () => {
  it('reports loading, then ready with the facts of the model', async () => {
    const { states } = await startEngine();
    expect(states).toEqual([
      { kind: 'loading', fraction: 0.5 },
      {
        kind: 'ready',
        model: {
          description: 'fake',
          device: 'nowhere',
          dimensions: fakeDimensions,
          contextLength: fakeContext,
          batching: 'padded',
          loadMs: expect.any(Number),
        },
      },
    ]);
  });

  it('returns vectors in the order of the input for any lengths, and counts the tokens', async () => {
    const { engine } = await startEngine({}, { sessionThreads: 2, tokenizerThreads: 2 });
    const input = Array.from({ length: 40 }, (_, index) => String.fromCharCode(97 + (index % 26)).repeat(1 + index));
    const { vectors, dimensions, promptTokens } = await embed(engine, input);
    expect(dimensions).toBe(fakeDimensions);
    expect(firsts(vectors)).toEqual(input.map((text) => `${text.length} ${text[0]}`));
    expect(promptTokens).toBe((40 * 41) / 2);
  });

  it('accepts texts and token ids in one request', async () => {
    const { engine } = await startEngine();
    expect(firsts((await embed(engine, ['abc', [98, 97]])).vectors)).toEqual(['3 a', '2 b']);
  });

  it('batches waiting texts, and counts batches and padding', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const others = [embed(engine, ['aa', 'bbb']), embed(engine, ['cccc'], { account: 'b' })];
    // Until the texts are tokenized, which cannot be observed from outside: a request of another kind would arrive later.
    while (engine.stats.waitingTexts < 3) await new Promise(setImmediate);
    openGate(gate);
    await Promise.all([first, ...others]);
    const { texts, promptTokens, batches, paddingTokens } = engine.stats;
    expect({ texts, promptTokens }).toEqual({ texts: 4, promptTokens: 10 });
    expect(batches).toBeLessThanOrEqual(4);
    expect(paddingTokens).toBeLessThanOrEqual(3);
    expect(engine.stats.running).toBe(0);
  });

  it('refuses an item that is too long, and reports its index, its tokens and the limit', async () => {
    const { engine } = await startEngine();
    await expect(embed(engine, ['a', 'b'.repeat(41)])).rejects.toMatchObject({
      code: 'ERR_CONTEXT_OVERFLOW',
      message: '`input[1]` has 41 tokens, the model takes 40: shorten it, or send `truncate: true`',
      details: { item: 1, counted: 41, limit: 40 },
    });
  });

  it('truncates items that are too long if the request sets `truncate`', async () => {
    const { engine } = await startEngine();
    const { vectors, promptTokens } = await embed(engine, ['b'.repeat(41)], { truncate: true });
    expect(firsts(vectors)).toEqual(['40 b']);
    expect(promptTokens).toBe(40);
  });

  it('refuses token ids that are not in the vocabulary', async () => {
    const { engine } = await startEngine();
    await expect(embed(engine, ['a', [1, 0x3000]])).rejects.toMatchObject({
      code: 'ERR_TOKEN_UNKNOWN',
      details: { item: 1, largest: 0x2fff },
    });
  });

  it('refuses a text without tokens', async () => {
    const { engine } = await startEngine();
    await expect(embed(engine, ['a', fakeTexts.empty])).rejects.toMatchObject({
      code: 'ERR_INPUT_EMPTY',
      details: { item: 1 },
    });
  });

  it('fails only the requests of a failed batch, with errors that contain no request text', async () => {
    const { engine } = await startEngine();
    const [good, bad] = await Promise.allSettled([embed(engine, ['g'.repeat(30)]), embed(engine, [fakeTexts.fails])]);
    expect(good.status).toBe('fulfilled');
    expect(bad).toEqual({ status: 'rejected', reason: refusal('ERR_INTERNAL') });
    expect((bad as PromiseRejectedResult).reason.message).not.toContain('secret');
    expect(firsts((await embed(engine, ['again'])).vectors)).toEqual(['5 a']);
  });

  it('fails only the faulty request of a batch with texts of several requests', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const accounts = ['b', 'c', 'd'].map((account) => embed(engine, [account, account], { account }));
    const bad = embed(engine, [fakeTexts.fails]);
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

  it('fails a request whose vector has non-finite values, and not other requests in the batch', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const both = Promise.allSettled([embed(engine, ['gg']), embed(engine, [`${fakeTexts.nan}a`], { account: 'b' })]);
    while (engine.stats.waitingTexts < 2) await new Promise(setImmediate);
    openGate(gate);
    await first;
    const [good, bad] = await both;
    expect(good).toMatchObject({ status: 'fulfilled' });
    expect(bad).toEqual({ status: 'rejected', reason: refusal('ERR_INTERNAL') });
  });

  it('runs a single batch on the model that uses every core, and several batches on the models that share the cores', async () => {
    const computed = new Int32Array(new SharedArrayBuffer(8));
    const { engine } = await startEngine({ computed }, { sessionThreads: 2 });
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

  it('sends small batches to a model that computes texts one by one, and counts no padding', async () => {
    const { engine } = await startEngine({ batching: 'none' }, { batchTokensMax: 1000 });
    await embed(engine, [...new Array<string>(7).fill('x'.repeat(40)), 'z'.repeat(35)]);
    expect(engine.stats).toMatchObject({ texts: 8, batches: 2, paddingTokens: 0 });
  });

  it('removes texts that have not started when their caller disconnects', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const leaving = new AbortController();
    const dropped = engine.embed(embeddingRequest(['y'.repeat(20), 'z']), { signal: leaving.signal });
    expect(engine.stats.waitingTexts).toBe(2);
    leaving.abort();
    await expect(dropped).rejects.toEqual(refusal('ERR_CANCELLED'));
    expect(engine.stats).toMatchObject({ waitingTexts: 0, running: 1 });
    openGate(gate);
    await first;
    expect(engine.stats).toMatchObject({ texts: 1, batches: 1, running: 0 });
  });

  it('continues when the caller of a text that is being tokenized disconnects', async () => {
    const tokenizerGate = makeGate();
    const { engine } = await startEngine({ tokenizerGate });
    const leaving = new AbortController();
    const dropped = engine.embed(embeddingRequest(['x']), { signal: leaving.signal });
    const other = embed(engine, ['other']);
    await whenComputing(tokenizerGate);
    leaving.abort();
    await expect(dropped).rejects.toEqual(refusal('ERR_CANCELLED'));
    openGate(tokenizerGate);
    expect(firsts((await other).vectors)).toEqual(['5 o']);
  });

  it('ends a request at its deadline', async () => {
    const { engine, gate } = await startGated();
    await expect(embed(engine, ['x'], { timeoutMs: 20 })).rejects.toEqual(refusal('ERR_DEADLINE'));
    openGate(gate);
  });

  it('refuses requests that exceed the queue', async () => {
    const { engine, gate } = await startGated({ queuedTextsMax: 4 });
    const first = embed(engine, ['x']);
    await whenComputing(gate);
    const waiting = embed(engine, ['a', 'b']);
    // Four would fit, but one account may not fill the whole queue.
    await expect(embed(engine, ['c', 'd'])).rejects.toEqual(refusal('ERR_QUEUE_FULL'));
    const other = embed(engine, ['e', 'f'], { account: 'b' });
    await expect(embed(engine, ['g'], { account: 'c' })).rejects.toEqual(refusal('ERR_QUEUE_FULL'));
    openGate(gate);
    await Promise.all([first, waiting, other]);
  });

  it('does not delay an account with few texts behind an account with many', async () => {
    const { engine, gate } = await startGated();
    const first = embed(engine, ['x'], { account: 'much' });
    await whenComputing(gate);
    // Each text forms a batch alone.
    const much = embed(
      engine,
      Array.from({ length: 40 }, () => 'm'.repeat(40)),
      { account: 'much' },
    );
    const little = embed(engine, ['l'.repeat(40)], { account: 'little' });
    while (engine.stats.waitingTexts < 41) await new Promise(setImmediate);
    openGate(gate);
    expect(await Promise.race([little.then(() => 'little'), much.then(() => 'much')])).toBe('little');
    await Promise.all([first, much]);
  });

  it('finishes accepted work when it drains, and refuses more', async () => {
    const { engine, gate } = await startGated();
    const running = embed(engine, ['x', 'y'.repeat(30)]);
    await whenComputing(gate);
    const drained = engine.drain({ signal: never });
    await expect(embed(engine, ['z'])).rejects.toEqual(refusal('ERR_DRAINING'));
    openGate(gate);
    expect(firsts((await running).vectors)).toEqual(['1 x', '30 y']);
    await drained;
  });

  it('ends accepted work when the drain signal aborts', async () => {
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
