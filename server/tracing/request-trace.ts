/**
 * The trace of a request, as the rest of the server uses it. Types and hooks only: OpenTelemetry is loaded by `otlp.ts`, and
 * only if a collector is configured.
 */
import type { FastifyInstance } from 'fastify';
import { onRequestEnd } from '../http/request-end.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined unless a collector is configured. */
    trace: RequestTrace | undefined;
  }
}

/** Parts of the work of a model, each a span. */
export type Phase = 'admission' | 'queue' | 'prefill' | 'decode' | 'compute' | 'settle';

/** How the work ended: what `RequestEnd` of the accounts has. */
export interface WorkEnd {
  readonly counts: { readonly promptTokens: number; readonly completionTokens: number };
  /** `stop`, `length`, `tool_calls`, or the error code that cut it short. */
  readonly finishReason: string;
}

/** The work of one model for a request. All times are milliseconds of `performance.now()`. */
export interface WorkTrace {
  /** End of the admission; set by `phase`. */
  readonly admittedAtMs: number;
  phase(phase: Phase, startMs: number, endMs: number): void;
  /** The account may run the work, which will be settled or released. */
  admitted(): void;
  /** Ends the span of the work and records what it used. @param end undefined if nothing was charged */
  end(end: WorkEnd | undefined): void;
}

/** One request. Nothing of its content, its account or its key is recorded. */
export interface RequestTrace {
  /** `traceparent` for the answer and for requests that this one causes. */
  readonly traceparent: string;
  /** The work of the model, once it has begun. */
  readonly work: WorkTrace | undefined;
  /** @param surface of the API · @param model public id of a served model */
  begin(work: { surface: string; model: string }): WorkTrace | undefined;
  /** @param code of the error that ended the request */
  end(end: { status: number; code: string | undefined }): void;
}

export interface RequestFacts {
  readonly method: string;
  /** Pattern of the route. */
  readonly route: string;
  /** As the caller sent it. */
  readonly traceparent: string | readonly string[] | undefined;
}

/** Records the traces of requests, and sends them to a collector. */
export interface Tracing {
  begin(request: RequestFacts): RequestTrace;
  /** Sends what is left, for a short time. */
  close(): Promise<void>;
}

/** Traces every POST of this app; behind `requireKey`, so that only callers with a key cause spans. */
export function traceRequests(app: FastifyInstance, { tracing }: { tracing?: Tracing | undefined }): void {
  app.decorateRequest('trace', undefined);
  if (tracing === undefined) return;
  app.addHook('onRequest', (request, reply, next) => {
    if (request.method === 'POST') {
      const { method, routeOptions, headers } = request;
      request.trace = tracing.begin({ method, route: routeOptions.url ?? 'unknown', traceparent: headers.traceparent });
      reply.header('traceparent', request.trace.traceparent);
    }
    next();
  });
  onRequestEnd(app, ({ trace, outcome }, { status }) => trace?.end({ status, code: outcome }));
}
