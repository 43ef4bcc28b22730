/** The answers of the chat routes: one object, or the chunks of a stream. */
import { count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const toolCalls = Type.Optional(Type.Array(Type.Unsafe<object>({ type: 'object' })));
const finishReason = Type.Unsafe<'stop' | 'length' | 'tool_calls' | null>({
  enum: ['stop', 'length', 'tool_calls', null],
});

export const usage = Type.Object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: Type.Optional(Type.Object({ cached_tokens: count })),
  completion_tokens_details: Type.Optional(Type.Object({ reasoning_tokens: count })),
});

const message = Type.Object({
  role: Type.Literal('assistant'),
  content: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  reasoning_content: Type.Optional(text),
  tool_calls: toolCalls,
  refusal: Type.Optional(Type.Null()),
});

const delta = Type.Object({
  role: Type.Optional(text),
  content: Type.Optional(text),
  reasoning_content: Type.Optional(text),
  tool_calls: toolCalls,
});

const head = { id: text, created: Type.Integer({ description: 'Unix seconds.' }), model: text };
const agent = Type.Optional(
  Type.Unsafe<object>({
    type: 'object',
    description: 'Only from an agent: the results of its tools, and the passages in its prompt.',
  }),
);

export const chatCompletion = Type.Object({
  ...head,
  object: Type.Literal('chat.completion'),
  choices: Type.Array(Type.Object({ index: count, message, finish_reason: finishReason, logprobs: Type.Unknown() })),
  usage,
  system_fingerprint: Type.Optional(text),
  agent,
});

export const chatCompletionChunk = Type.Object({
  ...head,
  object: Type.Literal('chat.completion.chunk'),
  choices: Type.Array(
    Type.Object({ index: count, delta, finish_reason: finishReason, logprobs: Type.Optional(Type.Unknown()) }),
  ),
  system_fingerprint: Type.Optional(text),
  usage: Type.Optional(Type.Union([usage, Type.Null()])),
  agent,
});

export const quote = Type.Object({
  object: Type.Literal('quote'),
  model: text,
  prompt_tokens: Type.Integer({ minimum: 0, description: 'As the model would get them.' }),
  completion_tokens_max: Type.Integer({ minimum: 0, description: 'Of all choices together.' }),
  price_max_micro_dollars: Type.Integer({ minimum: 0, description: 'On the plan of the account.' }),
  price_max: Type.String({ description: 'The same in US dollars.' }),
  requests_running: count,
  requests_waiting: Type.Integer({ minimum: 0, description: 'Requests of this model that have not begun.' }),
  wait_estimate_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'How long an answer would wait, estimated from the queue and from recent answers; absent without any.',
    }),
  ),
});
