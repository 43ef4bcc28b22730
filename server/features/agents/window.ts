/** Fits an agent's turn into its model's context by the counts of the model's tokenizer, and reserves space for the answer. */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { ChatEngine, ChatRequest } from '@cloister/runtime/chat/request';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import type { Excerpts } from './messages.ts';

export interface FitOptions {
  readonly work: ChatRequest;
  readonly engine: ChatEngine;
  readonly signal: AbortSignal;
  /** Maximum tokens of prompt and answer together. */
  readonly contextMax: number;
  readonly whole: () => ChatMessage[];
  /** Called at most once, only if the complete documents do not fit. */
  readonly shortener: () => Promise<(unitsMax: number) => { messages: ChatMessage[]; excerpts: Excerpts }>;
}

export interface FittedTurn {
  readonly messages: readonly ChatMessage[];
  /** Undefined if the prompt has the complete documents. */
  readonly excerpts: Excerpts | undefined;
}

/** Minimum share of the context for the answer; less if `max_tokens` is smaller. */
const answerShare = 0.25;
/** The length of tokens varies between passages, so further attempts come closer to the limit. */
const triesMax = 4;
const tokensPerMessageMax = 64;
/** Longer texts are not tokenized to see that they do not fit: no text has this many units per token on average. */
const unitsPerTokenMax = 32;
/** For an estimate of how much of them fits. */
const unitsPerTokenUsual = 4;

/**
 * @returns the complete documents, or as many passages as fit. If not even one passage fits, there are none, and the engine refuses the
 *   prompt · @throws {RuntimeError} as the engine does
 */
export async function fitTurn(options: FitOptions): Promise<FittedTurn> {
  const { work, contextMax, whole, shortener } = options;
  const answerTokens = Math.min(work.maxTokens ?? contextMax, Math.floor(contextMax * answerShare));
  const promptMax = contextMax - answerTokens;
  const all = whole();
  if (tokensAtMost(work, all) <= promptMax) return { messages: all, excerpts: undefined };
  const allUnits = all.reduce((sum, { content }) => sum + content.length, 0);
  const isHuge = allUnits > unitsPerTokenMax * promptMax;
  const allTokens = isHuge ? allUnits / unitsPerTokenUsual : await countTokens(options, all);
  if (allTokens <= promptMax) return { messages: all, excerpts: undefined };
  const short = await shortener();
  const none = short(0);
  const noneTokens = await countTokens(options, none.messages);
  const tokensPerUnit = Math.max(allTokens - noneTokens, 1) / Math.max(1, none.excerpts.units);
  let unitsMax = Math.floor((promptMax - noneTokens) / tokensPerUnit);
  for (let tries = 0; tries < triesMax && unitsMax > 0; tries++) {
    const some = short(unitsMax);
    const tokens = await countTokens(options, some.messages);
    if (tokens <= promptMax) return some;
    unitsMax = Math.floor(unitsMax * ((promptMax - noneTokens) / (tokens - noneTokens)) * 0.95);
  }
  return none;
}

/** Each token stands for at least one byte, and a UTF-16 unit has at most three bytes. */
function tokensAtMost({ input }: ChatRequest, messages: readonly ChatMessage[]): number {
  const units = messages.reduce((sum, message) => sum + JSON.stringify(message).length, 0);
  return 3 * (units + JSON.stringify(input.tools).length) + tokensPerMessageMax * (messages.length + 1);
}

/**
 * Requests a context of one token, which the engine refuses with the count of the prompt before it computes anything.
 * @throws {RuntimeError} as the engine does, ERR_CHAT_TEMPLATE among others
 */
export async function countTokens(
  { engine, work, signal }: Pick<FitOptions, 'engine' | 'work' | 'signal'>,
  messages: readonly ChatMessage[],
): Promise<number> {
  const asked = { ...work, input: { ...work.input, messages }, contextMax: 1, choices: 1, countsOverlongPrompt: true };
  try {
    for await (const event of engine.chat(asked, { signal })) {
      if (event.kind === 'started') return event.promptTokens;
    }
  } catch (error) {
    const counted = error instanceof RuntimeError ? error.details.counted : undefined;
    if (counted === undefined) throw error;
    return Number(counted);
  }
  return 0;
}
