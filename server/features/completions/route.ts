/** `POST /v1/completions`, `/v1/tokenize` and `/v1/detokenize`: the engine of the chat route without its template. */

import { requirePromptMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { FastifyInstance } from 'fastify';
import { callOf } from '../../bodies/json-body.ts';
import { unknownModel } from '../../serving/admission.ts';
import type { ModelTerms } from '../../serving/model-terms.ts';
import { plainTokensMax } from '../../serving/prompt-bound.ts';
import type { ServedChatModel } from '../../serving/served-model.ts';
import { type AdmittedTerms, type AnswerTurn, answerCall, type ChatDependencies } from '../chat/answer-call.ts';
import { boundedModels } from '../chat/bounded-models.ts';
import { inspectPrompt } from '../chat/count-prompt.ts';
import { samplingParameters } from '../chat/receipt-parameters.ts';
import type { CompletionCall } from './call.ts';
import { completionCallReader, detokenizeCallReader, tokenizeCallReader } from './call-reader.ts';
import { textForm } from './form.ts';
import { runPrompts } from './prompt-runs.ts';

export function completionRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, randomSeed } = dependencies;
  const largeTerms = () => ({ models: boundedModels(models) });

  app.post('/completions', async (request, reply) => {
    const call = await callOf(completionCallReader, { request, reply }, { seed: randomSeed() }, largeTerms);
    const model = models.get(call.model);
    if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
    return await answerCall({ request, reply }, turnOf(call, model), dependencies);
  });

  app.post('/tokenize', async (request, reply) => {
    const call = await callOf(tokenizeCallReader, { request, reply }, {}, largeTerms);
    const { result: tokens, model } = await inspectPrompt({ request, reply }, call, {
      ...dependencies,
      inspect: (engine, work, options) => engine.tokenize(work, options),
    });
    return { count: tokens.length, max_model_len: model.terms.contextLength, tokens };
  });

  app.post('/detokenize', async (request, reply) => {
    const call = await callOf(detokenizeCallReader, { request, reply }, {}, largeTerms);
    const { result: prompt } = await inspectPrompt({ request, reply }, call, {
      ...dependencies,
      inspect: (engine, work, options) => engine.detokenize(work, options),
    });
    return { prompt };
  });
}

/** The most prompts of one request that run at the same time. */
const parallelPromptsMax = 8;

function turnOf(call: CompletionCall, model: ServedChatModel): AnswerTurn {
  const { prompts, work, stream, echo } = call;
  const { choices, sampling } = work;
  const echoed = echo && [...echo];
  return {
    ...{ surface: 'chat', model, call, form: textForm({ ...call, echo: echoed }) },
    choices: prompts.length * choices,
    countsMax: countsMaxOf(call, model.terms),
    parameters: (maxTokens) => ({
      ...samplingParameters(work, maxTokens),
      prompts: prompts.length,
      echo: echo !== undefined,
      suffix: prompts.some((prompt) => 'text' in prompt && prompt.suffix !== undefined),
      stream,
    }),
    requireFits(bounded) {
      for (const prompt of prompts) requirePromptMayFit(prompt, bounded);
    },
    async *run(terms, { signal }) {
      if (echoed !== undefined) await spellTokens(echoed, call, { model, terms, signal });
      yield* runPrompts({
        ...{ prompts: prompts.length, choices, signal, parallelMax: parallelMaxOf(model, choices) },
        begin: (index, options) => {
          const seed = (sampling.seed + index * choices) >>> 0;
          const input = prompts[index]!;
          return model.engine.chat({ ...work, ...terms, input, sampling: { ...sampling, seed } }, options);
        },
      });
    },
  };
}

/** Fills in the texts of prompts of token ids. */
async function spellTokens(
  echoed: (string | undefined)[],
  { prompts }: CompletionCall,
  { model, terms, signal }: { model: ServedChatModel; terms: AdmittedTerms; signal: AbortSignal },
): Promise<void> {
  const { account, priority, timeoutMs } = terms;
  for (const [index, input] of prompts.entries()) {
    if (!('tokens' in input)) continue;
    echoed[index] = await model.engine.detokenize({ input, account, priority, timeoutMs }, { signal });
  }
}

function countsMaxOf({ prompts, work }: CompletionCall, { contextLength, maxOutputTokens }: ModelTerms) {
  const promptTokens = prompts.reduce((sum, prompt) => sum + Math.min(plainTokensMax(prompt), contextLength), 0);
  const each = Math.min(work.maxTokens ?? maxOutputTokens, maxOutputTokens);
  return { promptTokens, completionTokens: prompts.length * work.choices * each };
}

/** More prompts than the engine has sequences would only wait in its queue, and take places of other requests. */
function parallelMaxOf({ engine: { state } }: ServedChatModel, choices: number): number {
  const sequences = state.kind === 'ready' ? state.model.sequences : 1;
  return Math.max(1, Math.min(parallelPromptsMax, Math.floor(sequences / choices)));
}
