/** BERT's model: a word is cut greedily into the longest pieces that the vocabulary has. */

export interface WordPieceOptions {
  readonly vocabulary: ReadonlyMap<string, number>;
  readonly unknown: string;
  /** Marks a piece that does not begin its word, `##`. */
  readonly continuation: string;
  /** Characters; longer words are unknown as a whole. */
  readonly wordLengthMax: number;
}

/** @returns the pieces of a word, or the unknown token alone */
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
        // Never between the halves of a character.
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
