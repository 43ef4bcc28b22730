/** Fields of other APIs and servers that would change an answer of the Messages API. They are never ignored. */
import { foreignFieldsFor } from '../chat/foreign-advice.ts';
import type { ForeignFields } from '../chat/foreign-fields.ts';
import { messagesBody } from './schema.ts';

const names = {
  response_format: 'output_config.format',
  reasoning_effort: 'output_config.effort',
  max_completion_tokens: 'max_tokens',
  stop: 'stop_sequences',
} as const;

export const foreignFields: ForeignFields = {
  ...foreignFieldsFor(names, Object.keys(messagesBody.properties)),
  parallel_tool_calls: { neutral: [true], instead: '`tool_choice.disable_parallel_tool_use`' },
  logprobs: { neutral: [false], instead: 'a chat to /v1/chat/completions' },
  // Fields whose meaning would be lost if they were ignored.
  mcp_servers: { neutral: [[]] },
  container: { neutral: [''] },
};
