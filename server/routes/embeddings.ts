/** `POST /v1/embeddings`: a checked call becomes engine work, its vectors one JSON object. */
import type { FastifyInstance } from 'fastify';
import type { EmbeddingEngine } from '../../runtime/embedding-request.ts';
import { whenCallerLeaves } from '../caller-signal.ts';
import { encodeEmbeddings, shortenVectors } from '../embedding-answer.ts';
import type { EmbeddingMetrics } from '../embedding-metrics.ts';
import { ServerError } from '../errors.ts';
import { callerOf } from '../plugins/authentication.ts';
import { errorCode } from '../plugins/error-replies.ts';
import { readEmbeddingCall } from '../schemas/embeddings.ts';

/** What the route needs of a served embedding model. */
export interface EmbeddingService {
  readonly id: string;
  readonly engine: EmbeddingEngine;
  /** Lengths that its vectors may be cut to, beside their own: what the catalogue declares. */
  readonly dimensionsAllowed: readonly number[];
}

export interface EmbeddingDependencies {
  /** @throws {ServerError} ERR_MODEL_UNKNOWN */
  readonly findEmbeddingModel: (id: string) => EmbeddingService;
  readonly embeddingMetrics: EmbeddingMetrics;
  readonly requestTimeoutMs: number;
}

export function embeddingRoutes(app: FastifyInstance, dependencies: EmbeddingDependencies): void {
  const { findEmbeddingModel, embeddingMetrics, requestTimeoutMs } = dependencies;

  app.post('/embeddings', async (request, reply) => {
    const { model: name, format, dimensions: wanted, work } = readEmbeddingCall(request.body);
    const model = findEmbeddingModel(name);
    const watch = embeddingMetrics.beginEmbedding({ model: model.id });
    const account = callerOf(request).accountId;
    try {
      if (wanted !== undefined) requireDimensions(model, wanted);
      const result = await model.engine.embed(
        { ...work, account, priority: 0, timeoutMs: requestTimeoutMs },
        { signal: whenCallerLeaves(reply) },
      );
      watch.done(result);
      const dimensions = wanted ?? result.dimensions;
      const isWhole = dimensions === result.dimensions;
      const vectors = isWhole ? result.vectors : shortenVectors(result.vectors, result.dimensions, dimensions);
      const usage = { prompt_tokens: result.promptTokens, total_tokens: result.promptTokens };
      const body = await encodeEmbeddings({ model: model.id, vectors, dimensions, format, usage });
      return reply.type('application/json; charset=utf-8').send(body);
    } catch (error) {
      watch.failed(errorCode(error, request));
      throw error;
    }
  });
}

/** @throws {ServerError} ERR_REQUEST_INVALID */
function requireDimensions({ engine, dimensionsAllowed }: EmbeddingService, wanted: number): void {
  // Until it is loaded nobody knows the model's own; the engine then refuses the request anyway.
  const own = engine.state.kind === 'ready' ? [engine.state.model.dimensions] : [wanted];
  if (own.includes(wanted) || dimensionsAllowed.includes(wanted)) return;
  const allowed = [...new Set([...dimensionsAllowed, ...own])].sort((a, b) => a - b);
  throw new ServerError(
    'ERR_REQUEST_INVALID',
    `\`dimensions\` of this model may be ${allowed.join(', ')}, got ${wanted}`,
  );
}
