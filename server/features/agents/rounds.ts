/**
 * An answer in rounds: the model calls its agent's tools, reads their results and continues, a limited number of times. The caller
 * receives one answer, with the tokens of all rounds.
 */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { ChatEngine, ChatRequest } from '@cloister/runtime/chat/request';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import type { OwnCalls } from './own-calls.ts';
import { Round } from './round.ts';
import { countTokens } from './window.ts';

/** Rounds in which the model may make calls. One more round follows for its answer. */
const callRoundsMax = 4;

/** Maximum number of prompts for one answer. */
export const promptsMax = callRoundsMax + 1;

/** Share of the context reserved for the answer after results; results that leave less are not added. */
const answerTokensMin = 256;

export interface RoundsOptions {
  /** One choice, whose prompt fits and offers the tools. */
  readonly work: ChatRequest;
  readonly engine: ChatEngine;
  readonly signal: AbortSignal;
  /** Maximum tokens of prompt and answer together. */
  readonly contextMax: number;
  readonly calls: Pick<OwnCalls, 'answer' | 'isOpen'>;
  /** Remaining time of the turn, milliseconds. @throws {RuntimeError} ERR_DEADLINE if none remains */
  readonly timeLeftMs: () => number;
}

/** The prompt of one round. */
interface Question {
  readonly messages: readonly ChatMessage[];
  readonly toolChoice: 'auto' | 'none';
}

/** @throws {RuntimeError} as the engine and the tools do */
export async function* answerInRounds(options: RoundsOptions): AsyncGenerator<AnswerEvent, void, undefined> {
  const { work, calls } = options;
  const sum = { completionTokens: 0, reasoningTokens: 0 };
  let question: Question = { messages: work.input.messages, toolChoice: 'auto' };
  let told = '';
  for (let index = 0; ; index++) {
    const tokensMax = work.maxTokens === undefined ? undefined : work.maxTokens - sum.completionTokens;
    const round = new Round({ index, opening: told === '' || told.endsWith('\n') ? '' : '\n\n' });
    yield* roundEvents(options, { question, round, index, tokensMax });
    sum.completionTokens += round.completionTokens;
    sum.reasoningTokens += round.reasoningTokens;
    told = round.content === '' ? told : round.content;
    const isSpent = work.maxTokens !== undefined && sum.completionTokens >= work.maxTokens;
    if (round.reason !== 'tool_calls' || question.toolChoice === 'none' || isSpent) {
      const reason = round.reason !== 'tool_calls' ? round.reason : isSpent ? 'length' : 'stop';
      yield { kind: 'finished', choice: 0, reason, ...sum };
      return;
    }
    const answers = await calls.answer(round.calls);
    const mayCall = index + 1 < callRoundsMax && calls.isOpen;
    const next: Question = {
      messages: [...question.messages, round.message, ...(mayCall ? answers : withNote(answers))],
      toolChoice: mayCall ? 'auto' : 'none',
    };
    const isAskable = await canBeAsked(options, next);
    question = isAskable ? next : { messages: work.input.messages, toolChoice: 'none' };
  }
}

/** Chat templates do not express that further calls are not allowed, and models continue to make calls without this text. */
function withNote(answers: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = answers.at(-1);
  if (last === undefined) return answers;
  const content = `${last.content}\n(No further call is possible. Write the answer now.)`;
  return answers.with(-1, { ...last, content });
}

/** The emitted events of one round. */
async function* roundEvents(
  { work, engine, signal, timeLeftMs }: RoundsOptions,
  asked: { question: Question; round: Round; index: number; tokensMax: number | undefined },
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { question, round, index, tokensMax } = asked;
  const request: ChatRequest = {
    ...work,
    input: { ...work.input, ...question },
    maxTokens: tokensMax,
    // A different seed in every round, the same for the same request.
    sampling: { ...work.sampling, seed: (work.sampling.seed + index) >>> 0 },
    timeoutMs: timeLeftMs(),
  };
  for await (const event of engine.chat(request, { signal })) {
    if (event.kind === 'started') {
      const { promptTokens, cachedTokens } = event;
      yield index === 0 ? event : { kind: 'further', promptTokens, cachedTokens };
      continue;
    }
    const shown = event.kind === 'delta' ? round.take(event) : round.end(event);
    if (shown !== undefined) yield shown;
  }
}

/** If the results do not fit, or the template does not support them, the model answers from its first prompt. */
async function canBeAsked({ work, engine, signal, contextMax }: RoundsOptions, question: Question): Promise<boolean> {
  const asked = { ...work, input: { ...work.input, ...question } };
  try {
    const tokens = await countTokens({ work: asked, engine, signal }, question.messages);
    return tokens <= contextMax - answerTokensMin;
  } catch (error) {
    if (error instanceof RuntimeError && error.code === 'ERR_CHAT_TEMPLATE') return false;
    throw error;
  }
}
