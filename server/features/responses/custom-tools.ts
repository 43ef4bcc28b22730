/**
 * Custom tools, whose input is a text. The model gets each as a function with one parameter, and the arguments of its calls become
 * the input of the tool. Pure.
 */
import type { ChatTool } from '@cloister/models/interface/model';
import type { CustomTool } from './tool-schema.ts';

const parameters = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};

/** The function that stands for a custom tool. The model reads a grammar as text; it is not enforced. */
export function toFunction({ name, description, format }: CustomTool): ChatTool {
  const grammar =
    format?.type === 'grammar'
      ? `The input must match this ${format.syntax} grammar:\n${format.definition}`
      : undefined;
  const texts = [description, grammar].filter((text) => text !== undefined);
  return {
    type: 'function',
    function: { name, ...(texts.length > 0 && { description: texts.join('\n\n') }), parameters },
  };
}

/** The arguments of the function for the input of an earlier call. */
export function argumentsOf(input: string): string {
  return JSON.stringify({ input });
}

/** The input of a call. @param text the arguments, which the limit of tokens may have cut */
export function inputOf(text: string): string {
  return new CustomInput().push(text);
}

/** The beginning of the arguments, up to the first character of the input. */
const opening = /^\s*\{\s*"input"\s*:\s*"/;

/** Reads the input of a call from its arguments while they are streamed. */
export class CustomInput {
  /** Arguments that have not been read yet. */
  #rest = '';
  #part: 'opening' | 'input' | 'end' = 'opening';

  /** @param piece of the arguments · @returns the piece of the input that it completes */
  push(piece: string): string {
    this.#rest += piece;
    if (this.#part === 'opening') {
      const [head] = opening.exec(this.#rest) ?? [];
      if (head === undefined) return '';
      this.#rest = this.#rest.slice(head.length);
      this.#part = 'input';
    }
    if (this.#part === 'end') return '';
    const end = completeLength(this.#rest);
    const text = unescaped(this.#rest.slice(0, end));
    if (this.#rest[end] === '"') this.#part = 'end';
    this.#rest = this.#rest.slice(end);
    return text;
  }
}

/** The length of the whole characters at the beginning of a JSON string: no half of an escape or of a surrogate pair. */
function completeLength(text: string): number {
  let end = 0;
  let complete = 0;
  while (end < text.length && text[end] !== '"') {
    const length = text[end] !== '\\' ? 1 : text[end + 1] === 'u' ? 6 : 2;
    if (end + length > text.length) break;
    const unit = length === 6 ? Number.parseInt(text.slice(end + 2, end + 6), 16) : text.charCodeAt(end);
    end += length;
    if (unit < 0xd800 || unit >= 0xdc00) complete = end;
  }
  return text[end] === '"' ? end : complete;
}

/** Some chat templates leave control characters in texts as they are, which JSON does not allow. */
function unescaped(text: string): string {
  const escaped = text.replace(/\p{Cc}/gu, (control) => JSON.stringify(control).slice(1, -1));
  try {
    return JSON.parse(`"${escaped}"`) as string;
  } catch {
    return text;
  }
}
