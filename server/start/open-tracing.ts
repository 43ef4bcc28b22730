/** Opens tracing, if a collector is configured. */
import type { Registry } from 'prom-client';
import { registerTracing } from '../metrics/tracing-metrics.ts';
import type { Config } from '../program/config.ts';
import { version } from '../program/version.ts';
import type { Tracing } from '../tracing/request-trace.ts';

type TracingSettings = Pick<Config, 'otlpEndpoint' | 'otlpHeadersFile' | 'otlpCa' | 'otlpSamplePercent'>;

/** @returns undefined without a collector; OpenTelemetry is then not loaded · @throws {ServerError} ERR_START */
export async function openTracing(config: TracingSettings, registry: Registry): Promise<Tracing | undefined> {
  const { otlpEndpoint: endpoint, otlpHeadersFile: headersPath, otlpCa: caPath, otlpSamplePercent } = config;
  if (endpoint === undefined) return undefined;
  const { openOtlp } = await import('../tracing/otlp.ts');
  const tracing = openOtlp({ endpoint, headersPath, caPath, samplePercent: otlpSamplePercent, version });
  registerTracing(registry, () => ({ ...tracing.counts }));
  return tracing;
}
