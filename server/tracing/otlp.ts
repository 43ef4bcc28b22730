/**
 * OpenTelemetry: spans in memory, sent to a collector in batches by OTLP over HTTP. Loaded only if a collector is configured.
 * Names and attributes follow the semantic conventions for HTTP and for generative AI, without their attributes of content.
 */
import { readFileSync } from 'node:fs';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ServerError } from '../http/errors.ts';
import { randomId } from '../http/random-id.ts';
import { readHeaders } from './otlp-headers.ts';
import type { Phase, RequestFacts, RequestTrace, Tracing, WorkEnd, WorkTrace } from './request-trace.ts';
import { type SpanCounts, SpanQueue } from './span-queue.ts';
import { formatTraceParent, parseTraceParent } from './trace-context.ts';

export interface OtlpOptions {
  /** Base address of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** File with headers for the collector, one `name: value` in each line. */
  readonly headersPath?: string | undefined;
  /** PEM file with the authority of the collector; default: those that Node trusts. */
  readonly caPath?: string | undefined;
  /** Share of traces that are recorded, by their id. */
  readonly samplePercent: number;
  readonly version: string;
  /** Of the queue, for tests. */
  readonly limits?: { readonly spansMax?: number; readonly delayMs?: number };
}

/** A span is small and has no text of callers; a longer value would be a defect. */
const attributeCharactersMax = 256;
const exportTimeoutMs = 10_000;
const closeTimeoutMs = 2_000;

/** @throws {ServerError} ERR_START if a file cannot be read */
export function openOtlp(options: OtlpOptions): Tracing & { readonly counts: SpanCounts } {
  const queue = new SpanQueue(openExporter(options), options.limits);
  const ratio = new TraceIdRatioBasedSampler(options.samplePercent / 100);
  const provider = new TracerProvider({
    // Without the default detectors, which read the environment and the host.
    resource: resourceFromAttributes({
      'service.name': 'cloister',
      'service.version': options.version,
      'service.instance.id': randomId(16),
    }),
    // A caller that does not record its trace has none here either; one that does cannot exceed the operator's share.
    sampler: new ParentBasedSampler({ root: ratio, remoteParentSampled: ratio }),
    spanLimits: { attributeValueLengthLimit: attributeCharactersMax, attributeCountLimit: 32 },
    spanProcessors: [queue],
  });
  const tracer = provider.getTracer('cloister', options.version);
  const idle = new TracerProvider({ sampler: new AlwaysOffSampler() }).getTracer('cloister');
  return {
    // While spans would be dropped, requests are not even traced: a dead collector takes no time.
    begin: (request) => new OtlpRequest(queue.refuses() ? idle : tracer, request),
    get counts() {
      return queue.counts;
    },
    async close() {
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, closeTimeoutMs);
      await Promise.race([provider.shutdown().catch(() => undefined), timer.promise]);
      clearTimeout(timeout);
    },
  };
}

function openExporter({ endpoint, headersPath, caPath }: OtlpOptions): OTLPTraceExporter {
  const headers = headersPath === undefined ? {} : readHeaders(readFile(headersPath, '--otlp-headers-file'));
  const ca = caPath === undefined ? undefined : readFile(caPath, '--otlp-ca');
  const connection = { keepAlive: true, maxSockets: 1 };
  return new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers,
    timeoutMillis: exportTimeoutMs,
    concurrencyLimit: 1,
    // A function, so that certificates named in the environment are not used.
    httpAgentOptions: (protocol) =>
      protocol === 'http:'
        ? new HttpAgent(connection)
        : new HttpsAgent({ ...connection, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) }),
  });
}

function readFile(path: string, setting: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ServerError('ERR_START', `${setting}: ${path} cannot be read (${code})`, { cause });
  }
}

/** The operations of the semantic conventions, by surface. */
const operations: Readonly<Record<string, string>> = {
  chat: 'chat',
  confidential: 'chat',
  embeddings: 'embeddings',
  images: 'generate_content',
};

class OtlpRequest implements RequestTrace {
  readonly traceparent: string;
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #work: OtlpWork | undefined;

  constructor(tracer: Tracer, { method, route, traceparent }: RequestFacts) {
    this.#tracer = tracer;
    // `tracestate` and `baggage` are texts of the caller and are not read.
    const attributes = { 'http.request.method': method, 'http.route': route, 'url.scheme': 'https' };
    this.#span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, parentOf(traceparent));
    this.#context = trace.setSpan(ROOT_CONTEXT, this.#span);
    const { traceId, spanId, traceFlags } = this.#span.spanContext();
    this.traceparent = formatTraceParent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 });
  }

  get work(): WorkTrace | undefined {
    return this.#work;
  }

  begin({ surface, model }: { surface: string; model: string }): WorkTrace | undefined {
    if (!this.#span.isRecording()) return undefined;
    const operation = operations[surface] ?? 'chat';
    const attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.provider.name': 'cloister',
      'gen_ai.request.model': model,
      'gen_ai.response.model': model,
    };
    const span = this.#tracer.startSpan(`${operation} ${model}`, { attributes }, this.#context);
    this.#work = new OtlpWork(this.#tracer, span);
    return this.#work;
  }

  end({ status, code }: { status: number; code: string | undefined }): void {
    this.#work?.fail(code);
    this.#span.setAttribute('http.response.status_code', status);
    if (code !== undefined) this.#span.setAttribute('error.type', code);
    if (status >= 500) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

class OtlpWork implements WorkTrace {
  admittedAtMs = performance.now();
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #isAdmitted = false;
  /** Whether the reservation was released without a charge. */
  #isReleased = false;
  #isRequestOver = false;

  constructor(tracer: Tracer, span: Span) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(ROOT_CONTEXT, span);
  }

  phase(phase: Phase, startMs: number, endMs: number): void {
    if (phase === 'admission') this.admittedAtMs = endMs;
    this.#tracer.startSpan(phase, { startTime: time(startMs) }, this.#context).end(time(Math.max(startMs, endMs)));
  }

  admitted(): void {
    this.#isAdmitted = true;
  }

  end(end: WorkEnd | undefined): void {
    if (end !== undefined) this.#span.setAttributes(usageOf(end));
    this.#isReleased = end === undefined;
    // The request knows why its work was released.
    if (end !== undefined || this.#isRequestOver) this.#span.end();
  }

  /** Called at the end of the request. Work that is still to be settled ends with its settlement. */
  fail(code: string | undefined): void {
    this.#isRequestOver = true;
    if (!this.#span.isRecording()) return;
    if (code !== undefined) {
      this.#span.setAttribute('error.type', code);
      this.#span.setStatus({ code: SpanStatusCode.ERROR });
    }
    if (!this.#isAdmitted || this.#isReleased) this.#span.end();
  }
}

const finishReasons = ['stop', 'length', 'tool_calls'];

function usageOf({ counts, finishReason }: WorkEnd): Attributes {
  const isFinished = finishReasons.includes(finishReason);
  return {
    'gen_ai.usage.input_tokens': counts.promptTokens,
    'gen_ai.usage.output_tokens': counts.completionTokens,
    ...(isFinished ? { 'gen_ai.response.finish_reasons': [finishReason] } : { 'error.type': finishReason }),
  };
}

function parentOf(header: RequestFacts['traceparent']): Context {
  const parent = parseTraceParent(header);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Milliseconds of `performance.now()` as those since 1970: one clock for all spans of a process. */
function time(ms: number): number {
  return performance.timeOrigin + ms;
}
