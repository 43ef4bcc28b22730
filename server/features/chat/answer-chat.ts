/** Answers a checked chat call on any surface. */
import type { Surface } from '@cloister/accounts/store';
import { requireMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { ChatRequest } from '@cloister/runtime/chat/request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Parameters } from '../../enclave/receipt-draft.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import { chatCountsMax } from '../../serving/model-terms.ts';
import { promptTokensMax } from '../../serving/prompt-bound.ts';
import type { ServedChatModel } from '../../serving/served-model.ts';
import { type AnswerTurn, answerCall, type ChatDependencies } from './answer-call.ts';
import type { AnswerForm } from './answer-form.ts';
import type { ChatCall } from './call.ts';
import { imageTokensMax, withImages } from './chat-images.ts';
import { completionForm } from './completion-form.ts';
import { chatParameters } from './receipt-parameters.ts';

export type { ChatDependencies } from './answer-call.ts';

export interface ChatTurn {
  readonly surface: Surface;
  readonly call: ChatCall;
  readonly model: ServedChatModel;
  /** Slug of the agent that answers. */
  readonly agent?: string;
  /** Default: OpenAI's chat completions. */
  readonly form?: AnswerForm;
  /** Maximum bytes that the server adds to the caller's prompt. */
  readonly addedBytesMax?: number;
  /** Maximum number of prompts for the answer, each at most as long as the first; default 1. */
  readonly promptsMax?: number;
  /** Whether texts that do not fit are shortened; by default such a chat is refused. */
  readonly isShortened?: boolean;
  /** Further headers of the answer, as in `AnswerTurn`. */
  readonly headers?: NonNullable<AnswerTurn['headers']>;
  /** Parameters of the receipt in addition to those of every chat. */
  readonly parameters?: Parameters;
  /** Computes the admitted answer; by default the engine does, from the messages as sent. */
  readonly run?: (work: ChatRequest, options: { signal: AbortSignal }) => AsyncIterable<AnswerEvent>;
  /** Further members of the answer; called once, at the end. */
  readonly extension?: () => Readonly<Record<string, unknown>>;
}

/** @throws as `admitRequest` and the engine, if nothing has been written yet */
export async function answerChat(
  exchange: { request: FastifyRequest; reply: FastifyReply },
  turn: ChatTurn,
  dependencies: ChatDependencies,
): Promise<unknown> {
  const { surface, call, model, form = completionForm, headers, extension } = turn;
  const { choices, maxTokens, input } = call.work;
  const { state } = model.engine;
  const { images = [] } = call;
  const promptTokens =
    promptTokensMax(input, state.kind === 'ready' ? state.model.promptOverhead : undefined) +
    imageTokensMax(model, images);
  const { agent, addedBytesMax, promptsMax: prompts } = turn;
  const countsMax = chatCountsMax({ promptTokens, choices, maxTokens, addedBytesMax, prompts }, model.terms);
  const run = turn.run ?? ((work, options) => model.engine.chat(work, options));
  return await answerCall(
    exchange,
    {
      ...{ surface, call, model, agent, form, choices, countsMax, headers, extension },
      parameters: (tokensMax) => ({ ...chatParameters(call, tokensMax), ...turn.parameters }),
      requireFits: (bounded) => {
        if (turn.isShortened !== true) requireMayFit(input.messages, bounded);
      },
      run: (terms, options) => {
        const work = { ...call.work, ...terms };
        if (images.length === 0) return run(work, options);
        const given = { parts: images, signal: options.signal };
        return withImages(input, given, (withPixels) => run({ ...work, input: withPixels }, options));
      },
    },
    dependencies,
  );
}
