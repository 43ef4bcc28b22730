/** OpenAI's Responses API: `POST /v1/responses`, on the engine of the chat route. Nothing is stored. */
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { unknownModel } from '../../serving/admission.ts';
import { answerChat, type ChatDependencies } from '../chat/answer-chat.ts';
import { boundedModels } from '../chat/bounded-models.ts';
import { responseCallReader } from './call-reader.ts';
import { responseForm } from './form.ts';

export function responseRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed } = dependencies;

  app.post('/responses', async (request, reply) => {
    const call = await callOf(responseCallReader, { request, reply }, { seed: randomSeed() }, () => ({
      models: boundedModels(models),
    }));
    const model = models.get(call.model);
    if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
    const turn = { surface: 'chat', call, model, form: responseForm(call.echo) } as const;
    return await answerChat({ request, reply }, turn, dependencies);
  });
}
