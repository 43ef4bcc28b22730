/**
 * The seam between HTTP and accounts: what a route asks before it starts work, and how the end of the work is settled.
 * A route admits, then reads the engine's events through `metered`; nothing else has to be remembered.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ChatEvent } from '../../runtime/request.ts';
import { AccountError } from '../accounts/errors.ts';
import type { Counts, Pricing } from '../accounts/money.ts';
import { planHasModel } from '../accounts/plans.ts';
import { requireScope, type Scope } from '../accounts/scopes.ts';
import type { Accounts, Admission, Surface } from '../accounts/store.ts';
import { callerOf } from './authentication.ts';

/** What a catalogue entry says about who may call a model, and for how much. */
export interface ModelTerms {
  readonly plans: readonly string[];
  readonly pricing: Pricing;
  /** Tokens that prompt and answer may hold together. */
  readonly contextLength: number;
  readonly maxOutputTokens: number;
}

/** For a model that was named by its file: for every plan, free of charge. */
export const freeTerms: Omit<ModelTerms, 'contextLength' | 'maxOutputTokens'> = {
  plans: ['*'],
  pricing: { promptPerMillion: 0, completionPerMillion: 0 },
};

export interface AdmissionDependencies {
  readonly accounts: Pick<Accounts, 'admit' | 'findPlan'>;
  /** Terms of every served model, by id. */
  readonly terms: ReadonlyMap<string, ModelTerms>;
  readonly requestTimeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface AdmissionCall {
  readonly surface: Surface;
  /** Id of a served model. */
  readonly model: string;
  /** The worst case; see `chatCountsMax`. */
  readonly countsMax: Counts;
}

/** How long after its time limit a request can still be ending. */
const endingMs = 60_000;

/**
 * Checks scope, plan, limits and balance, sets the worst case aside, and puts the limits on the reply's headers.
 * A route that writes to the socket itself adds `admission.headers` to its own.
 * @throws {AccountError} ERR_SCOPE_MISSING, ERR_MODEL_NOT_IN_PLAN, ERR_RATE_LIMIT, ERR_QUOTA, ERR_BALANCE, …
 */
export async function admitRequest(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { surface, model, countsMax }: AdmissionCall,
  { accounts, terms, requestTimeoutMs, now }: AdmissionDependencies,
): Promise<Admission> {
  const caller = callerOf(request);
  requireScope(caller, 'inference');
  const { plans, pricing } = terms.get(model) ?? freeTerms;
  const start = now();
  try {
    const admission = await accounts.admit({
      caller,
      requestId: request.id,
      surface,
      model: { id: model, plans, pricing },
      countsMax,
      now: start,
      deadline: start + requestTimeoutMs + endingMs,
    });
    reply.headers(admission.headers);
    return admission;
  } catch (error) {
    throw await withModelIds(error, { surface, terms, accounts });
  }
}

/** For routes that cost nothing but belong to an account. @throws {AccountError} ERR_SCOPE_MISSING */
export function requireCallerScope(request: FastifyRequest, scope: Scope): { accountId: string } {
  const caller = callerOf(request);
  requireScope(caller, scope);
  return caller;
}

/** Tokens that a chat template may add by itself: roles, a default system prompt, how tools are described. */
const templateTokensMax = 1_024;

/**
 * The most a chat can use. No token stands for less than a byte, so the bytes of the body bound the tokens of its prompt
 * before anybody has counted them.
 * @param body as parsed
 */
export function chatCountsMax(
  body: unknown,
  { choices, maxTokens }: { choices: number; maxTokens: number | undefined },
  { contextLength, maxOutputTokens }: Pick<ModelTerms, 'contextLength' | 'maxOutputTokens'>,
): Counts {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  return {
    promptTokens: Math.min(bytes + templateTokensMax, contextLength),
    completionTokens: choices * Math.min(maxTokens ?? maxOutputTokens, maxOutputTokens, contextLength),
  };
}

/**
 * Passes a chat's events through and settles when they end, in whatever way: what was told is charged, also when the
 * caller leaves or the engine fails; a request that was refused before its first token leaves no trace. The settlement
 * is committed before the reader sees the end. It has to be read, at least once: reading starts the request.
 */
export async function* metered(
  events: AsyncIterable<ChatEvent>,
  admission: Admission,
  { now, codeOf }: { now: () => number; codeOf: (error: unknown) => string },
): AsyncGenerator<ChatEvent, void, undefined> {
  const count = new ChatCount();
  // What holds if the reader stops reading.
  let finishReason = 'cancelled';
  try {
    for await (const event of events) {
      count.saw(event);
      yield event;
    }
    finishReason = count.finishReason;
  } catch (error) {
    finishReason = codeOf(error);
    throw error;
  } finally {
    if (count.hasStarted) await admission.settle({ counts: count.counts, finishReason, now: now() });
    else await admission.release({ now: now() });
  }
}

/** Tokens of one chat as far as it has come, over all of its choices. */
class ChatCount {
  hasStarted = false;
  finishReason = 'stop';
  #promptTokens = 0;
  /** Per choice: told so far, or all of them once it has finished. */
  readonly #completionTokens = new Map<number, number>();

  saw(event: ChatEvent): void {
    switch (event.kind) {
      case 'started':
        this.hasStarted = true;
        this.#promptTokens = event.promptTokens;
        break;
      case 'delta':
        this.#completionTokens.set(event.choice, (this.#completionTokens.get(event.choice) ?? 0) + event.tokens);
        break;
      case 'finished':
        this.#completionTokens.set(event.choice, event.completionTokens);
        this.finishReason = event.reason;
        break;
    }
  }

  get counts(): Counts {
    const completionTokens = [...this.#completionTokens.values()].reduce((sum, tokens) => sum + tokens, 0);
    return { promptTokens: this.#promptTokens, completionTokens };
  }
}

/** Names the models that would work (I-013). */
async function withModelIds(
  error: unknown,
  { surface, terms, accounts }: Pick<AdmissionDependencies, 'terms' | 'accounts'> & { surface: Surface },
): Promise<unknown> {
  if (!(error instanceof AccountError && error.code === 'ERR_MODEL_NOT_IN_PLAN')) return error;
  const plan = await accounts.findPlan(String(error.details.plan));
  const ids = [...terms].filter(([id, { plans }]) => planHasModel(plan, { surface, id, plans })).map(([id]) => id);
  const message = `\`model\` is not in the plan ${plan.title}; these are: ${ids.join(', ') || 'none of those served here'}`;
  return new AccountError('ERR_MODEL_NOT_IN_PLAN', message, { details: error.details });
}
