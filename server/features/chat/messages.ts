/** `messages`: roles, text and tool calls, in the form the engine takes. */
import type { ChatMessage } from '@cloister/models/interface/model';
import { ServerError } from '../../http/errors.ts';
import { Fields } from '../../http/fields.ts';
import type { ChatRules } from './rules.ts';

const toolCallsMax = 128;
const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;

type MessageRules = Pick<ChatRules, 'messagesMax' | 'charactersMax'>;

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readMessages(fields: Fields, { messagesMax, charactersMax }: MessageRules): readonly ChatMessage[] {
  const messages = fields.list('messages', { max: messagesMax });
  if (messages === undefined || messages.length === 0) fields.refuse('messages', 'must be an array of messages');
  const read = messages.map((message, index) => readMessage(new Fields(message, `messages[${index}]`)));
  if (charactersMax !== undefined) requireShort(messages as readonly { readonly content?: unknown }[], charactersMax);
  return read;
}

/** Counted as sent: parts are joined by line feeds later, which nobody wrote. */
function requireShort(messages: readonly { readonly content?: unknown }[], charactersMax: number): void {
  const texts = messages.flatMap(({ content }) => {
    if (typeof content === 'string') return [content];
    return Array.isArray(content) ? content.map(({ text }: { text: string }) => text) : [];
  });
  const units = texts.reduce((sum, { length }) => sum + length, 0);
  // No character takes less than one unit or more than two: most texts need not be walked through.
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

function readMessage(message: Fields): ChatMessage {
  const role = message.choice('role', roles) ?? message.refuse('role', 'must be a string');
  const name = message.optionalText('name');
  const named = name === undefined ? {} : { name };
  switch (role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: readContent(message), ...named };
    case 'user':
      return { role, content: readContent(message), ...named };
    case 'tool':
      return { role, content: readContent(message), tool_call_id: message.text('tool_call_id'), ...named };
    case 'assistant':
      return { role, ...readAnswer(message), ...named };
  }
}

/** An earlier answer: text, tool calls or both. */
function readAnswer(message: Fields) {
  const calls = message.list('tool_calls', { max: toolCallsMax }) ?? [];
  const reasoning = message.optionalText('reasoning_content');
  const isTextless = calls.length > 0 && !message.has('content');
  return {
    content: isTextless ? '' : readContent(message),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((_, index) => readToolCall(message, index)) }),
  };
}

function readToolCall(message: Fields, index: number) {
  const path = `${message.path('tool_calls')}[${index}]`;
  const call = new Fields((message.raw('tool_calls') as unknown[])[index], path);
  call.choice('type', ['function']);
  const called = call.object('function') ?? call.refuse('function', 'must be an object');
  return {
    id: call.text('id'),
    type: 'function' as const,
    function: { name: called.text('name'), arguments: called.text('arguments') },
  };
}

/** A string, or text parts that are joined line by line as other servers do. */
function readContent(message: Fields): string {
  const content = message.raw('content');
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return message.refuse('content', 'must be a string or an array of text parts');
  return content
    .map((part, index) => {
      const fields = new Fields(part, `${message.path('content')}[${index}]`);
      if (fields.choice('type', ['text']) === undefined) fields.refuse('type', 'must be "text"');
      return fields.text('text');
    })
    .join('\n');
}
