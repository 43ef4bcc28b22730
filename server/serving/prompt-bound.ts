/** Upper bounds of the tokens of prompts, before they are rendered and tokenized. Pure. */
import type { ChatInput, ChatMessage, TextPrompt, TokenPrompt } from '@cloister/models/interface/model';
import type { PromptOverhead } from '@cloister/runtime/chat/request';

/** Tokens that a chat template may add if they could not be measured. */
export const templateTokensMax = 1_024;

/** The parts of a chat that become its prompt. */
export type PromptInput = Pick<ChatInput, 'messages' | 'tools' | 'jsonSchema'>;

/** Spaces per level of JSON in templates. */
const indentWidth = 4;

/**
 * Each token stands for at least one byte, so the bytes of a chat's texts bound their tokens. The tokens that the template adds were
 * measured when the model was loaded.
 */
export function promptTokensMax(
  { messages, tools, jsonSchema }: PromptInput,
  overhead: PromptOverhead | undefined,
): number {
  const texts = messages.reduce((sum, message) => sum + textBytes(message), 0);
  const definitions = tools.reduce((sum, tool) => sum + jsonBytesMax(JSON.stringify(tool)), 0);
  const bytes = texts + definitions + (jsonSchema === undefined ? 0 : jsonBytesMax(jsonSchema));
  if (overhead === undefined) return bytes + templateTokensMax;
  const calls = messages.filter(({ role, tool_calls }) => role === 'tool' || tool_calls !== undefined).length;
  return (
    bytes +
    overhead.fixed +
    Math.max(0, messages.length - 1) * overhead.perMessage +
    calls * overhead.perCall +
    (tools.length === 0 ? 0 : overhead.tools + tools.length * overhead.perTool) +
    (jsonSchema === undefined ? 0 : overhead.schema)
  );
}

/** The special tokens around a text, and the space that a vocabulary may put before it. */
const addedTokensMax = 3;
/** The tokens around a gap, and the space before the text after it. */
const gapTokensMax = 4;

/** The maximum tokens of a prompt without a template: each token stands for at least one byte. */
export function plainTokensMax(prompt: TextPrompt | TokenPrompt): number {
  if ('tokens' in prompt) return prompt.tokens.length;
  const { text, suffix } = prompt;
  const rest = suffix === undefined ? 0 : Buffer.byteLength(suffix) + gapTokensMax;
  return Buffer.byteLength(text) + addedTokensMax + rest;
}

function textBytes({ content, role: _, ...further }: ChatMessage): number {
  return Buffer.byteLength(content) + (Object.keys(further).length === 0 ? 0 : jsonBytesMax(JSON.stringify(further)));
}

/** Bytes of JSON as a template may write it: each member on its own line, and characters outside ASCII escaped. */
function jsonBytesMax(json: string): number {
  let bytes = json.length;
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index++) {
    const unit = json.charCodeAt(index);
    if (unit > 0x7f) bytes += '\\u0000'.length - 1;
    if (isInText) {
      if (unit === backslash) index += 1;
      else if (unit === quote) isInText = false;
    } else if (unit === quote) isInText = true;
    else if (unit === openingBrace || unit === openingBracket) {
      depth += 1;
      // A line break and indentation after this bracket, and before its closing bracket.
      bytes += 2 + (2 * depth - 1) * indentWidth;
    } else if (unit === closingBrace || unit === closingBracket) depth -= 1;
    else if (unit === comma) bytes += 1 + depth * indentWidth;
    else if (unit === colon) bytes += 1;
  }
  return bytes;
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openingBrace, closingBrace, openingBracket, closingBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
