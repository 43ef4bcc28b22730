/**
 * Models in the form of Anthropic's API, for clients that send its version. Pure, except for the hook.
 * @see https://docs.claude.com/en/api/models-list
 */
import type { FastifyInstance } from 'fastify';
import { isAnthropicClient } from './anthropic-version.ts';
import { ServerError } from './errors.ts';

/** As `GET /v1/models` describes it. */
interface Model {
  readonly id: string;
  /** Unix seconds. */
  readonly created?: number;
  readonly context_length?: number;
}

const limitDefault = 20;
const limitMax = 1000;

/** Rewrites the answers of the routes of models; errors stay. */
export function writeAnthropicModels(app: FastifyInstance): void {
  app.addHook('preSerialization', async (request, reply, payload: unknown) => {
    if (reply.statusCode !== 200 || !isAnthropicClient(request)) return payload;
    const { data } = payload as { readonly data?: readonly Model[] };
    return data === undefined ? describe(payload as Model) : pageOf(data, request.query as Query);
  });
}

function describe({ id, created = 0, context_length: context }: Model) {
  const createdAt = new Date(created * 1000).toISOString().replace('.000Z', 'Z');
  const size = context === undefined ? {} : { max_input_tokens: context };
  return { type: 'model', id, display_name: id, created_at: createdAt, ...size };
}

interface Query {
  readonly limit?: string;
  readonly after_id?: string;
  readonly before_id?: string;
}

/** @throws {ServerError} ERR_REQUEST_INVALID */
function pageOf(models: readonly Model[], { limit: sent, after_id: after, before_id: before }: Query) {
  const limit = sent === undefined ? limitDefault : Number(sent);
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) {
    throw new ServerError('ERR_REQUEST_INVALID', `\`limit\` must be an integer from 1 to ${limitMax}`);
  }
  const rest =
    before === undefined
      ? models.slice(after === undefined ? 0 : placeOf(models, after, 'after_id') + 1)
      : models.slice(0, placeOf(models, before, 'before_id'));
  const page = before === undefined ? rest.slice(0, limit) : rest.slice(-limit);
  return {
    data: page.map(describe),
    has_more: page.length < rest.length,
    first_id: page.at(0)?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

function placeOf(models: readonly Model[], id: string, name: string): number {
  const place = models.findIndex((model) => model.id === id);
  if (place < 0) throw new ServerError('ERR_REQUEST_INVALID', `\`${name}\` must be the id of a model of the plan`);
  return place;
}
