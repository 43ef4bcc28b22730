/** Limits the input of an embedding request before it is copied to a thread and tokenized. Pure. */
import { RuntimeError } from '../pool/errors.ts';
import type { EmbeddingRequest } from './embedding-request.ts';

/**
 * Some tokenizers drop or join characters, so no number of characters is certain to be too long. Natural text has fewer
 * than eight characters per token.
 */
const charactersPerTokenMax = 16;
/** Tokenizing a text of this length takes a few milliseconds. */
const charactersMin = 32_768;

/**
 * @param contextLength tokens per item
 * @returns the request; if `truncate` is set, with too long items cut
 * @throws {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export function boundInput(request: EmbeddingRequest, contextLength: number): EmbeddingRequest {
  const charactersMax = Math.max(charactersMin, charactersPerTokenMax * contextLength);
  const isTooLong = (item: EmbeddingRequest['input'][number]) =>
    item.length > (typeof item === 'string' ? charactersMax : contextLength);
  const index = request.input.findIndex(isTooLong);
  if (index < 0) return request;
  if (!request.truncate) throw tooLong(request.input[index]!, { index, contextLength, charactersMax });
  const cut = (item: EmbeddingRequest['input'][number]) =>
    typeof item === 'string' ? item.slice(0, charactersMax) : item.slice(0, contextLength);
  return { ...request, input: request.input.map((item) => (isTooLong(item) ? cut(item) : item)) };
}

function tooLong(
  item: string | readonly number[],
  { index, contextLength: limit, charactersMax }: { index: number; contextLength: number; charactersMax: number },
): RuntimeError {
  const isText = typeof item === 'string';
  const has = isText ? `more than ${charactersMax} characters` : `at least ${item.length} tokens`;
  return new RuntimeError(
    'ERR_CONTEXT_OVERFLOW',
    `\`input[${index}]\` has ${has}, the model takes ${limit} tokens: shorten it, or send \`truncate: true\``,
    { details: { item: index, limit, ...(isText ? {} : { counted: item.length }) } },
  );
}
