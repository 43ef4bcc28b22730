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
  type: Type.Unsafe<string>({ enum: ['message', 'reasoning', 'function_call', 'custom_tool_call'] }),
  status: Type.Unsafe<string>({ enum: ['completed', 'in_progress', 'incomplete'] }),
  role: Type.Optional(Type.Literal('assistant')),
  content: Type.Optional(Type.Array(object)),
  summary: Type.Optional(Type.Array(object)),
  call_id: Type.Optional(text),
  name: Type.Optional(text),
  arguments: Type.Optional(text),
  input: Type.Optional(text),
  encrypted_content: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'The sealed text, if the request includes it; null if it is too long.',
      examples: ['resp_EXAMPLE'],
    }),
  ),
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
  previous_response_id: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'The state that the answer continues; null in the first events of a stream.',
    examples: ['resp_EXAMPLE'],
  }),
  store: Type.Boolean(),
  background: Type.Literal(false),
  truncation: Type.Unsafe<string>({ enum: ['auto', 'disabled'] }),
  service_tier: Type.Literal('default', { description: 'Always `default`.' }),
  usage: Type.Optional(usage),
});

/** Further members depend on the type. */
export const responseEvent = Type.Object({ type: text, sequence_number: count });
