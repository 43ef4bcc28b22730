/** Fields of other APIs and servers that would change an answer of the Responses API. They are never ignored. */
import { foreignFieldsFor } from '../chat/foreign-advice.ts';
import type { ForeignFields } from '../chat/foreign-fields.ts';
import { logprobsIncluded, responsesBody } from './schema.ts';

const names = {
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
  max_completion_tokens: 'max_output_tokens',
} as const;

export const foreignFields: ForeignFields = {
  ...foreignFieldsFor(names, Object.keys(responsesBody.properties)),
  max_tokens: { instead: '`max_output_tokens`' },
  logprobs: { neutral: [false], instead: `"${logprobsIncluded}" in \`include\`` },
  functions: { neutral: [[]], instead: '`tools`' },
  function_call: { instead: '`tool_choice`' },
};
