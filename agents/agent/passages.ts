/**
 * Which passages of documents matter most for a question, when not all of them fit. The ranking function is BM25 (Robertson
 * and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009, §3.2) with its usual constants. The same
 * texts give the same passages; the time is that of reading the texts once and of sorting the passages.
 */
import type { AgentDocument } from './agent.ts';

/** UTF-16 offsets into the text of the message with this index. */
export interface Passage {
  readonly message: number;
  readonly start: number;
  readonly end: number;
}

export interface Query {
  readonly text: string;
  /** The weight of each word of the query, relative to other queries. */
  readonly weight: number;
}

/** Longer paragraphs are split at the end of a line or sentence. */
const passageUnitsMax = 1_200;
/** Maximum length of a heading: a single line that does not end like a sentence. */
const headingUnitsMax = 100;
/**
 * Words are compared by this many letters: enough to distinguish words, and the same for `terminate`, `terminated` and
 * `termination`.
 */
const stemUnits = 6;

const k1 = 1.2;
const b = 0.75;

/**
 * All passages of some documents, and the most relevant of them. Plain arrays of numbers, so that threads can transfer them
 * cheaply.
 */
export interface Ranking {
  /** [3 × passages], in the order of the documents: index of the message, start and end of each. */
  readonly places: Int32Array;
  /** [passages] Indices of passages, the most relevant first. */
  readonly order: Int32Array;
}

export interface RankingTask {
  readonly documents: readonly AgentDocument[];
  /** Words to look for. */
  readonly queries: readonly Query[];
  /** A paragraph that is always included and never merged with others. */
  readonly kept: readonly Passage[];
}

/** Passages of at most 1,200 UTF-16 units each. */
export function rankPassages({ documents, queries, kept }: RankingTask): Ranking {
  const passages = documents.flatMap((document) => splitDocument(document, kept));
  const scores = scorePassages(passages, documents, queries);
  for (const [index, passage] of passages.entries()) {
    if (kept.some((wanted) => overlaps(wanted, passage))) scores[index] = Number.POSITIVE_INFINITY;
  }
  const order = Int32Array.from(passages.keys()).sort((x, y) => scores[y]! - scores[x]! || x - y);
  return { places: Int32Array.from(passages.flatMap(({ message, start, end }) => [message, start, end])), order };
}

/** @returns as many of the most relevant passages as fit, in document order @param unitsMax total length of the passages */
export function choosePassages({ places, order }: Ranking, unitsMax: number): readonly Passage[] {
  let left = unitsMax;
  const chosen: number[] = [];
  for (const index of order) {
    const units = places[3 * index + 2]! - places[3 * index + 1]!;
    if (units > left) continue;
    left -= units;
    chosen.push(index);
  }
  chosen.sort((x, y) => x - y);
  return chosen.map((index) => {
    const [message, start, end] = places.subarray(3 * index, 3 * index + 3) as unknown as [number, number, number];
    return { message, start, end };
  });
}

/**
 * Every paragraph with the heading above it, in document order; only white space separates them.
 * @param apart paragraphs that are not merged with others
 */
export function splitDocument(document: AgentDocument, apart: readonly Passage[] = []): Passage[] {
  const { message, text } = document;
  const passages: Passage[] = [];
  let heading: Passage | undefined;
  for (const paragraph of splitParagraphs(document)) {
    const isApart = apart.some((wanted) => overlaps(wanted, paragraph));
    const start = heading?.start ?? paragraph.start;
    const fits = !isApart && paragraph.end - start <= passageUnitsMax;
    if (heading !== undefined && !fits) passages.push(heading);
    const whole = fits ? { message, start, end: paragraph.end } : paragraph;
    heading = fits && isHeading(text.slice(paragraph.start, paragraph.end)) ? whole : undefined;
    if (heading === undefined) passages.push(whole);
  }
  if (heading !== undefined) passages.push(heading);
  return passages;
}

