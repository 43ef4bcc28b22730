/** How the next token is chosen, as an OpenAI body says it. */
import type { Sampling } from '@cloister/models/interface/model';
import type { Fields } from '../../http/fields.ts';
import type { ChatRules } from './rules.ts';

const logprobsMax = 20;
const logitBiasMax = 1024;
const tokenIdMax = 2 ** 31 - 1;

type SamplingRules = Pick<ChatRules, 'temperature' | 'temperatureMax'>;

/** @throws {ServerError} ERR_REQUEST_INVALID */
export function readSampling(fields: Fields, randomSeed: () => number, rules: SamplingRules): Sampling {
  return {
    temperature: fields.number('temperature', { min: 0, max: rules.temperatureMax, fallback: rules.temperature }),
    topP: fields.number('top_p', { min: 0, max: 1, fallback: 1 }),
    topK: fields.integer('top_k', { min: 0, max: 1_000_000, fallback: 0 }),
    minP: fields.number('min_p', { min: 0, max: 1, fallback: 0 }),
    presencePenalty: fields.number('presence_penalty', { min: -2, max: 2, fallback: 0 }),
    frequencyPenalty: fields.number('frequency_penalty', { min: -2, max: 2, fallback: 0 }),
    logitBias: readLogitBias(fields),
    seed: readSeed(fields) ?? randomSeed(),
    logprobs: readLogprobs(fields),
  };
}

/** OpenAI's seeds have 64 bits, ours 32: every integer that JSON carries exactly is folded in. */
function readSeed(fields: Fields): number | undefined {
  const min = Number.MIN_SAFE_INTEGER;
  const max = Number.MAX_SAFE_INTEGER;
  const seed = fields.integer('seed', { min, max, fallback: undefined });
  if (seed === undefined) return undefined;
  return (seed ^ Math.trunc(seed / 2 ** 32)) >>> 0;
}

function readLogprobs(fields: Fields): number | undefined {
  const wanted = fields.boolean('logprobs', false);
  const top = fields.integer('top_logprobs', { min: 0, max: logprobsMax, fallback: undefined });
  if (top !== undefined && top > 0 && !wanted) fields.refuse('top_logprobs', 'needs `logprobs` to be true');
  return wanted ? (top ?? 0) : undefined;
}

function readLogitBias(fields: Fields): Sampling['logitBias'] {
  const bias = fields.object('logit_bias');
  if (bias === undefined) return [];
  const tokens = Object.keys(fields.raw('logit_bias') as object);
  if (tokens.length > logitBiasMax) fields.refuse('logit_bias', `must have at most ${logitBiasMax} entries`);
  return tokens.map((key) => {
    const token = /^\d{1,10}$/.test(key) ? Number(key) : Number.NaN;
    if (!(token <= tokenIdMax)) fields.refuse('logit_bias', 'must have token ids as its keys');
    return { token, bias: bias.number(key, { min: -100, max: 100, fallback: 0 }) };
  });
}
