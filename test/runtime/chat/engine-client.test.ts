import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type EngineClientOptions, startEngine } from '../../../runtime/chat/engine-client.ts';
import type { ChatEngine, ChatEvent, ModelFacts } from '../../../runtime/chat/request.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';
import type { FakeEngineWorkerData } from '../../support/runtime/fake-engine-worker.ts';
import { patientWatch, quickRestarts } from '../../support/runtime/thread-watch.ts';

const never = new AbortController().signal;
const workerUrl = new URL('../../support/runtime/fake-engine-worker.ts', import.meta.url);

function start(workerData: FakeEngineWorkerData = {}, options: Partial<EngineClientOptions> = {}) {
  const states: EngineState<ModelFacts>[] = [];
  let onChange = () => {};
  const engine = startEngine({
    workerUrl,
    workerData,
    ...{ verifyWeights: async () => undefined, watch: patientWatch, restartDelays: quickRestarts },
    ...options,
    onState(state) {
      states.push(state);
      onChange();
    },
  });
  const reached = async (kind: EngineState<ModelFacts>['kind'], times = 1) => {
    while (states.filter((state) => state.kind === kind).length < times) {
      await new Promise<void>((resolve) => {
        onChange = resolve;
      });
    }
  };
  return { engine, states, reached };
}

async function text(engine: ChatEngine, prompt: string, maxTokens = 8): Promise<string> {
  let content = '';
  for await (const event of engine.chat(chatRequest(prompt, { maxTokens }), { signal: never })) {
    if (event.kind === 'delta') content += event.content;
  }
  return content;
}

