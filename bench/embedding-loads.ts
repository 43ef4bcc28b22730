/** Loads of the embedding bench: number and length of texts, and number of clients. Pure. */
import { promptText } from './prompts.ts';

export interface Load {
  /** Number of texts of each request. */
  readonly texts: number;
  /** Tokens of each text; undefined for 8 to 512, with short texts more often. */
  readonly length: number | undefined;
  readonly clients: number;
}

/** Average length of texts of mixed lengths. */
const mixedLengthMean = 121;
/** Number of special tokens around the words of a text. */
const specialTokens = 2;

/** The loads to run; `quick` omits those that would take minutes. */
export function embeddingLoads({ quick }: { quick: boolean }): Load[] {
  const tokensMax = quick ? 4_096 : 140_000;
  const all = [1, 8].flatMap((clients) =>
    [16, 128, 512, undefined].flatMap((length) => [1, 8, 32, 256].map((texts) => ({ texts, length, clients }))),
  );
  return all.filter(({ clients, texts, length = mixedLengthMean }) => clients * texts * length <= tokensMax);
}

export function labelOf({ texts, length, clients }: Load): string {
  const of = length === undefined ? 'mixed lengths' : `${length} tokens`;
  return `${texts} × ${of}, ${clients} ${clients === 1 ? 'client' : 'clients'}`;
}

/** Requests for a measurement of a second or more; every client sends as many, none of them twice. */
export function bodiesOf({ texts, length, clients }: Load, { quick }: { quick: boolean }): string[] {
  const tokensMin = quick ? 512 : 8_192;
  const perClient = Math.max(1, Math.ceil(tokensMin / (texts * (length ?? mixedLengthMean)) / clients));
  return Array.from({ length: perClient * clients }, (_, index) =>
    JSON.stringify({ input: textsOf({ texts, length }, index), encoding_format: 'base64' }),
  );
}

/** The texts of the `request`th request, each a token per word and two around them. */
export function textsOf({ texts, length }: Pick<Load, 'texts' | 'length'>, request: number): string[] {
  return Array.from({ length: texts }, (_, index) => {
    const which = request * texts + index;
    return promptText((length ?? mixedLength(which)) - specialTokens, which % 9_000);
  });
}

/** Total tokens of the texts of this many requests. */
export function tokensOf({ texts, length }: Load, requests: number): number {
  const count = requests * texts;
  if (length !== undefined) return count * length;
  return Array.from({ length: count }, (_, which) => mixedLength(which)).reduce((sum, one) => sum + one, 0);
}

/** As often from 8 to 16 as from 16 to 32, and so on up to 512. */
function mixedLength(index: number): number {
  // Multiples of the golden ratio are evenly spread for any number of texts.
  const share = (index * 0.618_033_988_749_895) % 1;
  return Math.round(8 * 64 ** share);
}
