/** `GET /v1/models` and `/v1/models/{id}`: OpenAI's form, and what else is worth knowing of a model. */
import type { FastifyInstance } from 'fastify';
import { ServerError } from '../errors.ts';
import type { ModelDirectory, ServedModel } from '../start/served-model.ts';

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
  const { id, created, engine } = model;
  return { id, object: 'model', created, owned_by: 'cloister', status: engine.state.kind, ...describeFacts(model) };
}

/** Nothing until the model is loaded. */
function describeFacts(model: ServedModel) {
  if (model.kind === 'image') {
    if (model.engine.state.kind !== 'ready') return {};
    const { description, nativeSizes } = model.engine.state.model;
    return { description, native_sizes: nativeSizes, capabilities: { images: true, streaming: true } };
  }
  if (model.kind === 'embedding') {
    if (model.engine.state.kind !== 'ready') return {};
    const { description, dimensions, contextLength } = model.engine.state.model;
    return { description, dimensions, context_length: contextLength, capabilities: { embeddings: true } };
  }
  if (model.engine.state.kind !== 'ready') return {};
  const { description, architecture, contextPerSequence, supportsTools, supportsReasoning } = model.engine.state.model;
  return {
    description,
    architecture,
    context_length: contextPerSequence,
    capabilities: { streaming: true, tools: supportsTools, reasoning: supportsReasoning },
  };
}
