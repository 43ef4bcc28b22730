/** Which model answers for an agent, and what the list of the confidential surface says of both. */
import type { Agent } from '../../models/agents/agent.ts';
import { promptForm } from '../../models/agents/brief.ts';
import type { AgentDirectory } from '../../models/agents/registry.ts';
import { ServerError } from '../errors.ts';
import { type AdmissionDependencies, firstInPlan } from '../plugins/admission.ts';
import type { ModelDirectory, ServedChatModel } from '../start/served-model.ts';
import { functionsOf } from './functions.ts';

const microDollars = 1_000_000;

/** In the order in which they are listed. */
export function chatModels(models: ModelDirectory): readonly ServedChatModel[] {
  return [...models.values()].filter((model) => model.kind === 'chat');
}

/** The model behind every agent of an account. @throws {ServerError} ERR_MODEL_UNKNOWN where no chat model is served */
export async function modelOfAgents(
  models: ModelDirectory,
  { accountId, ...dependencies }: Pick<AdmissionDependencies, 'accounts' | 'now'> & { accountId: string },
): Promise<ServedChatModel> {
  const served = chatModels(models);
  if (served.length === 0) throw new ServerError('ERR_MODEL_UNKNOWN', 'no chat model is served here');
  return await firstInPlan(served, { accountId, surface: 'confidential', kind: 'chat' }, dependencies);
}

/** @throws {ServerError} ERR_MODEL_UNKNOWN, with the ids that would work */
export function findTeeModel(
  models: ModelDirectory,
  { id, agents }: { id: string; agents: AgentDirectory },
): ServedChatModel {
  const served = chatModels(models);
  const model = served.find((one) => one.id === id);
  if (model !== undefined) return model;
  const known = [...agents.keys(), ...served.map((one) => one.id)].join(', ');
  throw new ServerError('ERR_MODEL_UNKNOWN', `\`model\` is neither an agent nor a model here; these are: ${known}`);
}

/** @param model that answers for the agent, if any does */
export function describeAgent(agent: Agent, model: ServedChatModel | undefined) {
  const { slug, name, industry, version, tools, defaults } = agent;
  return {
    id: slug,
    object: 'model',
    type: 'agent',
    name,
    industry,
    version,
    ...(model === undefined ? { status: 'unavailable' } : { status: model.engine.state.kind, model: model.id }),
    ...(model && termsOf(model)),
    capabilities: { ...capabilitiesOf(model), documents: true, calls_own_tools: callsTools(agent, model) },
    defaults: { temperature: defaults.temperature, max_tokens: defaults.maxTokens },
    tools: tools.map((tool) => ({ name: tool.name, version: tool.version })),
  };
}

export function describeTeeModel(model: ServedChatModel) {
  return {
    id: model.id,
    object: 'model',
    type: 'model',
    name: model.terms.name ?? model.id,
    industry: null,
    status: model.engine.state.kind,
    ...termsOf(model),
    capabilities: capabilitiesOf(model),
  };
}

function callsTools(agent: Agent, model: ServedChatModel | undefined): boolean {
  return model !== undefined && functionsOf(agent, model, promptForm(contextOf(model))).length > 0;
}

/** Tokens that prompt and answer may hold together, as far as that is known. */
export function contextOf({ terms, engine }: ServedChatModel): number {
  const { state } = engine;
  return state.kind === 'ready' ? Math.min(terms.contextLength, state.model.contextPerSequence) : terms.contextLength;
}

/** Prices in US dollars per million tokens. */
function termsOf(model: ServedChatModel) {
  const { maxOutputTokens, pricing } = model.terms;
  const held = contextOf(model);
  return {
    context_length: held,
    max_output_tokens: Math.min(maxOutputTokens, held),
    pricing: {
      prompt: pricing.promptPerMillion / microDollars,
      completion: pricing.completionPerMillion / microDollars,
    },
  };
}

/** Of what only a loaded model knows, nothing is promised before. */
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
