/** Turns a request into a job: renders and tokenizes the chat, and checks that it fits the model. */
import type { PreparedChat, TextModel } from '@cloister/models/interface/model';
import { RuntimeError } from '../pool/errors.ts';
import type { Preparations } from '../pool/preparations.ts';
import type { Job } from './answer.ts';
import { AnswerReader } from './answer-reader.ts';
import { overflow } from './prompt-bound.ts';
import type { ChatRequest } from './request.ts';
import type { RequestEvent } from './worker-messages.ts';

export interface ChatJob extends Job {
  readonly id: number;
  readonly arrival: number;
  readonly deadline: number;
  readonly readers: readonly AnswerReader[];
  /** When its first answer received a sequence. */
  begun: number;
  started: boolean;
  unfinished: number;
}

export interface ChatTask {
  readonly id: number;
  readonly request: ChatRequest;
  /** Milliseconds. */
  readonly arrival: number;
  /** Aborting ends the preparation. */
  readonly signal: AbortSignal;
}

/** Cost of rendering a message, in characters of text. */
const messageCharacters = 256;
/** Chats with more work than this are slow; up to it, rendering and tokenizing take a few milliseconds. */
const quickWorkMax = 32_768;

/**
 * @throws {RuntimeError} ERR_TOOLS_UNSUPPORTED, ERR_CONTEXT_OVERFLOW, ERR_TOKEN_UNKNOWN
 * @throws {ModelError} the errors of `TextModel.prepareChat`
 */
export async function prepareJob(
  { id, request, arrival, signal }: ChatTask,
  { model, preparations }: { model: TextModel; preparations: Preparations },
): Promise<ChatJob> {
  const { info } = model;
  const { input, sampling, stop, choices } = request;
  if (input.tools.length > 0 && !info.supportsTools) {
    throw new RuntimeError('ERR_TOOLS_UNSUPPORTED', "the model's chat template does not support tools");
  }
  const limit = Math.min(info.contextPerSequence, request.contextMax ?? Number.POSITIVE_INFINITY);
  const tokensMax = request.countsOverlongPrompt === true ? countedMax(info.contextPerSequence) : limit - 1;
  const work = workOf(input);
  // The time to compile a grammar is not known in advance.
  const isSlow = work > quickWorkMax || input.tools.length > 0 || input.jsonSchema !== undefined;
  const prepared = await preparations.run(
    { account: request.account, priority: request.priority, work, isSlow, signal },
    (ended) => model.prepareChat(input, { tokensMax, isSlow, signal: ended }),
  );
  requireFits(prepared, limit);
  requireKnown(sampling.logitBias, info.vocabulary.size);
  const counted = prepared.tokens.length;
  const readers = Array.from(
    { length: choices },
    (_, choice) => new AnswerReader({ choice, prepared, stop, vocabulary: info.vocabulary }),
  );
  return {
    id,
    prompt: prepared.tokens,
    account: request.account,
    salt: request.account,
    priority: request.priority,
    choices,
    // The last token of an answer is never fed, so it needs no cell.
    maxTokens: Math.min(request.maxTokens ?? limit, limit - counted + 1),
    sampling,
    arrival,
    begun: arrival,
    deadline: arrival + request.timeoutMs,
    readers,
    started: false,
    unfinished: choices,
  };
}

/** All events of a request that only counts the tokens of its prompt. */
export function countEvents({ id, prompt }: ChatJob): readonly RequestEvent[] {
  const event = { kind: 'started', promptTokens: prompt.length, cachedTokens: 0, queuedMs: 0 } as const;
  return [
    { id, event },
    { id, event: { kind: 'done' } },
  ];
}

/** Prompts that exceed this are not counted to the end; the error reports a lower bound. */
function countedMax(context: number): number {
  return Math.max(4 * context, 65_536);
}

function workOf({ messages }: ChatRequest['input']): number {
  let work = 0;
  for (const { content, reasoning_content: reasoning = '', tool_calls: calls = [] } of messages) {
    work += messageCharacters + content.length + reasoning.length;
    for (const call of calls) work += messageCharacters + call.function.arguments.length;
  }
  return work;
}

/** Requires room for the prompt and one token of the answer. */
function requireFits({ tokens, tokensAtLeast }: PreparedChat, limit: number): void {
  if (tokensAtLeast !== undefined) throw overflow({ limit, counted: tokensAtLeast, isAll: false });
  if (tokens.length >= limit) throw overflow({ limit, counted: tokens.length, isAll: true });
}

function requireKnown(logitBias: ChatRequest['sampling']['logitBias'], size: number): void {
  const unknown = logitBias.find(({ token }) => token >= size);
  if (unknown === undefined) return;
  throw new RuntimeError(
    'ERR_TOKEN_UNKNOWN',
    `\`logit_bias\` names token ${unknown.token}; the tokens of this model are 0…${size - 1}`,
  );
}
