/** The form in which an API writes an answer: as one object, or as the events of a stream. Types only. */
import type { PromptRequest } from '@cloister/runtime/chat/request';
import type { ErrorReply } from '../../http/error-reply.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import type { AnswerHead, Usage } from './chat-answer.ts';

/** What the form of an answer depends on. */
export interface FormedCall {
  readonly stream: boolean;
  /** Whether a stream ends with a usage chunk. */
  readonly includeUsage: boolean;
  /** Choices of each prompt. */
  readonly work: Pick<PromptRequest, 'choices' | 'sampling'>;
}

/** The members that an agent adds to its answer. */
export type Extension = Readonly<Record<string, unknown>>;

export interface AnswerForm {
  /** Prefix of the answer's id. */
  readonly idPrefix: string;
  /** Sent while a stream is silent; default: a comment. */
  readonly heartbeat?: string;
  whole(head: AnswerHead, call: FormedCall): WholeAnswer;
  /** @param extension called once, at the end */
  stream(head: AnswerHead, call: FormedCall, extension?: () => Extension): StreamedAnswer;
}

export interface WholeAnswer {
  saw(event: AnswerEvent): void;
  /** The body of the response. */
  build(usage: Usage): Extension;
}

export interface StreamedAnswer {
  /** The server-sent events for an event of the engine; empty if there are none. @param usage the tokens so far, with this event's */
  saw(event: AnswerEvent, usage: UsageSoFar): string;
  /** The last events of a complete answer. */
  end(usage: Usage): string;
  /** Members that the API has in the event of an error, in addition to those of the error's body. */
  readonly failure?: (body: ErrorReply['body']) => Extension;
}

export interface UsageSoFar {
  readonly total: Usage;
}
