/** The text that a reader sees, built from parts of what the caller sent, with a map back to the caller's offsets. */
import type { Range } from '../tools/text/span.ts';

/** A part of the source; `text` is set if the reader sees other characters, for example for `&amp;`. */
export interface Piece extends Range {
  readonly text?: string;
}

/** Appends pieces in the order of the source. Offsets are UTF-16 code units. */
export class PlainText {
  readonly #source: string;
  readonly #parts: string[] = [];
  /** [segments] The start of each in the plain text, and its start and end in the source. */
  readonly #plainStarts: number[] = [];
  readonly #sourceStarts: number[] = [];
  readonly #sourceEnds: number[] = [];
  #length = 0;
  /** Whether the last segment is a copy that a neighbouring copy extends. */
  #copies = false;

  constructor(source: string) {
    this.#source = source;
  }

  get length(): number {
    return this.#length;
  }

  /** @returns the range of the pieces in the plain text */
  append(pieces: readonly Piece[]): Range {
    const start = this.#length;
    for (const piece of pieces) this.#appendOne(piece);
    return { start, end: this.#length };
  }

  /** Adds a separator that the source does not have, such as a tab between cells. @param at offset in the source */
  separate(text: string, at: number): void {
    this.#appendOne({ start: at, end: at, text });
  }

  toString(): string {
    return this.#parts.join('');
  }

  /** @returns the range of the source that shows this range of the plain text */
  sourceOf({ start, end }: Range): Range {
    if (this.#length === 0) return { start: 0, end: 0 };
    const from = this.#offset(start);
    return { start: from, end: end > start ? Math.max(from, this.#offset(end - 1, true)) : from };
  }

  #appendOne({ start, end, text }: Piece): void {
    const shown = text ?? this.#source.slice(start, end);
    if (shown === '') return;
    this.#parts.push(shown);
    if (text === undefined && this.#copies && this.#sourceEnds.at(-1) === start) {
      this.#sourceEnds[this.#sourceEnds.length - 1] = end;
    } else {
      this.#plainStarts.push(this.#length);
      this.#sourceStarts.push(start);
      this.#sourceEnds.push(end);
      this.#copies = text === undefined;
    }
    this.#length += shown.length;
  }

  /** @param after whether to give the offset after the character instead of the one before it */
  #offset(plain: number, after = false): number {
    const index = this.#segmentAt(plain);
    const sourceStart = this.#sourceStarts[index]!;
    const sourceEnd = this.#sourceEnds[index]!;
    const plainStart = this.#plainStarts[index]!;
    const plainEnd = this.#plainStarts[index + 1] ?? this.#length;
    // A copy is as long as its source; a replacement is taken as a whole.
    if (plainEnd - plainStart !== sourceEnd - sourceStart) return after ? sourceEnd : sourceStart;
    return Math.min(sourceStart + (plain - plainStart) + (after ? 1 : 0), sourceEnd);
  }

  #segmentAt(plain: number): number {
    let low = 0;
    let high = this.#plainStarts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#plainStarts[middle]! <= plain) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
