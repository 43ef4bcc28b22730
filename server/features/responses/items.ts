/** Reads the items of a response's input as messages of the engine. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';
import { findImages, type ImagePart, joinParts, withoutPlaces } from '../chat/image-parts.ts';
import type { ResponseContent, ResponseItem } from './schema.ts';

type Call = NonNullable<ChatMessage['tool_calls']>[number];

/** An answer in the history: its reasoning, text and calls are items of their own. */
interface Answer {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: Call[];
}

/** Consecutive items of the assistant become one message. */
export function readItems(items: readonly ResponseItem[]): ChatMessage[] {
  const messages: ChatMessage[] = [];
  let answer: Answer | undefined;
  const endAnswer = () => {
    if (answer !== undefined) messages.push(toMessage(answer));
    answer = undefined;
  };
  const current = () => {
    answer ??= { texts: [], thoughts: [], calls: [] };
    return answer;
  };
  for (const item of items) {
    switch (item.type) {
      case 'reasoning':
        // It begins an answer.
        endAnswer();
        current().thoughts.push(...(item.content ?? []).map(({ text }) => text));
        break;
      case 'function_call':
        current().calls.push(toCall(item));
        break;
      case 'function_call_output':
        endAnswer();
        messages.push({ role: 'tool', content: textOf(item.output), tool_call_id: item.call_id });
        break;
      case 'message':
        if (item.role === 'assistant') {
          if ((answer?.texts.length ?? 0) + (answer?.calls.length ?? 0) > 0) endAnswer();
          current().texts.push(textOf(item.content));
        } else {
          endAnswer();
          messages.push({ role: item.role === 'user' ? 'user' : 'system', content: textOf(item.content) });
        }
        break;
    }
  }
  endAnswer();
  return messages;
}

/** The images of users' messages, in the order of their places. @throws {ServerError} ERR_REQUEST_INVALID for too many */
export function readImages(input: string | readonly ResponseItem[]): readonly ImagePart[] {
  return findImages(input, 'input', (part) => {
    const { type, image_url: url } = part as { type?: unknown; image_url?: string };
    return type === 'input_image' ? url : undefined;
  });
}

function toCall({ call_id: id, name, arguments: text }: Extract<ResponseItem, { type: 'function_call' }>): Call {
  return { id, type: 'function', function: { name, arguments: text || '{}' } };
}

function toMessage({ texts, thoughts, calls }: Answer): ChatMessage {
  return {
    role: 'assistant',
    content: texts.join('\n'),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function textOf(content: ResponseContent): string {
  if (typeof content === 'string') return withoutPlaces(content);
  return joinParts(
    content.map((part) => {
      if (part.type === 'input_image') return { image: true };
      return { text: part.type === 'refusal' ? part.refusal : part.text };
    }),
  );
}
