/** BERT's WordPiece model: splits a word greedily into the longest pieces in the vocabulary. */

export interface WordPieceOptions {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknown: string;
  /** Prefix of pieces that do not start a word, `##`. */
  readonly continuation: string;
  /** Maximum characters of a word; longer words become the unknown token. */
  readonly wordLengthMax: number;
}

/** @returns a function that splits a word, or returns only the unknown token */
export function wordPieceEncoder(options: WordPieceOptions): (word: string) => readonly string[] {
  const { vocabulary, unknown, continuation, wordLengthMax } = options;
  let pieceLengthMax = 1;
  for (const piece of vocabulary.keys()) pieceLengthMax = Math.max(pieceLengthMax, piece.length);
  return (word) => {
    if (word.length > wordLengthMax && countCharacters(word) > wordLengthMax) return [unknown];
    if (vocabulary.has(word)) return [word];
    const pieces: string[] = [];
    for (let start = 0; start < word.length; ) {
      const prefix = start === 0 ? '' : continuation;
      let end = Math.min(word.length, start + pieceLengthMax - prefix.length);
      let piece: string | undefined;
      for (; end > start; end--) {
        // Never split a surrogate pair.
        if (end < word.length && isLowSurrogate(word.charCodeAt(end))) continue;
        const candidate = prefix + word.slice(start, end);
        if (vocabulary.has(candidate)) {
          piece = candidate;
          break;
        }
      }
      if (piece === undefined) return [unknown];
      pieces.push(piece);
      start = end;
    }
    return pieces;
  };
}

function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) if (!isLowSurrogate(text.charCodeAt(index))) count++;
  return count;
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00;
}