describe('startEngine', () => {
  it('reports loading, then ready with the facts of the model', async () => {
    const { engine, states, reached } = start();
    expect(() => engine.chat(chatRequest('early'), { signal: never })).toThrow(/still loading/);
    await reached('ready');
    expect(states).toMatchObject([
      { kind: 'loading', fraction: 0.5 },
      { kind: 'ready', model: { architecture: 'fake' } },
    ]);
    await engine.drain({ signal: never });
  });

  it('sends a request to the engine and returns its events', async () => {
    const { engine, reached } = start();
    await reached('ready');
    expect(await text(engine, 'hello')).toMatch(/^[a-z]{8}$/);
    expect(engine.stats).toMatchObject({ promptTokens: 5, completionTokens: 8 });
    await engine.drain({ signal: never });
  });

  it('counts the tokens of a prompt without computing an answer', async () => {
    const { engine, reached } = start();
    await reached('ready');
    const { input, account, priority, timeoutMs } = chatRequest('hello');
    expect(await engine.countPrompt({ input, account, priority, timeoutMs }, { signal: never })).toBe(5);
    const prompt = { text: 'Grüß', addsSpecialTokens: true };
    const tokens = await engine.tokenize({ input: prompt, account, priority, timeoutMs }, { signal: never });
    expect(tokens).toEqual([...new TextEncoder().encode('Grüß')]);
    const shown = { input: { tokens }, account, priority, timeoutMs };
    expect(await engine.detokenize(shown, { signal: never })).toBe('Grüß');
    expect(engine.stats).toMatchObject({ promptTokens: 0, completionTokens: 0, running: 0, waiting: 0 });
    await engine.drain({ signal: never });
  });

  it('cancels when the signal aborts, and when the consumer leaves', async () => {
    const { engine, reached } = start();
    await reached('ready');
    const abort = new AbortController();
    const endless = chatRequest('endless', { maxTokens: 200 });
    const events = engine.chat(endless, { signal: abort.signal })[Symbol.asyncIterator]();
    expect(await events.next()).toMatchObject({ value: { kind: 'started' } });
    abort.abort();
    await expect(async () => {
      for (let next = await events.next(); !next.done; next = await events.next());
    }).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    for await (const event of engine.chat(endless, { signal: never })) if (event.kind === 'delta') break;
    await text(engine, 'next', 1);
    expect(engine.stats.running).toBe(0);
    await engine.drain({ signal: never });
  });

  it('reports why a model cannot be loaded, and does not retry', async () => {
    const { engine, states, reached } = start({ loadError: 'no such tensor' });
    await reached('failed');
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'no such tensor' });
    expect(() => engine.chat(chatRequest('x'), { signal: never })).toThrow(/not available/);
  });

  it('fails running requests when its thread is lost, then recovers', async () => {
    const { engine, reached } = start({ crashOn: 'crash' });
    await reached('ready');
    await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('ready', 2);
    expect(await text(engine, 'hello')).toHaveLength(8);
    await engine.drain({ signal: never });
  });

  it('does not reload a model whose files fail verification, and fails waiting pins', async () => {
    const verifyWeights = () => Promise.reject(new Error('the weights were changed'));
    const { engine, states, reached } = start({ crashOn: 'crash' }, { verifyWeights });
    await reached('ready');
    await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('loading', 2);
    const pin = engine.pinPrefix([{ role: 'system', content: 'an agent of some kind' }]);
    await expect(pin).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'the weights were changed' });
    expect(states.filter(({ kind }) => kind === 'ready')).toHaveLength(1);
  });

  it('starts one replacement for a thread lost to an error', async () => {
    const { engine, states, reached } = start({ faultOn: 'fault' });
    await reached('ready');
    await expect(text(engine, 'fault')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('ready', 2);
    const lost = states.filter((state) => state.kind === 'loading' && state.fraction === 0);
    expect(lost).toHaveLength(1);
    await engine.drain({ signal: never });
  });

  it('reports when a lost thread restarts, and pauses longer after each consecutive loss', async () => {
    const restartDelays = { firstMs: 1, longestMs: 4, steadyMs: 60_000 };
    const { engine, states, reached } = start({ crashOn: 'crash' }, { restartDelays });
    for (let loss = 1; loss <= 4; loss++) {
      await reached('ready', loss);
      await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    }
    await reached('ready', 5);
    const losses = states.flatMap((state) => (state.kind === 'loading' && state.loss ? [state.loss] : []));
    expect(losses.map(({ restartMs }) => restartMs)).toEqual([1, 2, 4, 4]);
    expect(losses[0]!.reason).toBe('the engine thread ended');
    expect(engine.health.losses).toBe(4);
    await engine.drain({ signal: never });
  });

  it('counts a loss as the first one after the thread served for a while', async () => {
    const { engine, states, reached } = start(
      { crashOn: 'crash' },
      { restartDelays: { firstMs: 1, longestMs: 1_000, steadyMs: 0 } },
    );
    for (let loss = 1; loss <= 3; loss++) {
      await reached('ready', loss);
      await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    }
    await reached('ready', 4);
    const pauses = states.flatMap((state) => (state.kind === 'loading' && state.loss ? [state.loss.restartMs] : []));
    expect(pauses).toEqual([1, 1, 1]);
    await engine.drain({ signal: never });
  });

  it('backs off while its thread crashes at every start, refuses requests meanwhile, and recovers', async () => {
    const loads = new Int32Array(new SharedArrayBuffer(4));
    const dyingLoads = [2, 3, 4, 5, 6];
    const restartDelays = { firstMs: 1, longestMs: 8, steadyMs: 60_000 };
    const { engine, states, reached } = start({ crashOn: 'crash', loads, dyingLoads }, { restartDelays });
    await reached('ready');
    await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    expect(() => engine.chat(chatRequest('early'), { signal: never })).toThrow(
      expect.objectContaining({ code: 'ERR_NOT_READY', details: { retryAfterSeconds: 31 } }),
    );
    await reached('ready', 2);
    const pauses = states.flatMap((state) => (state.kind === 'loading' && state.loss ? [state.loss.restartMs] : []));
    expect(pauses).toEqual([1, 2, 4, 8, 8, 8]);
    expect(loads[0]).toBe(7);
    expect(await text(engine, 'hello')).toHaveLength(8);
    await engine.drain({ signal: never });
  });

  it('retries a failed load if the model was ready before', async () => {
    const loads = new Int32Array(new SharedArrayBuffer(4));
    const { engine, states, reached } = start({ crashOn: 'crash', loads, failingLoads: [2, 3] });
    await reached('ready');
    await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('ready', 2);
    const reasons = states.flatMap((state) => (state.kind === 'loading' && state.loss ? [state.loss.reason] : []));
    expect(reasons).toEqual(['the engine thread ended', 'no memory is free', 'no memory is free']);
    await engine.drain({ signal: never });
  });

  it('fails a model that was never ready after three losses', async () => {
    const loads = new Int32Array(new SharedArrayBuffer(4));
    const { states, reached } = start({ loads, dyingLoads: [1, 2, 3, 4] });
    await reached('failed');
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'the engine was lost 4 times: the engine thread ended' });
    expect(loads[0]).toBe(4);
  });

  it('drains without waiting for the pause before a restart', async () => {
    const restartDelays = { firstMs: 3_600_000, longestMs: 3_600_000, steadyMs: 0 };
    const { engine, reached } = start({ crashOn: 'crash' }, { restartDelays });
    await reached('ready');
    await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('loading', 2);
    await engine.drain({ signal: never });
    expect(engine.state).toEqual({ kind: 'draining' });
  });

  const quickWatch = { stepTimeoutMs: 400, probeMs: 40, endTimeoutMs: 30_000, onStuck: patientWatch.onStuck };

  it('replaces a thread whose step hangs, and fails its requests', async () => {
    const { engine, states, reached } = start({ hangOn: 'hang' }, { watch: quickWatch });
    await reached('ready');
    await expect(text(engine, 'hang')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('ready', 2);
    expect(states).toContainEqual(
      expect.objectContaining({ loss: { reason: 'a step did not complete in time', restartMs: 1 } }),
    );
    expect(await text(engine, 'hello')).toHaveLength(8);
    expect(engine.health.losses).toBe(1);
    expect(engine.health.stalledMs).toBeLessThan(quickWatch.stepTimeoutMs);
    await engine.drain({ signal: never });
  });

  it('replaces a thread if all its steps fail', async () => {
    const { engine, reached } = start({ failOn: 'fail' }, { watch: quickWatch });
    await reached('ready');
    await expect(text(engine, 'fail')).rejects.toMatchObject({ code: 'ERR_INTERNAL' });
    await reached('ready', 2);
    expect(await text(engine, 'hello')).toHaveLength(8);
    await engine.drain({ signal: never });
  });

  it('reports how long a step has been in flight', async () => {
    const { engine, reached } = start({ hangOn: 'hang' }, { watch: { ...quickWatch, stepTimeoutMs: 2_000 } });
    await reached('ready');
    expect(engine.health.stalledMs).toBe(0);
    const hanging = expect(text(engine, 'hang')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await vi.waitFor(() => expect(engine.health.stalledMs).toBeGreaterThan(1_000), { timeout: 20_000, interval: 20 });
    await hanging;
    await engine.drain({ signal: never });
  });

  it('reports a thread that blocks in a system call and cannot be terminated as stuck', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-pipe-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const onStuck = vi.fn();
    const watch = { ...quickWatch, endTimeoutMs: 200, onStuck };
    const { engine, states, reached } = start({ blockOn: 'block', pipe }, { watch });
    await reached('ready');
    await expect(text(engine, 'block')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('failed');
    expect(onStuck).toHaveBeenCalledTimes(1);
    expect(states.at(-1)).toEqual({ kind: 'failed', message: 'the engine thread hangs and cannot be terminated' });
    await engine.drain({ signal: never });
    // Unblocks the thread so that the test process can exit.
    closeSync(openSync(pipe, 'w'));
  });

  it('keeps an idle model that answers probes', async () => {
    const { engine, states, reached } = start({}, { watch: { ...quickWatch, probeMs: 1, stepTimeoutMs: 2_000 } });
    await reached('ready');
    const before = await text(engine, 'hello');
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await text(engine, 'hello')).toBe(before);
    expect(states.map(({ kind }) => kind)).toEqual(['loading', 'ready']);
    await engine.drain({ signal: never });
  });

  it('accepts pins while it loads, and sends them again to a replacement thread', async () => {
    const { engine, reached } = start({ crashOn: 'crash' });
    const system = { role: 'system', content: 'an agent of some kind' } as const;
    const pinned = engine.pinPrefix([system]);
    await reached('ready');
    expect(await pinned).toMatchObject({ tokens: 22, computedTokens: 22 });
    expect(engine.stats.pinnedStateBytes).toBe(22);
    await expect(text(engine, 'crash')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await reached('ready', 2);
    const request = chatRequest('question', { maxTokens: 1 });
    const messages = [system, ...request.input.messages];
    const first = await engine
      .chat({ ...request, input: { ...request.input, messages } }, { signal: never })
      [Symbol.asyncIterator]()
      .next();
    expect(first.value).toMatchObject({ kind: 'started', cachedTokens: 22 });
    await engine.drain({ signal: never });
    await expect(engine.pinPrefix([system])).rejects.toMatchObject({ code: 'ERR_DRAINING' });
  });

  it('reports why a prefix cannot be pinned, and rejects pins if there is no model', async () => {
    const { engine, reached } = start();
    await reached('ready');
    await expect(engine.pinPrefix([{ role: 'system', content: '!' }])).rejects.toMatchObject({
      code: 'ERR_CHAT_TEMPLATE',
    });
    await engine.drain({ signal: never });
    const { engine: broken } = start({ loadError: 'no such tensor' });
    const pin = broken.pinPrefix([{ role: 'system', content: 'an agent of some kind' }]);
    await expect(pin).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
  });

  it('terminates a thread whose step hangs soon after the deadline of a drain, for any step timeout', async () => {
    const watch = { ...patientWatch, stopTimeoutMs: 100 };
    const { engine, reached } = start({ hangOn: 'hang' }, { watch });
    await reached('ready');
    const lost = expect(text(engine, 'hang')).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    await engine.drain({ signal: AbortSignal.timeout(50) });
    await lost;
  });

  it('on drain, finishes running requests; ends them when the signal aborts', async () => {
    const { engine, reached } = start();
    await reached('ready');
    const slow = text(engine, 'slow', 100);
    await engine.drain({ signal: never });
    expect(await slow).toHaveLength(100);
    expect(() => engine.chat(chatRequest('late'), { signal: never })).toThrow(/stopping/);

    const second = start();
    await second.reached('ready');
    const cut: ChatEvent[] = [];
    const running = (async () => {
      const endless = chatRequest('endless', { maxTokens: 240 });
      for await (const event of second.engine.chat(endless, { signal: never })) cut.push(event);
    })();
    const settled = running.catch((error: { code: string }) => error.code);
    await second.engine.drain({ signal: AbortSignal.abort() });
    expect(['ERR_DRAINING', undefined]).toContain(await settled);
  });
});
