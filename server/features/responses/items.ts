/** Reads the items of a response's input as messages of the engine. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';
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
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'refusal' ? part.refusal : part.text)).join('\n');
}
