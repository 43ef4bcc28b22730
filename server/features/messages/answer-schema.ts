/** The answers of Anthropic's routes. */
import { count, text } from '../../schema/members.ts';
import { Type } from '../../schema/type.ts';

export const anthropicMessageAnswer = Type.Object({
  id: text,
  type: Type.Literal('message'),
  role: Type.Literal('assistant'),
  model: text,
  content: Type.Array(
    Type.Unsafe<object>({ type: 'object', description: 'A block of type text, thinking or tool_use.' }),
  ),
  stop_reason: Type.Unsafe<string | null>({ enum: ['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', null] }),
  stop_sequence: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  usage: Type.Object({
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
  }),
});

export const tokenCount = Type.Object({ input_tokens: count });

/** One event of a stream; further members depend on the type. */
export const anthropicEvent = Type.Object({
  type: Type.Unsafe<string>({
    enum: [
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
      'ping',
      'error',
    ],
  }),
});

/** Errors as `server/http/anthropic-errors.ts` writes them. */
export const anthropicError = Type.Object({
  type: Type.Literal('error'),
  error: Type.Object({ type: text, message: text }),
  request_id: text,
  details: Type.Unsafe<object>({ type: 'object' }),
});
