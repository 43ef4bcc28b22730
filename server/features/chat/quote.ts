/** `POST /v1/quote`: what a chat would cost at most, from the exact length of its prompt, before anything is computed. */
import { formatDollars, priceOf } from '@cloister/accounts/base/money';
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { isOpenAiPath } from '../../http/openai-errors.ts';
import { chatCountsMax } from '../../serving/model-terms.ts';
import type { ChatDependencies } from './answer-chat.ts';
import { boundedModels } from './bounded-models.ts';
import { chatCallReader } from './call-reader.ts';
import { countPrompt } from './count-prompt.ts';

export function quoteRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  app.post('/quote', async (request, reply) => {
    const terms = { seed: 0, isOpenAi: isOpenAiPath(request.raw), isQuote: true };
    const call = await callOf(chatCallReader, { request, reply }, terms, () => ({
      models: boundedModels(dependencies.models),
    }));
    const { input, choices, maxTokens } = call.work;
    const {
      result: tokens,
      model,
      plan,
    } = await countPrompt({ request, reply }, { model: call.model, input, images: call.images ?? [] }, dependencies);
    const { stats, state } = model.engine;
    // A prompt leaves this many tokens of the context to each answer.
    const left = model.terms.contextLength - tokens + 1;
    const limits = { promptTokens: tokens, choices, maxTokens: Math.min(maxTokens ?? left, left) };
    const counts = chatCountsMax(limits, model.terms);
    const price = priceOf(counts, model.terms.pricing, { percent: plan.pricePercent });
    return {
      object: 'quote',
      model: model.id,
      prompt_tokens: counts.promptTokens,
      completion_tokens_max: counts.completionTokens,
      price_max_micro_dollars: price,
      price_max: formatDollars(price),
      requests_running: stats.running,
      requests_waiting: stats.waiting,
      ...waitOf({
        ...{ running: stats.running, waiting: stats.preparing + stats.waiting },
        sequences: state.kind === 'ready' ? state.model.sequences : undefined,
        answerMs: dependencies.metrics.recentAnswerMs(model.id),
      }),
    };
  });
}

interface Load {
  readonly running: number;
  readonly waiting: number;
  /** Answers that run at the same time; undefined: unknown. */
  readonly sequences: number | undefined;
  /** From the first step to the last token of recent answers; undefined if there are none. */
  readonly answerMs: number | undefined;
}

/**
 * How long a new answer would wait for a sequence: answers end one after another, `sequences` of them in the time of one. Empty if
 * nothing is known about that time.
 */
export function waitOf({ running, waiting, sequences, answerMs }: Load): { readonly wait_estimate_ms?: number } {
  if (sequences === undefined) return {};
  const ahead = running + waiting - sequences + 1;
  if (ahead <= 0) return { wait_estimate_ms: 0 };
  return answerMs === undefined ? {} : { wait_estimate_ms: Math.round((ahead / sequences) * answerMs) };
}
