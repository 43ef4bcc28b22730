/** The parameters of a chat in its receipt: numbers and flags, no text of the caller. Pure. */
import type { Parameters } from '../../enclave/receipt-draft.ts';
import type { ChatCall } from './call.ts';

export function chatParameters({ stream, work, images = [] }: ChatCall, maxTokens: number): Parameters {
  const { input } = work;
  return {
    ...samplingParameters(work, maxTokens),
    tool_count: input.tools.length,
    ...(images.length === 0 ? {} : { image_count: images.length }),
    json_schema: input.jsonSchema !== undefined,
    reasoning: input.reasoning,
    reasoning_effort: input.effort,
    stream,
  };
}

/** The parameters that every answer of a text model has. */
export function samplingParameters(
  { sampling, choices, stop }: Pick<ChatCall['work'], 'sampling' | 'choices' | 'stop'>,
  maxTokens: number,
): Parameters {
  return {
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    logit_bias_count: sampling.logitBias.length,
    seed: sampling.seed,
    choices,
    max_tokens: maxTokens,
    stop_count: stop.length,
  };
}
