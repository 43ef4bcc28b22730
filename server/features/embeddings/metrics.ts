/** Prometheus metrics of embeddings. Labels are model ids and error codes. */
import type { EmbeddingResult, EmbeddingStats } from '@cloister/runtime/embeddings/embedding-request';
import { Counter, Histogram, type Registry } from 'prom-client';
import { statsMetrics } from '../../metrics/engine-stats-metrics.ts';

export interface EmbeddingMetrics {
  /** Starts the clock of one request. */
  beginEmbedding(request: { model: string }): EmbeddingWatch;
}

export interface EmbeddingWatch {
  done(result: Pick<EmbeddingResult, 'queuedMs'>): void;
  /** The request was refused or aborted. */
  failed(code: string): void;
}

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Registers the metrics in the registry of `buildMetrics`. @param clock milliseconds, monotonic */
export function buildEmbeddingMetrics(
  registry: Registry,
  { engines, clock }: { engines: () => Iterable<{ id: string; stats: EmbeddingStats }>; clock: () => number },
): EmbeddingMetrics {
  const registers = [registry];
  const labelNames = ['model_name'] as const;
  const histogram = (name: string, help: string) =>
    new Histogram({ name: `cloister_embedding_${name}`, help, labelNames, buckets: seconds, registers });
  const whole = histogram('request_latency_seconds', 'Time from the arrival of a request to its last vector.');
  const queued = histogram('queue_time_seconds', 'Time from the arrival of a request to the start of its first batch.');
  const failure = new Counter({
    name: 'cloister_embedding_failure_total',
    help: 'Embedding requests refused or aborted, by error code.',
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
  gauge('requests_running', 'Running requests.', ({ running }) => running);
  gauge('texts_waiting', 'Texts that wait for a batch.', ({ waitingTexts }) => waitingTexts);
  counter('texts_total', 'Texts computed.', ({ texts }) => texts);
  counter('tokens_total', 'Tokens computed, without padding.', ({ promptTokens }) => promptTokens);
  counter('padding_tokens_total', 'Padding tokens computed.', ({ paddingTokens }) => paddingTokens);
  counter('batches_total', 'Batches computed.', ({ batches }) => batches);
  counter('compute_seconds_total', 'Time in batches, summed over all threads.', ({ computeMs }) => computeMs / 1000);
}
