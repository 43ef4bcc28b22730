/** Whether an agent's tools are offered to its model as functions, for this request. */
import type { Agent } from '@cloister/agents/agent/agent';
import type { PromptForm } from '@cloister/agents/agent/brief';
import { type OfferedFunction, offeredFunctions } from '@cloister/agents/agent/tool-offer';
import type { ServedChatModel } from '../../serving/served-model.ts';

/** What of a request decides. */
export interface OfferTerms {
  readonly form: PromptForm;
  readonly choices: number;
  /** Functions of the caller's own. */
  readonly ownFunctions: number;
  /** Whether the answer must match a JSON schema. */
  readonly hasSchema: boolean;
  /** Whether the caller gave texts that end an answer. */
  readonly hasStops: boolean;
  /** The caller said `tool_choice: "none"`. */
  readonly refusesCalls: boolean;
}

/** What the model of an agent may call in any request; none where its template has no place for functions, or it gets the brief prompt. */
export function functionsOf(
  agent: Agent,
  { engine }: Pick<ServedChatModel, 'engine'>,
  form: PromptForm,
): readonly OfferedFunction[] {
  const { state } = engine;
  const hasPlace = form === 'full' && state.kind === 'ready' && state.model.supportsTools;
  return hasPlace ? functionsOnce(agent) : [];
}

/**
 * What it may call in this one. One list of functions at a time: beside the caller's, which the caller has to answer, a call of
 * ours could not be told apart in time; several choices would call apart from each other; a schema is for the whole answer;
 * a stop string could end it in the middle of a call.
 */
export function functionsFor(
  agent: Agent,
  model: Pick<ServedChatModel, 'engine'>,
  { form, choices, ownFunctions, hasSchema, hasStops, refusesCalls }: OfferTerms,
): readonly OfferedFunction[] {
  if (choices > 1 || ownFunctions > 0 || hasSchema || hasStops || refusesCalls) return [];
  return functionsOf(agent, model, form);
}

const known = new WeakMap<Agent, readonly OfferedFunction[]>();

function functionsOnce(agent: Agent): readonly OfferedFunction[] {
  const functions = known.get(agent) ?? offeredFunctions(agent);
  known.set(agent, functions);
  return functions;
}
