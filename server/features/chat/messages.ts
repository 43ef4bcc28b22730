/** Reads `messages`: roles, texts and tool calls, in the form of the engine. */
import type { ChatMessage } from '@cloister/models/interface/model';
import { ServerError } from '../../http/errors.ts';
import { readArguments } from './call-arguments.ts';
import { type CallerFile, readFiles } from './files.ts';
import { findImages, type ImagePart, type JoinedPart, joinParts, withoutPlaces } from './image-parts.ts';
import type { Message, ToolCall } from './message-schema.ts';
import type { ChatRules } from './rules.ts';
import type { ChatBody } from './schema.ts';

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readMessages(
  body: ChatBody,
  { charactersMax, acceptsFiles }: Pick<ChatRules, 'charactersMax' | 'acceptsFiles'>,
): { messages: ChatMessage[]; files: CallerFile[]; images: ImagePart[] } {
  const texts: string[] = [];
  const read: Message[] = [];
  const messages = body.map('messages', (message, index) => {
    read.push(message);
    if (charactersMax !== undefined) texts.push(...textsOf(message.content));
    return toChatMessage(message, `messages[${index}]`);
  });
  if (charactersMax !== undefined) requireShort(texts, charactersMax);
  return { messages, files: readFiles(read, { acceptsFiles }), images: findImages(read, 'messages', urlOf) };
}

/** Counts the characters as sent, without the line feeds that join text parts later. */
function requireShort(texts: readonly string[], charactersMax: number): void {
  const units = texts.reduce((sum, { length }) => sum + length, 0);
  // A character has one or two units, so most texts need not be counted character by character.
  if (units <= charactersMax) return;
  const isWithin =
    units <= 2 * charactersMax && texts.reduce((sum, text) => sum + characters(text), 0) <= charactersMax;
  if (isWithin) return;
  throw new ServerError(
    'ERR_REQUEST_INVALID',
    `\`messages\` must have at most ${charactersMax} characters of \`content\` altogether`,
  );
}

function characters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** @param path of the message in the body, for errors */
function toChatMessage(message: Message, path: string): ChatMessage {
  const named = message.name === undefined ? {} : { name: message.name };
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: joined(message.content), ...named };
    case 'user':
      return { role: 'user', content: joined(message.content), ...named };
    case 'tool':
      return { role: 'tool', content: joined(message.content ?? ''), tool_call_id: message.tool_call_id, ...named };
    case 'assistant':
      return { role: 'assistant', ...toAnswer(message, path), ...named };
  }
}

/** An earlier answer. Clients send answers without content back as they came: `null`, or with a refusal in its place. */
function toAnswer(message: Extract<Message, { role: 'assistant' }>, path: string) {
  const { content, refusal, tool_calls: calls = [] } = message;
  const reasoning = message.reasoning_content ?? message.reasoning ?? thoughtsOf(content);
  return {
    content: joined(content ?? refusal ?? ''),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0
      ? {}
      : { tool_calls: calls.map((call, index) => toToolCall(call, `${path}.tool_calls[${index}]`)) }),
  };
}

function toToolCall({ function: called, ...call }: ToolCall, path: string) {
  const text = readArguments(called.arguments, `${path}.function.arguments`);
  return { ...call, type: 'function' as const, function: { ...called, arguments: text } };
}

/** The reasoning and thinking parts of an answer, undefined if it has none. */
function thoughtsOf(content: Message['content']): string | undefined {
  if (content === undefined || typeof content === 'string') return undefined;
  const thoughts = content.flatMap((part) => {
    if (part.type === 'reasoning') return [part.text ?? part.reasoning ?? ''];
    if (part.type !== 'thinking') return [];
    return typeof part.thinking === 'string' ? [part.thinking] : part.thinking.map(({ text }) => text);
  });
  return thoughts.length === 0 ? undefined : thoughts.join('\n');
}

function urlOf(part: object): string | undefined {
  const { type, image_url: image } = part as { type?: unknown; image_url?: { url: string } | string };
  if (type !== 'image_url') return undefined;
  return typeof image === 'string' ? image : image?.url;
}

/** Joins text parts with line feeds, as other servers do. */
function joined(content: NonNullable<Message['content']>): string {
  return typeof content === 'string' ? withoutPlaces(content) : joinParts(content.flatMap(toJoined));
}

function toJoined(part: Exclude<NonNullable<Message['content']>, string>[number]): readonly JoinedPart[] {
  if (part.type === 'image_url') return [{ image: true }];
  if (part.type === 'text' || part.type === 'output_text') return [part];
  return part.type === 'refusal' ? [{ text: part.refusal }] : [];
}

function textsOf(content: Message['content']): readonly string[] {
  if (content === undefined) return [];
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => {
    if (part.type === 'text' || part.type === 'output_text') return [part.text];
    return part.type === 'refusal' ? [part.refusal] : [];
  });
}
