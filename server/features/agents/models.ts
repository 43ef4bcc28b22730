/** Selects the model of an agent, and describes agents and models for the list of the confidential surface. */
import type { Plan } from '@cloister/accounts/plans/plans';
import type { Agent } from '@cloister/agents/agent/agent';
import { promptForm } from '@cloister/agents/agent/brief';
import { factsContextMin } from '@cloister/agents/facts/question';
import type { AgentDirectory } from '@cloister/agents/registry';
import { ServerError } from '../../http/errors.ts';
import { type AdmissionDependencies, firstInPlan } from '../../serving/admission.ts';
import type { ModelDirectory, ServedChatModel, ServedModel } from '../../serving/served-model.ts';
import { describePrices, modelsOfPlan } from '../../serving/visible-models.ts';
import { functionsOf } from './functions.ts';

/** In the order of the list. */
export function chatModels(models: ModelDirectory): readonly ServedChatModel[] {
  return [...models.values()].filter((model) => model.kind === 'chat');
}

/** The model behind every agent of an account. @throws {ServerError} ERR_MODEL_UNKNOWN if no chat model is served */
export async function modelOfAgents(
  models: ModelDirectory,
  { accountId, ...dependencies }: Pick<AdmissionDependencies, 'accounts' | 'now'> & { accountId: string },
): Promise<ServedChatModel> {
  const served = chatModels(models);
  if (served.length === 0) throw new ServerError('ERR_MODEL_UNKNOWN', 'no chat model is served here');
  return await firstInPlan(served, { accountId, surface: 'confidential', kind: 'chat' }, dependencies);
}

/**
 * @param plan of the caller
 * @throws {ServerError} ERR_MODEL_UNKNOWN, with the ids that the caller may use
 */
export async function findTeeModel(
  models: ModelDirectory,
  { id, agents, plan }: { id: string; agents: AgentDirectory; plan: () => Promise<Plan> },
): Promise<ServedChatModel> {
  const model = models.get(id);
  if (model?.kind === 'chat') return model;
  const inPlan = modelsOfPlan(await plan(), { models, surface: 'confidential' });
  const known = [...agents.keys(), ...inPlan.map((one) => one.id)].join(', ');
  throw new ServerError('ERR_MODEL_UNKNOWN', `\`model\` must be the slug of an agent or the id of a model: ${known}`);
}

/** @param model of the agent; undefined if the plan has none */
export function describeAgent(agent: Agent, { model, plan }: { model: ServedChatModel | undefined; plan: Plan }) {
  const { slug, name, industry, version, tools, defaults } = agent;
  return {
    id: slug,
    object: 'model',
    type: 'agent',
    name,
    industry,
    version,
    ...(model === undefined ? { status: 'unavailable' } : { status: model.engine.state.kind, model: model.id }),
    ...(model && termsOf(model, plan)),
    capabilities: {
      ...capabilitiesOf(model),
      documents: true,
      calls_own_tools: callsTools(agent, model),
      lists_facts: model !== undefined && contextOf(model) >= factsContextMin,
    },
    defaults: { temperature: defaults.temperature, max_tokens: defaults.maxTokens },
    tools: tools.map((tool) => ({ name: tool.name, version: tool.version })),
  };
}

/** Embedding and image models have other endpoints, which their entry names. */
export function describeTeeModel(model: ServedModel, plan: Plan) {
  const head = {
    id: model.id,
    object: 'model',
    type: 'model',
    name: model.terms.name ?? model.id,
    industry: null,
    status: model.engine.state.kind,
  };
  if (model.kind === 'chat') return { ...head, ...termsOf(model, plan), capabilities: capabilitiesOf(model) };
  const limits = {
    context_length: model.terms.contextLength,
    max_output_tokens: 0,
    pricing: describePrices(model, plan),
  };
  if (model.kind === 'reranker') return { ...head, ...limits, capabilities: { rerank: true }, endpoint: '/v1/rerank' };
  return model.kind === 'embedding'
    ? { ...head, ...limits, capabilities: { embeddings: true }, endpoint: '/v1/embeddings' }
    : { ...head, ...limits, capabilities: { images: true, streaming: true }, endpoint: '/v1/images/generations' };
}

function callsTools(agent: Agent, model: ServedChatModel | undefined): boolean {
  return model !== undefined && functionsOf(agent, model, promptForm(contextOf(model))).length > 0;
}

/** Maximum tokens of prompt and answer together; undefined until the model is loaded. */
export function contextOf({ terms, engine }: ServedChatModel): number {
  const { state } = engine;
  return state.kind === 'ready' ? Math.min(terms.contextLength, state.model.contextPerSequence) : terms.contextLength;
}

function termsOf(model: ServedChatModel, plan: Plan) {
  const held = contextOf(model);
  return {
    context_length: held,
    max_output_tokens: Math.min(model.terms.maxOutputTokens, held),
    pricing: describePrices(model, plan),
  };
}

/** Capabilities that depend on the loaded model are false before it is loaded. */
function capabilitiesOf(model: ServedChatModel | undefined) {
  const state = model?.engine.state;
  const facts = state?.kind === 'ready' ? state.model : undefined;
  return {
    streaming: true,
    tools: facts?.supportsTools ?? false,
    reasoning: facts?.supportsReasoning ?? false,
    structured_outputs: true,
    logprobs: true,
  };
}
