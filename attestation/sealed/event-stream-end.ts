/**
 * Detects whether a stream of server-sent events is complete. Sealing authenticates the bytes that arrive, not the end of the stream: a stream
 * that is truncated between two frames lacks its last event.
 */

/** Bytes of a line that suffice to identify its event. */
const lineBytesKept = 64;

const lf = 10;
const cr = 13;

/** The possible beginnings of an event stream, including a comment. Neither JSON nor an image begins like this. */
const firstLine = /^(?:data|event|id|retry)?:/;
const firstLineBytes = 6;

/** The last events of streams that do not end with `[DONE]`: of messages, responses and images, and of any stream that fails. */
const lastEvent = /^(?:error|message_stop|response\.(?:incomplete|failed|cancelled)|[\w.]+\.completed)$/;

/** Scans the events of a stream. Buffers only the beginning of one line. */
export class EventStreamEnd {
  #first = '';
  #line: number[] = [];
  #name = '';
  #data: string | undefined;
  #isComplete = false;
  #isAtBoundary = true;

  /** Whether the last event was seen: `data: [DONE]`, or an event whose name ends a stream. */
  get isComplete(): boolean {
    return this.#isComplete && this.#isAtBoundary;
  }

  /** Whether the body begins like an event stream. The headers are not sealed and may be wrong. */
  get isEventStream(): boolean {
    return firstLine.test(this.#first);
  }

  push(bytes: Uint8Array): void {
    if (this.#first.length < firstLineBytes) {
      this.#first += String.fromCharCode(...bytes.subarray(0, firstLineBytes - this.#first.length));
    }
    let start = 0;
    while (start < bytes.length) {
      const found = bytes.indexOf(lf, start);
      const end = found === -1 ? bytes.length : found;
      for (let at = start; at < end && this.#line.length < lineBytesKept; at++) this.#line.push(bytes[at]!);
      if (end > start) this.#isAtBoundary = false;
      if (found === -1) return;
      this.#endLine();
      start = found + 1;
    }
  }

  #endLine(): void {
    if (this.#line.at(-1) === cr) this.#line.pop();
    const line = String.fromCharCode(...this.#line);
    this.#line = [];
    if (line === '') this.#endEvent();
    else if (line.startsWith('event:')) this.#name = line.slice(6).trim();
    else if (line.startsWith('data:')) this.#data ??= line.slice(5).trim();
  }

  #endEvent(): void {
    // A block of comments is not an event.
    if (this.#data !== undefined) {
      this.#isComplete = this.#data === '[DONE]' || lastEvent.test(this.#name);
    }
    this.#name = '';
    this.#data = undefined;
    this.#isAtBoundary = true;
  }
}
