import { describe, expect, it } from 'vitest';
import type { ModelFacts } from '../../../runtime/chat/request.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import { PreparingEngine } from '../../../server/start/preparing-engine.ts';
import { FakeEngine } from '../../support/runtime/fake-engine.ts';

function prepare() {
  const preparation = Promise.withResolvers<FakeEngine>();
  const states: EngineState<ModelFacts>[] = [];
  let stop: AbortSignal | undefined;
  const engine = new PreparingEngine(
    ({ signal, onProgress }) => {
      stop = signal;
      onProgress(0.25);
      signal.addEventListener('abort', () => preparation.reject(new Error('stopped')));
      return preparation.promise;
    },
    { onState: (state) => states.push(state) },
  );
  return { engine, states, preparation, isStopped: () => stop?.aborted };
}

const chat = (engine: PreparingEngine) => engine.chat({} as never, { signal: AbortSignal.timeout(1000) });

describe('an engine in preparation', () => {
  it('reports loading and rejects work until the real engine is ready', async () => {
    const { engine, states, preparation } = prepare();
    expect(states).toEqual([{ kind: 'loading', fraction: 0.25 }]);
    expect(engine.state).toEqual({ kind: 'loading', fraction: 0.25 });
    expect(engine.stats.running).toBe(0);
    expect(() => chat(engine)).toThrow(expect.objectContaining({ code: 'ERR_NOT_READY' }));
    const real = new FakeEngine();
    preparation.resolve(real);
    await preparation.promise;
    await Promise.resolve();
    expect(engine.state).toBe(real.state);
  });

  it('reports failure if the preparation fails', async () => {
    const { engine, states, preparation } = prepare();
    preparation.reject(new Error('wrong digest'));
    await preparation.promise.catch(() => undefined);
    await Promise.resolve();
    expect(engine.state).toEqual({ kind: 'failed', message: 'wrong digest' });
    expect(states.at(-1)).toEqual(engine.state);
    expect(() => chat(engine)).toThrow(expect.objectContaining({ code: 'ERR_ENGINE_LOST' }));
  });

  it('stops the preparation and reports no further state when drained', async () => {
    const { engine, states, isStopped } = prepare();
    await engine.drain({ signal: AbortSignal.timeout(1000) });
    expect(isStopped()).toBe(true);
    expect(engine.state.kind).toBe('draining');
    expect(states).toHaveLength(1);
    expect(() => chat(engine)).toThrow(expect.objectContaining({ code: 'ERR_DRAINING' }));
  });
});

describe('an engine whose model was unloaded', () => {
  const never = { signal: new AbortController().signal };

  async function unloaded({ fails = false, waitingMax = 2 } = {}) {
    const reals: FakeEngine[] = [];
    const loads: PromiseWithResolvers<void>[] = [];
    const engine = new PreparingEngine(
      async ({ onState }) => {
        if (reals.length > 0) {
          loads.push(Promise.withResolvers<void>());
          await loads.at(-1)!.promise;
          if (fails) throw new Error('changed on disk');
        }
        const real = new FakeEngine();
        reals.push(real);
        onState(real.state);
        return real;
      },
      { onState: () => undefined, waitingMax },
    );
    await new Promise((resolve) => setImmediate(resolve));
    expect(await engine.unload(never)).toBe(true);
    const count = (options: { signal?: AbortSignal; timeoutMs?: number } = {}) =>
      engine.tokenize({ timeoutMs: options.timeoutMs ?? 10_000 } as never, { signal: options.signal ?? never.signal });
    return { engine, reals, loads, count };
  }

  it('stays ready with the facts of its model, and has no second unload', async () => {
    const { engine } = await unloaded();
    expect(engine.state.kind).toBe('ready');
    expect(engine.residence).toBe('unloaded');
    expect(await engine.unload(never)).toBe(false);
  });

  it('loads once for concurrent requests, and refuses those beyond the queue', async () => {
    const { engine, loads, count } = await unloaded();
    const waiting = [count(), count()];
    await expect(count()).rejects.toMatchObject({ code: 'ERR_QUEUE_FULL' });
    expect(engine.residence).toBe('loading');
    expect(engine.stats.waiting).toBe(2);
    loads[0]!.resolve();
    await Promise.allSettled(waiting);
    expect(loads).toHaveLength(1);
    expect(engine.residence).toBe('loaded');
  });

  it('cancels waiting requests and ends them at their deadline; the load goes on', async () => {
    const { engine, loads, count } = await unloaded();
    const leaving = new AbortController();
    const left = count({ signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    await expect(count({ timeoutMs: 1 })).rejects.toMatchObject({ code: 'ERR_DEADLINE' });
    loads[0]!.resolve();
    await engine.load();
    expect(engine.residence).toBe('loaded');
  });

  it('fails for a while after a load that fails, without the reason in the error of requests', async () => {
    const { engine, loads, count } = await unloaded({ fails: true });
    const failed = count();
    await new Promise((resolve) => setImmediate(resolve));
    loads[0]!.resolve();
    await expect(failed).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST', message: 'the model is not available' });
    expect(engine.state).toEqual({ kind: 'failed', message: 'changed on disk' });
    await expect(count()).rejects.toMatchObject({ code: 'ERR_ENGINE_LOST' });
    expect(loads).toHaveLength(1);
  });

  it('fails waiting requests when it is drained', async () => {
    const { engine, loads, count } = await unloaded();
    const waiting = count();
    await new Promise((resolve) => setImmediate(resolve));
    const drained = engine.drain(never);
    loads[0]!.resolve();
    await expect(waiting).rejects.toMatchObject({ code: 'ERR_DRAINING' });
    await drained;
    expect(engine.state.kind).toBe('draining');
  });
});
