/** Decides whether an agent's tools are offered to its model as functions. */
import type { Agent } from '@cloister/agents/agent/agent';
import type { PromptForm } from '@cloister/agents/agent/brief';
import { type OfferedFunction, offeredFunctions } from '@cloister/agents/agent/tool-offer';
import type { ServedChatModel } from '../../serving/served-model.ts';

/** The properties of a request that decide. */
export interface OfferTerms {
  readonly form: PromptForm;
  readonly choices: number;
  /** Number of functions that the caller sent. */
  readonly ownFunctions: number;
  /** Whether the answer must match a JSON schema. */
  readonly hasSchema: boolean;
  /** Whether the caller sent stop strings. */
  readonly hasStops: boolean;
  /** The caller sent `tool_choice: "none"`. */
  readonly refusesCalls: boolean;
}

/** The functions that an agent's model may call. None with the brief prompt, or if its chat template does not support functions. */
export function functionsOf(
  agent: Agent,
  { engine }: Pick<ServedChatModel, 'engine'>,
  form: PromptForm,
): readonly OfferedFunction[] {
  const { state } = engine;
  const isSupported = form === 'full' && state.kind === 'ready' && state.model.supportsTools;
  return isSupported ? functionsOnce(agent) : [];
}

/**
 * The functions for one request. There are none in four cases: with functions of the caller, because the calls could not be
 * separated in a stream; with several choices, each of which would make calls; with a schema, which applies to the whole
 * answer; and with stop strings, which could end a call in the middle.
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
