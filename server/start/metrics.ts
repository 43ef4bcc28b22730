/**
 * The Prometheus metrics: vLLM's names and shapes with our prefix, and those of chats also with vLLM's own. Labels are
 * model ids, route patterns, statuses, limits and error codes; content, keys and accounts never become labels.
 */
import type { EngineStats } from '@cloister/runtime/chat/request';
import type { EmbeddingStats } from '@cloister/runtime/embeddings/embedding-request';
import type { ImageStats } from '@cloister/runtime/images/image-engine';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { buildChatMetrics, type ChatMetrics } from '../features/chat/metrics.ts';
import { buildEmbeddingMetrics, type EmbeddingMetrics } from '../features/embeddings/metrics.ts';
import { buildImageMetrics, type ImageMetrics } from '../features/images/metrics.ts';
import { registerBuildInfo } from '../metrics/build-info.ts';
import { registerEventLoopLag, unusedSamplingMs } from '../metrics/event-loop-lag.ts';
import { buildRefusalMetrics, type RefusalMetrics } from '../metrics/refusal-metrics.ts';
import { buildRequestMetrics, type RequestMetrics } from '../metrics/request-metrics.ts';
import { publishVllmNames } from '../metrics/vllm-names.ts';
import { version } from '../program/version.ts';

export interface Metrics extends ChatMetrics, EmbeddingMetrics, ImageMetrics, RequestMetrics, RefusalMetrics {
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
  registerBuildInfo(registry, { version });
  const chat = buildChatMetrics(registry, { engines, clock });
  publishVllmNames(registry);
  return {
    registry,
    ...chat,
    ...buildEmbeddingMetrics(registry, { engines: embeddingEngines, clock }),
    ...buildImageMetrics(registry, { engines: imageEngines, clock }),
    ...buildRequestMetrics(registry),
    ...buildRefusalMetrics(registry),
  };
}
