/** Anthropic's Messages API: `POST /v1/messages` and `POST /v1/messages/count_tokens`, on the engine of the chat route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { admitRequest, unknownModel } from '../../serving/admission.ts';
import { answerChat, type ChatDependencies } from '../chat/answer-chat.ts';
import { boundedModels } from '../chat/bounded-models.ts';
import { type CountCall, countTokensCallReader, messagesCallReader } from './call-reader.ts';
import { messageForm } from './form.ts';

export function messageRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed } = dependencies;
  const options = { config: { errorsOf: 'anthropic' as const } };
  const largeTerms = () => ({ models: boundedModels(models) });

  app.post('/messages', options, async (request, reply) => {
    const call = await callOf(messagesCallReader, { request, reply }, { seed: randomSeed() }, largeTerms);
    const model = await servedModel(call.model, request, dependencies);
    const headers = { 'request-id': request.id };
    const turn = { surface: 'chat', call, model, form: messageForm, headers } as const;
    return await answerChat({ request, reply }, turn, dependencies);
  });

  app.post('/messages/count_tokens', options, async (request, reply) => {
    const call = await callOf(countTokensCallReader, { request, reply }, {}, largeTerms);
    reply.header('request-id', request.id);
    return { input_tokens: await countTokens({ request, reply }, call, dependencies) };
  });
}

/** Costs nothing, and counts towards the limits on requests. */
async function countTokens(
  exchange: { request: FastifyRequest; reply: FastifyReply },
  { model: id, input }: CountCall,
  dependencies: ChatDependencies,
): Promise<number> {
  const { request, reply } = exchange;
  const model = await servedModel(id, request, dependencies);
  const countsMax = { promptTokens: 0, completionTokens: 0 };
  const admission = await admitRequest(exchange, { surface: 'chat', model, countsMax }, dependencies);
  try {
    const work = {
      input,
      account: callerOf(request).accountId,
      priority: admission.plan.priority,
      timeoutMs: dependencies.requestTimeoutMs,
    };
    return await model.engine.countPrompt(work, { signal: whenCallerLeaves(reply) });
  } finally {
    await admission.release({ now: dependencies.now() });
  }
}

async function servedModel(id: string, request: FastifyRequest, dependencies: ChatDependencies) {
  const model = dependencies.models.get(id);
  if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
  return model;
}
