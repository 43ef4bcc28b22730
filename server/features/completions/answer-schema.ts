/** The answers of completions, `tokenize` and `detokenize`. */
import { count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';
import { usage } from '../chat/answer-schema.ts';

const logprobs = Type.Unsafe<object | null>({
  type: ['object', 'null'],
  description: 'Lists with one item per token: tokens, token_logprobs, top_logprobs and text_offset.',
});

/** Also a chunk of a stream, whose last one has no choices if it has the usage. */
export const textCompletion = Type.Object({
  id: text,
  object: Type.Literal('text_completion'),
  created: Type.Integer({ description: 'Unix seconds.' }),
  model: text,
  system_fingerprint: Type.Optional(text),
  choices: Type.Array(
    Type.Object({
      text,
      index: Type.Integer({ minimum: 0, description: 'The choices of each prompt follow one another.' }),
      logprobs,
      finish_reason: Type.Unsafe<'stop' | 'length' | null>({ enum: ['stop', 'length', null] }),
    }),
  ),
  usage: Type.Optional(Type.Union([usage, Type.Null()])),
});

export const tokenizedPrompt = Type.Object({
  count,
  max_model_len: Type.Integer({ minimum: 1, description: 'Tokens of prompt and answer together.' }),
  tokens: Type.Array(count),
});

export const detokenizedPrompt = Type.Object({ prompt: text });
