/** `POST /v1/chat/completions`: a checked call becomes engine work, its events become one object or a stream. */
import type { FastifyInstance } from 'fastify';
import { answerChat, type ChatDependencies } from '../chat/answer-chat.ts';
import { readChatCall } from '../schemas/chat.ts';
import { findChatModel } from '../start/served-model.ts';

export type { ChatDependencies } from '../chat/answer-chat.ts';

export function chatRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed } = dependencies;

  app.post('/chat/completions', async (request, reply) => {
    const call = readChatCall(request.body, randomSeed);
    const model = findChatModel(models, call.model);
    return await answerChat({ request, reply }, { surface: 'chat', call, model }, dependencies);
  });
}
