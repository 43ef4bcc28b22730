/**
 * Every byte of every response, whole or streamed, passes through here. Receipts read the bytes and sealing encrypts
 * them; routes know about neither.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Observes, and may modify, one response. Its methods must not throw. */
export interface BodyFilter {
  /**
   * Applied after all other filters, whenever it was added. Sealing is outermost, so that the other filters see
   * plaintext.
   */
  readonly isOutermost?: boolean;
  /**
   * Called once, with the headers that will be sent, and may modify them (names in lower case). A filter that changes
   * the length sets `transfer-encoding: chunked`.
   */
  open(headers: OutgoingHttpHeaders): void;
  /** @returns what to send in place of `chunk`, possibly nothing · `end` returns what was buffered */
  push(chunk: Buffer): Buffer;
  /** The response is complete. @returns the buffered rest, which may be empty */
  end(): Buffer;
  /**
   * The connection closed before the response was complete, possibly before `open`. No other method is called
   * afterwards.
   */
  abort(): void;
}

/**
 * Logging, metrics, connections, filters, routes and the framework each listen for the end of a response; Node warns
 * above ten.
 */
const closeListenersMax = 20;

declare module 'fastify' {
  interface FastifyRequest {
    /** Filters of the response, in the order in which they are applied. Add them before the response starts. */
    bodyFilters: BodyFilter[];
    answerBody: AnswerBody;
  }
}

/** One response on its way through its filters. */
export class AnswerBody {
  readonly #added: readonly BodyFilter[];
  #applied: readonly BodyFilter[] = [];
  #state: 'waiting' | 'open' | 'over' = 'waiting';

  /** @param filters may be added to until `open` */
  constructor(filters: readonly BodyFilter[] = []) {
    this.#added = filters;
  }

  /** Whether bytes are sent unmodified. */
  get isPlain(): boolean {
    return this.#added.length === 0;
  }

  open(headers: OutgoingHttpHeaders): void {
    if (this.#state !== 'waiting') throw new TypeError('a response can start only once');
    this.#state = 'open';
    const isOutermost = (filter: BodyFilter) => filter.isOutermost === true;
    this.#applied = [...this.#added.filter((one) => !isOutermost(one)), ...this.#added.filter(isOutermost)];
    for (const filter of this.#applied) filter.open(headers);
  }

  push(chunk: Buffer): Buffer {
    return pushThrough(this.#applied, chunk);
  }

  /** @returns what the filters buffered; empty if the response has already ended */
  end(): Buffer {
    if (this.#state === 'over') return Buffer.alloc(0);
    this.#state = 'over';
    let rest: Buffer = Buffer.alloc(0);
    for (const filter of this.#applied) {
      const changed = rest.length === 0 ? rest : filter.push(rest);
      rest = Buffer.concat([changed, filter.end()]);
    }
    return rest;
  }

  /** Notifies the filters unless the response has ended. */
  abort(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    for (const filter of this.#added) filter.abort();
  }
}

/** Sends whole responses through their filters, and notifies the filters of responses whose client disconnected. */
export function filterAnswers(app: FastifyInstance): void {
  // Fastify needs every request property declared up front; each request gets its own value below.
  app.decorateRequest('bodyFilters');
  app.decorateRequest('answerBody');
  app.addHook('onRequest', (request, reply, next) => {
    request.bodyFilters = [];
    request.answerBody = new AnswerBody(request.bodyFilters);
    reply.raw.setMaxListeners(closeListenersMax).once('close', () => request.answerBody.abort());
    next();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // Requests that the framework rejects, for example for a malformed URL, have not passed any hook.
    const body: AnswerBody | undefined = request.answerBody;
    return body === undefined || body.isPlain ? payload : filterWhole(body, reply, payload);
  });
}

function filterWhole(body: AnswerBody, reply: FastifyReply, payload: unknown): unknown {
  const before = reply.getHeaders() as OutgoingHttpHeaders;
  const headers = { ...before };
  body.open(headers);
  for (const name of Object.keys(before)) if (headers[name] === undefined) reply.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) if (value !== before[name]) reply.header(name, value as string);
  if (payload instanceof Readable) return Readable.from(filterStream(body, payload));
  const isEmpty = payload === undefined || payload === null || payload === '';
  const first = isEmpty ? Buffer.alloc(0) : body.push(asBuffer(payload as string | Buffer));
  const whole = Buffer.concat([first, body.end()]);
  if (whole.length === 0) {
    reply.removeHeader('transfer-encoding');
    return payload;
  }
  return headers['transfer-encoding'] === undefined ? whole : Readable.from(whole);
}

async function* filterStream(body: AnswerBody, payload: Readable): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of payload) yield* filled(body.push(asBuffer(chunk as string | Buffer)));
  yield* filled(body.end());
}

function filled(chunk: Buffer): Buffer[] {
  return chunk.length === 0 ? [] : [chunk];
}

function pushThrough(filters: readonly BodyFilter[], chunk: Buffer): Buffer {
  let changed = chunk;
  for (const filter of filters) {
    if (changed.length === 0) break;
    changed = filter.push(changed);
  }
  return changed;
}

function asBuffer(bytes: string | Buffer): Buffer {
  return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
}
