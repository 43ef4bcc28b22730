/** `POST /v1/chat/completions`: a checked call becomes engine work, its events become one object or a stream. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ChatEvent } from '../../runtime/request.ts';
import { whenCallerLeaves } from '../caller-signal.ts';
import { AnswerBuilder, type AnswerHead, UsageCount } from '../chat-answer.ts';
import { chunkWriter } from '../chat-chunks.ts';
import { ServerError } from '../errors.ts';
import { EventStream } from '../event-stream.ts';
import { ChatMeter, metered } from '../metering.ts';
import type { ChatWatch, Metrics } from '../metrics.ts';
import { chatCountsMax } from '../model-terms.ts';
import { type AdmissionDependencies, admitRequest } from '../plugins/admission.ts';
import { callerOf } from '../plugins/authentication.ts';
import { endpointOf, errorCode, errorReply } from '../plugins/error-replies.ts';
import { chatParameters } from '../receipt-parameters.ts';
import { type ChatCall, readChatCall } from '../schemas/chat.ts';
import { findChatModel, type ModelDirectory } from '../served-model.ts';

export interface ChatDependencies extends AdmissionDependencies {
  readonly models: ModelDirectory;
  readonly metrics: Metrics;
  /** Unsigned 32 bit, for a request without a seed. */
  readonly randomSeed: () => number;
}

export function chatRoutes(app: FastifyInstance, dependencies: ChatDependencies): void {
  const { models, metrics, requestTimeoutMs, now, randomSeed } = dependencies;

  app.post('/chat/completions', async (request, reply) => {
    const call = readChatCall(request.body, randomSeed);
    const model = findChatModel(models, call.model);
    const head: AnswerHead = {
      id: `chatcmpl-${randomBytes(18).toString('base64url')}`,
      created: Math.floor(now() / 1000),
      model: model.id,
      systemFingerprint: model.fingerprint,
    };
    const watch = metrics.beginChat({ model: model.id, choices: call.work.choices });
    const { choices, maxTokens } = call.work;
    const countsMax = chatCountsMax({ bodyBytes: request.bodyBytes, choices, maxTokens }, model.terms);
    request.receipt?.describe(chatParameters(call, countsMax.completionTokens / choices), { chatId: head.id });
    try {
      const admission = await admitRequest({ request, reply }, { surface: 'chat', model, countsMax }, dependencies);
      const work = {
        ...call.work,
        maxTokens: countsMax.completionTokens / choices,
        contextMax: admission.plan.contextTokensMax,
        account: callerOf(request).accountId,
        priority: admission.plan.priority,
        timeoutMs: requestTimeoutMs,
      };
      const events = metered(
        model.engine.chat(work, { signal: whenCallerLeaves(reply) }),
        { admission, meter: new ChatMeter() },
        { now, codeOf: (error) => errorCode(error, request) },
      );
      const answer = { call, head, watch, events, headers: admission.headers };
      return call.stream ? await streamAnswer(answer, request, reply) : await wholeAnswer(answer);
    } catch (error) {
      watch.failed(errorCode(error, request));
      throw error;
    }
  });
}

interface Answer {
  readonly call: ChatCall;
  readonly head: AnswerHead;
  readonly watch: ChatWatch;
  readonly events: AsyncIterable<ChatEvent>;
  /** Of the limits, for a stream. */
  readonly headers: Readonly<Record<string, string>>;
}

async function wholeAnswer({ call, head, watch, events }: Answer) {
  const withLogprobs = call.work.sampling.logprobs !== undefined;
  const builder = new AnswerBuilder({ choices: call.work.choices, withLogprobs });
  const usage = new UsageCount();
  for await (const event of events) {
    watch.saw(event);
    usage.saw(event);
    builder.saw(event);
  }
  return builder.build(head, usage.total);
}

/** The headers wait for the first event, so that an early refusal still has its own status. */
async function streamAnswer(
  { call, head, watch, events, headers }: Answer,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const stream = new EventStream(reply.raw, request.answerBody);
  const withLogprobs = call.work.sampling.logprobs !== undefined;
  const chunks = chunkWriter(head, { includeUsage: call.includeUsage, withLogprobs });
  const usage = new UsageCount();
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
          stream.append(chunks.finish(event.choice, event.reason));
          break;
      }
    }
    if (call.includeUsage) stream.append(chunks.usage(usage.total));
    stream.append(chunks.done);
    stream.end();
  } catch (error) {
    if (!stream.isOpen) throw error;
    request.outcome = errorCode(error, request);
    watch.failed(request.outcome);
    if (isTooSlow(error)) stream.destroy();
    else stream.fail(errorReply(error, endpointOf(request)).body);
  }
  return reply;
}

function isTooSlow(error: unknown): boolean {
  return error instanceof ServerError && error.code === 'ERR_READER_TOO_SLOW';
}
