/**
 * Connects HTTP routes to accounts. A route calls `admitRequest`, then passes the engine's work through `metered` or `settled` of
 * `metering.ts`, which settle or release the reservation.
 */
import { AccountError } from '@cloister/accounts/base/errors';
import type { Counts } from '@cloister/accounts/base/money';
import { requireScope, type Scope } from '@cloister/accounts/base/scopes';
import { type Plan, planHasModel } from '@cloister/accounts/plans/plans';
import type { Accounts, Admission, Surface } from '@cloister/accounts/store';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../http/authentication.ts';
import { ServerError } from '../http/errors.ts';
import { tracedAdmission } from '../tracing/traced-admission.ts';
import { requireKnownModel } from './known-log.ts';
import type { ModelTerms } from './model-terms.ts';
import { withReceipt } from './receipts.ts';

/** The facts about a served model that admission needs. */
export interface PricedModel {
  readonly id: string;
  readonly kind: string;
  readonly terms: ModelTerms;
  /** Extensions of the start log that name the model; default 0. */
  readonly measuredBy?: number;
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
  /** Slug of the agent that answers. */
  readonly agent?: string | undefined;
  /** The worst case; see `model-terms.ts`. */
  readonly countsMax: Counts;
}

/** Time that a request may take to end after its time limit. */
const endingMs = 60_000;

/**
 * Checks scope, plan, limits and balance, reserves the maximum cost, and adds the limits to the reply's headers.
 * A route that writes to the socket itself sends `admission.headers` too.
 * @throws {AccountError} ERR_SCOPE_MISSING, ERR_MODEL_NOT_IN_PLAN, ERR_RATE_LIMIT, ERR_QUOTA, ERR_BALANCE, …
 */
export async function admitRequest(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { surface, model, agent, countsMax }: AdmissionCall,
  { accounts, models, requestTimeoutMs, now }: AdmissionDependencies,
): Promise<Admission> {
  const caller = callerOf(request);
  requireScope(caller, 'inference');
  request.receipt?.serves(model.id);
  requireKnownModel(request, model);
  const { plans, pricing } = model.terms;
  const start = now();
  try {
    const admit = () =>
      accounts.admit({
        caller,
        requestId: request.id,
        surface,
        model: { id: model.id, plans, pricing },
        agent,
        countsMax,
        now: start,
        deadline: start + requestTimeoutMs + endingMs,
      });
    const admission = await tracedAdmission(request.trace, { surface, model: model.id, admit });
    request.admitted = { plan: admission.plan.id, model: model.id, atMs: performance.now() };
    reply.headers(admission.headers);
    return withReceipt(admission, request.receipt);
  } catch (error) {
    throw await withModelIds(error, { surface, kind: model.kind, models, accounts });
  }
}

/** For routes of an account that cost nothing. @throws {AccountError} ERR_SCOPE_MISSING */
export function requireCallerScope(request: FastifyRequest, scope: Scope): { accountId: string } {
  const caller = callerOf(request);
  requireScope(caller, scope);
  return caller;
}

/** The plan in force for the request's account. */
export async function planOfCaller(
  request: FastifyRequest,
  { accounts, now }: Pick<AdmissionDependencies, 'accounts' | 'now'>,
): Promise<Plan> {
  const { planInForce } = await accounts.readStanding({ accountId: callerOf(request).accountId, now: now() });
  return planInForce;
}

/** A surface, and the kind of model that it serves. */
export interface ModelChoice {
  readonly surface: Surface;
  readonly kind: string;
}

/**
 * The default model of a request that names no model: the first that the account's plan has (I-010). If the plan has none of them, or
 * there is only one, the first; admission then decides.
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

/** The models of this kind that the account's plan has, in the order of the plan if it lists them, otherwise in that of the server. */
async function modelsInPlan<Model extends PricedModel>(
  accountId: string,
  choice: ModelChoice,
  { accounts, models, now }: Pick<AdmissionDependencies, 'accounts' | 'now'> & { models: ReadonlyMap<string, Model> },
): Promise<{ readonly plan: Plan; readonly models: readonly Model[] }> {
  const { planInForce: plan } = await accounts.readStanding({ accountId, now: now() });
  return { plan, models: allowed(plan, choice, models) };
}

/** The error for a `model` that is not served here, with the ids that this caller may use (I-013). */
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

/** Adds the ids that the caller may use to the error (I-013). */
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
