/** Reads the sampling parameters of an OpenAI body. */
import type { Sampling } from '@cloister/models/interface/model';
import type { ChatRules } from './rules.ts';
import type { ChatBody } from './schema.ts';

const tokenIdMax = 2 ** 31 - 1;

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readSampling(
  body: ChatBody,
  randomSeed: () => number,
  rules: Pick<ChatRules, 'temperature'>,
): Sampling {
  return {
    temperature: body.given('temperature') ?? rules.temperature,
    topP: body.get('top_p'),
    topK: Math.max(0, body.get('top_k')),
    minP: body.get('min_p'),
    presencePenalty: body.get('presence_penalty'),
    frequencyPenalty: body.get('frequency_penalty'),
    logitBias: readLogitBias(body),
    seed: readSeed(body) ?? randomSeed(),
    logprobs: readLogprobs(body),
  };
}

/** Clients' seeds have up to 64 bits, the engine's 32: every integer is folded to 32 bits. */
function readSeed(body: ChatBody): number | undefined {
  const seed = body.get('seed');
  if (seed === undefined) return undefined;
  return (seed ^ Math.trunc(seed / 2 ** 32)) >>> 0;
}

function readLogprobs(body: ChatBody): number | undefined {
  const wanted = body.get('logprobs');
  const top = body.get('top_logprobs');
  if (top !== undefined && top > 0 && !wanted) body.refuse('top_logprobs', 'needs `logprobs` to be true');
  return wanted ? (top ?? 0) : undefined;
}

function readLogitBias(body: ChatBody): Sampling['logitBias'] {
  return Object.entries(body.get('logit_bias') ?? {}).map(([key, bias]) => {
    const token = Number(key);
    if (token > tokenIdMax) body.refuse('logit_bias', 'must have token ids as its keys');
    return { token, bias };
  });
}
