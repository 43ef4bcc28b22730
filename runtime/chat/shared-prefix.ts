/** Finds the common token prefix of all chats that begin with the same messages. */
import type { ChatInput, ChatMessage, ChatTool, TextModel } from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';
import type { PrefixOptions } from './request.ts';

/** Sample continuations. They differ from the first character on, so that none of their text becomes part of the prefix. */
const following: readonly (readonly ChatMessage[])[] = [
  [{ role: 'user', content: 'a' }],
  [{ role: 'user', content: '1. Z' }],
  [
    { role: 'system', content: '(' },
    { role: 'user', content: 'b' },
  ],
];

/**
 * Renders `messages` with different continuations and returns their common prefix. This is correct for every chat
 * template, including those that reorder or merge messages.
 * @throws {RuntimeError} ERR_CONTEXT_OVERFLOW if the prefix leaves no room for a chat, and errors of the model's template
 */
export async function sharedPrefix(
  model: TextModel,
  messages: readonly ChatMessage[],
  { tools = [], extendsLastMessage = false }: PrefixOptions = {},
): Promise<Int32Array> {
  const chats = following.map((following) => [...messages, ...following]);
  if (extendsLastMessage) chats.push([...messages.with(-1, continued(messages.at(-1)!)), ...following[0]!]);
  const rendered = await Promise.allSettled(chats.map((chat) => model.prepareChat(chatOf(chat, tools))));
  const [first, ...others] = rendered.flatMap((one) => (one.status === 'fulfilled' ? [one.value.tokens] : []));
  // Some templates refuse a second system message. If all samples are refused, report the template's error.
  if (first === undefined || others.length === 0) throw (rendered[0] as PromiseRejectedResult).reason;
  const length = others.reduce((common, tokens) => Math.min(common, commonLength(first, tokens)), first.length);
  const limit = model.info.contextPerSequence;
  if (length >= limit) {
    throw new RuntimeError(
      'ERR_CONTEXT_OVERFLOW',
      `these messages have ${length} tokens; the context of a sequence is ${limit}`,
      {
        details: { limit, counted: length },
      },
    );
  }
  return first.slice(0, length);
}

function continued(message: ChatMessage): ChatMessage {
  return { ...message, content: `${message.content}\n\n(` };
}

function chatOf(messages: readonly ChatMessage[], tools: readonly ChatTool[]): ChatInput {
  return {
    messages,
    tools,
    toolChoice: tools.length === 0 ? 'none' : 'auto',
    parallelToolCalls: tools.length > 0,
    jsonSchema: undefined,
    reasoning: true,
  };
}

function commonLength(a: Int32Array, b: Int32Array): number {
  const length = Math.min(a.length, b.length);
  let index = 0;
  while (index < length && a[index] === b[index]) index += 1;
  return index;
}
