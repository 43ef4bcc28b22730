/** The thread's side of `worker-pool.ts`: loads the model once per thread, then runs one task at a time. */
import type { MessagePort, Transferable } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { assertNever, type CodedMessage, toCodedMessage } from './coded-message.ts';
import { toComputeError, toLoadError } from './errors.ts';

/** Messages to a thread. */
export type ToPoolWorker<Task> =
  /** Load the model, or return its facts if it is loaded; `port` receives progress, 0…1. */
  | { readonly kind: 'open'; readonly port: MessagePort }
  | {
      readonly kind: 'run';
      readonly task: Task;
      /** [1] Shared memory; non-zero once the task is cancelled. */
      readonly cancelled: Int32Array | undefined;
      readonly port: MessagePort | undefined;
    }
  /** The reply is immediate. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' };

/** Replies. An error is sent as data, because a thrown error would lose its code and keep its stack. */
export type FromPoolWorker<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'error'; readonly error: CodedMessage };

/** The functions that a task can call. */
export interface TaskContext<Progress> {
  /** Whether the task is cancelled. A task polls this between pieces of work and throws any error if it is true. */
  readonly isCancelled: () => boolean;
  /** Sends progress to the caller without waiting for it. */
  readonly report: (progress: Progress, transfer?: readonly Transferable[]) => void;
}

/** A result, and those of its buffers that are transferred to the caller, not copied. */
export interface TaskResult<Result> {
  readonly result: Result;
  readonly transfer?: readonly Transferable[];
}

/** The loaded model of a thread. */
export interface OpenWorker<Task, Result, Facts, Progress = never> {
  readonly facts: Facts;
  run(task: Task, context: TaskContext<Progress>): Promise<TaskResult<Result>>;
  close(): Promise<void>;
}

/**
 * Creates the function that the module of a pool's threads exports as default.
 * @param open loads the model; called once, and again only after a failure
 */
export function servePool<Task, Result, Facts, Progress = never>(
  open: (onProgress: (fraction: number) => void) => Promise<OpenWorker<Task, Result, Facts, Progress>>,
): (message: ToPoolWorker<Task>) => Promise<unknown> {
  let opened: Promise<OpenWorker<Task, Result, Facts, Progress>> | undefined;
  const ensureOpen = (onProgress: (fraction: number) => void) => {
    opened ??= open(onProgress).catch((error) => {
      opened = undefined;
      throw toLoadError(error);
    });
    return opened;
  };
  const answer = async (message: ToPoolWorker<Task>): Promise<TaskResult<unknown>> => {
    switch (message.kind) {
      case 'open': {
        const { facts } = await ensureOpen((fraction) => message.port.postMessage(fraction));
        message.port.close();
        return { result: facts };
      }
      case 'run': {
        const worker = await ensureOpen(() => undefined);
        return await worker.run(message.task, taskContext<Progress>(message)).finally(() => message.port?.close());
      }
      case 'ping':
        return { result: undefined };
      case 'close':
        await (await opened)?.close();
        opened = undefined;
        return { result: undefined };
      default:
        return assertNever(message);
    }
  };
  return async (message) => {
    try {
      const { result, transfer = [] } = await answer(message);
      return movable({ kind: 'done', value: result }, transfer);
    } catch (error) {
      return { kind: 'error', error: toCodedMessage(toComputeError(error)) } satisfies FromPoolWorker<never>;
    }
  };
}

function taskContext<Progress>({
  cancelled,
  port,
}: {
  cancelled: Int32Array | undefined;
  port: MessagePort | undefined;
}): TaskContext<Progress> {
  return {
    isCancelled: () => cancelled !== undefined && Atomics.load(cancelled, 0) !== 0,
    report: (progress, transfer = []) => port?.postMessage(progress, transfer),
  };
}

/** Marks a value so that piscina transfers its buffers. */
function movable(value: FromPoolWorker<unknown>, transfer: readonly Transferable[]): unknown {
  if (transfer.length === 0) return value;
  return move({ [transferableSymbol]: transfer, [valueSymbol]: value } as never);
}
