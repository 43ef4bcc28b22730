/** Divides texts among passes in which they are concatenated without padding. */

export interface TextPass {
  /** Index of its first text. */
  readonly first: number;
  /** The concatenated tokens of its texts. */
  readonly tokens: Int32Array;
  /** [texts] */
  readonly lengths: Int32Array;
}

export interface TextPassLimits {
  /** A longer text forms a pass alone. */
  readonly tokensMax: number;
  readonly textsMax?: number;
}

/** Yields passes with all texts in order. */
export function* textPasses(
  texts: readonly Int32Array[],
  { tokensMax, textsMax = Number.POSITIVE_INFINITY }: TextPassLimits,
): Generator<TextPass> {
  for (let first = 0; first < texts.length; ) {
    let count = 0;
    let end = first;
    while (end < texts.length && end - first < textsMax) {
      const { length } = texts[end]!;
      if (end > first && count + length > tokensMax) break;
      count += length;
      end += 1;
    }
    yield { first, ...packed(texts.slice(first, end), count) };
    first = end;
  }
}

function packed(texts: readonly Int32Array[], count: number): Pick<TextPass, 'tokens' | 'lengths'> {
  const tokens = new Int32Array(count);
  let at = 0;
  for (const text of texts) {
    tokens.set(text, at);
    at += text.length;
  }
  return { tokens, lengths: Int32Array.from(texts, (text) => text.length) };
}
