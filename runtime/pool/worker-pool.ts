/** A pool of threads with a bounded queue; each thread has its own model and runs one task at a time. The only user of piscina. */
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { toRuntimeError } from './coded-message.ts';
import { cancelled, draining, RuntimeError } from './errors.ts';
import type { FromPoolWorker, ToPoolWorker } from './pool-worker.ts';
import { type ThreadWatch, type Watch, Watchdog } from './watchdog.ts';

export interface WorkerPoolOptions<Facts = unknown> {
  /** A module whose default export is a function returned by `servePool`. */
  readonly workerUrl: URL;
  /** Passed to every thread unchanged. */
  readonly workerData: unknown;
  readonly threads: number;
  /** Tasks that may wait for a free thread. */
  readonly waitingTasksMax: number;
  /** Called when a thread becomes free, including after a cancelled task. */
  readonly onFree?: () => void;
  /**
   * Called when a thread was lost; no task starts until it settles. It verifies the files that the next thread will load,
   * then calls `open`, which throws ERR_ENGINE_LOST if a thread is lost while loading.
   * If it rejects, the pool ends: waiting and later tasks fail with ERR_ENGINE_LOST. They also do if a thread is lost while
   * the pool is being closed; then no file is verified and no model is loaded.
   */
  readonly reopen?: (open: () => Promise<readonly Facts[]>, reason: string) => Promise<void>;
  /** Largest heap of JavaScript per thread, MiB; a thread that exceeds it is lost. By default that of the process. */
  readonly heapMb?: number;
  /** Time limits after which threads are terminated and replaced. If undefined, threads are not watched. */
  readonly watch?: ThreadWatch;
}

export interface TaskOptions<Progress> {
  /** Aborting rejects at once, and removes a waiting task from the queue. A running task sees its flag; its result is ignored. */
  readonly signal?: AbortSignal;
  /** Buffers of the task that are transferred, not copied. */
  readonly transfer?: readonly Transferable[];
  /** Called when the task starts. */
  readonly onStart?: () => void;
  /** Called with the progress that the running task reports. */
  readonly onProgress?: (progress: Progress) => void;
}

/** A message to a thread that has no reply yet. */
interface Posting {
  readonly watch: Watch | undefined;
  /** Emits `abort` to make piscina terminate the thread. */
  readonly ending: EventEmitter;
}

interface WaitingTask {
  readonly start: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A lost thread is replaced and its task fails with ERR_ENGINE_LOST. The new thread loads the model when `reopen` calls
 * `open`, or with its first task. Cancelling never terminates a thread, which would free its model: the task polls a shared flag.
 */
export class WorkerPool<Task, Result, Facts, Progress = never> {
  readonly #piscina: Piscina;
  readonly #threads: number;
  readonly #waitingTasksMax: number;
  readonly #onFree: (() => void) | undefined;
  readonly #reopen: WorkerPoolOptions<Facts>['reopen'];
  readonly #waiting: WaitingTask[] = [];
  #running = 0;
  #isReopening = false;
  #isDead = false;
  #closing = false;
  #isOpen = false;
  readonly #watchdog: Watchdog | undefined;
  /** Settles when threads that hung have ended. No model is opened before, because two may not fit in memory. */
  #ended: Promise<unknown> = Promise.resolve();
  #lossReason = '';
  #closed: Promise<void> | undefined;
  #idle = Promise.withResolvers<void>();

