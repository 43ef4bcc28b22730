/** What Prometheus sees of embeddings. Labels are model ids and error codes, as in `metrics.ts`. */
import type { EmbeddingResult, EmbeddingStats } from '@cloister/runtime/embeddings/embedding-request';
import { Counter, Histogram, type Registry } from 'prom-client';
import { statsMetrics } from '../../metrics/engine-stats-metrics.ts';

export interface EmbeddingMetrics {
  /** Starts the clock of one request. */
  beginEmbedding(request: { model: string }): EmbeddingWatch;
}

export interface EmbeddingWatch {
  done(result: Pick<EmbeddingResult, 'queuedMs'>): void;
  /** The request was refused or cut short. */
  failed(code: string): void;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers in a registry that `buildMetrics` made. @param clock milliseconds, monotonic */
export function buildEmbeddingMetrics(
  registry: Registry,
  { engines, clock }: { engines: () => Iterable<{ id: string; stats: EmbeddingStats }>; clock: () => number },
): EmbeddingMetrics {
  const registers = [registry];
  const labelNames = ['model_name'] as const;
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `cloister_embedding_${name}`, help, labelNames, buckets: seconds, registers });
  const whole = histogram('request_latency_seconds', 'From arrival to the last vector.');
  const queued = histogram('queue_time_seconds', 'From arrival until the first batch of a request began.');
  const failure = new Counter({
    name: 'cloister_embedding_failure_total',
    help: 'Embedding requests refused or cut short, by error code.',
    labelNames: ['model_name', 'code'],
    registers,
  });
  registerStats(registry, engines);
  return {
    beginEmbedding({ model }) {
      const labels = { model_name: model };
      const arrivedAt = clock();
      return {
        done({ queuedMs }) {
          queued.observe(labels, queuedMs / 1000);
          whole.observe(labels, (clock() - arrivedAt) / 1000);
        },
        failed: (code) => failure.inc({ ...labels, code }),
      };
    },
  };
}

function registerStats(registry: Registry, engines: () => Iterable<{ id: string; stats: EmbeddingStats }>): void {
  const { gauge, counter } = statsMetrics(registry, 'cloister_embedding_', engines);
  gauge('requests_running', 'Requests being worked on.', ({ running }) => running);
  gauge('texts_waiting', 'Texts that are in no batch yet.', ({ waitingTexts }) => waitingTexts);
  counter('texts_total', 'Texts computed.', ({ texts }) => texts);
  counter('tokens_total', 'Tokens computed, padding left out.', ({ promptTokens }) => promptTokens);
  counter('padding_tokens_total', 'Padding computed.', ({ paddingTokens }) => paddingTokens);
  counter('batches_total', 'Batches computed.', ({ batches }) => batches);
  counter('compute_seconds_total', 'Time in batches, over all threads.', ({ computeMs }) => computeMs / 1000);
}
