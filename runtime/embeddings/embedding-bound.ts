/** Limits the input of an embedding request before it is copied to a thread and tokenized. Pure. */
import { RuntimeError } from '../pool/errors.ts';
import { type EmbeddingItem, type EmbeddingRequest, isPair } from './embedding-request.ts';

/**
 * Some tokenizers drop or join characters, so no number of characters is certain to be too long. Natural text has fewer
 * than eight characters per token.
 */
const charactersPerTokenMax = 16;
/** Tokenizing a text of this length takes a few milliseconds. */
const charactersMin = 32_768;

interface Bound {
  readonly contextLength: number;
  readonly charactersMax: number;
}

/**
 * @param contextLength tokens per item
 * @returns the request; if `truncate` is set, with too long items cut
 * @throws {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export function boundInput(request: EmbeddingRequest, contextLength: number): EmbeddingRequest {
  const charactersMax = Math.max(charactersMin, charactersPerTokenMax * contextLength);
  const bound = { contextLength, charactersMax };
  requireShortFirsts(request, contextLength);
  const index = request.input.findIndex((item) => isTooLong(item, bound));
  if (index < 0) return request;
  if (!request.truncate) throw tooLong(request, { index, ...bound });
  return { ...request, input: request.input.map((item) => (isTooLong(item, bound) ? cut(item, bound) : item)) };
}

/** The first text of a pair is often the same for all pairs and copied with each, so its limit is lower. It is never cut. */
function requireShortFirsts({ input }: EmbeddingRequest, contextLength: number): void {
  const limit = charactersPerTokenMax * contextLength;
  const index = input.findIndex((item) => isPair(item) && item.first.length > limit);
  if (index < 0) return;
  throw new RuntimeError(
    'ERR_CONTEXT_OVERFLOW',
    `the query has more than ${limit} characters, the model takes ${contextLength} tokens for query and document: shorten it`,
    { details: { item: index, limit: contextLength } },
  );
}

function isTooLong(item: EmbeddingItem, { contextLength, charactersMax }: Bound): boolean {
  if (isPair(item)) return item.second.length > charactersMax;
  return item.length > (typeof item === 'string' ? charactersMax : contextLength);
}

function cut(item: EmbeddingItem, { contextLength, charactersMax }: Bound): EmbeddingItem {
  if (isPair(item)) return { first: item.first, second: item.second.slice(0, charactersMax) };
  return typeof item === 'string' ? item.slice(0, charactersMax) : item.slice(0, contextLength);
}

function tooLong(
  { input, field = 'input' }: EmbeddingRequest,
  { index, contextLength: limit, charactersMax }: Bound & { index: number },
): RuntimeError {
  const item = input[index]!;
  const isText = typeof item === 'string' || isPair(item);
  const has = isText ? `more than ${charactersMax} characters` : `at least ${item.length} tokens`;
  return new RuntimeError(
    'ERR_CONTEXT_OVERFLOW',
    `\`${field}[${index}]\` has ${has}, the model takes ${limit} tokens: shorten it, or send \`truncate: true\``,
    { details: { item: index, limit, ...(isText ? {} : { counted: item.length }) } },
  );
}
