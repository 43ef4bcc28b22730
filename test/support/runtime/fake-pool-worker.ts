/** A pool thread for tests: each task names its behaviour; tasks wait on shared memory, not on a clock. */
import { readFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { servePool, type TaskContext } from '../../../runtime/pool/pool-worker.ts';

export type FakePoolTask =
  | { readonly kind: 'echo'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Sets `gate[0]`, then waits until `gate[1]` is set or the task is cancelled, and sets `gate[2]` to 1 or 2. */
  | { readonly kind: 'wait'; readonly gate: Int32Array }
  | { readonly kind: 'refuse' }
  | { readonly kind: 'fail' }
  | { readonly kind: 'die' }
  /** Hangs in JavaScript. */
  | { readonly kind: 'hang' }
  /** Blocks in a system call until the test writes to this pipe. */
  | { readonly kind: 'block'; readonly pipe: string }
  | { readonly kind: 'count'; readonly upTo: number };

export interface FakePoolData {
  /** [opened, closed] Numbers of open and close calls. */
  readonly counts: Int32Array;
  readonly failsToOpen?: boolean;
}

export default servePool<FakePoolTask, unknown, string, number>(async (onProgress) => {
  const { counts, failsToOpen } = workerData as FakePoolData;
  onProgress(0.5);
  if (failsToOpen) throw Object.assign(new Error('the file is not a model'), { code: 'ERR_MODEL_LOAD' });
  Atomics.add(counts, 0, 1);
  return {
    facts: 'fake',
    run: async (task, context) => answer(task, context),
    close: async () => {
      Atomics.add(counts, 1, 1);
    },
  };
});

function answer(task: FakePoolTask, context: TaskContext<number>) {
  switch (task.kind) {
    case 'echo':
      return { result: task.bytes, transfer: [task.bytes.buffer] };
    case 'wait':
      Atomics.store(task.gate, 0, 1);
      Atomics.notify(task.gate, 0);
      while (Atomics.load(task.gate, 1) === 0 && !context.isCancelled()) Atomics.wait(task.gate, 1, 0, 5);
      // Shows the outcome to a test whose call was cancelled.
      Atomics.store(task.gate, 2, context.isCancelled() ? 2 : 1);
      Atomics.notify(task.gate, 2);
      return { result: 'waited' };
    case 'refuse':
      throw new RuntimeError('ERR_CONTEXT_OVERFLOW', 'too long', { details: { limit: 8, counted: 9 } });
    case 'fail':
      throw new Error('a secret text');
    case 'die':
      return process.exit(7);
    case 'hang':
      while (true);
    case 'block':
      return { result: readFileSync(task.pipe) };
    case 'count':
      for (let count = 1; count <= task.upTo; count++) context.report(count);
      return { result: task.upTo };
  }
}
