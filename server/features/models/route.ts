/** `GET /v1/models` and `/v1/models/{id}`: the models of the caller's plan, in OpenAI's form, with prices and capabilities. */
import type { Plan } from '@cloister/accounts/plans/plans';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServerError } from '../../http/errors.ts';
import { type AdmissionDependencies, planOfCaller } from '../../serving/admission.ts';
import { queueOf } from '../../serving/model-queue.ts';
import { type ModelDirectory, type ServedModel, statusOf, withAdapters } from '../../serving/served-model.ts';
import { describePrices, modelsOfPlan } from '../../serving/visible-models.ts';
import { clientMembers } from './client-members.ts';

export interface ModelListDependencies extends Pick<AdmissionDependencies, 'accounts' | 'now'> {
  readonly models: ModelDirectory;
}

export function modelRoutes(app: FastifyInstance, { models, ...dependencies }: ModelListDependencies): void {
  const visible = async (request: FastifyRequest) => {
    const plan = await planOfCaller(request, dependencies);
    const known = modelsOfPlan(plan, { models });
    return { plan, known: known.flatMap(withAdapters) };
  };

  app.get('/models', async (request) => {
    const { plan, known } = await visible(request);
    return { object: 'list', data: known.map((model) => describeModel(model, plan)) };
  });

  app.get<{ Params: { id: string } }>('/models/:id', async (request) => {
    const { plan, known } = await visible(request);
    const named = models.get(request.params.id);
    const model = known.find(({ id }) => id === named?.id);
    if (model !== undefined) return describeModel(model, plan);
    const ids = known.map(({ id }) => id).join(', ');
    throw new ServerError(
      'ERR_MODEL_ABSENT',
      `the plan ${plan.title} has no model with this id; its models are: ${ids || 'none'}`,
    );
  });
}

function describeModel(model: ServedModel, plan: Plan) {
  const { id, aliases = [], created } = model;
  const pricing = describePrices(model, plan);
  const [parent] = id.split(':');
  const { running, waiting } = queueOf(model);
  const queue = { requests_running: running, requests_waiting: waiting };
  const head = { id, object: 'model', created, owned_by: 'cloister', status: statusOf(model), ...queue, pricing };
  return {
    ...head,
    ...(aliases.length > 0 && { aliases }),
    ...(parent !== id && { parent }),
    ...clientMembers(model, plan),
    ...describeFacts(model),
  };
}

/** Empty until the model is loaded. */
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
  if (model.kind === 'reranker') {
    if (model.engine.state.kind !== 'ready') return {};
    const { description, contextLength } = model.engine.state.model;
    return { description, context_length: contextLength, capabilities: { rerank: true } };
  }
  if (model.engine.state.kind !== 'ready') return {};
  const facts = model.engine.state.model;
  return {
    description: facts.description,
    architecture: facts.architecture,
    context_length: facts.contextPerSequence,
    capabilities: {
      streaming: true,
      tools: facts.supportsTools,
      reasoning: facts.supportsReasoning,
      vision: facts.imageTokensMax > 0,
      infill: facts.supportsInfill,
    },
  };
}
