/** What one answer is told by on its way to the caller. Types only. */
import type { ChatEvent } from '@cloister/runtime/chat/request';

/** An engine's events, and the beginning of every further prompt that the same answer took. */
export type AnswerEvent = ChatEvent | FurtherPrompt;

/** The model was asked again, with what it had called for: its prompt is paid for as the first one was. */
export interface FurtherPrompt {
  readonly kind: 'further';
  readonly promptTokens: number;
  readonly cachedTokens: number;
}
