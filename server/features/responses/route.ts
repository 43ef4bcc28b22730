/**
 * OpenAI's Responses API: `POST /v1/responses` and `/v1/responses/input_tokens`, on the engine of the chat route. Nothing is stored.
 */
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { unknownModel } from '../../serving/admission.ts';
import { answerChat, type ChatDependencies } from '../chat/answer-chat.ts';
import { boundedModels } from '../chat/bounded-models.ts';
import { countPrompt } from '../chat/count-prompt.ts';
import { inputTokensCallReader, responseCallReader } from './call-reader.ts';
import { responseForm } from './form.ts';

export function responseRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed } = dependencies;
  const largeTerms = () => ({ models: boundedModels(models) });

  app.post('/responses', async (request, reply) => {
    const call = await callOf(responseCallReader, { request, reply }, { seed: randomSeed() }, largeTerms);
    const model = models.get(call.model);
    if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
    const turn = { surface: 'chat', call, model, form: responseForm(call.echo) } as const;
    return await answerChat({ request, reply }, turn, dependencies);
  });

  app.post('/responses/input_tokens', async (request, reply) => {
    const call = await callOf(inputTokensCallReader, { request, reply }, {}, largeTerms);
    const { result } = await countPrompt({ request, reply }, call, dependencies);
    return { object: 'response.input_tokens', input_tokens: result };
  });
}
