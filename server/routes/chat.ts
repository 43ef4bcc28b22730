/** `POST /v1/chat/completions`: a checked call becomes engine work, its events become one object or a stream. */
import type { FastifyInstance } from 'fastify';
import { answerChat, type ChatDependencies } from '../chat/answer-chat.ts';
import { unknownModel } from '../plugins/admission.ts';
import { readChatCall } from '../schemas/chat.ts';

export type { ChatDependencies } from '../chat/answer-chat.ts';

export function chatRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed } = dependencies;

  app.post('/chat/completions', async (request, reply) => {
    const call = readChatCall(request.body, randomSeed);
    const model = models.get(call.model);
    if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
    return await answerChat({ request, reply }, { surface: 'chat', call, model }, dependencies);
  });
}
