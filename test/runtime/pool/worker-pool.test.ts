import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { WorkerPool, type WorkerPoolOptions } from '../../../runtime/pool/worker-pool.ts';
import type { FakePoolData, FakePoolTask } from '../../support/runtime/fake-pool-worker.ts';
import { patientWatch } from '../../support/runtime/thread-watch.ts';

const workerUrl = new URL('../../support/runtime/fake-pool-worker.ts', import.meta.url);
const pools: WorkerPool<FakePoolTask, unknown, string, number>[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});

function shared(length: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * 4));
}

type PoolOptions = WorkerPoolOptions<string>;

function startPool({
  threads = 1,
  waitingTasksMax = 8,
  failsToOpen = false,
  ...events
}: Partial<Pick<PoolOptions, 'threads' | 'waitingTasksMax' | 'reopen' | 'watch'>> & { failsToOpen?: boolean } = {}) {
  const counts = shared(2);
  const workerData: FakePoolData = { counts, failsToOpen };
  const pool = new WorkerPool<FakePoolTask, unknown, string, number>({
    workerUrl,
    workerData,
    threads,
    waitingTasksMax,
    ...events,
  });
  pools.push(pool);
  return { pool, counts };
}

/** Resolves when `gate[index]` is no longer 0. */
async function whenSet(gate: Int32Array, index: number): Promise<number> {
  const { async, value } = Atomics.waitAsync(gate, index, 0);
  if (async) await value;
  return Atomics.load(gate, index);
}

function openGate(gate: Int32Array): void {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
}

const refusal = (code: string) => expect.objectContaining({ name: 'RuntimeError', code });

