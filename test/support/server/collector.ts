/** An OpenTelemetry collector for tests: receives OTLP over HTTP on loopback and keeps every byte. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly statusCode: number;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface Collector {
  readonly url: string;
  /** Headers and path of each request. */
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly path: string }[];
  /** All bodies, as they came. */
  readonly bytes: () => Buffer;
  readonly spans: () => readonly ReceivedSpan[];
  /** The status of each answer from now on. */
  answerWith(status: number): void;
  close(): Promise<void>;
}

/** @param status of each answer; `hang` never answers */
export async function startCollector({ status: first = 200 }: { status?: number | 'hang' } = {}): Promise<Collector> {
  const bodies: Buffer[] = [];
  const requests: { headers: IncomingHttpHeaders; path: string }[] = [];
  let status = first;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks));
    requests.push({ headers: request.headers, path: request.url ?? '' });
    if (status !== 'hang') response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bytes: () => Buffer.concat(bodies),
    spans: () => bodies.flatMap((body) => spansOf(JSON.parse(body.toString('utf8')))),
    answerWith(next) {
      status = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly arrayValue?: { readonly values: readonly Value[] };
}

interface Message {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly name: string;
        readonly kind: number;
        readonly startTimeUnixNano: string;
        readonly endTimeUnixNano: string;
        readonly status?: { readonly code?: number };
        readonly attributes: readonly { readonly key: string; readonly value: Value }[];
      }[];
    }[];
  }[];
}

function spansOf({ resourceSpans }: Message): ReceivedSpan[] {
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return spans.map((span) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    startMs: Number(span.startTimeUnixNano) / 1e6,
    endMs: Number(span.endTimeUnixNano) / 1e6,
    statusCode: span.status?.code ?? 0,
    attributes: Object.fromEntries(span.attributes.map(({ key, value }) => [key, plainValue(value)])),
  }));
}

function plainValue({ stringValue, intValue, arrayValue }: Value): unknown {
  if (arrayValue !== undefined) return arrayValue.values.map(plainValue);
  return intValue === undefined ? stringValue : Number(intValue);
}
