/** Writes the events of a chat to its caller, as one object or as a stream, on every surface and in the form of every API. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream } from '../../http/event-stream.ts';
import { failStream } from '../../http/failed-stream.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import type { AnswerForm, Extension, FormedCall } from './answer-form.ts';
import { type AnswerHead, UsageCount } from './chat-answer.ts';
import type { ChatWatch } from './metrics.ts';

/** An admitted chat, and the parts of its answer. */
export interface ChatReply {
  readonly call: FormedCall;
  readonly form: AnswerForm;
  readonly head: AnswerHead;
  readonly watch: ChatWatch;
  readonly events: AsyncIterable<AnswerEvent>;
  /** The rate-limit headers, for a stream. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the answer, or of a stream's last chunk; called once, at the end. */
  readonly extension?: () => Extension;
}

/** @returns the body of the answer · @throws the errors of the events */
export async function wholeAnswer({ call, form, head, watch, events, extension }: ChatReply) {
  const answer = form.whole(head, call);
  const usage = new UsageCount();
  for await (const event of events) {
    watch.saw(event);
    usage.saw(event);
    answer.saw(event);
  }
  return { ...answer.build(usage.total), ...extension?.() };
}

/**
 * Streams the answer. The headers are sent with the first event, so that an earlier error has its own status.
 * @throws the errors of the events before the first event
 */
export async function streamAnswer(
  { call, form, head, watch, events, headers, extension }: ChatReply,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const stream = new EventStream(reply.raw, request.answerBody, form.heartbeat);
  const answer = form.stream(head, call, extension);
  const usage = new UsageCount();
  try {
    for await (const event of events) {
      watch.saw(event);
      usage.saw(event);
      if (event.kind === 'started') {
        reply.hijack();
        stream.open({ 'x-request-id': request.id, ...headers });
      }
      const text = answer.saw(event, usage);
      if (text !== '') stream.append(text);
    }
    stream.append(answer.end(usage.total));
    stream.end();
  } catch (error) {
    failStream(stream, error, { request, watch, membersOf: answer.failure });
  }
  return reply;
}
