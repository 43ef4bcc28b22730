/** The headers of answers, for the OpenAPI document: each with its meaning and an example. */
import type { JsonObject } from '@cloister/attestation/aci/strict-json';

const digits = (description: string, example: number) => header(description, example, 'integer');

function header(description: string, example: string | number, type = 'string'): JsonObject {
  return { description, schema: { type, examples: [example] } };
}

const limited = 'Absent if the plan has no such limit.';

/** By name. */
export const headers: JsonObject = {
  'X-Request-Id': header(
    'ID of the request, for its charge (`/usage/requests/{id}`) and for support.',
    'n3FhV0qTqkQ4xB1c',
  ),
  'Retry-After': digits('Seconds to wait before the request is sent again; also `details.retry_after`.', 12),
  'X-RateLimit-Limit': digits(`Requests that the tightest limit allows. ${limited}`, 60),
  'X-RateLimit-Remaining': digits(`Requests that remain of it. ${limited}`, 59),
  'X-RateLimit-Reset': digits(`Unix seconds at which it allows all requests again. ${limited}`, 1_795_478_400),
  'X-RateLimit-Limit-Requests': digits(`The tightest limit on requests, as clients of OpenAI read it. ${limited}`, 60),
  'X-RateLimit-Remaining-Requests': digits(`Requests that remain of it. ${limited}`, 59),
  'X-RateLimit-Reset-Requests': header(`Time until it allows all requests again. ${limited}`, '1m0s'),
  'X-RateLimit-Limit-Tokens': digits(`Tokens of a month. ${limited}`, 1_000_000),
  'X-RateLimit-Remaining-Tokens': digits(`Tokens that remain of them. ${limited}`, 998_000),
  'X-RateLimit-Reset-Tokens': header(`Time until the month ends. ${limited}`, '168h0m0s'),
  'Anthropic-RateLimit-Requests-Limit': digits(`The tightest limit on requests. ${limited}`, 60),
  'Anthropic-RateLimit-Requests-Remaining': digits(`Requests that remain of it. ${limited}`, 59),
  'Anthropic-RateLimit-Requests-Reset': header(`When it allows all requests again. ${limited}`, '2026-11-24T00:00:00Z'),
  'Anthropic-RateLimit-Tokens-Limit': digits(`Tokens of a month. ${limited}`, 1_000_000),
  'Anthropic-RateLimit-Tokens-Remaining': digits(`Tokens that remain of them. ${limited}`, 998_000),
  'Anthropic-RateLimit-Tokens-Reset': header(`When the month ends. ${limited}`, '2026-12-01T00:00:00Z'),
  'Request-Id': header('ID of the request, as clients of Anthropic read it.', 'n3FhV0qTqkQ4xB1c'),
  'X-Confidential': {
    description: 'Whether an enclave answered. Absent without one.',
    schema: { type: 'string', enum: ['true', 'simulated'] },
  },
  'X-ACI-Version': header('Version of the attested interface. Absent without an enclave.', 'aci/1'),
  'X-ACI-Keyset-Digest': header(
    'Digest of the keys that the evidence proves. Absent without an enclave.',
    `sha256:${'a'.repeat(64)}`,
  ),
  'X-Receipt-Id': header(
    'Fetches the receipt of this answer from `/aci/receipts/{id}`, for ten minutes.',
    'rcpt_EXAMPLE',
  ),
  'Access-Control-Allow-Origin': header('Pages of every origin may read evidence.', '*'),
  'Access-Control-Expose-Headers': header('These pages may read how long to wait after a 429.', 'retry-after'),
  'X-Agent': header('The agent that answered; absent for a model.', 'tax-analyst'),
};

/** Of every answer. */
export const everyHeader: readonly string[] = [
  'X-Request-Id',
  'X-Confidential',
  'X-ACI-Version',
  'X-ACI-Keyset-Digest',
];

/** Of answers to a key or a session. */
export const callerHeaders: readonly string[] = [
  ...everyHeader,
  ...Object.keys(headers).filter((name) => name.startsWith('X-RateLimit-')),
];

/** Of answers of a model. */
export const modelHeaders: readonly string[] = [...callerHeaders, 'X-Receipt-Id'];

/** Of answers in the form of Anthropic. */
export const anthropicHeaders: readonly string[] = Object.keys(headers).filter((name) =>
  /^(Anthropic-RateLimit-|Request-Id)/.test(name),
);
