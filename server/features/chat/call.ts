/** The body of `POST /v1/chat/completions`: OpenAI's, with every value checked and unknown fields let through. */
import type { ChatRequest } from '@cloister/runtime/chat/request';
import { Fields } from '../../http/fields.ts';
import { readMessages } from './messages.ts';
import { readOutputFormat, readTools } from './output.ts';
import { type ChatRules, directRules } from './rules.ts';
import { readSampling } from './sampling.ts';

/** What the caller asked for; who the caller is comes from the server. */
export interface ChatCall {
  readonly model: string;
  readonly stream: boolean;
  /** Whether a stream ends with a usage chunk. */
  readonly includeUsage: boolean;
  readonly work: Omit<ChatRequest, 'account' | 'priority' | 'contextMax' | 'timeoutMs'>;
}

const choicesMax = 10;
const stopStringsMax = 64;
const stopLengthMax = 1024;
const tokensMax = 2 ** 31 - 1;

/**
 * @param body parsed JSON
 * @param randomSeed for a request without `seed`, unsigned 32 bit
 * @param rulesOf the surface's rules for a `model`; may throw for one that it does not have
 * @throws {ServerError} ERR_REQUEST_INVALID
 */
export function readChatCall(
  body: unknown,
  randomSeed: () => number,
  rulesOf: (model: string) => ChatRules = () => directRules,
): ChatCall {
  const fields = new Fields(body);
  refuseLegacy(fields);
  const model = fields.text('model');
  const rules = rulesOf(model);
  const messages = readMessages(fields, rules);
  return {
    model,
    stream: fields.boolean('stream', false),
    includeUsage: fields.object('stream_options')?.boolean('include_usage', false) ?? false,
    work: {
      input: {
        messages,
        ...readTools(fields),
        jsonSchema: readOutputFormat(fields, rules),
        reasoning: readReasoning(fields),
      },
      choices: fields.integer('n', { min: 1, max: choicesMax, fallback: 1 }),
      maxTokens: readMaxTokens(fields) ?? rules.maxTokens,
      sampling: readSampling(fields, randomSeed, rules),
      stop: readStop(fields),
    },
  };
}

/** Replaced by `tools` in 2023; taken silently they would change what the answer means. */
function refuseLegacy(fields: Fields): void {
  if (fields.has('functions')) fields.refuse('functions', 'is no longer taken: send `tools` instead');
  if (fields.has('function_call')) fields.refuse('function_call', 'is no longer taken: send `tool_choice` instead');
}

/** `max_completion_tokens` is the newer name and wins. */
function readMaxTokens(fields: Fields): number | undefined {
  const older = readTokens(fields, 'max_tokens');
  return readTokens(fields, 'max_completion_tokens') ?? older;
}

function readTokens(fields: Fields, key: string): number | undefined {
  const value = fields.raw(key);
  if (value === undefined) return undefined;
  // No upper end in the contract: what the context leaves is the limit.
  if (Number.isInteger(value) && Number(value) >= 1) return Math.min(Number(value), tokensMax);
  return fields.refuse(key, 'must be an integer of at least 1');
}

function readStop(fields: Fields): readonly string[] {
  const value = fields.raw('stop');
  if (value === undefined) return [];
  const stops: readonly unknown[] = Array.isArray(value) ? value : [value];
  const fits = (stop: unknown) => typeof stop === 'string' && stop.length > 0 && stop.length <= stopLengthMax;
  if (stops.length <= stopStringsMax && stops.every(fits)) return stops as readonly string[];
  return fields.refuse(
    'stop',
    `must be a string or an array of at most ${stopStringsMax} strings, each of 1 to ${stopLengthMax} characters`,
  );
}

function readReasoning(fields: Fields): boolean {
  const effort = fields.choice('reasoning_effort', ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']);
  return effort !== 'none';
}
