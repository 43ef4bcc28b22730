/**
 * Byte-pair encoding: of all adjacent pieces that may be merged, those with the lowest rank are merged first. Takes O(n · log
 * n) for a word of n characters, and a word can be as long as a text.
 */

export interface BytePairOptions {
  readonly vocabulary: ReadonlyMap<string, number>;
  /** Ordered by rank. */
  readonly merges: readonly (readonly [left: string, right: string])[];
  /** Replaces characters that are not in the vocabulary; without it, such characters are dropped. */
  readonly unknown: string | undefined;
  /** Whether consecutive unknown characters become one token. */
  readonly fusesUnknown: boolean;
  /** Whether unknown characters are written as bytes such as `<0x41>`, if the vocabulary has all of them. */
  readonly byteFallback: boolean;
  /** Whether a word that is a token itself is not split. */
  readonly keepsWholeWords: boolean;
  /** Prefix of a character that does not begin its word. */
  readonly continuation: string;
  /** Suffix of the last character of a word. */
  readonly wordEnd: string;
}

/** @returns the pieces of a word · @throws {Error} if a merge or the unknown token is not in the vocabulary */
export function bytePairEncoder(options: BytePairOptions): (word: string) => readonly string[] {
  const { vocabulary, keepsWholeWords } = options;
  const names = new Map(Array.from(vocabulary, ([name, id]) => [id, name]));
  const merger = new WordMerger(new Merges(options));
  const split = characterSplitter(options);
  return (word) => {
    if (keepsWholeWords && vocabulary.has(word)) return [word];
    const ids = split(word);
    return (ids.length > 1 ? merger.merge(ids) : ids).map((id) => names.get(id)!);
  };
}

/** @returns the ids of a word's characters */
function characterSplitter({
  vocabulary,
  unknown,
  fusesUnknown,
  byteFallback,
  continuation,
  wordEnd,
}: BytePairOptions): (word: string) => number[] {
  const unknownId = unknown === undefined ? undefined : vocabulary.get(unknown);
  if (unknown !== undefined && unknownId === undefined) throw new Error('the unknown token is not in the vocabulary');
  const bytesOf = (character: string): readonly number[] | undefined => {
    if (!byteFallback) return undefined;
    const names = Array.from(
      Buffer.from(character),
      (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
    );
    const ids = names.flatMap((name) => vocabulary.get(name) ?? []);
    return ids.length === names.length ? ids : undefined;
  };
  return (word) => {
    const ids: number[] = [];
    let followsUnknown = false;
    let at = 0;
    for (const character of word) {
      const isFirst = at === 0;
      at += character.length;
      const name = `${isFirst ? '' : continuation}${character}${at === word.length ? wordEnd : ''}`;
      const id = vocabulary.get(name);
      const bytes = id === undefined ? bytesOf(name) : undefined;
      const isUnknown = id === undefined && bytes === undefined;
      if (id !== undefined) ids.push(id);
      else if (bytes !== undefined) ids.push(...bytes);
      else if (unknownId !== undefined && !(fusesUnknown && followsUnknown)) ids.push(unknownId);
      followsUnknown = isUnknown;
    }
    return ids;
  };
}

const none = -1;

/** Ranks and results of merges, by the ids of the two pieces: a hash table of integers, a fraction of the size of a `Map`. */
class Merges {
  /** [slots, 3]: left, right, rank; a left of `none` is an empty slot */
  readonly #slots: Int32Array;
  readonly #mask: number;
  /** [merges]: ids */
  readonly #merged: Int32Array;

  constructor({ vocabulary, merges, continuation }: BytePairOptions) {
    const slots = 2 ** Math.ceil(Math.log2(2 * merges.length + 2));
    this.#slots = new Int32Array(3 * slots).fill(none);
    this.#mask = slots - 1;
    this.#merged = Int32Array.from(merges, ([left, right], rank) => {
      const [leftId, rightId] = [vocabulary.get(left), vocabulary.get(right)];
      const merged = vocabulary.get(left + right.slice(continuation.length));
      if (leftId === undefined || rightId === undefined || merged === undefined) {
        throw new Error('a merge names a token that is not in the vocabulary');
      }
      this.#slots.set([leftId, rightId, rank], this.#find(leftId, rightId));
      return merged;
    });
  }

  /** @returns −1 if the two cannot be merged */
  rankOf(left: number, right: number): number {
    return this.#slots[this.#find(left, right) + 2]!;
  }

  mergedBy(rank: number): number {
    return this.#merged[rank]!;
  }

  /** @returns the slot of the two pieces, which may be empty */
  #find(left: number, right: number): number {
    const slots = this.#slots;
    let slot = hash(left, right) & this.#mask;
    while (slots[3 * slot] !== none && (slots[3 * slot] !== left || slots[3 * slot + 1] !== right)) {
      slot = (slot + 1) & this.#mask;
    }
    return 3 * slot;
  }
}

