/**
 * The bodies of OpenAI's older completions and of vLLM's `tokenize` and `detokenize`: prompts without a chat template. Members that
 * change nothing here (`user`, `best_of` equal to `n`) are ignored.
 * @see https://platform.openai.com/docs/api-reference/completions/create
 */
import type { Static } from 'typebox';
import { flag, text } from '../../schema/members.ts';
import { defaulted } from '../../schema/schema-reader.ts';
import { Type } from '../../schema/type.ts';
import { message } from '../chat/message-schema.ts';
import { choicesMax, samplingFields, stop, tool } from '../chat/schema.ts';

/** Prompts of one request. */
export const promptsMax = 128;

const nonEmpty = Type.String({ minLength: 1 });
const tokens = Type.Array(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }), { minItems: 1 });
const atMost = { minItems: 1, maxItems: promptsMax };
const addsSpecialTokens = flag(true, 'Whether the tokens that the vocabulary puts around every text are added.');

export const completionBody = Type.Object({
  model: text,
  prompt: Type.Union([nonEmpty, Type.Array(nonEmpty, atMost), tokens, Type.Array(tokens, atMost)], {
    description: `a text, token ids, or an array of at most ${promptsMax} of either`,
  }),
  suffix: Type.Optional(
    Type.String({
      description:
        'The text after a gap that the answer fills, for models that can; only for prompts of text. Empty: no gap.',
    }),
  ),
  stream: flag(false),
  stream_options: Type.Optional(Type.Object({ include_usage: flag(false) })),
  n: defaulted(Type.Integer({ minimum: 1, maximum: choicesMax }), 1),
  best_of: Type.Optional(Type.Integer({ minimum: 1, description: 'Only the value of n.' })),
  max_tokens: defaulted(Type.Integer({ minimum: 1 }), 16),
  temperature: defaulted(Type.Number({ minimum: 0, maximum: 2 }), 1),
  ...samplingFields,
  logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, description: 'The number of alternatives.' })),
  stop,
  echo: flag(false, 'Puts the prompt before the answer; only without logprobs.'),
  add_special_tokens: addsSpecialTokens,
});

export type CompletionBody = Static<typeof completionBody>;

/** Either `prompt` or `messages`. */
export const tokenizeBody = Type.Object({
  model: text,
  prompt: Type.Optional(text),
  add_special_tokens: addsSpecialTokens,
  messages: Type.Optional(Type.Array(message, { minItems: 1, maxItems: 100_000, description: 'an array of messages' })),
  tools: Type.Optional(Type.Array(tool, { maxItems: 128 })),
  add_generation_prompt: flag(true, 'Only true: the tokens are those that a chat computes.'),
});

export const detokenizeBody = Type.Object({
  model: text,
  tokens: Type.Array(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
});
