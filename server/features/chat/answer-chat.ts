/** Answers a checked chat call on any surface: bounds its tokens, admits it, computes, charges and writes the answer. */
import type { Surface } from '@cloister/accounts/store';
import { requireMayFit } from '@cloister/runtime/chat/prompt-bound';
import type { ChatRequest } from '@cloister/runtime/chat/request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Parameters } from '../../enclave/receipt-draft.ts';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { errorCode } from '../../http/error-replies.ts';
import { randomId } from '../../http/random-id.ts';
import { type AdmissionDependencies, admitRequest } from '../../serving/admission.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import { ChatMeter, metered } from '../../serving/metering.ts';
import { chatCountsMax } from '../../serving/model-terms.ts';
import { promptTokensMax } from '../../serving/prompt-bound.ts';
import type { ModelDirectory, ServedChatModel } from '../../serving/served-model.ts';
import type { AnswerForm } from './answer-form.ts';
import type { ChatCall } from './call.ts';
import type { AnswerHead } from './chat-answer.ts';
import { streamAnswer, wholeAnswer } from './chat-reply.ts';
import { completionForm } from './completion-form.ts';
import type { ChatMetrics } from './metrics.ts';
import { chatParameters } from './receipt-parameters.ts';

export interface ChatDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly metrics: ChatMetrics;
  /** Unsigned 32 bit, for a request without a seed. */
  readonly randomSeed: () => number;
}

export interface ChatTurn {
  readonly surface: Surface;
  readonly call: ChatCall;
  readonly model: ServedChatModel;
  /** Default: OpenAI's chat completions. */
  readonly form?: AnswerForm;
  /** Maximum bytes that the server adds to the caller's prompt. */
  readonly addedBytesMax?: number;
  /** Maximum number of prompts for the answer, each at most as long as the first; default 1. */
  readonly promptsMax?: number;
  /** Whether texts that do not fit are shortened; by default such a chat is refused. */
  readonly isShortened?: boolean;
  /** Further headers of the answer, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
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
  const { metrics, requestTimeoutMs, now } = dependencies;
  const { request, reply } = exchange;
  const { call, model, form = completionForm, extension } = turn;
  const { choices, maxTokens } = call.work;
  const head: AnswerHead = {
    id: `${form.idPrefix}${randomId(18)}`,
    created: Math.floor(now() / 1000),
    model: model.id,
    systemFingerprint: model.fingerprint,
  };
  const watch = metrics.beginChat({ model: model.id, choices });
  const { state } = model.engine;
  const promptTokens = promptTokensMax(
    call.work.input,
    state.kind === 'ready' ? state.model.promptOverhead : undefined,
  );
  const { addedBytesMax, promptsMax: prompts } = turn;
  const countsMax = chatCountsMax({ promptTokens, choices, maxTokens, addedBytesMax, prompts }, model.terms);
  const answerTokensMax = countsMax.completionTokens / choices;
  request.receipt?.describe({ ...chatParameters(call, answerTokensMax), ...turn.parameters }, { chatId: head.id });
  try {
    // Checked before the reservation, the copy to a thread and the rendering.
    if (state.kind === 'ready' && turn.isShortened !== true) requireMayFit(call.work.input.messages, state.model);
    const admission = await admitRequest(exchange, { surface: turn.surface, model, countsMax }, dependencies);
    const work: ChatRequest = {
      ...call.work,
      maxTokens: answerTokensMax,
      contextMax: admission.plan.contextTokensMax,
      account: callerOf(request).accountId,
      priority: admission.plan.priority,
      timeoutMs: requestTimeoutMs,
    };
    const run = turn.run ?? ((own, options) => model.engine.chat(own, options));
    const events = metered(
      () => run(work, { signal: whenCallerLeaves(reply) }),
      { admission, meter: new ChatMeter(), isStreamed: call.stream },
      { now, codeOf: (error) => errorCode(error, request) },
    );
    const headers = { ...admission.headers, ...turn.headers };
    reply.headers(turn.headers ?? {});
    const answer = { call, form, head, watch, events, headers, ...(extension && { extension }) };
    return call.stream ? await streamAnswer(answer, exchange) : await wholeAnswer(answer);
  } catch (error) {
    watch.failed(errorCode(error, request));
    throw error;
  }
}
