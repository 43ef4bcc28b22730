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
