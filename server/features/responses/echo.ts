/** The members of a request that its answer repeats, as OpenAI's API does: everything except the input. Pure. */
import type { ResponsesBody } from './schema.ts';
import type { ResponseToolChoice } from './tool-schema.ts';

export interface ResponseEcho {
  readonly instructions: string | null;
  readonly max_output_tokens: number | null;
  readonly max_tool_calls: number | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parallel_tool_calls: boolean;
  readonly reasoning: { readonly effort: string | null; readonly summary: null };
  readonly temperature: number;
  readonly text: { readonly format: object; readonly verbosity: string };
  readonly tool_choice: ResponseToolChoice;
  readonly tools: readonly object[];
  readonly top_logprobs: number;
  readonly top_p: number;
  readonly presence_penalty: number;
  readonly frequency_penalty: number;
  readonly truncation: 'auto' | 'disabled';
  /** The tier that answered: this server has one. */
  readonly service_tier: 'default';
  readonly prompt_cache_key: string | null;
  readonly safety_identifier: string | null;
  readonly user: string | null;
}

export function echoOf(body: ResponsesBody): ResponseEcho {
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: body.max_tool_calls ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls,
    reasoning: { effort: body.reasoning?.effort ?? null, summary: null },
    temperature: body.temperature,
    text: { format: body.text?.format ?? { type: 'text' }, verbosity: 'medium' },
    tool_choice: body.tool_choice ?? 'auto',
    tools: (body.tools ?? []).map((tool) =>
      tool.type === 'custom'
        ? { description: null, format: { type: 'text' }, ...tool }
        : { description: null, parameters: null, ...tool },
    ),
    top_logprobs: body.top_logprobs ?? 0,
    top_p: body.top_p,
    presence_penalty: body.presence_penalty,
    frequency_penalty: body.frequency_penalty,
    truncation: body.truncation,
    service_tier: 'default',
    prompt_cache_key: body.prompt_cache_key ?? null,
    safety_identifier: body.safety_identifier ?? null,
    user: body.user ?? null,
  };
}
