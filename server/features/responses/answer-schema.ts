/** The answers of `POST /v1/responses`: one object, or the events of a stream. */
import { count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

const object = Type.Unsafe<object>({ type: 'object' });

const usage = Type.Object({
  input_tokens: count,
  input_tokens_details: Type.Optional(Type.Object({ cached_tokens: count, cache_write_tokens: count })),
  output_tokens: count,
  output_tokens_details: Type.Optional(Type.Object({ reasoning_tokens: count })),
  total_tokens: count,
});

const item = Type.Object({
  id: text,
  type: Type.Unsafe<string>({ enum: ['message', 'reasoning', 'function_call'] }),
  status: Type.Unsafe<string>({ enum: ['completed', 'in_progress', 'incomplete'] }),
  role: Type.Optional(Type.Literal('assistant')),
  content: Type.Optional(Type.Array(object)),
  summary: Type.Optional(Type.Array(object)),
  call_id: Type.Optional(text),
  name: Type.Optional(text),
  arguments: Type.Optional(text),
});

/** The answer also repeats members of its request. */
export const responseAnswer = Type.Object({
  id: text,
  cloister_state: Type.Optional(text),
  object: Type.Literal('response'),
  created_at: Type.Integer(),
  status: Type.Unsafe<string>({ enum: ['completed', 'in_progress', 'incomplete', 'cancelled'] }),
  error: Type.Null(),
  incomplete_details: Type.Union([Type.Object({ reason: Type.Literal('max_output_tokens') }), Type.Null()]),
  model: text,
  output: Type.Array(item),
  previous_response_id: Type.Null(),
  store: Type.Boolean(),
  background: Type.Literal(false),
  truncation: Type.Literal('disabled'),
  usage: Type.Optional(usage),
});

/** Further members depend on the type. */
export const responseEvent = Type.Object({ type: text, sequence_number: count });
