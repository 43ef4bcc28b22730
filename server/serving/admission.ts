/**
 * The seam between HTTP and accounts: what a route asks before it starts work. A route admits, then lets the engine's
 * work pass through `metered` or `settled` of `metering.ts`; nothing else has to be remembered.
 */
import { AccountError } from '@cloister/accounts/base/errors';
import type { Counts } from '@cloister/accounts/base/money';
import { requireScope, type Scope } from '@cloister/accounts/base/scopes';
import { type Plan, planHasModel } from '@cloister/accounts/plans/plans';
import type { Accounts, Admission, Surface } from '@cloister/accounts/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/authentication.ts';
import { ServerError } from '../http/errors.ts';
import type { ModelTerms } from './model-terms.ts';
import { withReceipt } from './receipts.ts';

/** What admission needs to know of a served model. */
export interface PricedModel {
  readonly id: string;
  readonly kind: string;
  readonly terms: ModelTerms;
}

export interface AdmissionDependencies {
  readonly accounts: Pick<Accounts, 'admit' | 'findPlan' | 'readStanding'>;
  /** By id. */
  readonly models: ReadonlyMap<string, PricedModel>;
  readonly requestTimeoutMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface AdmissionCall {
  readonly surface: Surface;
  readonly model: PricedModel;
  /** The worst case; see `model-terms.ts`. */
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
  { accounts, models, requestTimeoutMs, now }: AdmissionDependencies,
): Promise<Admission> {
  const caller = callerOf(request);
  requireScope(caller, 'inference');
  request.receipt?.serves(model.id);
  const { plans, pricing } = model.terms;
  const start = now();
  try {
    const admission = await accounts.admit({
      caller,
      requestId: request.id,
      surface,
      model: { id: model.id, plans, pricing },
      countsMax,
      now: start,
      deadline: start + requestTimeoutMs + endingMs,
    });
    request.admitted = { plan: admission.plan.id, model: model.id, atMs: performance.now() };
    reply.headers(admission.headers);
    return withReceipt(admission, request.receipt);
  } catch (error) {
    throw await withModelIds(error, { surface, kind: model.kind, models, accounts });
  }
}

/** For routes that cost nothing but belong to an account. @throws {AccountError} ERR_SCOPE_MISSING */
export function requireCallerScope(request: FastifyRequest, scope: Scope): { accountId: string } {
  const caller = callerOf(request);
  requireScope(caller, scope);
  return caller;
}

/** The plan that holds for this request's account. */
export async function planOfCaller(
  request: FastifyRequest,
  { accounts, now }: Pick<AdmissionDependencies, 'accounts' | 'now'>,
): Promise<Plan> {
  const { planInForce } = await accounts.readStanding({ accountId: callerOf(request).accountId, now: now() });
  return planInForce;
}

/** What may be asked on one surface. */
export interface ModelChoice {
  readonly surface: Surface;
  readonly kind: string;
}

/**
 * Which of these models answers where the request names none: the first that the account's plan has (I-010). Where it has none of
 * them, or there is only one, the first of all: admission decides then.
 * @param served of one kind, at least one
 */
export async function firstInPlan<Model extends PricedModel>(
  served: readonly Model[],
  { accountId, ...choice }: ModelChoice & { accountId: string },
  { accounts, now }: Pick<AdmissionDependencies, 'accounts' | 'now'>,
): Promise<Model> {
  const [first] = served;
  if (first === undefined) throw new TypeError('there is no model to choose from');
  if (served.length === 1) return first;
  const models = new Map(served.map((model) => [model.id, model]));
  const inPlan = await modelsInPlan(accountId, choice, { accounts, models, now });
  return inPlan.models[0] ?? first;
}

/** The models of this kind that the account's plan has: in its own order where it names them, else as they are served. */
async function modelsInPlan<Model extends PricedModel>(
  accountId: string,
  choice: ModelChoice,
  { accounts, models, now }: Pick<AdmissionDependencies, 'accounts' | 'now'> & { models: ReadonlyMap<string, Model> },
): Promise<{ readonly plan: Plan; readonly models: readonly Model[] }> {
  const { planInForce: plan } = await accounts.readStanding({ accountId, now: now() });
  return { plan, models: allowed(plan, choice, models) };
}

/** For a `model` that is not served here: an error with the ids that would work for this caller (I-013). */
export async function unknownModel(
  request: FastifyRequest,
  choice: ModelChoice,
  dependencies: Pick<AdmissionDependencies, 'accounts' | 'models' | 'now'>,
): Promise<ServerError> {
  const { plan, models } = await modelsInPlan(callerOf(request).accountId, choice, dependencies);
  const ids = models.map(({ id }) => id).join(', ');
  const known = ids === '' ? `the plan ${plan.title} has no model of this kind here` : `these are: ${ids}`;
  return new ServerError('ERR_MODEL_UNKNOWN', `\`model\` is not served here; ${known}`);
}

/** Names the models that would work (I-013). */
async function withModelIds(
  error: unknown,
  { models, accounts, ...choice }: Pick<AdmissionDependencies, 'models' | 'accounts'> & ModelChoice,
): Promise<unknown> {
  if (!(error instanceof AccountError && error.code === 'ERR_MODEL_NOT_IN_PLAN')) return error;
  const plan = await accounts.findPlan(String(error.details.plan));
  const ids = allowed(plan, choice, models).map(({ id }) => id);
  const message = `\`model\` is not in the plan ${plan.title}; these are: ${ids.join(', ') || 'none of those served here'}`;
  return new AccountError('ERR_MODEL_NOT_IN_PLAN', message, { details: error.details });
}

function allowed<Model extends PricedModel>(
  plan: Plan,
  { surface, kind }: ModelChoice,
  models: ReadonlyMap<string, Model>,
): Model[] {
  const named = plan.models[surface]?.flatMap((id) => models.get(id) ?? []);
  return (named ?? [...models.values()]).filter(
    (model) => model.kind === kind && planHasModel(plan, { surface, id: model.id, plans: model.terms.plans }),
  );
}
