/** Plans (I-080): models, limits, priority and price percentage of accounts. Stored as rows and read for each request. */
import type { Kysely, Selectable } from 'kysely';
import { AccountError } from '../base/errors.ts';
import { microDollarsMax } from '../base/money.ts';
import type { DatabaseKind, Tables } from '../base/tables.ts';

/** Groups of API routes for which a plan can list models. */
export const surfaces = ['chat', 'embeddings', 'images', 'confidential'] as const;
export type Surface = (typeof surfaces)[number];

export interface Plan {
  /** Lower-case words joined by hyphens. */
  readonly id: string;
  readonly title: string;
  /** Text for display. */
  readonly description: string;
  /** Model ids by surface. A missing surface has every model whose catalogue entry lists the plan. */
  readonly models: Readonly<Partial<Record<Surface, readonly string[]>>>;
  /** Most tokens of prompt and output together; undefined for the model's context length. */
  readonly contextTokensMax: number | undefined;
  /** Undefined means unlimited, for this and the next three fields. */
  readonly requestsPerMinute: number | undefined;
  readonly requestsPerDay: number | undefined;
  readonly tokensPerMonth: number | undefined;
  readonly concurrentRequestsMax: number | undefined;
  /** Percentage of the model's price that is charged; 0 means that tokens are included. */
  readonly pricePercent: number;
  /** Micro-dollars, for display only; it is not charged. */
  readonly monthlyPrice: number | undefined;
  /** Requests with a higher priority run first. */
  readonly priority: number;
}

/** Changes of a plan's fields: `undefined` keeps the value, `null` removes the limit. */
export type PlanChange = { readonly [Field in keyof Omit<Plan, 'id'>]?: Plan[Field] | null | undefined };

/** Plan of the operator's account, and plan of accounts that are created without one. */
export const operatorPlanId = 'operator';
export const defaultPlanId = 'free';

const unlimited = {
  models: {},
  contextTokensMax: undefined,
  requestsPerMinute: undefined,
  requestsPerDay: undefined,
  tokensPerMonth: undefined,
  concurrentRequestsMax: undefined,
  pricePercent: 100,
  monthlyPrice: undefined,
  priority: 0,
} as const;

const context256K = 262_144;

/** The default plans with the figures of I-010, I-077 and I-078; limits that the contract leaves open are unlimited. */
export const shippedPlans: readonly Plan[] = [
  {
    ...unlimited,
    id: 'free',
    title: 'Free',
    description: 'a 32B model, 40K context, 100 requests a day, tokens included',
    contextTokensMax: 40_960,
    requestsPerDay: 100,
    pricePercent: 0,
  },
  {
    ...unlimited,
    id: 'plus',
    title: 'Plus',
    description: 'a 397B mixture-of-experts model, 256K context',
    contextTokensMax: context256K,
  },
  {
    ...unlimited,
    id: 'team-starter',
    title: 'Team Starter',
    description: 'a 397B mixture-of-experts model, 256K context',
    contextTokensMax: context256K,
  },
  {
    ...unlimited,
    id: 'pro',
    title: 'Pro',
    description: 'a 397B mixture-of-experts model, 256K context, unlimited requests a day',
    contextTokensMax: context256K,
  },
  { ...unlimited, id: 'enterprise', title: 'Enterprise', description: 'a reasoning model, limits by agreement' },
  {
    ...unlimited,
    id: 'developer',
    title: 'Developer',
    description: 'confidential surface, 60 requests a minute',
    requestsPerMinute: 60,
  },
  {
    ...unlimited,
    id: 'team',
    title: 'Team',
    description: 'confidential surface, 300 requests a minute',
    requestsPerMinute: 300,
  },
  { ...unlimited, id: operatorPlanId, title: 'Operator', description: "the operator's own account: no limits" },
];

export async function insertShippedPlans(db: Kysely<Tables>, { now }: { now: number }): Promise<void> {
  await db
    .insertInto('plans')
    .values(shippedPlans.map((plan) => toRow(plan, now)))
    .execute();
}

/** Lists the plans in order of their ids. */
export async function listPlans(db: Kysely<Tables>): Promise<Plan[]> {
  return (await db.selectFrom('plans').selectAll().orderBy('id').execute()).map(toPlan);
}

/** @throws {AccountError} ERR_PLAN_UNKNOWN, with the ids that exist */
export async function findPlan(db: Kysely<Tables>, id: string): Promise<Plan> {
  const row = await db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst();
  if (row !== undefined) return toPlan(row);
  throw await unknownPlan(db);
}

/**
 * Creates a plan; omitted fields are unlimited, and the title defaults to the id.
 * @throws {AccountError} ERR_PLAN_EXISTS, ERR_PLAN_INVALID
 */
export async function createPlan(
  { db }: { readonly db: Kysely<Tables> },
  { id, change, now }: { id: string; change: PlanChange; now: number },
): Promise<Plan> {
  requirePlanId(id);
  const plan = changed({ ...unlimited, id, title: id, description: '' }, change);
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('plans')
    .values(toRow(plan, now))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return plan;
  throw new AccountError('ERR_PLAN_EXISTS', 'a plan with this id already exists: change it with `cloister plans set`');
}

/**
 * Changes a plan from the next request.
 * @throws {AccountError} ERR_PLAN_UNKNOWN, ERR_PLAN_INVALID
 */
