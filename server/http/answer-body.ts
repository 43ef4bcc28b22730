/**
 * The seam through which every byte of every answer leaves, whole or streamed. Receipts read the bytes here, sealing
 * changes them; a route knows of neither.
 */
import type { OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Sees, and may change, one answer. Its methods must not throw. */
export interface BodyFilter {
  /** Applied after all others, whenever it was added: sealing, so that the others see what the caller will read. */
  readonly isOutermost?: boolean;
  /**
   * Called once, with the headers that will be sent; may change them, names in lower case. A filter that changes the
   * length sets `transfer-encoding: chunked`.
   */
  open(headers: OutgoingHttpHeaders): void;
  /** @returns what is sent in place of `chunk`, possibly nothing yet · what was kept back comes with `end` */
  push(chunk: Buffer): Buffer;
  /** The answer is complete. @returns what is left, may be empty */
  end(): Buffer;
  /** The connection ended before the answer did; also without `open`. Nothing else follows. */
  abort(): void;
}

/** Log, metrics, connections, filters, routes and the framework each wait for the end of an answer: more than Node's ten. */
const closeListenersMax = 20;

declare module 'fastify' {
  interface FastifyRequest {
    /** Filters of the answer, in the order in which they are applied. Add them before the answer begins. */
    bodyFilters: BodyFilter[];
    answerBody: AnswerBody;
  }
}

/** One answer on its way through its filters. */
export class AnswerBody {
  readonly #added: readonly BodyFilter[];
  #applied: readonly BodyFilter[] = [];
  #state: 'waiting' | 'open' | 'over' = 'waiting';

  /** @param filters may grow until `open` */
  constructor(filters: readonly BodyFilter[] = []) {
    this.#added = filters;
  }

  /** Whether bytes may be sent as they are. */
  get isPlain(): boolean {
    return this.#added.length === 0;
  }

  open(headers: OutgoingHttpHeaders): void {
    if (this.#state !== 'waiting') throw new TypeError('an answer begins once');
    this.#state = 'open';
    const isOutermost = (filter: BodyFilter) => filter.isOutermost === true;
    this.#applied = [...this.#added.filter((one) => !isOutermost(one)), ...this.#added.filter(isOutermost)];
    for (const filter of this.#applied) filter.open(headers);
  }

  push(chunk: Buffer): Buffer {
    return pushThrough(this.#applied, chunk);
  }

  /** @returns what the filters kept back; empty where the answer is over already */
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

  /** Tells the filters, unless the answer is over. */
  abort(): void {
    if (this.#state === 'over') return;
    this.#state = 'over';
    for (const filter of this.#added) filter.abort();
  }
}

/** Sends whole answers through their filters, and tells the filters of those that the caller did not wait for. */
export function filterAnswers(app: FastifyInstance): void {
  // The framework wants the shape of a request known beforehand; each gets its own below.
  app.decorateRequest('bodyFilters');
  app.decorateRequest('answerBody');
  app.addHook('onRequest', (request, reply, next) => {
    request.bodyFilters = [];
    request.answerBody = new AnswerBody(request.bodyFilters);
    reply.raw.setMaxListeners(closeListenersMax).once('close', () => request.answerBody.abort());
    next();
  });
  app.addHook('onSend', async (request, reply, payload) => {
    // A request refused by the framework, such as one for a broken URL, has passed no hook.
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
