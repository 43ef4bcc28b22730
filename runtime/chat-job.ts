/** Makes a job of a request: rendered, tokenised, checked against what the model can hold. */
import type { PreparedChat, TextModel } from '../models/model.ts';
import type { Job } from './answer.ts';
import { AnswerReader } from './answer-reader.ts';
import { RuntimeError } from './errors.ts';
import type { ChatRequest } from './request.ts';

export interface ChatJob extends Job {
  readonly id: number;
  readonly arrival: number;
  readonly deadline: number;
  readonly readers: readonly AnswerReader[];
  /** When its first answer was given a sequence. */
  begun: number;
  started: boolean;
  unfinished: number;
}

/**
 * @param arrival milliseconds
 * @throws {RuntimeError} ERR_TOOLS_UNSUPPORTED, ERR_CONTEXT_OVERFLOW, ERR_TOKEN_UNKNOWN, and what the model's template says
 */
export async function prepareJob(
  model: TextModel,
  { id, request, arrival }: { id: number; request: ChatRequest; arrival: number },
): Promise<ChatJob> {
  const { info } = model;
  const { input, sampling, stop, choices } = request;
  if (input.tools.length > 0 && !info.supportsTools) {
    throw new RuntimeError('ERR_TOOLS_UNSUPPORTED', "the model's template has no place for tools");
  }
  const prepared = await model.prepareChat(input);
  const limit = Math.min(info.contextPerSequence, request.contextMax ?? Number.POSITIVE_INFINITY);
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
    // The last token of an answer takes no room: nothing is computed from it.
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

/** One token of the answer must fit as well. */
function requireFits({ tokens }: PreparedChat, limit: number): void {
  const counted = tokens.length;
  if (counted < limit) return;
  throw new RuntimeError(
    'ERR_CONTEXT_OVERFLOW',
    `the prompt has ${counted} tokens; at most ${limit - 1} are taken, and answers count too`,
    { details: { limit, counted } },
  );
}

function requireKnown(logitBias: ChatRequest['sampling']['logitBias'], size: number): void {
  const strange = logitBias.find(({ token }) => token >= size);
  if (strange === undefined) return;
  throw new RuntimeError(
    'ERR_TOKEN_UNKNOWN',
    `\`logit_bias\` names token ${strange.token}; this model knows 0…${size - 1}`,
  );
}
