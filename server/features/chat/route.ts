/** `POST /v1/chat/completions`: runs a checked call on the engine and answers with one object or a stream. */
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { isOpenAiPath } from '../../http/openai-errors.ts';
import { unknownModel } from '../../serving/admission.ts';
import { answerChat, type ChatDependencies } from './answer-chat.ts';
import { boundedModels } from './bounded-models.ts';
import { chatCallReader } from './call-reader.ts';

export type { ChatDependencies } from './answer-chat.ts';

export function chatRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed } = dependencies;

  app.post('/chat/completions', async (request, reply) => {
    // For a small body, only `answerChat` checks the bound of the prompt.
    const terms = { seed: randomSeed(), isOpenAi: isOpenAiPath(request.raw) };
    const call = await callOf(chatCallReader, { request, reply }, terms, () => ({
      models: boundedModels(models),
    }));
    const model = models.get(call.model);
    if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
    return await answerChat({ request, reply }, { surface: 'chat', call, model }, dependencies);
  });
}
