/** The state of one embedding request: its slices, its progress, and its result. */
import { RuntimeError } from '../pool/errors.ts';
import type { Queued } from '../pool/queue.ts';
import type { WaitingText } from './embedding-batcher.ts';
import { type EmbeddingRequest, type EmbeddingResult, itemSize } from './embedding-request.ts';
import type { TokenizeTask } from './embedding-worker.ts';

/** Items of a request that wait to be tokenized. */
export interface Slice extends Queued {
  readonly job: EmbeddingJob;
  readonly task: TokenizeTask;
  /** Number of characters or token ids. */
  readonly size: number;
}

/** A tokenized item that waits to be computed. */
export interface JobText extends WaitingText {
  readonly job: EmbeddingJob;
  /** Index in the request's input. */
  readonly index: number;
}

/** Characters per slice: enough to justify a message to a thread, and few enough for accounts to take turns. */
const sliceSizeMax = 32_768;

export class EmbeddingJob {
  readonly request: EmbeddingRequest;
  readonly result: Promise<EmbeddingResult>;
  readonly #settle = Promise.withResolvers<EmbeddingResult>();
  /** Created on demand, because most requests end without it. */
  #ended: AbortController | undefined;
  #isOver = false;
  readonly #arrivedMs: number;
  readonly #dimensions: number;
  readonly #vectors: Float32Array;
  #begunMs: number | undefined;
  #unstarted: number;
  #missing: number;
  #tokens = 0;

  constructor(request: EmbeddingRequest, { dimensions, now }: { dimensions: number; now: number }) {
    this.request = request;
    this.result = this.#settle.promise;
    this.#arrivedMs = now;
    this.#dimensions = dimensions;
    this.#vectors = new Float32Array(request.input.length * dimensions);
    this.#unstarted = request.input.length;
    this.#missing = request.input.length;
  }

  /** Aborts when the job fails. */
  get signal(): AbortSignal {
    this.#ended ??= new AbortController();
    if (this.#isOver) this.#ended.abort();
    return this.#ended.signal;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Items that are not in a batch yet. */
  get waitingTexts(): number {
    return this.isOver ? 0 : this.#unstarted;
  }

  /** @param first index of the first text in the input */
  textsOf(texts: readonly Int32Array[], first: number): JobText[] {
    const { account, priority } = this.request;
    return texts.map((tokens, at) => {
      this.#tokens += tokens.length;
      return { job: this, index: first + at, account, priority, arrivedMs: this.#arrivedMs, tokens };
    });
  }

  /** Records that one of its texts is in a batch. */
  begun(nowMs: number): void {
    this.#begunMs ??= nowMs;
    this.#unstarted -= 1;
  }

  /** Completes a job of one item that was tokenized on the model's thread. @param tokens its token count */
  computedDirectly(tokens: number, vectors: Float32Array): void {
    this.#tokens = tokens;
    this.computed({ index: 0 }, vectors, 0);
  }

  /** @param vectors [texts of the batch, dimensions] · @param row the row of the text */
  computed({ index }: Pick<JobText, 'index'>, vectors: Float32Array, row: number): void {
    const width = this.#dimensions;
    const vector = vectors.subarray(row * width, (row + 1) * width);
    // Non-finite values in one row do not affect other texts of the batch.
    if (!vector.every(Number.isFinite)) {
      this.fail(
        new RuntimeError(
          'ERR_INTERNAL',
          `the model computed non-finite values for \`${this.request.field ?? 'input'}[${index}]\``,
        ),
      );
      return;
    }
    this.#vectors.set(vector, index * width);
    this.#missing -= 1;
    if (this.#missing > 0) return;
    this.#settle.resolve({
      vectors: this.#vectors,
      dimensions: width,
      promptTokens: this.#tokens,
      queuedMs: this.#begunMs! - this.#arrivedMs,
    });
  }

  /** Fails the job unless it has ended. */
  fail(error: unknown): void {
    if (this.isOver) return;
    this.#isOver = true;
    this.#settle.reject(error);
    this.#ended?.abort();
  }
}

/** Splits a request into slices of bounded size with at least one item each. @param limit maximum tokens per item */
export function* sliceOf(job: EmbeddingJob, { limit }: { limit: number }): Iterable<Slice> {
  const { input, truncate, field, secondTokensMax, account, priority } = job.request;
  for (let first = 0; first < input.length; ) {
    let end = first;
    let size = 0;
    do size += itemSize(input[end++]!);
    while (end < input.length && size + itemSize(input[end]!) <= sliceSizeMax);
    const task = { items: input.slice(first, end), first, limit, truncate, field, secondTokensMax };
    yield { job, account, priority, size, task };
    first = end;
  }
}