export async function changePlan(
  { db, kind }: { readonly db: Kysely<Tables>; readonly kind: DatabaseKind },
  { id, change, now }: { id: string; change: PlanChange; now: number },
): Promise<Plan> {
  return await db.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('plans')
      .selectAll()
      .where('id', '=', id)
      .$if(kind === 'postgres', (query) => query.forUpdate())
      .executeTakeFirst();
    if (row === undefined) throw await unknownPlan(transaction);
    const plan = changed(toPlan(row), change);
    const { id: _, ...values } = toRow(plan, now);
    await transaction.updateTable('plans').set(values).where('id', '=', id).execute();
    return plan;
  });
}

/** @throws {AccountError} ERR_PLAN_INVALID */
function changed(old: Plan, change: PlanChange): Plan {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const plan = { ...old, ...Object.fromEntries(given.map(([field, value]) => [field, value ?? undefined])) } as Plan;
  requirePlan(plan);
  return plan;
}

async function unknownPlan(db: Kysely<Tables>): Promise<AccountError> {
  const ids = (await listPlans(db)).map((plan) => plan.id);
  return new AccountError('ERR_PLAN_UNKNOWN', `no plan has this id; these exist: ${ids.join(', ')}`);
}

/** Whether an account on `plan` may use this model on this surface. A plan with a model has its adapters, `id:adapter`, too. */
export function planHasModel(
  plan: Plan,
  { surface, id, plans }: { surface: Surface; id: string; plans: readonly string[] },
): boolean {
  const listed = plan.models[surface];
  if (listed !== undefined) return listed.includes(id) || listed.includes(id.split(':', 1)[0]!);
  // Catalogues do not list the operator's plan, which has every model.
  return plan.id === operatorPlanId || plans.includes('*') || plans.includes(plan.id);
}

/** Converts a row of `plans`, or of a join that includes it. */
export function toPlan(row: Selectable<Tables['plans']>): Plan {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    models: readModels(row.models),
    contextTokensMax: row.context_tokens_max ?? undefined,
    requestsPerMinute: row.requests_per_minute ?? undefined,
    requestsPerDay: row.requests_per_day ?? undefined,
    tokensPerMonth: row.tokens_per_month ?? undefined,
    concurrentRequestsMax: row.concurrent_requests_max ?? undefined,
    pricePercent: row.price_percent,
    monthlyPrice: row.monthly_price ?? undefined,
    priority: row.priority,
  };
}

const noModels: Plan['models'] = Object.freeze({});

function readModels(text: string): Plan['models'] {
  return text === '{}' ? noModels : (JSON.parse(text) as Plan['models']);
}

function toRow(plan: Plan, now: number): Tables['plans'] {
  return {
    id: plan.id,
    title: plan.title,
    description: plan.description,
    models: JSON.stringify(plan.models),
    context_tokens_max: plan.contextTokensMax ?? null,
    requests_per_minute: plan.requestsPerMinute ?? null,
    requests_per_day: plan.requestsPerDay ?? null,
    tokens_per_month: plan.tokensPerMonth ?? null,
    concurrent_requests_max: plan.concurrentRequestsMax ?? null,
    price_percent: plan.pricePercent,
    monthly_price: plan.monthlyPrice ?? null,
    priority: plan.priority,
    updated_at: now,
  };
}

function requirePlanId(id: string): void {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) && id.length <= 64) return;
  throw new AccountError(
    'ERR_PLAN_INVALID',
    'a plan id must be lower-case words joined by hyphens, of at most 64 characters',
  );
}

function requirePlan(plan: Plan): void {
  for (const field of ['title', 'description'] as const) {
    const text: unknown = plan[field];
    const isText = typeof text === 'string' && /^[^\p{C}]{0,200}$/u.test(text);
    if (!isText || (field === 'title' && text === '')) refuse(field, 'printable text of at most 200 characters');
  }
  requireModels(plan.models);
  requireWhole(plan, 'contextTokensMax', { min: 1, max: 1e9, optional: true });
  requireWhole(plan, 'requestsPerMinute', { min: 0, max: 1e6, optional: true });
  requireWhole(plan, 'requestsPerDay', { min: 0, max: 1e9, optional: true });
  requireWhole(plan, 'tokensPerMonth', { min: 0, max: microDollarsMax, optional: true });
  requireWhole(plan, 'concurrentRequestsMax', { min: 0, max: 1e6, optional: true });
  requireWhole(plan, 'pricePercent', { min: 0, max: 100_000 });
  requireWhole(plan, 'monthlyPrice', { min: 0, max: microDollarsMax, optional: true });
  requireWhole(plan, 'priority', { min: -100, max: 100 });
}

type WholeField = {
  [Field in keyof Plan]: Plan[Field] extends number | undefined ? Field : never;
}[keyof Plan];

function requireWhole(
  plan: Plan,
  field: WholeField,
  { min, max, optional = false }: { min: number; max: number; optional?: boolean },
): void {
  const value = plan[field];
  if (value === undefined && optional) return;
  if (Number.isInteger(value) && value! >= min && value! <= max) return;
  refuse(field, `a whole number from ${min} to ${max}`);
}

function requireModels(models: unknown): void {
  const isRecord = typeof models === 'object' && models !== null && !Array.isArray(models);
  const isValid =
    isRecord &&
    Object.entries(models).every(
      ([surface, ids]) =>
        (surfaces as readonly string[]).includes(surface) &&
        Array.isArray(ids) &&
        ids.length <= 1000 &&
        ids.every((id) => typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id)),
    );
  if (!isValid) refuse('models', `lists of model ids by surface (${surfaces.join(', ')})`);
}

function refuse(field: string, expected: string): never {
  throw new AccountError('ERR_PLAN_INVALID', `a plan's ${field} must be ${expected}`);
}