describe('WorkerPool', () => {
  it('opens a model in every thread and reports progress', async () => {
    const { pool, counts } = startPool({ threads: 2 });
    const fractions: number[] = [];
    expect(await pool.open({ onProgress: (fraction) => fractions.push(fraction) })).toEqual(['fake', 'fake']);
    expect(counts[0]).toBe(2);
    expect(fractions.every((fraction) => fraction === 0.25 || fraction === 0.5)).toBe(true);
  });

  it('transfers buffers in both directions', async () => {
    const { pool } = startPool();
    const bytes = Uint8Array.of(1, 2, 3);
    const answer = await pool.run({ kind: 'echo', bytes }, { transfer: [bytes.buffer] });
    expect(answer).toEqual(Uint8Array.of(1, 2, 3));
    expect(bytes.byteLength).toBe(0);
  });

  it('runs as many tasks at once as it has threads, and no more', async () => {
    const { pool } = startPool({ threads: 2 });
    const gates = [shared(3), shared(3), shared(3)];
    const running = gates.map((gate) => pool.run({ kind: 'wait', gate }));
    await Promise.all([whenSet(gates[0]!, 0), whenSet(gates[1]!, 0)]);
    expect([pool.freeThreads, pool.waitingTasks, gates[2]![0]]).toEqual([0, 1, 0]);
    gates.forEach(openGate);
    await Promise.all(running);
    expect(pool.freeThreads).toBe(2);
  });

  it('refuses a task if the queue is full', async () => {
    const { pool } = startPool({ waitingTasksMax: 1 });
    const gate = shared(3);
    const running = [pool.run({ kind: 'wait', gate }), pool.run({ kind: 'wait', gate })];
    await expect(pool.run({ kind: 'wait', gate })).rejects.toEqual(refusal('ERR_QUEUE_FULL'));
    openGate(gate);
    await Promise.all(running);
  });

  it('never starts a task that was cancelled while it waited', async () => {
    const { pool } = startPool();
    const [first, second] = [shared(3), shared(3)];
    const running = pool.run({ kind: 'wait', gate: first });
    const leaving = new AbortController();
    const dropped = pool.run({ kind: 'wait', gate: second }, { signal: leaving.signal });
    leaving.abort();
    await expect(dropped).rejects.toEqual(refusal('ERR_CANCELLED'));
    openGate(first);
    await running;
    await pool.run({ kind: 'echo', bytes: new Uint8Array(1) });
    expect(second[0]).toBe(0);
  });

  it('sets the flag of a cancelled running task, and keeps the thread', async () => {
    const { pool, counts } = startPool();
    const gate = shared(3);
    const leaving = new AbortController();
    const running = pool.run({ kind: 'wait', gate }, { signal: leaving.signal });
    await whenSet(gate, 0);
    leaving.abort();
    await expect(running).rejects.toEqual(refusal('ERR_CANCELLED'));
    expect(await whenSet(gate, 2)).toBe(2);
    await pool.run({ kind: 'echo', bytes: new Uint8Array(1) });
    expect(counts[0]).toBe(1);
  });

  it('keeps code and details of coded errors, and only the name of others', async () => {
    const { pool } = startPool();
    await expect(pool.run({ kind: 'refuse' })).rejects.toMatchObject({
      code: 'ERR_CONTEXT_OVERFLOW',
      details: { limit: 8, counted: 9 },
    });
    await expect(pool.run({ kind: 'fail' })).rejects.toMatchObject({
      code: 'ERR_INTERNAL',
      message: 'the model failed to compute this request (Error)',
    });
  });

  it('replaces a lost thread, which opens its model again', async () => {
    const { pool, counts } = startPool();
    await pool.open();
    await expect(pool.run({ kind: 'die' })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    await pool.run({ kind: 'echo', bytes: new Uint8Array(1) });
    expect(counts[0]).toBe(2);
  });

  it('reports why a model cannot be opened', async () => {
    const { pool } = startPool({ failsToOpen: true });
    await expect(pool.open()).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD', message: 'the file is not a model' });
    await expect(pool.run({ kind: 'refuse' })).rejects.toEqual(refusal('ERR_MODEL_LOAD'));
  });

  it('delivers all progress of a task before its result', async () => {
    const { pool } = startPool();
    const heard: number[] = [];
    expect(await pool.run({ kind: 'count', upTo: 3 }, { onProgress: (count) => heard.push(count) })).toBe(3);
    expect(heard).toEqual([1, 2, 3]);
  });

  it('on close, completes accepted tasks, frees every model and refuses new tasks', async () => {
    const { pool, counts } = startPool({ threads: 2 });
    await pool.open();
    const gate = shared(3);
    const running = pool.run({ kind: 'wait', gate });
    const closed = pool.close();
    await expect(pool.run({ kind: 'refuse' })).rejects.toEqual(refusal('ERR_DRAINING'));
    openGate(gate);
    expect(await running).toBe('waited');
    await closed;
    expect([...counts]).toEqual([2, 2]);
  });

  it('opens no model if a thread is lost while the pool closes, and fails waiting tasks', async () => {
    const { pool, counts } = startPool({ reopen: async (open) => void (await open()) });
    await pool.open();
    const dying = expect(pool.run({ kind: 'die' })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    const waiting = expect(pool.run({ kind: 'count', upTo: 1 })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    await pool.close();
    await Promise.all([dying, waiting]);
    expect([...counts]).toEqual([1, 0]);
  });

  const quickWatch = { stepTimeoutMs: 400, probeMs: 40, onStuck: patientWatch.onStuck };

  it('replaces a thread whose task makes no progress in time, and runs waiting tasks', async () => {
    const { pool, counts } = startPool({ watch: quickWatch });
    await pool.open();
    const hanging = expect(pool.run({ kind: 'hang' })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    const waiting = pool.run({ kind: 'count', upTo: 2 });
    await hanging;
    expect(await waiting).toBe(2);
    expect(counts[0]).toBe(2);
    expect(pool.stalledMs).toBe(0);
  });

  it('replaces a thread that hangs while the pool closes', async () => {
    const { pool } = startPool({ watch: quickWatch });
    await pool.open();
    const hanging = expect(pool.run({ kind: 'hang' })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    await pool.close();
    await hanging;
  });

  it('terminates a task that hangs soon after the deadline of a close, for any step timeout', async () => {
    const { pool } = startPool({ watch: { ...patientWatch, stopTimeoutMs: 100 } });
    await pool.open();
    const hanging = expect(pool.run({ kind: 'hang' })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    await pool.close({ signal: AbortSignal.timeout(50) });
    await hanging;
  });

  it('opens no model before a thread that hangs has ended, and reports the thread as stuck', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-pipe-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const onStuck = vi.fn();
    const watch = { ...quickWatch, endTimeoutMs: 200, onStuck };
    const { pool, counts } = startPool({ watch, reopen: async (open) => void (await open()) });
    await pool.open();
    await expect(pool.run({ kind: 'block', pipe })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    await expect(pool.run({ kind: 'count', upTo: 1 })).rejects.toEqual(refusal('ERR_ENGINE_LOST'));
    expect(onStuck).toHaveBeenCalledTimes(1);
    expect(counts[0]).toBe(1);
    // Unblocks the thread so that the test process can exit.
    closeSync(openSync(pipe, 'w'));
  });

  it('keeps threads that answer its pings', async () => {
    const { pool, counts } = startPool({ threads: 2, watch: { ...quickWatch, probeMs: 1, stepTimeoutMs: 2_000 } });
    await pool.open();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await pool.run({ kind: 'count', upTo: 1 })).toBe(1);
    expect(counts[0]).toBe(2);
  });
});
