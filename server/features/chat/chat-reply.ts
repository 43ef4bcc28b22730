/** Writes the events of a chat to its caller, as one object or as a stream, on every surface. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream } from '../../http/event-stream.ts';
import { failStream } from '../../http/failed-stream.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import type { ChatCall } from './call.ts';
import { AnswerBuilder, type AnswerHead, UsageCount } from './chat-answer.ts';
import { chunkWriter } from './chat-chunks.ts';
import type { ChatWatch } from './metrics.ts';

/** An admitted chat, and the parts of its answer. */
export interface ChatReply {
  readonly call: ChatCall;
  readonly head: AnswerHead;
  readonly watch: ChatWatch;
  readonly events: AsyncIterable<AnswerEvent>;
  /** The rate-limit headers, for a stream. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the answer, or of a stream's last chunk; called once, at the end. */
  readonly extension?: () => Readonly<Record<string, unknown>>;
}

/** @returns the body of the answer · @throws the errors of the events */
export async function wholeAnswer({ call, head, watch, events, extension }: ChatReply) {
  const withLogprobs = call.work.sampling.logprobs !== undefined;
  const builder = new AnswerBuilder({ choices: call.work.choices, withLogprobs });
  const usage = new UsageCount();
  for await (const event of events) {
    watch.saw(event);
    usage.saw(event);
    builder.saw(event);
  }
  return { ...builder.build(head, usage.total), ...extension?.() };
}

/**
 * Streams the answer. The headers are sent with the first event, so that an earlier error has its own status.
 * @throws the errors of the events before the first event
 */
export async function streamAnswer(
  { call, head, watch, events, headers, extension }: ChatReply,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const stream = new EventStream(reply.raw, request.answerBody);
  const withLogprobs = call.work.sampling.logprobs !== undefined;
  const chunks = chunkWriter(head, { includeUsage: call.includeUsage, withLogprobs });
  const usage = new UsageCount();
  let unfinished = call.work.choices;
  try {
    for await (const event of events) {
      watch.saw(event);
      usage.saw(event);
      switch (event.kind) {
        case 'started':
          reply.hijack();
          stream.open({ 'x-request-id': request.id, ...headers });
          for (let index = 0; index < call.work.choices; index++) stream.append(chunks.role(index));
          break;
        case 'delta':
          stream.append(chunks.delta(event));
          break;
        case 'finished':
          unfinished -= 1;
          // The last chunk has the extension: this one, or the usage chunk.
          stream.append(
            chunks.finish(event.choice, event.reason, unfinished === 0 && !call.includeUsage ? extension?.() : {}),
          );
          break;
      }
    }
    if (call.includeUsage) stream.append(chunks.usage(usage.total, extension?.()));
    stream.append(chunks.done);
    stream.end();
  } catch (error) {
    failStream(stream, error, { request, watch });
  }
  return reply;
}
