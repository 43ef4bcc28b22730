/** Answers a checked call of any API: bounds its cost, admits it, computes, charges and writes the answer. */
import type { Counts } from '@cloister/accounts/base/money';
import type { Surface } from '@cloister/accounts/store';
import type { BoundedModel } from '@cloister/runtime/chat/prompt-bound';
import type { PromptRequest } from '@cloister/runtime/chat/request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Parameters } from '../../enclave/receipt-draft.ts';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { errorCode } from '../../http/error-replies.ts';
import { newId } from '../../http/node-ids.ts';
import { type AdmissionDependencies, admitRequest } from '../../serving/admission.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import { ChatMeter, metered } from '../../serving/metering.ts';
import type { ModelDirectory, ServedChatModel } from '../../serving/served-model.ts';
import type { AnswerForm, FormedCall } from './answer-form.ts';
import type { AnswerHead } from './chat-answer.ts';
import { streamAnswer, wholeAnswer } from './chat-reply.ts';
import type { ChatMetrics } from './metrics.ts';
import { tracedWatch } from './traced-watch.ts';

export interface ChatDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly metrics: ChatMetrics;
  /** Unsigned 32 bit, for a request without a seed. */
  readonly randomSeed: () => number;
}

/** The terms of an admitted call, for each of its requests to the engine. */
export type AdmittedTerms = Pick<PromptRequest, 'maxTokens' | 'contextMax' | 'account' | 'priority' | 'timeoutMs'>;

export interface AnswerTurn {
  readonly surface: Surface;
  readonly model: ServedChatModel;
  readonly form: AnswerForm;
  readonly call: FormedCall;
  /** All answers, of all prompts. */
  readonly choices: number;
  readonly countsMax: Counts;
  /** Slug of the agent that answers. */
  readonly agent?: string | undefined;
  /** Further headers of the answer, names in lower case. @param limits the headers with the limits of the account */
  readonly headers?: ((limits: Readonly<Record<string, string>>) => Readonly<Record<string, string>>) | undefined;
  /** The parameters of the receipt. @param maxTokens of each answer */
  readonly parameters: (maxTokens: number) => Parameters;
  /** Refuses a prompt that cannot fit: before the reservation, the copy to a thread and the rendering. */
  readonly requireFits: (model: BoundedModel) => void;
  readonly run: (terms: AdmittedTerms, options: { signal: AbortSignal }) => AsyncIterable<AnswerEvent>;
  /** Further members of the answer; called once, at the end. */
  readonly extension?: (() => Readonly<Record<string, unknown>>) | undefined;
}

/** @throws as `admitRequest` and the engine, if nothing has been written yet */
export async function answerCall(
  exchange: { request: FastifyRequest; reply: FastifyReply },
  turn: AnswerTurn,
  dependencies: ChatDependencies,
): Promise<unknown> {
  const { metrics, requestTimeoutMs: timeoutMs, now } = dependencies;
  const { request, reply } = exchange;
  const { surface, call, model, agent, form, choices, countsMax, extension } = turn;
  const head: AnswerHead = {
    id: newId(request.server, form.idPrefix),
    created: Math.floor(now() / 1000),
    model: model.id,
    systemFingerprint: model.fingerprint,
  };
  let watch = metrics.beginChat({ model: model.id, choices });
  const maxTokens = countsMax.completionTokens / choices;
  request.receipt?.describe(turn.parameters(maxTokens), { chatId: head.id });
  try {
    const { state } = model.engine;
    if (state.kind === 'ready') turn.requireFits(state.model);
    const admission = await admitRequest(exchange, { surface, model, agent, countsMax }, dependencies);
    watch = tracedWatch(watch, { work: request.trace?.work, choices });
    watch.admitted();
    const { priority, contextTokensMax: contextMax } = admission.plan;
    const terms = { maxTokens, contextMax, account: callerOf(request).accountId, priority, timeoutMs };
    const events = metered(
      () => turn.run(terms, { signal: whenCallerLeaves(reply) }),
      { admission, meter: new ChatMeter(), isStreamed: call.stream },
      { now, codeOf: (error) => errorCode(error, request) },
    );
    const further = turn.headers?.(admission.headers) ?? {};
    const headers = { ...admission.headers, ...further };
    reply.headers(further);
    const answer = { call, form, head, watch, events, headers, ...(extension && { extension }) };
    return call.stream ? await streamAnswer(answer, exchange) : await wholeAnswer(answer);
  } catch (error) {
    watch.failed(errorCode(error, request));
    throw error;
  }
}
