/** Counts the tokens of a chat's prompt, for routes that price or measure a chat before it is sent. */
import type { Plan } from '@cloister/accounts/plans/plans';
import type { ChatInput } from '@cloister/models/interface/model';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../../http/authentication.ts';
import { whenCallerLeaves } from '../../http/caller-signal.ts';
import { admitRequest, unknownModel } from '../../serving/admission.ts';
import type { ServedChatModel } from '../../serving/served-model.ts';
import type { ChatDependencies } from './answer-chat.ts';

export interface CountedPrompt {
  readonly tokens: number;
  readonly model: ServedChatModel;
  /** In force for the caller. */
  readonly plan: Plan;
}

/**
 * Costs nothing, and counts towards the limits on requests.
 * @param id of the model
 * @throws as `admitRequest`, and {RuntimeError} ERR_CONTEXT_OVERFLOW
 */
export async function countPrompt(
  exchange: { request: FastifyRequest; reply: FastifyReply },
  { model: id, input }: { readonly model: string; readonly input: ChatInput },
  dependencies: ChatDependencies,
): Promise<CountedPrompt> {
  const { request, reply } = exchange;
  const { models, requestTimeoutMs: timeoutMs, now } = dependencies;
  const model = models.get(id);
  if (model?.kind !== 'chat') throw await unknownModel(request, { surface: 'chat', kind: 'chat' }, dependencies);
  const countsMax = { promptTokens: 0, completionTokens: 0 };
  const admission = await admitRequest(exchange, { surface: 'chat', model, countsMax }, dependencies);
  const { plan } = admission;
  try {
    const work = { input, account: callerOf(request).accountId, priority: plan.priority, timeoutMs };
    const tokens = await model.engine.countPrompt(work, { signal: whenCallerLeaves(reply) });
    return { tokens, model, plan };
  } finally {
    await admission.release({ now: now() });
  }
}
