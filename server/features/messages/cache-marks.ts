/**
 * The part of a prompt that `cache_control` marks. This server keeps every prefix without marks, so a mark only decides whether tokens
 * that were computed are reported as created in the cache.
 */
import type { ChatInput, ChatMessage } from '@cloister/models/interface/model';
import type { CountRequest } from '@cloister/runtime/chat/request';
import { isPlainObject } from '../../schema/checks.ts';
import { withoutPlaces } from '../chat/image-parts.ts';

/**
 * @param raw the body, unchecked
 * @returns how many of the body's messages the marks cover, 0 for system text and tools only; undefined without a mark
 */
export function readCacheMark(raw: unknown): number | undefined {
  if (!isPlainObject(raw)) return undefined;
  const messages = Array.isArray(raw.messages) ? raw.messages : [];
  if (isMarked(raw)) return messages.length;
  const last = messages.findLastIndex((message) => isPlainObject(message) && hasMark(message.content));
  if (last >= 0) return last + 1;
  return hasMark(raw.system) || hasMark(raw.tools) ? 0 : undefined;
}

/** @param blocks of a message or of a tool's result, or tools */
function hasMark(blocks: unknown): boolean {
  if (!Array.isArray(blocks)) return false;
  return blocks.some((block) => isMarked(block) || (isPlainObject(block) && hasMark(block.content)));
}

function isMarked(value: unknown): boolean {
  return isPlainObject(value) && isPlainObject(value.cache_control);
}

/** Chat templates want an answer to be followed, and a chat to have a message of the user. */
const follower: ChatMessage = { role: 'user', content: '' };

/**
 * The number of tokens that a chat has in common with its marked beginning. Images do not count.
 * @param markedMessages the number of messages of this beginning
 * @param tokenize renders a chat as the model reads it
 */
export async function countMarked(
  { input, ...terms }: CountRequest<ChatInput>,
  markedMessages: number,
  tokenize: (request: CountRequest) => Promise<readonly number[]>,
): Promise<number> {
  const { images: _, messages, ...rest } = input;
  const texts = messages.map((message) => ({ ...message, content: withoutPlaces(message.content) }));
  const marked = texts.slice(0, markedMessages);
  if (marked.at(-1)?.role !== 'user') marked.push(follower);
  const tokensOf = (part: readonly ChatMessage[]) => tokenize({ ...terms, input: { ...rest, messages: part } });
  const beginning = await tokensOf(marked);
  const whole = await tokensOf(texts);
  const end = beginning.findIndex((token, index) => token !== whole[index]);
  return end < 0 ? beginning.length : end;
}
