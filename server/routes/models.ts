/** `GET /v1/models` and `/v1/models/{id}`: OpenAI's form, and what else is worth knowing of a model. */
import type { FastifyInstance } from 'fastify';
import { ServerError } from '../errors.ts';
import { factsOf, type ModelDirectory, type ServedModel } from '../served-model.ts';

export function modelRoutes(app: FastifyInstance, { models }: { models: ModelDirectory }): void {
  app.get('/models', async () => ({ object: 'list', data: [...models.values()].map(describeModel) }));

  app.get<{ Params: { id: string } }>('/models/:id', async (request) => {
    const model = models.get(request.params.id);
    if (model !== undefined) return describeModel(model);
    const ids = [...models.keys()].join(', ');
    throw new ServerError('ERR_ROUTE_UNKNOWN', `no model has this id; these do: ${ids}`);
  });
}

function describeModel(model: ServedModel) {
  const facts = factsOf(model);
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: 'cloister',
    status: model.engine.state.kind,
    ...(facts && {
      description: facts.description,
      architecture: facts.architecture,
      context_length: facts.contextPerSequence,
      capabilities: { streaming: true, tools: facts.supportsTools, reasoning: facts.supportsReasoning },
    }),
  };
}
