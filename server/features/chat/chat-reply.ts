/** An engine's events written to whoever asked: as one object or as a stream. Every surface with chats answers by it. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { EventStream } from '../../http/event-stream.ts';
import { failStream } from '../../http/failed-stream.ts';
import type { AnswerEvent } from '../../serving/answer-event.ts';
import type { ChatCall } from './call.ts';
import { AnswerBuilder, type AnswerHead, UsageCount } from './chat-answer.ts';
import { chunkWriter } from './chat-chunks.ts';
import type { ChatWatch } from './metrics.ts';

/** One chat that was admitted, and what its answer needs. */
export interface ChatReply {
  readonly call: ChatCall;
  readonly head: AnswerHead;
  readonly watch: ChatWatch;
  readonly events: AsyncIterable<AnswerEvent>;
  /** Of the limits, for a stream. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the answer's object, or of a stream's last chunk; asked for once, at the end. */
  readonly extension?: () => Readonly<Record<string, unknown>>;
}

/** @returns the body of the answer · @throws whatever the events throw */
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
 * Writes the answer as it comes. The headers wait for the first event, so that an early refusal still has its own status.
 * @throws whatever the events throw before the first of them
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
          // What extends an answer comes in its last chunk: this one, or that of the usage.
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