  constructor(options: WorkerPoolOptions<Facts>) {
    const { workerUrl, workerData, threads, waitingTasksMax, onFree, reopen, watch, heapMb } = options;
    this.#onFree = onFree;
    this.#reopen = reopen;
    this.#threads = threads;
    this.#waitingTasksMax = waitingTasksMax;
    this.#piscina = new Piscina({
      filename: fileURLToPath(workerUrl),
      workerData,
      minThreads: threads,
      maxThreads: threads,
      recordTiming: false,
      // An idle thread waits in its event loop, where a task costs one message; with atomics it would sleep and also need a wake-up.
      atomics: 'disabled',
      ...(heapMb !== undefined && { resourceLimits: { maxOldGenerationSizeMb: heapMb } }),
    });
    // A thread was lost between tasks: no caller waits for it, and piscina starts another.
    this.#piscina.on('error', (error) => this.#onLost(reasonOf(error)));
    this.#watchdog = watch && new Watchdog({ ...watch, onProbe: () => this.#ping() });
  }

  /** Milliseconds for which the slowest task or ping in flight has made no progress. */
  get stalledMs(): number {
    return this.#watchdog?.stalledMs ?? 0;
  }

  /** Threads without a task. */
  get freeThreads(): number {
    return this.#threads - this.#running;
  }

  get waitingTasks(): number {
    return this.#waiting.length;
  }

  /**
   * Loads the model in every thread.
   * @param onProgress called with 0…1 over all threads
   * @returns the facts of each thread's model
   * @throws {RuntimeError} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_ENGINE_LOST
   */
  async open({ onProgress }: { onProgress?: (fraction: number) => void } = {}): Promise<readonly Facts[]> {
    const fractions = new Array<number>(this.#threads).fill(0);
    // All are posted at once, so that each goes to a different thread.
    const facts = await Promise.all(
      fractions.map((_, index) => {
        const { port, end } = listen<number>((fraction) => {
          fractions[index] = fraction;
          onProgress?.(fractions.reduce((sum, one) => sum + one, 0) / this.#threads);
        });
        return this.#post<Facts>({ kind: 'open', port }, { transfer: [port] }).finally(end);
      }),
    );
    this.#isOpen = true;
    return facts;
  }

  /**
   * @throws {RuntimeError} ERR_QUEUE_FULL, ERR_DRAINING, ERR_CANCELLED, ERR_ENGINE_LOST, and the task's error
   */
  run(task: Task, { signal, transfer = [], onStart, onProgress }: TaskOptions<Progress> = {}): Promise<Result> {
    if (this.#closing) return Promise.reject(draining());
    if (this.#isDead) return Promise.reject(lost());
    if (signal?.aborted) return Promise.reject(cancelled());
    if ((this.freeThreads <= 0 || this.#isReopening) && this.#waiting.length >= this.#waitingTasksMax) {
      return Promise.reject(new RuntimeError('ERR_QUEUE_FULL', `${this.#waiting.length} tasks are already queued`));
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const flag = signal && new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const waiting: WaitingTask = {
      reject,
      start: () => {
        onStart?.();
        const posting = this.#posting();
        const onReport = (report: Progress) => {
          posting.watch?.progress();
          onProgress?.(report);
        };
        const progress = onProgress && listen(onReport);
        const message = { kind: 'run', task, cancelled: flag, port: progress?.port } as const;
        this.#post<Result>(message, { transfer: progress ? [...transfer, progress.port] : transfer, posting })
          .finally(() => {
            progress?.end();
            signal?.removeEventListener('abort', onAbort);
            // Before the promise settles, because the caller may submit its next task at once.
            this.#running -= 1;
            this.#startNext();
            if (this.freeThreads > 0) this.#onFree?.();
          })
          .then(resolve, reject);
      },
    };
    const onAbort = () => {
      if (flag) Atomics.store(flag, 0, 1);
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
      reject(cancelled());
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(waiting);
    this.#startNext();
    return promise;
  }

  /**
   * Refuses new tasks, lets accepted tasks finish, frees every thread's model, then ends the threads.
   * @param options.signal after it aborts, a task that makes no progress is terminated after `stopTimeoutMs`
   */
  close({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    this.#closed ??= this.#close();
    const shortenTimeout = () => this.#watchdog?.shortenTimeout();
    if (signal?.aborted) shortenTimeout();
    else signal?.addEventListener('abort', shortenTimeout, { once: true });
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing = true;
    this.#startNext();
    await this.#idle.promise;
    const threads = Array.from({ length: this.#threads });
    const closed = Promise.allSettled(threads.map(() => this.#post({ kind: 'close' }, { transfer: [] })));
    const ended = closed.then(() => this.#piscina.destroy());
    await (this.#watchdog?.waitForEnd(ended) ?? ended);
    this.#watchdog?.close();
  }

  #startNext(): void {
    if (this.#isReopening) return;
    while (this.freeThreads > 0 && this.#waiting.length > 0) {
      this.#running += 1;
      this.#waiting.shift()!.start();
    }
    if (this.#closing && this.#running === 0) this.#idle.resolve();
  }

  /** Pings idle threads. The progress of busy threads is watched already. */
  #ping(): void {
    if (!this.#isOpen || this.#isReopening || this.#closing || this.#running > 0) return;
    for (let thread = 0; thread < this.#threads; thread++) {
      this.#post({ kind: 'ping' }, { transfer: [], posting: this.#posting() }).catch(() => undefined);
    }
  }

  #posting(): Posting {
    const ending = new EventEmitter();
    return { ending, watch: this.#watchdog?.watch(() => this.#endThread(ending)) };
  }

  #endThread(ending: EventEmitter): void {
    const others = new Set(this.#piscina.threads);
    this.#lossReason = 'a task made no progress in time';
    ending.emit('abort');
    for (const thread of this.#piscina.threads) others.delete(thread);
    const ends = [...others].map((thread) => this.#watchdog!.end(thread));
    this.#ended = Promise.all([this.#ended, ...ends]);
    this.#ended.catch(() => undefined);
  }

  #onLost(reason: string): void {
    const cause = this.#lossReason || reason;
    this.#lossReason = '';
    if (this.#reopen === undefined || this.#isReopening || this.#isDead) return;
    if (this.#closing) {
      this.#die();
      return;
    }
    this.#isReopening = true;
    const open = async () => {
      await this.#ended;
      return await this.open();
    };
    const reopened = this.#reopen(open, cause);
    reopened
      .catch(() => this.#die())
      .finally(() => {
        this.#isReopening = false;
        this.#startNext();
      });
  }

  #die(): void {
    this.#isDead = true;
    for (const { reject } of this.#waiting.splice(0)) reject(lost());
  }

  async #post<Value>(
    message: ToPoolWorker<Task>,
    { transfer, posting }: { transfer: readonly Transferable[]; posting?: Posting },
  ): Promise<Value> {
    let answer: FromPoolWorker<Value>;
    try {
      const signal = posting?.ending ?? null;
      answer = await this.#piscina.run(message, { transferList: transfer as never, signal });
    } catch (error) {
      if (error instanceof DOMException) throw error; // The message cannot be cloned: a defect.
      // The caller of `open` handles a failure to open.
      if (message.kind !== 'open') this.#onLost(reasonOf(error));
      throw lost(error);
    } finally {
      posting?.watch?.end();
    }
    if (answer.kind === 'error') throw toRuntimeError(answer.error);
    return answer.value;
  }
}

/** @returns a port for a thread, and a function to call when its task has ended: it delivers all messages sent before, and no later ones */
function listen<Message>(onMessage: (message: Message) => void): { port: MessagePort; end: () => void } {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onMessage);
  port1.unref();
  const end = () => {
    // The result arrives on another channel and can overtake earlier progress messages.
    for (let last = receiveMessageOnPort(port1); last !== undefined; last = receiveMessageOnPort(port1)) {
      onMessage(last.message);
    }
    port1.close();
  };
  return { port: port2, end };
}

/** Names only the error's class: the message of a defect could contain request data. */
function reasonOf(error: unknown): string {
  return `a thread failed (${error instanceof Error ? error.name : typeof error})`;
}

function lost(cause?: unknown): RuntimeError {
  return new RuntimeError('ERR_ENGINE_LOST', 'a model thread stopped while it processed the request; try again', {
    cause,
  });
}
