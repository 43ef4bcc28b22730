/** Reads Anthropic's messages: content blocks, tool results and thinking, in the form of the engine. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';
import { refusePlace } from '../../http/body-reader.ts';
import { findImages, type ImagePart, type JoinedPart, joinParts, withoutPlaces } from '../chat/image-parts.ts';
import type { AnswerBlock, AnthropicMessage, UserBlock } from './schema.ts';

/** @throws {ServerError} ERR_REQUEST_INVALID for a conversation that ends with the beginning of an answer */
export function readAnthropicMessages(messages: readonly AnthropicMessage[]): readonly ChatMessage[] {
  if (messages.at(-1)?.role === 'assistant') {
    refusePlace('messages', 'must end with a message of the user: continuing a partial answer is not supported');
  }
  return messages.flatMap(readMessage);
}

/** The images of users' messages, in the order of their places. @throws {ServerError} ERR_REQUEST_INVALID for too many */
export function readAnthropicImages(messages: readonly AnthropicMessage[]): readonly ImagePart[] {
  return findImages(messages, 'messages', (part) => {
    const block = part as UserBlock;
    if (block.type !== 'image') return undefined;
    const { source } = block;
    return source.type === 'url' ? source.url : `data:${source.media_type};base64,${source.data}`;
  });
}

function readMessage(message: AnthropicMessage): readonly ChatMessage[] {
  switch (message.role) {
    case 'user':
      return readUser(message.content);
    case 'assistant':
      return [readAnswer(message.content)];
    case 'system':
      return [{ role: 'system', content: joined(message.content) }];
  }
}

/** The texts of blocks, in the form of the engine. */
export function joined(content: string | readonly { readonly text: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');
}

/** A user's message may hold results of tools and text; each becomes a message of its own. */
function readUser(content: string | readonly UserBlock[]): ChatMessage[] {
  if (typeof content === 'string') return [{ role: 'user', content: withoutPlaces(content) }];
  const messages: ChatMessage[] = [];
  let parts: JoinedPart[] = [];
  const endText = () => {
    if (parts.length > 0) messages.push({ role: 'user', content: joinParts(parts) });
    parts = [];
  };
  for (const block of content) {
    switch (block.type) {
      case 'text':
        parts.push(block);
        break;
      case 'image':
        parts.push({ image: true });
        break;
      case 'document':
        parts.push({
          text: [block.title, block.context, block.source.data].filter((part) => part !== undefined).join('\n'),
        });
        break;
      case 'tool_result':
        endText();
        messages.push({ role: 'tool', content: resultText(block), tool_call_id: block.tool_use_id });
        break;
    }
  }
  endText();
  return messages;
}

/** Templates have no place for `is_error`, so the text says that the call failed. */
function resultText({ content = '', is_error: isError }: Extract<UserBlock, { type: 'tool_result' }>): string {
  const text = joined(content);
  if (!isError || /^error\b/i.test(text)) return text;
  return text === '' ? 'Error' : `Error: ${text}`;
}

function readAnswer(content: string | readonly AnswerBlock[]): ChatMessage {
  if (typeof content === 'string') return { role: 'assistant', content };
  const texts: string[] = [];
  const thoughts: string[] = [];
  const calls: NonNullable<ChatMessage['tool_calls']>[number][] = [];
  for (const block of content) {
    if (block.type === 'text') texts.push(block.text);
    else if (block.type === 'thinking') thoughts.push(block.thinking);
    else if (block.type === 'tool_use') {
      const { id, name, input } = block;
      calls.push({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } });
    }
  }
  return {
    role: 'assistant',
    content: texts.join('\n'),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}
