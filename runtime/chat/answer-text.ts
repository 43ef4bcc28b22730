/** Detokenizes an answer: emits whole characters only, and no part of a stop string. Pure. */
import type { Vocabulary } from '@cloister/models/interface/model';

export interface AnswerTextOptions {
  readonly vocabulary: Vocabulary;
  readonly stops: readonly string[];
  /** Control tokens whose text is part of the answer because a parser reads it. */
  readonly shownTokens: ReadonlySet<number>;
}

export class AnswerText {
  readonly #options: AnswerTextOptions;
  /** Keeps the first bytes of a character until the rest arrives; invalid bytes become U+FFFD. */
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Text that may be the beginning of a stop string. */
  #buffered = '';
  #stop: string | undefined;

  constructor(options: AnswerTextOptions) {
    this.#options = options;
  }

  /** The stop string that ended the answer. */
  get stop(): string | undefined {
    return this.#stop;
  }

  /** @returns the text to emit now, and whether a stop string was completed, which ends the answer */
  push(token: number): { text: string; stopped: boolean } {
    const text = this.#decoder.decode(this.tokenBytes(token), { stream: true });
    return this.#emit(text);
  }

  /** Returns the buffered rest of a complete answer: it did not become a stop string. */
  finish(): string {
    if (this.#stop !== undefined) return '';
    const { text } = this.#emit(this.#decoder.decode());
    const rest = this.#buffered;
    this.#buffered = '';
    return text + rest;
  }

  /** A token's bytes; empty for a control token that is not part of the answer. */
  tokenBytes(token: number): Uint8Array {
    const { vocabulary, shownTokens } = this.#options;
    if (vocabulary.control[token] === 1 && !shownTokens.has(token)) return noBytes;
    return vocabulary.bytes.subarray(vocabulary.offsets[token], vocabulary.offsets[token + 1]);
  }

  #emit(text: string): { text: string; stopped: boolean } {
    const { stops } = this.#options;
    if (stops.length === 0) return { text, stopped: false };
    const pending = this.#buffered + text;
    const first = firstStop(pending, stops);
    if (first !== undefined) {
      this.#buffered = '';
      this.#stop = pending.slice(first.begin, first.end);
      return { text: pending.slice(0, first.begin), stopped: true };
    }
    const shown = pending.length - bufferedLength(pending, stops);
    this.#buffered = pending.slice(shown);
    return { text: pending.slice(0, shown), stopped: false };
  }
}

const noBytes = new Uint8Array(0);

/** The stop string that ends first; of several with the same end, the longest. */
function firstStop(text: string, stops: readonly string[]): { begin: number; end: number } | undefined {
  let first: { begin: number; end: number } | undefined;
  for (const stop of stops) {
    const begin = text.indexOf(stop);
    const end = begin + stop.length;
    if (begin < 0 || (first !== undefined && (end > first.end || (end === first.end && begin > first.begin)))) continue;
    first = { begin, end };
  }
  return first;
}

/** Length of the longest suffix of `text` that is a proper prefix of a stop string. */
function bufferedLength(text: string, stops: readonly string[]): number {
  let longest = 0;
  for (const stop of stops) {
    for (let length = Math.min(stop.length - 1, text.length); length > longest; length -= 1) {
      if (text.endsWith(stop.slice(0, length))) longest = length;
    }
  }
  return longest;
}
