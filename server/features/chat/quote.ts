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
    const terms = { seed: 0, isOpenAi: isOpenAiPath(request.raw) };
    const call = await callOf(chatCallReader, { request, reply }, terms, () => ({
      models: boundedModels(dependencies.models),
    }));
    const { input, choices, maxTokens } = call.work;
    const {
      result: tokens,
      model,
      plan,
    } = await countPrompt({ request, reply }, { model: call.model, input, images: call.images ?? [] }, dependencies);
    const { engine } = model;
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
      requests_running: engine.stats.running,
      requests_waiting: engine.stats.waiting,
    };
  });
}