function isHeading(text: string): boolean {
  return text.length <= headingUnitsMax && !text.includes('\n') && !/[\p{STerm};:,]$/u.test(text);
}

/** Trims the paragraphs and splits long ones. */
export function splitParagraphs({ message, text }: AgentDocument): Passage[] {
  const passages: Passage[] = [];
  let start = -1;
  let end = -1;
  let at = 0;
  const close = () => {
    if (start >= 0) for (const piece of splitLong(text, start, end)) passages.push({ message, ...piece });
    start = -1;
  };
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 ? text.length : newline;
    const line = text.slice(at, lineEnd);
    const trimmed = line.trim();
    if (trimmed === '') close();
    else {
      const first = at + line.indexOf(trimmed[0]!);
      if (start < 0) start = first;
      end = first + trimmed.length;
    }
    at = lineEnd + 1;
  }
  close();
  return passages;
}

function splitLong(text: string, start: number, end: number): { start: number; end: number }[] {
  const pieces: { start: number; end: number }[] = [];
  let from = start;
  while (end - from > passageUnitsMax) {
    const to = from + cutLength(text.slice(from, from + passageUnitsMax));
    pieces.push({ start: from, end: to });
    from = to;
    while (from < end && /\s/.test(text[from]!)) from += 1;
  }
  if (from < end) pieces.push({ start: from, end });
  return pieces;
}

/** Finds the end of a piece: after the last line, sentence or word in its second half; never between two surrogates. */
function cutLength(piece: string): number {
  const half = piece.length / 2;
  for (const mark of ['\n', '. ', ' ']) {
    const at = piece.lastIndexOf(mark);
    if (at >= half) return at + mark.trim().length;
  }
  const last = piece.charCodeAt(piece.length - 1);
  return last >= 0xd800 && last < 0xdc00 ? piece.length - 1 : piece.length;
}

function scorePassages(
  passages: readonly Passage[],
  documents: readonly AgentDocument[],
  queries: readonly Query[],
): Float64Array {
  const weights = new Map<string, number>();
  for (const { text, weight } of queries) {
    for (const word of words(text)) weights.set(word, Math.max(weights.get(word) ?? 0, weight));
  }
  const textOf = new Map(documents.map(({ message, text }) => [message, text]));
  const found = passages.map(({ message, start, end }) => {
    const counts = new Map<string, number>();
    let length = 0;
    for (const word of words(textOf.get(message)!.slice(start, end))) {
      length += 1;
      if (weights.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return { counts, length };
  });
  const lengthMean = Math.max(1, found.reduce((sum, { length }) => sum + length, 0) / Math.max(1, found.length));
  const passagesWith = new Map<string, number>();
  for (const { counts } of found) {
    for (const word of counts.keys()) passagesWith.set(word, (passagesWith.get(word) ?? 0) + 1);
  }
  return Float64Array.from(found, ({ counts, length }) => {
    let score = 0;
    for (const [word, count] of counts) {
      const having = passagesWith.get(word)!;
      const rarity = Math.log(1 + (passages.length - having + 0.5) / (having + 0.5));
      const saturated = (count * (k1 + 1)) / (count + k1 * (1 - b + (b * length) / lengthMean));
      score += weights.get(word)! * rarity * saturated;
    }
    return score;
  });
}

/** The beginnings of words in lower case; scripts that write without spaces give one word per character. */
function* words(text: string): Generator<string> {
  const pattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}]{1,64}/gu;
  for (const [word] of text.matchAll(pattern)) {
    if (/^[a-z]{1,2}$/.test(word)) continue; // Words such as `is`, `of` and `it` occur in nearly every passage or in none, so they are ignored.
    yield word.slice(0, stemUnits).toLowerCase();
  }
}

function overlaps(one: Passage, other: Passage): boolean {
  return one.message === other.message && one.start < other.end && other.start < one.end;
}
