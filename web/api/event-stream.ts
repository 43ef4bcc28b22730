/** Reads the events of a stream and keeps its exact bytes, for the receipt. */

export interface ReadStream {
  /** The data of each event, in order, without `[DONE]`. */
  readonly events: AsyncGenerator<string>;
  /** All bytes; complete once `events` has ended. */
  readonly bytes: () => Uint8Array<ArrayBuffer>;
}

/** Longest text without the end of an event. */
const pendingCharactersMax = 32 * 1024 * 1024;

/** @param body of an answer with the type `text/event-stream` */
export function readEvents(body: ReadableStream<Uint8Array>): ReadStream {
  const pieces: Uint8Array[] = [];
  return { events: events(body, pieces), bytes: () => concat(pieces) };
}

async function* events(body: ReadableStream<Uint8Array>, pieces: Uint8Array[]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pending = '';
  for await (const piece of piecesOf(body)) {
    pieces.push(piece);
    pending += decoder.decode(piece, { stream: true });
    const complete = pending.split('\n\n');
    pending = complete.pop() ?? '';
    if (pending.length > pendingCharactersMax) throw new Error('the stream has an event that is too long');
    for (const event of complete) {
      const data = dataOf(event);
      if (data !== '' && data !== '[DONE]') yield data;
    }
  }
}

/** Not every browser can iterate over a stream. */
async function* piecesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    await reader.cancel();
  }
}

function dataOf(event: string): string {
  const lines = event.split('\n').filter((line) => line.startsWith('data:'));
  return lines.map((line) => line.slice(5).trimStart()).join('\n');
}

function concat(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
