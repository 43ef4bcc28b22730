/** Helpers that prepare chats for the addon and parse its answers. */
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import type { ChatDelta, ChatInput, ChatParser } from '../../models/interface/model.ts';
import type { TinyModelOptions } from '../support/models/tiny-models.ts';
import { ask, loadTiny } from './models.ts';

/** A tiny model with room for long prompts, by the kind of its template: ChatML by default. */
export function loadChat(model: TinyModelOptions = {}): Promise<LlamaText> {
  return loadTiny(model, { contextPerSequence: 4096, sequences: 2 });
}

export const asking = (content: string, overrides: Partial<ChatInput> = {}): ChatInput => ({
  ...ask,
  messages: [{ role: 'user', content }],
  ...overrides,
});

/** A call of the weather tool. @param args JSON */
export const call = (args: string) =>
  ({ id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: args } }) as const;

/** All that the parser gives over `texts`, added up. */
export function readAll(parser: ChatParser, texts: readonly string[]) {
  const calls: { id: string; name: string; arguments: string }[] = [];
  let content = '';
  let reasoning = '';
  const deltas: ChatDelta[] = [];
  for (const [index, text] of texts.entries()) {
    const delta = parser.feed(text, index === texts.length - 1);
    deltas.push(delta);
    content += delta.content;
    reasoning += delta.reasoning;
    for (const call of delta.toolCalls) {
      calls[call.index] ??= { id: call.id!, name: call.name!, arguments: '' };
      calls[call.index]!.arguments += call.arguments;
    }
  }
  return { content, reasoning, calls, deltas };
}

/** `text` in pieces of 1…5 characters. */
export function pieces(text: string): string[] {
  const cut: string[] = [];
  for (let at = 0, size = 1; at < text.length; at += size, size = (size % 5) + 1) cut.push(text.slice(at, at + size));
  return [...cut, ''];
}
