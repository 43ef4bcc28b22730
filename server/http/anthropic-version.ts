/**
 * The header with the version of Anthropic's API.
 * @see https://docs.claude.com/en/api/versioning
 */
import type { FastifyRequest } from 'fastify';
import { ServerError } from './errors.ts';

const header = 'anthropic-version';
const firstVersion = '2023-01-01';

/** Paths that Anthropic's API and OpenAI's have in common. */
const sharedPath = /^\/v1\/models(?:[/?]|$)/;

/** Whether a request to a shared path comes from a client of Anthropic's API. */
export function isAnthropicClient({ url, headers }: FastifyRequest): boolean {
  return headers[header] !== undefined && sharedPath.test(url);
}

/** Takes versions that are newer than this server, since clients raise theirs. @throws {ServerError} ERR_REQUEST_INVALID */
export function requireAnthropicVersion({ headers }: FastifyRequest): void {
  const { [header]: version } = headers;
  if (version === undefined) {
    throw new ServerError('ERR_REQUEST_INVALID', `the header \`${header}\` is required, such as 2023-06-01`);
  }
  if (typeof version === 'string' && /^\d{4}-\d\d-\d\d$/.test(version) && version >= firstVersion) return;
  throw new ServerError('ERR_REQUEST_INVALID', `the header \`${header}\` must be a date from ${firstVersion} on`);
}
