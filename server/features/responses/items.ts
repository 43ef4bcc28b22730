/** Reads the items of a response's input as messages of the engine. Pure. */
import type { ChatMessage } from '@cloister/models/interface/model';
import { refusePlace } from '../../http/body-reader.ts';
import { readArguments } from '../chat/call-arguments.ts';
import { type ImagePart, imagesMax, type JoinedPart, joinParts, withoutPlaces } from '../chat/image-parts.ts';
import { argumentsOf } from './custom-tools.ts';
import { fileText } from './file-text.ts';
import type { ResponseContent, ResponseItem, ResponseMessage, ResponsePart } from './item-schema.ts';

type Call = NonNullable<ChatMessage['tool_calls']>[number];

export interface ReadItems {
  readonly messages: readonly ChatMessage[];
  /** In the order of their places in the messages; not decoded. */
  readonly images: readonly ImagePart[];
  readonly sealedThoughts: readonly SealedThought[];
}

/** Reasoning that only this server can read. */
export interface SealedThought {
  /** Index of the answer that it belongs to. */
  readonly message: number;
  readonly token: string;
}

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readItems(items: readonly ResponseItem[]): ReadItems {
  const reader = new ItemReader();
  for (const [index, item] of items.entries()) reader.read(item, `input[${index}]`);
  return reader.end();
}

/** An answer in the history: its reasoning, text and calls are items of their own. */
interface Answer {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: Call[];
  sealed?: string | undefined;
}

/** Consecutive items of the assistant become one message. */
class ItemReader {
  readonly #messages: ChatMessage[] = [];
  readonly #images: ImagePart[] = [];
  readonly #sealedThoughts: SealedThought[] = [];
  #answer: Answer | undefined;

  read(item: ResponseItem, path: string): void {
    switch (item.type) {
      case 'reasoning': {
        // It begins an answer.
        this.#endAnswer();
        const { content = [], encrypted_content: sealed } = item;
        const answer = this.#current();
        answer.thoughts.push(...content.map(({ text }) => withoutPlaces(text)));
        if (content.length === 0) answer.sealed = sealed;
        break;
      }
      case 'function_call': {
        const text = readArguments(item.arguments, `${path}.arguments`);
        this.#current().calls.push(toCall(item, text));
        break;
      }
      case 'custom_tool_call':
        this.#current().calls.push(toCall(item, argumentsOf(item.input)));
        break;
      case 'function_call_output':
      case 'custom_tool_call_output': {
        this.#endAnswer();
        const content = this.#textOf(item.output, `${path}.output`);
        this.#messages.push({ role: 'tool', content, tool_call_id: item.call_id });
        break;
      }
      case 'message':
        this.#readMessage(item, `${path}.content`);
        break;
    }
  }

  end(): ReadItems {
    this.#endAnswer();
    const images = this.#images;
    const beyond = images[imagesMax];
    if (beyond !== undefined) refusePlace(beyond.path, `is one image too many: a request may have ${imagesMax}`);
    return { messages: this.#messages, images, sealedThoughts: this.#sealedThoughts };
  }

  #readMessage({ role, content }: ResponseMessage, path: string): void {
    if (role === 'assistant') {
      const { texts, calls } = this.#answer ?? { texts: [], calls: [] };
      if (texts.length + calls.length > 0) this.#endAnswer();
      this.#current().texts.push(this.#textOf(content, path));
      return;
    }
    this.#endAnswer();
    this.#messages.push({ role: role === 'user' ? 'user' : 'system', content: this.#textOf(content, path) });
  }

  #current(): Answer {
    this.#answer ??= { texts: [], thoughts: [], calls: [] };
    return this.#answer;
  }

  #endAnswer(): void {
    if (this.#answer === undefined) return;
    const { texts, thoughts, calls, sealed } = this.#answer;
    this.#answer = undefined;
    if (sealed !== undefined) this.#sealedThoughts.push({ message: this.#messages.length, token: sealed });
    this.#messages.push({
      role: 'assistant',
      content: texts.join('\n'),
      ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    });
  }

  #textOf(content: ResponseContent, path: string): string {
    if (typeof content === 'string') return withoutPlaces(content);
    return joinParts(content.map((part, index) => this.#joined(part, `${path}[${index}]`)));
  }

  #joined(part: ResponsePart, path: string): JoinedPart {
    switch (part.type) {
      case 'input_image':
        this.#images.push({ path, url: part.image_url });
        return { image: true };
      case 'input_file':
        return { text: fileText(part, path) };
      case 'refusal':
        return { text: part.refusal };
      default:
        return part;
    }
  }
}

function toCall({ call_id: id, name }: { readonly call_id: string; readonly name: string }, text: string): Call {
  return { id, type: 'function', function: { name, arguments: text } };
}
