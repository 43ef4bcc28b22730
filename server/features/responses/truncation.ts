/** `truncation: "auto"`: a conversation that exceeds the context loses its oldest turns until the rest fits. */
import type { ChatMessage } from '@cloister/models/interface/model';
import type { ChatEngine, ChatRequest } from '@cloister/runtime/chat/request';
import { RuntimeError } from '@cloister/runtime/pool/errors';
import type { AnswerEvent } from '../../serving/answer-event.ts';

export interface TruncationOptions {
  readonly engine: Pick<ChatEngine, 'chat' | 'countPrompt' | 'state'>;
  readonly options: { readonly signal: AbortSignal };
}

/**
 * Runs a chat, and runs it again without its oldest turns if it does not fit.
 * @param work without images
 * @throws as the engine; ERR_CONTEXT_OVERFLOW if the last turn alone does not fit
 */
export async function* withoutOldest(
  work: ChatRequest,
  { engine, options }: TruncationOptions,
): AsyncGenerator<AnswerEvent> {
  let overflow: unknown;
  try {
    for await (const event of engine.chat(work, options)) yield event;
    return;
  } catch (error) {
    // An overflow precedes the first event.
    if (!isOverflow(error)) throw error;
    overflow = error;
  }
  const { input, account, priority, timeoutMs, contextMax = Number.POSITIVE_INFINITY } = work;
  const context = engine.state.kind === 'ready' ? engine.state.model.contextPerSequence : 0;
  const fits = async (messages: readonly ChatMessage[]) => {
    try {
      const request = { input: { ...input, messages }, account, priority, timeoutMs };
      return (await engine.countPrompt(request, options)) < Math.min(context, contextMax);
    } catch (error) {
      if (isOverflow(error)) return false;
      throw error;
    }
  };
  const kept = await longestEnd(input.messages, fits);
  if (kept === undefined) throw overflow;
  yield* engine.chat({ ...work, input: { ...input, messages: kept } }, options);
}

/** A turn begins with a message of the user, so that no tool result loses its call. The system text stays. */
async function longestEnd(
  messages: readonly ChatMessage[],
  fits: (kept: readonly ChatMessage[]) => Promise<boolean>,
): Promise<readonly ChatMessage[] | undefined> {
  const system = messages[0]?.role === 'system' ? [messages[0]] : [];
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
  const endFrom = (turn: number) => [...system, ...messages.slice(starts[turn])];
  // Fewer turns have fewer tokens, so the first turn that can stay is found by halving.
  let [low, high] = [1, starts.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(endFrom(middle))) high = middle;
    else low = middle + 1;
  }
  return low < starts.length ? endFrom(low) : undefined;
}

function isOverflow(error: unknown): boolean {
  return error instanceof RuntimeError && error.code === 'ERR_CONTEXT_OVERFLOW';
}
