/**
 * Passes spans to an exporter in batches. Bounded: if the collector is slow or gone, spans are dropped and
 * counted.
 */
import { BatchSpanProcessor, type ReadableSpan, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';

/** Spans since the start. */
export interface SpanCounts {
  readonly exported: number;
  /** The collector refused them, or could not be reached. */
  readonly failed: number;
  /** The queue was full. */
  readonly dropped: number;
}

const spansMaxDefault = 4096;
const batchMax = 512;
const delayMsDefault = 2_000;
/** Longer than the timeout of the exporter itself. */
const exportTimeoutMs = 20_000;
const pauseMsMin = 500;
const pauseMsMax = 60_000;

export class SpanQueue implements SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  readonly #spansMax: number;
  readonly #counts = { exported: 0, failed: 0, dropped: 0 };
  /** Spans that are queued or being sent. */
  #held = 0;
  #pauseMs = 0;
  #pausedUntilMs = 0;

  constructor(
    exporter: SpanExporter,
    { spansMax = spansMaxDefault, delayMs = delayMsDefault }: { spansMax?: number; delayMs?: number } = {},
  ) {
    this.#spansMax = spansMax;
    this.#batches = new BatchSpanProcessor({
      exporter: this.#counted(exporter),
      maxQueueSize: spansMax,
      maxExportBatchSize: Math.min(batchMax, spansMax),
      scheduledDelayMillis: delayMs,
      exportTimeoutMillis: exportTimeoutMs,
    });
  }

  get counts(): SpanCounts {
    return { ...this.#counts };
  }

  /** Whether the queue is full or the collector failed just now; the span in question then counts as dropped. */
  refuses(): boolean {
    if (this.#held < this.#spansMax && performance.now() >= this.#pausedUntilMs) return false;
    this.#counts.dropped += 1;
    return true;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.refuses()) return;
    this.#held += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  /** After a failure, no span is made for a while, which doubles with each further failure. */
  #pause(isExported: boolean): void {
    this.#pauseMs = isExported ? 0 : Math.min(pauseMsMax, Math.max(pauseMsMin, 2 * this.#pauseMs));
    this.#pausedUntilMs = isExported ? 0 : performance.now() + this.#pauseMs;
  }

  #counted(exporter: SpanExporter): SpanExporter {
    return {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.#held -= spans.length;
          const isExported = result.code === 0;
          this.#counts[isExported ? 'exported' : 'failed'] += spans.length;
          this.#pause(isExported);
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    };
  }
}
