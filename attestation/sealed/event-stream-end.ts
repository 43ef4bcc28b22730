/**
 * Whether a stream of server-sent events was complete. Sealing proves every byte that came and says nothing of those
 * that did not, so a stream that was cut between two frames is known by the event it lacks.
 */

/** Bytes of a line that tell which event it is. */
const lineBytesKept = 64;

const lf = 10;
const cr = 13;

/** How the first line of a stream of events begins, a comment included; neither JSON nor a picture does. */
const firstLine = /^(?:data|event|id|retry)?:/;
const firstLineBytes = 6;

/** Reads the events of a stream as they pass; keeps no more than the beginning of one line. */
export class EventStreamEnd {
  #first = '';
  #line: number[] = [];
  #name = '';
  #data: string | undefined;
  #isComplete = false;
  #isAtBoundary = true;

  /** Whether the stream stands after its last event: `data: [DONE]`, or one that is named `error` or `….completed`. */
  get isComplete(): boolean {
    return this.#isComplete && this.#isAtBoundary;
  }

  /** Whether it begins like a stream of events: headers are not sealed, and may say that it is none. */
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
    // A block of comments alone is no event.
    if (this.#data !== undefined) {
      this.#isComplete = this.#data === '[DONE]' || this.#name === 'error' || this.#name.endsWith('.completed');
    }
    this.#name = '';
    this.#data = undefined;
    this.#isAtBoundary = true;
  }
}
