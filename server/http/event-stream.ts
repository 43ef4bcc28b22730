/** Server-sent events over one HTTP response: written once per engine step, bounded, never silently truncated. */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { AnswerBody } from './answer-body.ts';
import { ServerError } from './errors.ts';

/** Unread bytes after which the request of a slow reader is cancelled. */
const unreadBytesMax = 1024 * 1024;

/** Silence after which a heartbeat keeps proxies from closing the connection. */
const heartbeatMs = 15_000;

export class EventStream {
  readonly #response: ServerResponse;
  readonly #body: AnswerBody;
  readonly #heartbeatText: string;
  #pending = '';
  #isFlushPlanned = false;
  #heartbeat: NodeJS.Timeout | undefined;

  /**
   * @param body filters the response: `request.answerBody`
   * @param heartbeat a whole event or comment
   */
  constructor(response: ServerResponse, body = new AnswerBody(), heartbeat = ': waiting\n\n') {
    this.#response = response;
    this.#body = body;
    this.#heartbeatText = heartbeat;
  }

  /** Whether the headers have been sent: after that, an error can only be an event. */
  get isOpen(): boolean {
    return this.#heartbeat !== undefined;
  }

  open(headers: Readonly<Record<string, string>>): void {
    const all: OutgoingHttpHeaders = {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      ...headers,
    };
    this.#body.open(all);
    this.#response.writeHead(200, all);
    this.#heartbeat = setInterval(() => this.#write(this.#heartbeatText), heartbeatMs).unref();
  }

  /**
   * Appends whole events. All events of one engine step, for however many choices, are sent in one write.
   * @throws {ServerError} ERR_READER_TOO_SLOW
   */
  append(events: string): void {
    if (this.#response.writableLength > unreadBytesMax) {
      throw new ServerError('ERR_READER_TOO_SLOW', `more than ${unreadBytesMax} bytes of the answer are unread`);
    }
    this.#pending += events;
    if (this.#isFlushPlanned) return;
    this.#isFlushPlanned = true;
    // Ticks run after the microtasks that deliver the rest of this step's events.
    process.nextTick(() => this.#flush());
  }

  /** Ends the response after sending what is pending. */
  end(): void {
    clearInterval(this.#heartbeat);
    const rest = this.#pending;
    this.#pending = '';
    if (this.#response.destroyed) return;
    this.#response.end(this.#body.isPlain ? rest : Buffer.concat([this.#filtered(rest), this.#body.end()]));
  }

  /** Ends the response with an `error` event, which OpenAI's clients raise as an error. */
  fail(body: { readonly error: unknown }): void {
    this.#pending += `event: error\ndata: ${JSON.stringify(body)}\n\n`;
    this.end();
  }

  /** Closes the connection of a reader that cannot be sent an error. */
  destroy(): void {
    clearInterval(this.#heartbeat);
    this.#pending = '';
    this.#body.abort();
    this.#response.destroy();
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#pending === '') return;
    const events = this.#pending;
    this.#pending = '';
    this.#write(events);
    this.#heartbeat?.refresh();
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#response.write(this.#body.isPlain ? text : this.#filtered(text));
  }

  #filtered(text: string): Buffer {
    return this.#body.push(Buffer.from(text));
  }
}
