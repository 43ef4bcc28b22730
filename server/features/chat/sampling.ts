/** Reads the sampling parameters of an OpenAI body. */
import type { Sampling } from '@cloister/models/interface/model';
import { refuseField } from '../../http/body-reader.ts';
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
    logitBias: readBiases(body.get('logit_bias')),
    seed: foldSeed(body.get('seed')) ?? randomSeed(),
    logprobs: readLogprobs(body),
  };
}

interface SamplingFields {
  readonly temperature: number;
  readonly top_p: number;
  readonly top_k: number;
  readonly min_p: number;
  readonly presence_penalty: number;
  readonly frequency_penalty: number;
  readonly logit_bias?: Readonly<Record<string, number>> | undefined;
  readonly seed?: number | undefined;
}

/**
 * The fields that completions, responses and messages share.
 * @param seed for a body without one, unsigned 32 bit
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function samplingOf(body: SamplingFields, seed: number): Omit<Sampling, 'logprobs'> {
  return {
    temperature: body.temperature,
    topP: body.top_p,
    topK: Math.max(0, body.top_k),
    minP: body.min_p,
    presencePenalty: body.presence_penalty,
    frequencyPenalty: body.frequency_penalty,
    logitBias: readBiases(body.logit_bias),
    seed: foldSeed(body.seed) ?? seed,
  };
}

/** Clients' seeds have up to 64 bits, the engine's 32: every integer is folded to 32 bits. */
function foldSeed(seed: number | undefined): number | undefined {
  if (seed === undefined) return undefined;
  return (seed ^ Math.trunc(seed / 2 ** 32)) >>> 0;
}

function readLogprobs(body: ChatBody): number | undefined {
  const wanted = body.get('logprobs');
  const top = body.get('top_logprobs');
  if (top !== undefined && top > 0 && !wanted) body.refuse('top_logprobs', 'needs `logprobs` to be true');
  return wanted ? (top ?? 0) : undefined;
}

/** @param biases `logit_bias` of a body · @throws {ServerError} ERR_REQUEST_INVALID */
function readBiases(biases: Readonly<Record<string, number>> = {}): Sampling['logitBias'] {
  return Object.entries(biases).map(([key, bias]) => {
    const token = Number(key);
    if (token > tokenIdMax) refuseField('logit_bias', 'must have token ids as its keys', biases);
    return { token, bias };
  });
}
