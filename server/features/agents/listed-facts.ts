/** A turn whose model lists the facts of the documents. */
import type { AnswerEvent } from '../../serving/answer-event.ts';

/** Passes the events of one choice on. @param confirm is awaited with the whole answer before its end is passed on */
export async function* withConfirmation(
  events: AsyncIterable<AnswerEvent>,
  confirm: (answer: string) => Promise<void>,
): AsyncGenerator<AnswerEvent, void, undefined> {
  let answer = '';
  for await (const event of events) {
    if (event.kind === 'delta') answer += event.content;
    if (event.kind === 'finished') await confirm(answer);
    yield event;
  }
}
