/** `POST /v1/embeddings`: runs a checked call on the engine and answers with one JSON object. */
import type { EmbeddingTerms } from '@cloister/models/catalogue/catalogue';
import type { EmbeddingRequest } from '@cloister/runtime/embeddings/embedding-request';
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { errorCode } from '../../http/error-replies.ts';
import { ServerError } from '../../http/errors.ts';
import { describeFault } from '../../http/request-log.ts';
import { type AdmissionDependencies, admitRequest, unknownModel } from '../../serving/admission.ts';
import { settled } from '../../serving/metering.ts';
import { embeddingCountsMax } from '../../serving/model-terms.ts';
import type { ModelDirectory, ServedEmbeddingModel } from '../../serving/served-model.ts';
import { tracedResult } from '../../tracing/queued-work.ts';
import { encodeEmbeddings, shortenVectors } from './answer.ts';
import { embeddingCallReader } from './call-reader.ts';
import type { EmbeddingMetrics } from './metrics.ts';
import { embeddingParameters } from './receipt-parameters.ts';
import type { InputType } from './schema.ts';

export interface EmbeddingDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly metrics: EmbeddingMetrics;
}

export function embeddingRoutes(app: FastifyInstance, dependencies: EmbeddingDependencies): void {
  const { models, metrics, requestTimeoutMs, now } = dependencies;

  app.post('/embeddings', async (request, reply) => {
    const call = await callOf(embeddingCallReader, { request, reply }, undefined);
    const { model: name, format, dimensions: wanted, inputType, work } = call;
    const model = models.get(name);
    if (model?.kind !== 'embedding') {
      throw await unknownModel(request, { surface: 'embeddings', kind: 'embedding' }, dependencies);
    }
    const watch = metrics.beginEmbedding({ model: model.id });
    const prefix = prefixFor(model.embedding, inputType);
    const countsMax = embeddingCountsMax({ input: work.input, prefixBytes: Buffer.byteLength(prefix) }, model.terms);
    request.receipt?.describe(embeddingParameters({ texts: work.input.length, dimensions: wanted, format }));
    try {
      if (wanted !== undefined) requireDimensions(model, wanted);
      const admission = await admitRequest(
        { request, reply },
        { surface: 'embeddings', model, countsMax },
        dependencies,
      );
      const { accountId: account } = callerOf(request);
      const running = model.engine.embed(
        {
          ...work,
          input: withPrefix(work.input, prefix),
          account,
          priority: admission.plan.priority,
          timeoutMs: requestTimeoutMs,
        },
        { signal: whenCallerLeaves(reply) },
      );
      const result = await settled(
        tracedResult(request.trace?.work, running),
        { admission, countsOf: ({ promptTokens }) => ({ promptTokens, completionTokens: 0 }) },
        { now, onFailure: (error) => request.log.error({ fault: describeFault(error) }, 'a charge failed') },
      );
      watch.done(result);
      const dimensions = wanted ?? result.dimensions;
      const isWhole = dimensions === result.dimensions;
      const vectors = isWhole ? result.vectors : shortenVectors(result.vectors, result.dimensions, dimensions);
      const { promptTokens } = result;
      const usage = { prompt_tokens: promptTokens, completion_tokens: 0, total_tokens: promptTokens };
      const body = await encodeEmbeddings({ model: model.id, vectors, dimensions, format, usage });
      return reply.type('application/json; charset=utf-8').send(body);
    } catch (error) {
      watch.failed(errorCode(error, request));
      throw error;
    }
  });
}

/** @throws {ServerError} ERR_REQUEST_INVALID */
function requireDimensions({ engine, embedding: { dimensions = [] } }: ServedEmbeddingModel, wanted: number): void {
  // The dimension is unknown until the model is loaded; the engine then refuses the request.
  if (engine.state.kind !== 'ready') return;
  const own = engine.state.model.dimensions;
  const allowed = [...new Set([...dimensions.filter((length) => length < own), own])].sort((a, b) => a - b);
  if (allowed.includes(wanted)) return;
  throw new ServerError(
    'ERR_REQUEST_INVALID',
    `\`dimensions\` must be one of ${allowed.join(', ')} for this model, got ${wanted}`,
  );
}

/** The prefix that the model was trained with for texts of this type. */
function prefixFor({ prefix = '', queryPrefix, documentPrefix }: EmbeddingTerms, type: InputType | undefined): string {
  switch (type) {
    case 'query':
      return queryPrefix ?? prefix;
    case 'document':
      return documentPrefix ?? prefix;
    case undefined:
      return prefix;
  }
}

/** Token ids get no prefix. */
function withPrefix(input: EmbeddingRequest['input'], prefix: string): EmbeddingRequest['input'] {
  return prefix === '' ? input : input.map((item) => (typeof item === 'string' ? prefix + item : item));
}
