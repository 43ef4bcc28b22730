/** Threads that each hold a model and run one task at a time, behind one bounded queue. The only user of piscina. */
import { EventEmitter } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { toRuntimeError } from './coded-message.ts';
import { cancelled, draining, RuntimeError } from './errors.ts';
import type { FromPoolWorker, ToPoolWorker } from './pool-worker.ts';
import { type ThreadWatch, type Watch, Watchdog } from './watchdog.ts';

export interface WorkerPoolOptions<Facts = unknown> {
  /** A module whose default export is what `servePool` returned. */
  readonly workerUrl: URL;
  /** Handed to every thread as it is. */
  readonly workerData: unknown;
  readonly threads: number;
  /** Tasks that may wait for a free thread. */
  readonly waitingTasksMax: number;
  /** A thread has nothing to do: also after a task whose caller left before its end. */
  readonly onFree?: () => void;
  /**
   * A thread was lost: no task starts until this is done. It proves what the next thread will load, then calls `open`, which
   * throws ERR_ENGINE_LOST where a thread is lost in loading.
   * What it throws ends the pool: tasks that wait, and those to come, fail with ERR_ENGINE_LOST. So they do where the pool
   * is being closed: then nothing is proven any more, and nothing loaded.
   */
  readonly reopen?: (open: () => Promise<readonly Facts[]>, reason: string) => Promise<void>;
  /** Ends and replaces threads whose tasks make no progress. Without it, threads are not watched. */
  readonly watch?: ThreadWatch;
}

export interface TaskOptions<Progress> {
  /** Aborting drops the task if it still waits; a running one sees its flag, and its result is not waited for. */
  readonly signal?: AbortSignal;
  /** Buffers of the task that are moved, not copied. */
  readonly transfer?: readonly Transferable[];
  /** The task waits no longer. */
  readonly onStart?: () => void;
  /** Hears what the running task reports. */
  readonly onProgress?: (progress: Progress) => void;
}

/** A message under way to a thread, or being worked on there. */
interface Posting {
  readonly watch: Watch | undefined;
  /** Emits `abort` to make piscina end the thread. */
  readonly ending: EventEmitter;
}

interface WaitingTask {
  readonly start: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A lost thread is replaced; its task fails with ERR_ENGINE_LOST, and the new thread loads the model with its first
 * task, or before it where `reopen` says so. Cancelling never ends a thread, since that would take its model along: the task polls a shared flag.
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
  /** Settles when threads that hung have ended. No model is opened before, since two may not fit. */
  #ended: Promise<unknown> = Promise.resolve();
  #lossReason = '';
  #closed: Promise<void> | undefined;
  #idle = Promise.withResolvers<void>();

  constructor({ workerUrl, workerData, threads, waitingTasksMax, onFree, reopen, watch }: WorkerPoolOptions<Facts>) {
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
      // A thread that waits for its next task in its event loop is told once; one that sleeps is told, then woken.
      atomics: 'disabled',
    });
    // A thread that was lost between tasks: nobody waits for it, and piscina starts another.
    this.#piscina.on('error', (error) => this.#onLost(reasonOf(error)));
    this.#watchdog = watch && new Watchdog({ ...watch, onProbe: () => this.#ping() });
  }

  /** How long the slowest task or ping under way has made no progress, milliseconds. */
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
   * @param onProgress hears 0…1 over all threads
   * @returns what each thread says of its model
   * @throws {RuntimeError} ERR_MODEL_LOAD, ERR_MEMORY_BUDGET, ERR_ENGINE_LOST
   */
  async open({ onProgress }: { onProgress?: (fraction: number) => void } = {}): Promise<readonly Facts[]> {
    const fractions = new Array<number>(this.#threads).fill(0);
    // All at once, so that each goes to a thread of its own.
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
   * @throws {RuntimeError} ERR_QUEUE_FULL, ERR_DRAINING, ERR_CANCELLED, ERR_ENGINE_LOST, and what the task threw
   */
  run(task: Task, { signal, transfer = [], onStart, onProgress }: TaskOptions<Progress> = {}): Promise<Result> {
    if (this.#closing) return Promise.reject(draining());
    if (this.#isDead) return Promise.reject(lost());
    if (signal?.aborted) return Promise.reject(cancelled());
    if ((this.freeThreads <= 0 || this.#isReopening) && this.#waiting.length >= this.#waitingTasksMax) {
      return Promise.reject(new RuntimeError('ERR_QUEUE_FULL', `${this.#waiting.length} tasks wait already`));
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
            // Before the caller hears of it, who may come with the next task at once.
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
   * Refuses new tasks, lets those taken finish, frees every thread's model, then ends the threads.
   * @param options.signal once it aborts, a task that makes no progress is ended soon
   */
  close({ signal }: { signal?: AbortSignal } = {}): Promise<void> {
    this.#closed ??= this.#close();
    const hurry = () => this.#watchdog?.hurry();
    if (signal?.aborted) hurry();
    else signal?.addEventListener('abort', hurry, { once: true });
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

  /** Pings idle threads. Busy ones show by their progress that they are alive. */
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
      if (error instanceof DOMException) throw error; // Cannot be cloned: a defect of ours.
      // The caller of `open` handles its failure.
      if (message.kind !== 'open') this.#onLost(reasonOf(error));
      throw lost(error);
    } finally {
      posting?.watch?.end();
    }
    if (answer.kind === 'error') throw toRuntimeError(answer.error);
    return answer.value;
  }
}

/** @returns a port for a thread, and what to call when its task is over: nothing is heard late, and nothing lost */
function listen<Message>(onMessage: (message: Message) => void): { port: MessagePort; end: () => void } {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', onMessage);
  port1.unref();
  const end = () => {
    // Results come by another way and may overtake what was reported before them.
    for (let last = receiveMessageOnPort(port1); last !== undefined; last = receiveMessageOnPort(port1)) {
      onMessage(last.message);
    }
    port1.close();
  };
  return { port: port2, end };
}

/** The name alone: the message of a defect could hold anything. */
function reasonOf(error: unknown): string {
  return `its thread failed (${error instanceof Error ? error.name : typeof error})`;
}

function lost(cause?: unknown): RuntimeError {
  return new RuntimeError('ERR_ENGINE_LOST', 'a model thread stopped in mid-work; try again', { cause });
}
