/** What a receipt says of how an answer was made: numbers and flags that decide it, and nothing that a caller wrote. Pure. */

import type { ChatCall } from '../schemas/chat.ts';
import type { ImageCall } from '../schemas/images.ts';
import type { Parameters } from './receipt-draft.ts';

export function chatParameters({ stream, work }: ChatCall, maxTokens: number): Parameters {
  const { sampling, input, choices, stop } = work;
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
    tool_count: input.tools.length,
    json_schema: input.jsonSchema !== undefined,
    reasoning: input.reasoning,
    stream,
  };
}

export function imageParameters({ job, outputFormat, stream }: ImageCall): Parameters {
  return {
    choices: job.count,
    width: job.size.width,
    height: job.size.height,
    steps: job.steps,
    guidance_scale: job.guidanceScale,
    seed: job.seed,
    format: outputFormat,
    stream,
  };
}

/** @param call.dimensions undefined: as long as the model makes them */
export function embeddingParameters(call: {
  texts: number;
  dimensions: number | undefined;
  format: string;
}): Parameters {
  return { texts: call.texts, dimensions: call.dimensions, format: call.format };
}
