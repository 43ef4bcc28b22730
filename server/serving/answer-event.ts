/** The events of one answer. Types only. */
import type { ChatEvent } from '@cloister/runtime/chat/request';

/** An engine's events, and the start of every further prompt for the same answer. */
export type AnswerEvent = ChatEvent | FurtherPrompt;

/** The model gets another prompt, with the results of its tool calls. It is charged like the first one. */
export interface FurtherPrompt {
  readonly kind: 'further';
  readonly promptTokens: number;
  readonly cachedTokens: number;
}
