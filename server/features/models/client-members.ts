/**
 * Members of a model's entry that clients of OpenRouter and LiteLLM read, where they do not contradict the contract: `pricing` is in
 * dollars per million tokens (I-055), and `architecture` a text. Pure.
 * @see https://openrouter.ai/docs/api/api-reference/models/get-models
 * @see https://docs.litellm.ai/docs/provider_registration/add_model_pricing
 */
import type { Plan } from '@cloister/accounts/plans/plans';
import type { ServedChatModel, ServedModel } from '../../serving/served-model.ts';
import { describePrices } from '../../serving/visible-models.ts';

const modes = { chat: 'chat', embedding: 'embedding', reranker: 'rerank', image: 'image_generation' } as const;
const outputs = { chat: 'text', embedding: 'embeddings', reranker: 'rerank', image: 'image' } as const;

export function clientMembers(model: ServedModel, plan: Plan) {
  return {
    name: model.terms.name ?? model.id,
    mode: modes[model.kind],
    ...costs(model, plan),
    input_modalities: hasVision(model) ? ['text', 'image'] : ['text'],
    output_modalities: [outputs[model.kind]],
    ...(model.kind === 'chat' && { ...limits(model, plan), supported_parameters: parametersOf(model) }),
  };
}

/** Dollars per token, or per image. */
function costs(model: ServedModel, plan: Plan) {
  const prices: { prompt?: number; completion?: number; image?: number } = describePrices(model, plan);
  const { prompt, completion, image } = prices;
  return {
    ...(prompt !== undefined && { input_cost_per_token: perToken(prompt) }),
    ...(completion !== undefined && { output_cost_per_token: perToken(completion) }),
    ...(image !== undefined && { output_cost_per_image: image }),
  };
}

/** Rounded to 12 digits, since the division leaves an error in the last of 17. */
function perToken(perMillion: number): number {
  return Number((perMillion / 1_000_000).toPrecision(12));
}

function limits({ terms }: ServedChatModel, { contextTokensMax }: Plan) {
  const context = Math.min(terms.contextLength, contextTokensMax ?? Infinity);
  const output = Math.min(terms.maxOutputTokens, context);
  return {
    max_input_tokens: context,
    max_output_tokens: output,
    top_provider: { context_length: context, max_completion_tokens: output, is_moderated: false },
  };
}

function hasVision(model: ServedModel): boolean {
  return model.kind === 'chat' && model.engine.state.kind === 'ready' && model.engine.state.model.imageTokensMax > 0;
}

const always = [
  ...['max_tokens', 'max_completion_tokens', 'temperature', 'top_p', 'top_k', 'min_p', 'seed', 'stop', 'logit_bias'],
  ...['frequency_penalty', 'presence_penalty', 'logprobs', 'top_logprobs', 'response_format', 'structured_outputs'],
];

/** In the words of OpenRouter; fields that every model has until this one is loaded. */
function parametersOf({ engine: { state } }: ServedChatModel): readonly string[] {
  if (state.kind !== 'ready') return always;
  const { supportsTools, supportsReasoning } = state.model;
  return [
    ...always,
    ...(supportsTools ? ['tools', 'tool_choice', 'parallel_tool_calls'] : []),
    ...(supportsReasoning ? ['reasoning', 'reasoning_effort'] : []),
  ];
}
