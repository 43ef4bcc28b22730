/** SentencePiece's unigram model: splits a word into the pieces with the highest total score. */

export interface UnigramOptions {
  /** Pieces and their scores; the index is the token id. */
  readonly vocabulary: readonly (readonly [piece: string, score: number])[];
  /** Encode unknown characters as bytes such as `<0x41>` if the vocabulary contains all of them. */
  readonly byteFallback: boolean;
}

/** Subtracted from the lowest score of a piece to give the score of an unknown character. */
const unknownPenalty = 10;

interface Node {
  /** Score of the piece that ends here; undefined inside a piece. */
  score: number | undefined;
  readonly children: Map<number, Node>;
}

/** @returns a function that splits a word; adjacent unknown characters form one piece that is not in the vocabulary */
export function unigramEncoder({ vocabulary, byteFallback }: UnigramOptions): (word: string) => readonly string[] {
  const root: Node = { score: undefined, children: new Map() };
  const pieces = new Set<string>();
  let worst = Number.POSITIVE_INFINITY;
  for (const [piece, score] of vocabulary) {
    pieces.add(piece);
    insert(root, piece, score);
    worst = Math.min(worst, score);
  }
  const unknownScore = worst - unknownPenalty;
  const bytesOf = (text: string) =>
    Array.from(Buffer.from(text), (byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  return (word) => {
    const found = bestPath(word, root, unknownScore);
    if (!byteFallback) return found;
    return found.flatMap((piece) => {
      const bytes = pieces.has(piece) ? [] : bytesOf(piece);
      return bytes.length > 0 && bytes.every((byte) => pieces.has(byte)) ? bytes : [piece];
    });
  };
}

function insert(root: Node, piece: string, score: number): void {
  let node = root;
  for (let index = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index);
    let child = node.children.get(code);
    if (child === undefined) {
      child = { score: undefined, children: new Map() };
      node.children.set(code, child);
    }
    node = child;
  }
  if (piece.length > 0) node.score = score;
}

/** Viterbi over UTF-16 positions; of equal scores the first found wins, as in the reference. */
function bestPath(word: string, root: Node, unknownScore: number): string[] {
  const { length } = word;
  const scores = new Float64Array(length + 1);
  /** Start of the best piece that ends here, plus 1; 0 if there is none; negative for an unknown character. */
  const begins = new Int32Array(length + 1);
  const offer = (end: number, start: number, score: number, isUnknown: boolean) => {
    if (begins[end] !== 0 && score <= scores[end]!) return;
    scores[end] = score;
    begins[end] = isUnknown ? -(start + 1) : start + 1;
  };
  for (let start = 0; start < length; ) {
    const end = start + (word.codePointAt(start)! > 0xffff ? 2 : 1);
    const soFar = scores[start]!;
    let coversOne = false;
    let node: Node | undefined = root;
    for (let at = start; at < length; at++) {
      node = node.children.get(word.charCodeAt(at));
      if (node === undefined) break;
      if (node.score === undefined) continue;
      offer(at + 1, start, soFar + node.score, false);
      coversOne ||= at + 1 === end;
    }
    if (!coversOne) offer(end, start, soFar + unknownScore, true);
    start = end;
  }
  return backtrack(word, begins);
}

function backtrack(word: string, begins: Int32Array): string[] {
  const pieces: string[] = [];
  let unknownEnd: number | undefined;
  for (let end = word.length; end > 0; ) {
    const begin = begins[end]!;
    const start = Math.abs(begin) - 1;
    if (begin < 0) unknownEnd ??= end;
    else {
      if (unknownEnd !== undefined) pieces.push(word.slice(end, unknownEnd));
      unknownEnd = undefined;
      pieces.push(word.slice(start, end));
    }
    end = start;
  }
  if (unknownEnd !== undefined) pieces.push(word.slice(0, unknownEnd));
  return pieces.reverse();
}
