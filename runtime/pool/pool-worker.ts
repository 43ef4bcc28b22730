/** The threads' end of `worker-pool.ts`: opens what the tasks need once per thread, then runs one task at a time. */
import type { MessagePort, Transferable } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { assertNever, type CodedMessage, toCodedMessage } from './coded-message.ts';
import { toComputeError, toLoadError } from './errors.ts';

/** What goes to a thread. */
export type ToPoolWorker<Task> =
  /** Open, or say again with what; `port` hears how far it is, 0…1. */
  | { readonly kind: 'open'; readonly port: MessagePort }
  | {
      readonly kind: 'run';
      readonly task: Task;
      /** [1] of shared memory, not 0 once the task is cancelled. */
      readonly cancelled: Int32Array | undefined;
      readonly port: MessagePort | undefined;
    }
  /** Answered at once. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'close' };

/** What comes back: an error is data, since a thrown one would lose its code on the way and keep its stack. */
export type FromPoolWorker<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'error'; readonly error: CodedMessage };

/** What a task may use besides its own data. */
export interface TaskContext<Progress> {
  /** Whether the caller went away: polled between pieces of work, and then answered by throwing anything. */
  readonly isCancelled: () => boolean;
  /** Tells the caller how it goes, without waiting for it. */
  readonly report: (progress: Progress, transfer?: readonly Transferable[]) => void;
}

/** A result and those of its buffers that are moved to the caller, not copied. */
export interface TaskResult<Result> {
  readonly result: Result;
  readonly transfer?: readonly Transferable[];
}

/** What a thread holds between tasks. */
export interface OpenWorker<Task, Result, Facts, Progress = never> {
  readonly facts: Facts;
  run(task: Task, context: TaskContext<Progress>): Promise<TaskResult<Result>>;
  close(): Promise<void>;
}

/**
 * What the module of a pool's threads exports as default.
 * @param open loads the model; called once, and again only if it failed
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

/** piscina moves the buffers of what is marked so. */
function movable(value: FromPoolWorker<unknown>, transfer: readonly Transferable[]): unknown {
  if (transfer.length === 0) return value;
  return move({ [transferableSymbol]: transfer, [valueSymbol]: value } as never);
}
