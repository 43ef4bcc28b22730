import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  type ImageEngine,
  type ImageEvent,
  type ImageRequest,
  startImageEngine,
} from '../../../runtime/images/image-engine.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import type { ThreadWatch } from '../../../runtime/pool/watchdog.ts';
import type { FakeImageData } from '../../support/runtime/fake-image-worker.ts';
import { patientWatch, quickRestarts } from '../../support/runtime/thread-watch.ts';

const workerUrl = new URL('../../support/runtime/fake-image-worker.ts', import.meta.url);
const engines: ImageEngine[] = [];

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.drain({ signal: AbortSignal.abort() })));
});

const request: ImageRequest = {
  ...{ prompt: 'draw', negativePrompt: '', count: 1, size: { width: 1, height: 1 }, steps: 3, guidanceScale: 1 },
  ...{ seed: 1, previews: 0, timeoutMs: 60_000 },
};

async function start(verifyWeights: () => Promise<unknown> = async () => undefined, watch: ThreadWatch = patientWatch) {
  const loads = new Int32Array(new SharedArrayBuffer(4));
  const states: EngineState<unknown>['kind'][] = [];
  const workerData: FakeImageData = { loads };
  const onState = ({ kind }: EngineState<unknown>) => states.push(kind);
  const restartDelays = quickRestarts;
  const options = { workerUrl, workerData, queuedJobsMax: 4, verifyWeights, onState, watch, restartDelays };
  const engine = startImageEngine(options);
  engines.push(engine);
  await vi.waitFor(() => expect(engine.state.kind).toBe('ready'));
  const draw = (fields: Partial<ImageRequest> = {}) =>
    engine.draw({ ...request, ...fields }, { signal: AbortSignal.timeout(60_000) });
  return { engine, draw, states, loads };
}

async function eventsOf(events: AsyncIterable<ImageEvent>): Promise<ImageEvent[]> {
  const seen: ImageEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const lost = expect.objectContaining({ code: 'ERR_ENGINE_LOST' });

describe('an image engine', () => {
  it('emits the start, the steps, the previews and the images of a job', async () => {
    const { draw, engine } = await start();
    const events = await eventsOf(draw({ previews: 1 }));
    expect(events.map(({ kind }) => kind)).toEqual(['started', 'preview', 'step', 'step', 'step', 'finished']);
    expect(events[1]).toMatchObject({ index: 0, images: [{ width: 1, pixels: Uint8Array.of(1, 1, 1) }] });
    expect(events[2]).toEqual({ kind: 'step', step: 1, steps: 3 });
    expect(engine.stats).toEqual({ running: 0, waiting: 0, images: 1, steps: 3 });
  });

  it('ends a job at its deadline, and runs the next', async () => {
    const { draw } = await start();
    await expect(eventsOf(draw({ prompt: 'wait', timeoutMs: 20 }))).rejects.toMatchObject({
      code: 'ERR_DEADLINE',
      message: 'the request ran out of time; ask for fewer steps or images',
    });
    expect((await eventsOf(draw())).at(-1)!.kind).toBe('finished');
  });

  it('cancels the job of a caller that disconnects, and runs waiting jobs', async () => {
    const { draw, engine } = await start();
    const left = new AbortController();
    const leaving = eventsOf(engine.draw({ ...request, prompt: 'wait' }, { signal: left.signal }));
    const waiting = eventsOf(draw());
    expect(engine.stats).toMatchObject({ running: 1, waiting: 1 });
    left.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    expect((await waiting).at(-1)!.kind).toBe('finished');
  });

  it('refuses a job at once if the queue is full', async () => {
    const { draw, engine } = await start();
    const [first, ...others] = Array.from({ length: 5 }, (_, index) => {
      const left = new AbortController();
      const prompt = index === 0 ? 'wait' : 'draw';
      return { left, events: eventsOf(engine.draw({ ...request, prompt }, { signal: left.signal })) };
    });
    await expect(eventsOf(draw())).rejects.toMatchObject({ code: 'ERR_QUEUE_FULL' });
    first!.left.abort();
    await expect(first!.events).rejects.toMatchObject({ code: 'ERR_CANCELLED' });
    for (const { events } of others) expect((await events).at(-1)!.kind).toBe('finished');
  });

  it('verifies the files before it replaces a lost thread, and keeps waiting jobs', async () => {
    const proof = Promise.withResolvers<void>();
    const { draw, engine, states, loads } = await start(() => proof.promise);
    const [dying, waiting] = [eventsOf(draw({ prompt: 'die' })), eventsOf(draw())];
    await expect(dying).rejects.toEqual(lost);
    expect(engine.state.kind).toBe('loading');
    expect(() => draw()).toThrow(expect.objectContaining({ code: 'ERR_NOT_READY' }));
    // No model is loaded until the verification has succeeded.
    expect(loads[0]).toBe(1);
    proof.resolve();
    expect((await waiting).at(-1)!.kind).toBe('finished');
    expect(loads[0]).toBe(2);
    expect(states).toEqual(['ready', 'loading', 'ready']);
  });

  it('does not reload a model whose files fail verification, and fails waiting jobs', async () => {
    const { draw, engine, states, loads } = await start(() => Promise.reject(new Error('the file changed')));
    const [dying, waiting] = [eventsOf(draw({ prompt: 'die' })), eventsOf(draw())];
    await expect(dying).rejects.toEqual(lost);
    await expect(waiting).rejects.toEqual(lost);
    expect(engine.state).toEqual({ kind: 'failed', message: 'the file changed' });
    expect(() => draw()).toThrow(lost);
    expect(loads[0]).toBe(1);
    expect(states).toEqual(['ready', 'loading', 'failed']);
  });

  it('restarts a thread that is lost repeatedly, with a pause after each loss', async () => {
    const { draw, engine } = await start();
    for (let time = 0; time < 4; time++) {
      await vi.waitFor(() => expect(engine.state.kind).toBe('ready'));
      await expect(eventsOf(draw({ prompt: 'die' }))).rejects.toEqual(lost);
    }
    expect(engine.state.kind).toBe('loading');
    await vi.waitFor(() => expect(engine.state.kind).toBe('ready'));
    expect(engine.health.losses).toBe(4);
    expect((await eventsOf(draw())).at(-1)!.kind).toBe('finished');
  });

  it('replaces a thread whose step exceeds the time limit, and runs waiting jobs', async () => {
    const { draw, engine, loads } = await start(undefined, { ...patientWatch, stepTimeoutMs: 300 });
    const [hanging, waiting] = [eventsOf(draw({ prompt: 'hang' })), eventsOf(draw())];
    await expect(hanging).rejects.toEqual(lost);
    expect((await waiting).at(-1)!.kind).toBe('finished');
    expect(loads[0]).toBe(2);
    expect(engine.health.stalledMs).toBe(0);
  });
});
