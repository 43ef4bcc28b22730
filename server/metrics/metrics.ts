/**
 * What Prometheus sees: vLLM's names and shapes with our prefix. Labels are model ids, route patterns, statuses and
 * error codes; nothing of a request's content, key or account ever becomes one.
 */
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { EmbeddingStats } from '../../runtime/embedding-request.ts';
import type { ImageStats } from '../../runtime/image-engine.ts';
import type { EngineStats } from '../../runtime/request.ts';
import { buildChatMetrics, type ChatMetrics } from '../chat/metrics.ts';
import { buildEmbeddingMetrics, type EmbeddingMetrics } from '../embeddings/metrics.ts';
import { buildImageMetrics, type ImageMetrics } from '../images/metrics.ts';
import { buildRequestMetrics, type RequestMetrics } from '../plugins/request-metrics.ts';
import { registerEventLoopLag, unusedSamplingMs } from './event-loop-lag.ts';

export interface Metrics extends ChatMetrics, EmbeddingMetrics, ImageMetrics, RequestMetrics {
  readonly registry: Registry;
}

/** @param clock milliseconds, monotonic */
export function buildMetrics({
  engines,
  embeddingEngines = () => [],
  imageEngines = () => [],
  clock,
}: {
  engines: () => Iterable<{ id: string; stats: EngineStats }>;
  embeddingEngines?: () => Iterable<{ id: string; stats: EmbeddingStats }>;
  imageEngines?: () => Iterable<{ id: string; stats: ImageStats }>;
  clock: () => number;
}): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({
    register: registry,
    prefix: 'cloister_',
    eventLoopMonitoringPrecision: unusedSamplingMs,
  });
  registerEventLoopLag(registry);
  return {
    registry,
    ...buildChatMetrics(registry, { engines, clock }),
    ...buildEmbeddingMetrics(registry, { engines: embeddingEngines, clock }),
    ...buildImageMetrics(registry, { engines: imageEngines, clock }),
    ...buildRequestMetrics(registry),
  };
}
