/** Anthropic's Messages API: `POST /v1/messages` and `POST /v1/messages/count_tokens`, on the engine of the chat route. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { anthropicLimits } from '../../http/anthropic-limits.ts';
import { requireAnthropicVersion } from '../../http/anthropic-version.ts';
import { unknownModel } from '../../serving/admission.ts';
import { answerChat, type ChatDependencies } from '../chat/answer-chat.ts';
import { boundedModels } from '../chat/bounded-models.ts';
import { countPrompt } from '../chat/count-prompt.ts';
import { countTokensCallReader, messagesCallReader } from './call-reader.ts';
import { messageForm } from './form.ts';
import { MarkedPart } from './marked-part.ts';

export function messageRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed, now } = dependencies;
  const options = {
    onRequest: async (request: FastifyRequest) => requireAnthropicVersion(request),
    // Runs for errors too; a stream has sent its headers before.
    onSend: async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(anthropicLimits(reply.getHeaders(), now()));
    },
  };
  const largeTerms = () => ({ models: boundedModels(models) });

  app.post('/messages', options, async (request, reply) => {
    const call = await callOf(messagesCallReader, { request, reply }, { seed: randomSeed() }, largeTerms);
    const model = models.get(call.model);
    if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
    const headers = (limits: Readonly<Record<string, string>>) => ({
      'request-id': request.id,
      ...anthropicLimits(limits, now()),
    });
    const marks = new MarkedPart(call, model.engine);
    const form = messageForm(() => marks.tokens);
    const run = marks.run.bind(marks);
    return await answerChat({ request, reply }, { surface: 'chat', call, model, form, headers, run }, dependencies);
  });

  app.post('/messages/count_tokens', options, async (request, reply) => {
    const call = await callOf(countTokensCallReader, { request, reply }, {}, largeTerms);
    reply.header('request-id', request.id);
    const { result: tokens } = await countPrompt({ request, reply }, call, dependencies);
    return { input_tokens: tokens };
  });
}
