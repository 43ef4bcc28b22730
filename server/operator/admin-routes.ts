/** What the operator's API can do, path by path. */
import { parseDollars } from '@cloister/accounts/base/money';
import type { Accounts, CreditedAccount, PlanChange } from '@cloister/accounts/store';
import { ServerError } from '../http/errors.ts';
import type { Fields } from '../http/fields.ts';

export interface AdminCall {
  readonly accounts: Accounts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly body: Fields;
  /** An object; `null` in it is told from what is missing. */
  readonly rawBody: unknown;
  /** What stands for `:name` and the like in the path. */
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
}

export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly takesBody?: boolean;
  /** Of an answer, where it is not 200. */
  readonly status?: number | ((answer: unknown) => number);
  readonly answer: (call: AdminCall) => Promise<unknown>;
}

/** The first that fits a path and method answers. */
export const adminRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin/accounts', answer: ({ accounts }) => accounts.listAccounts() },
  {
    method: 'POST',
    path: '/admin/accounts',
    takesBody: true,
    status: 201,
    answer: ({ accounts, body, now }) =>
      accounts.createAccount({ name: body.text('name'), plan: body.optionalText('plan'), now: now() }),
  },
  {
    method: 'GET',
    path: '/admin/accounts/:name',
    async answer({ accounts, parameters: [name = ''], now }) {
      const { id } = await accounts.findAccount(name);
      return await accounts.readStanding({ accountId: id, now: now() });
    },
  },
  {
    method: 'DELETE',
    path: '/admin/accounts/:name',
    answer: ({ accounts, parameters: [account = ''], now }) => accounts.closeAccount({ account, now: now() }),
  },
  {
    method: 'PUT',
    path: '/admin/accounts/:name/plan',
    takesBody: true,
    answer: ({ accounts, body, parameters: [account = ''] }) =>
      accounts.moveToPlan({ account, plan: body.text('plan') }),
  },
  {
    method: 'POST',
    path: '/admin/accounts/:name/credits',
    takesBody: true,
    // A repeat adds nothing: its answer says so in `alreadyBooked`.
    status: (answer) => ((answer as CreditedAccount).alreadyBooked ? 200 : 201),
    answer: ({ accounts, body, parameters: [account = ''], now }) =>
      accounts.credit({
        account,
        microDollars: parseDollars(body.text('dollars')),
        reference: body.optionalText('reference'),
        now: now(),
      }),
  },
  {
    method: 'POST',
    path: '/admin/refunds',
    takesBody: true,
    status: 201,
    answer: ({ accounts, body, now }) => accounts.refund({ requestId: body.text('request_id'), now: now() }),
  },
  {
    method: 'GET',
    path: '/admin/keys',
    answer: ({ accounts, query }) => accounts.listKeys({ account: query.get('account') ?? undefined }),
  },
  {
    method: 'POST',
    path: '/admin/keys',
    takesBody: true,
    status: 201,
    async answer({ accounts, body, now }) {
      const { key, secret } = await accounts.createKey({
        account: body.text('account'),
        name: body.text('name'),
        scopes: body.list('scopes', { max: 16 })?.map(String),
        expiresAt: body.integer('expiresAt', { min: 0, max: 8.64e15, fallback: undefined }),
        now: now(),
      });
      return { ...key, secret };
    },
  },
  {
    method: 'DELETE',
    path: '/admin/keys/:id',
    answer: ({ accounts, parameters: [id = ''], now }) => accounts.revokeKey(id, { now: now() }),
  },
  { method: 'GET', path: '/admin/plans', answer: ({ accounts }) => accounts.listPlans() },
  {
    method: 'GET',
    path: '/admin/plans/:id',
    answer: ({ accounts, parameters: [id = ''] }) => accounts.findPlan(id),
  },
  {
    method: 'POST',
    path: '/admin/plans',
    takesBody: true,
    status: 201,
    answer: ({ accounts, body, rawBody, now }) =>
      accounts.createPlan({ id: body.text('id'), change: givenFields(rawBody), now: now() }),
  },
  {
    method: 'PATCH',
    path: '/admin/plans/:id',
    takesBody: true,
    answer: ({ accounts, rawBody, parameters: [id = ''], now }) =>
      accounts.changePlan({ id, change: readPlanChange(rawBody), now: now() }),
  },
  { method: 'GET', path: '/admin/audit', answer: ({ accounts }) => accounts.audit() },
];

/** The plan itself checks the values. */
const planFields = [
  'title',
  'description',
  'models',
  'contextTokensMax',
  'requestsPerMinute',
  'requestsPerDay',
  'tokensPerMonth',
  'concurrentRequestsMax',
  'pricePercent',
  'monthlyPrice',
  'priority',
] as const satisfies readonly (keyof PlanChange)[];

function readPlanChange(body: unknown): PlanChange {
  const change = givenFields(body);
  if (Object.keys(change).length > 0) return change;
  throw new ServerError('ERR_REQUEST_INVALID', 'name at least one field of the plan');
}

function givenFields(body: unknown): PlanChange {
  const given = planFields.filter((field) => Object.hasOwn(body as object, field));
  return Object.fromEntries(given.map((field) => [field, (body as Record<string, unknown>)[field]]));
}