function hash(left: number, right: number): number {
  const mixed = Math.imul(Math.imul(left, 0x9e3779b1) ^ right, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/**
 * Merges the pieces of one word after another. Its memory is reused for the next word, and zeroed, because it contained a
 * caller's text.
 */
class WordMerger {
  readonly #merges: Merges;
  #length = 0;
  /** [characters]: the piece that begins there, or `none` inside a piece */
  #pieces = new Int32Array(0);
  /** Positions of the next and the previous piece. */
  #nexts = new Int32Array(0);
  #befores = new Int32Array(0);
  #queue = new SmallestFirst(0);

  constructor(merges: Merges) {
    this.#merges = merges;
  }

  /** @param ids of the characters of a word · @returns the ids of its pieces */
  merge(ids: readonly number[]): number[] {
    this.#begin(ids);
    for (let at = 0; at < ids.length - 1; at++) this.#offer(at);
    for (let entry = this.#queue.pop(); entry !== undefined; entry = this.#queue.pop()) this.#take(entry);
    const merged: number[] = [];
    for (let at = 0; at < ids.length; at = this.#nexts[at]!) merged.push(this.#pieces[at]!);
    this.#pieces.fill(0, 0, ids.length);
    this.#queue.wipe(2 * ids.length);
    return merged;
  }

  #begin(ids: readonly number[]): void {
    this.#length = ids.length;
    if (this.#pieces.length < ids.length) {
      this.#pieces = new Int32Array(ids.length);
      this.#nexts = new Int32Array(ids.length);
      this.#befores = new Int32Array(ids.length);
      // A merge removes one entry and adds at most two.
      this.#queue = new SmallestFirst(2 * ids.length);
    }
    for (let at = 0; at < ids.length; at++) {
      this.#pieces[at] = ids[at]!;
      this.#nexts[at] = at + 1;
      this.#befores[at] = at - 1;
    }
  }

  /** If ranks are equal, the first pair in the word is merged first. */
  #offer(at: number): void {
    const rank = this.#rankAt(at);
    if (rank !== none) this.#queue.push(rank * this.#length + at);
  }

  #rankAt(at: number): number {
    const next = this.#nexts[at]!;
    return next < this.#length ? this.#merges.rankOf(this.#pieces[at]!, this.#pieces[next]!) : none;
  }

  #take(entry: number): void {
    const at = entry % this.#length;
    const rank = (entry - at) / this.#length;
    // Either piece may already have been merged with another one.
    if (this.#pieces[at] === none || this.#rankAt(at) !== rank) return;
    const right = this.#nexts[at]!;
    const next = this.#nexts[right]!;
    this.#pieces[at] = this.#merges.mergedBy(rank);
    this.#pieces[right] = none;
    this.#nexts[at] = next;
    if (next < this.#length) this.#befores[next] = at;
    const before = this.#befores[at]!;
    if (before >= 0) this.#offer(before);
    this.#offer(at);
  }
}

/** A binary heap of numbers. */
class SmallestFirst {
  readonly #heap: Float64Array;
  #count = 0;

  constructor(countMax: number) {
    this.#heap = new Float64Array(countMax);
  }

  /** Zeroes the first `count` entries of an empty heap. */
  wipe(count: number): void {
    this.#heap.fill(0, 0, count);
  }

  push(value: number): void {
    const heap = this.#heap;
    let at = this.#count++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= value) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = value;
  }

  pop(): number | undefined {
    if (this.#count === 0) return undefined;
    const heap = this.#heap;
    const smallest = heap[0]!;
    const value = heap[--this.#count]!;
    let at = 0;
    for (let child = 1; child < this.#count; child = 2 * at + 1) {
      if (child + 1 < this.#count && heap[child + 1]! < heap[child]!) child += 1;
      if (heap[child]! >= value) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = value;
    return smallest;
  }
}
