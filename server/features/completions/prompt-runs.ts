/** Runs the prompts of one request and joins their events. The choices of prompt k follow those of the prompts before it. */
import type { ChatEvent } from '@cloister/runtime/chat/request';
import type { AnswerEvent } from '../../serving/answer-event.ts';

export interface PromptRuns {
  readonly prompts: number;
  /** Choices of each prompt. */
  readonly choices: number;
  /** Prompts that run at the same time. */
  readonly parallelMax: number;
  readonly signal: AbortSignal;
  readonly begin: (prompt: number, options: { signal: AbortSignal }) => AsyncIterable<ChatEvent>;
}

interface Arrived {
  readonly prompt: number;
  readonly next: IteratorResult<ChatEvent>;
}

/** The first prompt that starts begins the answer; every other is a further prompt of it. @throws the first error of a prompt */
export async function* runPrompts({
  prompts,
  choices,
  parallelMax,
  signal,
  begin,
}: PromptRuns): AsyncGenerator<AnswerEvent, void, undefined> {
  const ending = new AbortController();
  const options = { signal: AbortSignal.any([signal, ending.signal]) };
  const running = new Map<number, AsyncIterator<ChatEvent>>();
  const arriving = new Map<number, Promise<Arrived>>();
  const advance = (prompt: number, events: AsyncIterator<ChatEvent>) => {
    const arrival = events.next().then((next) => ({ prompt, next }));
    // After the first error nothing waits for the others.
    arrival.catch(() => undefined);
    arriving.set(prompt, arrival);
  };
  let begun = 0;
  let hasStarted = false;
  try {
    while (begun < prompts || arriving.size > 0) {
      while (begun < prompts && arriving.size < parallelMax) {
        const events = begin(begun, options)[Symbol.asyncIterator]();
        running.set(begun, events);
        advance(begun, events);
        begun += 1;
      }
      const { prompt, next } = await Promise.race(arriving.values());
      if (next.done === true) {
        arriving.delete(prompt);
        running.delete(prompt);
        continue;
      }
      advance(prompt, running.get(prompt)!);
      yield joined(next.value, { firstChoice: prompt * choices, hasStarted });
      hasStarted = true;
    }
  } finally {
    ending.abort();
    await Promise.allSettled([...running.values()].map(async (events) => await events.return?.()));
  }
}

function joined(
  event: ChatEvent,
  { firstChoice, hasStarted }: { firstChoice: number; hasStarted: boolean },
): AnswerEvent {
  if (event.kind !== 'started') return { ...event, choice: firstChoice + event.choice };
  if (!hasStarted) return event;
  const { promptTokens, cachedTokens } = event;
  return { kind: 'further', promptTokens, cachedTokens };
}
