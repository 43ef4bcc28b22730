/** `POST /v1/rerank` and `POST /v1/score`: run pairs of texts through a cross-encoder and answer with one JSON object. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import type { Parameters } from '../../enclave/receipt-draft.ts';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { errorCode } from '../../http/error-replies.ts';
import { randomId } from '../../http/random-id.ts';
import { describeFault } from '../../http/request-log.ts';
import { type AdmissionDependencies, admitRequest, unknownModel } from '../../serving/admission.ts';
import { settled } from '../../serving/metering.ts';
import { embeddingCountsMax } from '../../serving/model-terms.ts';
import type { ModelDirectory } from '../../serving/served-model.ts';
import type { EmbeddingMetrics } from '../embeddings/metrics.ts';
import { rerankCallReader, scoreCallReader } from './call-reader.ts';
import { pairParameters, rerankParameters } from './receipt-parameters.ts';
import type { RerankCall, ScoreCall } from './schema.ts';

export interface RerankDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly metrics: EmbeddingMetrics;
}

export function rerankRoutes(app: FastifyInstance, dependencies: RerankDependencies): void {
  app.post('/rerank', async (request, reply) => {
    const call = await callOf(rerankCallReader, { request, reply }, undefined);
    const work = { field: 'documents', secondTokensMax: call.documentTokensMax, parameters: rerankParameters(call) };
    const { model, scores, usage } = await scorePairs({ request, reply }, { call, ...work }, dependencies);
    const meta = { api_version: { version: '2' }, billed_units: { input_tokens: usage.prompt_tokens } };
    return { id: `rerank-${randomId(16)}`, object: 'list', model, results: rank(call, scores), meta, usage };
  });

  app.post('/score', async (request, reply) => {
    const call = await callOf(scoreCallReader, { request, reply }, undefined);
    const work = { field: call.field, secondTokensMax: undefined, parameters: pairParameters(call) };
    const { model, scores, usage } = await scorePairs({ request, reply }, { call, ...work }, dependencies);
    const created = Math.floor(dependencies.now() / 1000);
    const data = scores.map((score, index) => ({ index, object: 'score', score }));
    return { id: `score-${randomId(16)}`, object: 'list', created, model, data, usage };
  });
}

interface Work {
  readonly call: RerankCall | ScoreCall;
  /** See `EmbeddingRequest`. */
  readonly field: string;
  readonly secondTokensMax: number | undefined;
  /** For the receipt. */
  readonly parameters: Parameters;
}

/** @returns one score per pair, in the order of the request */
async function scorePairs(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { call, field, secondTokensMax, parameters }: Work,
  dependencies: RerankDependencies,
) {
  const { models, metrics, requestTimeoutMs, now } = dependencies;
  const model = models.get(call.model);
  if (model?.kind !== 'reranker') {
    throw await unknownModel(request, { surface: 'embeddings', kind: 'reranker' }, dependencies);
  }
  const watch = metrics.beginEmbedding({ model: model.id });
  const { pairs: input, truncate } = call;
  request.receipt?.describe(parameters);
  try {
    const countsMax = embeddingCountsMax({ input, prefixBytes: 0 }, model.terms);
    const admission = await admitRequest({ request, reply }, { surface: 'embeddings', model, countsMax }, dependencies);
    const { accountId: account } = callerOf(request);
    const { priority } = admission.plan;
    const work = { input, truncate, field, secondTokensMax, account, priority, timeoutMs: requestTimeoutMs };
    const result = await settled(
      model.engine.embed(work, { signal: whenCallerLeaves(reply) }),
      { admission, countsOf: ({ promptTokens }) => ({ promptTokens, completionTokens: 0 }) },
      { now, onFailure: (error) => request.log.error({ fault: describeFault(error) }, 'a charge failed') },
    );
    watch.done(result);
    const { promptTokens: tokens, vectors } = result;
    const scores = Array.from(vectors, (logit) => (call.usesSigmoid ? 1 / (1 + Math.exp(-logit)) : logit));
    return { model: model.id, scores, usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens } };
  } catch (error) {
    watch.failed(errorCode(error, request));
    throw error;
  }
}

/** Best first; documents with equal scores keep the order of the request. */
function rank({ pairs, top, returnsDocuments }: RerankCall, scores: readonly number[]) {
  const order = scores.map((score, index) => ({ score, index })).sort((a, b) => b.score - a.score);
  return order.slice(0, top).map(({ score, index }) => ({
    index,
    relevance_score: score,
    ...(returnsDocuments && { document: { text: pairs[index]!.second } }),
  }));
}
