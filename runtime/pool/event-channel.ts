/** A channel for one producer and one consumer: `for await` yields the pushed events in order. */
export class EventChannel<Event> implements AsyncIterableIterator<Event> {
  readonly #events: Event[] = [];
  readonly #onLeave: () => void;
  #end: { readonly error: unknown } | 'done' | undefined;
  #waiting: Waiting<Event> | undefined;

  /** @param onLeave called once if the consumer leaves before the end */
  constructor({ onLeave }: { onLeave: () => void }) {
    this.#onLeave = onLeave;
  }

  push(event: Event): void {
    if (this.#end !== undefined) return;
    if (this.#waiting === undefined) this.#events.push(event);
    else this.#settle((waiting) => waiting.resolve({ done: false, value: event }));
  }

  /** The consumer receives the events pushed so far, then the end. */
  close(): void {
    if (this.#end !== undefined) return;
    this.#end = 'done';
    this.#settle((waiting) => waiting.resolve({ done: true, value: undefined }));
  }

  /** The consumer receives the events pushed so far, then the error. */
  fail(error: unknown): void {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#settle((waiting) => waiting.reject(error));
  }

  async next(): Promise<IteratorResult<Event>> {
    const event = this.#events.shift();
    if (event !== undefined) return { done: false, value: event };
    if (this.#end === 'done') return { done: true, value: undefined };
    if (this.#end !== undefined) throw this.#end.error;
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
    });
  }

  /** Called by `for await` when its body breaks or throws. */
  async return(): Promise<IteratorResult<Event>> {
    this.#leave();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #leave(): void {
    if (this.#end !== undefined) return;
    this.#end = 'done';
    this.#events.length = 0;
    this.#onLeave();
  }

  #settle(action: (waiting: Waiting<Event>) => void): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) action(waiting);
  }
}

interface Waiting<Event> {
  readonly resolve: (result: IteratorResult<Event>) => void;
  readonly reject: (error: unknown) => void;
}
