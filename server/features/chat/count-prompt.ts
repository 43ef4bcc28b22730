/** Counts the tokens of prompts and shows them, for routes that compute no answer. */
import type { Plan } from '@cloister/accounts/plans/plans';
import type { ChatInput, PromptInput } from '@cloister/models/interface/model';
import type { CountRequest } from '@cloister/runtime/chat/request';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { admitRequest, unknownModel } from '../../serving/admission.ts';
import type { ServedChatModel } from '../../serving/served-model.ts';
import type { ChatDependencies } from './answer-chat.ts';
import { imageTokensMax } from './chat-images.ts';
import { decodeImages, wipeImages } from './decode-images.ts';
import type { ImagePart } from './image-parts.ts';

export interface Inspected<Result> {
  readonly result: Result;
  readonly model: ServedChatModel;
  /** In force for the caller. */
  readonly plan: Plan;
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Counts the tokens of a prompt.
 * @param prompt with the id of the model
 * @throws as `inspectPrompt`
 */
export async function countPrompt(
  exchange: Exchange,
  {
    images = [],
    ...prompt
  }: { readonly model: string; readonly input: PromptInput; readonly images?: readonly ImagePart[] },
  dependencies: ChatDependencies,
): Promise<Inspected<number>> {
  return await inspectPrompt(exchange, prompt, {
    ...dependencies,
    inspect: async (engine, work, options) => {
      if (images.length === 0) return await engine.countPrompt(work, options);
      const pictured = await decodeImages(images, options.signal);
      const counted = engine.countPrompt(
        { ...work, input: { ...(work.input as ChatInput), images: pictured } },
        options,
      );
      wipeImages(pictured);
      return await counted;
    },
    requireTakes: (model) => void imageTokensMax(model, images),
  });
}

/** Asks an engine about a prompt. */
type Inspect<Input extends PromptInput, Result> = (
  engine: ServedChatModel['engine'],
  request: CountRequest<Input>,
  options: { signal: AbortSignal },
) => Promise<Result>;

/**
 * Costs nothing, and counts towards the limits on requests.
 * @param prompt with the id of the model
 * @throws as `admitRequest`, and {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export async function inspectPrompt<Input extends PromptInput, Result>(
  exchange: Exchange,
  { model: id, input }: { readonly model: string; readonly input: Input },
  {
    inspect,
    requireTakes,
    ...dependencies
  }: ChatDependencies & {
    readonly inspect: Inspect<Input, Result>;
    /** Refuses a prompt of a kind that the model does not take. */
    readonly requireTakes?: (model: ServedChatModel) => void;
  },
): Promise<Inspected<Result>> {
  const { request, reply } = exchange;
  const { models, requestTimeoutMs: timeoutMs, now } = dependencies;
  const model = models.get(id);
  if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
  requireTakes?.(model);
  const countsMax = { promptTokens: 0, completionTokens: 0 };
  const admission = await admitRequest(exchange, { surface: 'chat', model, countsMax }, dependencies);
  const { plan } = admission;
  try {
    const work = { input, account: callerOf(request).accountId, priority: plan.priority, timeoutMs };
    const result = await inspect(model.engine, work, { signal: whenCallerLeaves(reply) });
    return { result, model, plan };
  } finally {
    await admission.release({ now: now() });
  }
}
