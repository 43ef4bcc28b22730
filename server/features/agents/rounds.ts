/**
 * An answer in rounds: the model may call its agent's tools, reads what they found, and goes on, a few times at most. To the
 * caller it is one answer: one beginning, one text, one end, and the tokens of all rounds together.
 */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { ChatEngine, ChatRequest } from '@cloister/runtime/chat/request';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import type { OwnCalls } from './own-calls.ts';
import { Round } from './round.ts';
import { countTokens } from './window.ts';

/** Rounds in which the model may call; then it is asked once more, for its answer. */
const callRoundsMax = 4;

/** Prompts that one answer can take. */
export const promptsMax = callRoundsMax + 1;

/** Of the window, for what is written behind results; without that much room they are not shown. */
const answerTokensMin = 256;

export interface RoundsOptions {
  /** Its prompt fits, and offers the tools; one choice. */
  readonly work: ChatRequest;
  readonly engine: ChatEngine;
  readonly signal: AbortSignal;
  /** Tokens that prompt and answer may hold together. */
  readonly contextMax: number;
  readonly calls: Pick<OwnCalls, 'answer' | 'isOpen'>;
  /** What is left of the turn, milliseconds. @throws {RuntimeError} ERR_DEADLINE where nothing is */
  readonly timeLeftMs: () => number;
}

/** What the model is asked in one round. */
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

/** Templates do not tell a model that it may not call any more, and one that has called goes on to. */
function withNote(answers: readonly ChatMessage[]): readonly ChatMessage[] {
  const last = answers.at(-1);
  if (last === undefined) return answers;
  const content = `${last.content}\n(No further call is possible. Write the answer now.)`;
  return answers.with(-1, { ...last, content });
}

/** One round's events, as far as they are told. */
async function* roundEvents(
  { work, engine, signal, timeLeftMs }: RoundsOptions,
  asked: { question: Question; round: Round; index: number; tokensMax: number | undefined },
): AsyncGenerator<AnswerEvent, void, undefined> {
  const { question, round, index, tokensMax } = asked;
  const request: ChatRequest = {
    ...work,
    input: { ...work.input, ...question },
    maxTokens: tokensMax,
    // Other draws in every round; the same ones for the same request.
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

/** Where results do not fit, or the template has no place for them, the model answers from what it was shown at first. */
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
