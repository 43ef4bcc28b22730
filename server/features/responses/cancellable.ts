/** Ends an answer early, as if the model had finished: what it has emitted so far is charged and delivered. */
import type { AnswerEvent } from '../../serving/answer-event.ts';

/**
 * @param run starts the answer with the signal that ends it
 * @param cancelled aborts when the account cancels the answer
 */
export async function* cancellable(
  run: (signal: AbortSignal) => AsyncIterable<AnswerEvent>,
  { signal, cancelled }: { signal: AbortSignal; cancelled: AbortSignal },
): AsyncGenerator<AnswerEvent, void, undefined> {
  let hasStarted = false;
  let completionTokens = 0;
  try {
    for await (const event of run(AbortSignal.any([signal, cancelled]))) {
      hasStarted ||= event.kind === 'started';
      if (event.kind === 'delta') completionTokens += event.tokens;
      yield event;
    }
  } catch (error) {
    // Before the start there is nothing to deliver, and a caller that left reads nothing.
    if (!cancelled.aborted || signal.aborted || !hasStarted) throw error;
    yield { kind: 'finished', choice: 0, reason: 'stop', completionTokens, reasoningTokens: 0 };
  }
}
