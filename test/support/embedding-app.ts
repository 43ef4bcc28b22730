/** The embeddings route behind the hooks that every route has, with a key, over plain HTTP. */
import { Writable } from 'node:stream';
import { type FastifyInstance, fastify } from 'fastify';
import { Registry } from 'prom-client';
import { buildEmbeddingMetrics } from '../../server/embedding-metrics.ts';
import { ServerError } from '../../server/errors.ts';
import { requireKey } from '../../server/plugins/authentication.ts';
import { sendErrorReplies } from '../../server/plugins/error-replies.ts';
import { readJsonBodies } from '../../server/plugins/json-body.ts';
import { buildLogger, logRequests, NoFrameworkLines } from '../../server/plugins/request-log.ts';
import { type EmbeddingService, embeddingRoutes } from '../../server/routes/embeddings.ts';

export const EMBEDDING_MODEL = 'fake-embedding-TEE';
const SECRET = 'a-key';

export interface EmbeddingApp {
  readonly app: FastifyInstance;
  readonly secret: string;
  /** All log text so far. */
  readonly log: () => string;
  readonly registry: Registry;
  post(body: unknown): Promise<{ status: number; json: () => EmbeddingBody; text: string }>;
  /** @returns the API's base URL */
  listen(): Promise<string>;
}

/** An answer, or an error. */
export interface EmbeddingBody {
  readonly object: string;
  readonly data: readonly { readonly object: string; readonly index: number; readonly embedding: number[] | string }[];
  readonly model: string;
  readonly usage: { readonly prompt_tokens: number; readonly total_tokens: number };
  readonly error: string;
  readonly details: Readonly<Record<string, unknown>>;
}

export function startEmbeddingApp(
  service: Omit<EmbeddingService, 'id'>,
  { requestTimeoutMs = 60_000 }: { requestTimeoutMs?: number } = {},
): EmbeddingApp {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = fastify({
    loggerInstance: buildLogger({ level: 'trace', destination }),
    logController: new NoFrameworkLines(),
    bodyLimit: 8 * 1024 * 1024,
  }) as unknown as FastifyInstance;
  const registry = new Registry();
  logRequests(app);
  sendErrorReplies(app);
  readJsonBodies(app);
  app.register(
    async (v1) => {
      const caller = { keyId: 'key_1', accountId: 'acct_1' } as never;
      requireKey(v1, { findCaller: (secret) => (secret === SECRET ? caller : undefined) });
      embeddingRoutes(v1, {
        findEmbeddingModel(id) {
          if (id === EMBEDDING_MODEL) return { id, ...service };
          throw new ServerError('ERR_MODEL_UNKNOWN', `\`model\` is not served here; these are: ${EMBEDDING_MODEL}`);
        },
        embeddingMetrics: buildEmbeddingMetrics(registry, {
          engines: () => [{ id: EMBEDDING_MODEL, stats: service.engine.stats }],
          clock: () => performance.now(),
        }),
        requestTimeoutMs,
      });
    },
    { prefix: '/v1' },
  );
  return {
    app,
    secret: SECRET,
    log: () => lines.join(''),
    registry,
    async post(body) {
      const response = await app.inject({
        method: 'POST',
        url: '/v1/embeddings',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      });
      return { status: response.statusCode, json: () => response.json(), text: response.body };
    },
    listen: async () => `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`,
  };
}
