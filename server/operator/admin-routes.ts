/** The routes of the operator's API. */
import { AccountError } from '@cloister/accounts/base/errors';
import { parseDollars } from '@cloister/accounts/base/money';
import { invoicePdf } from '@cloister/accounts/ledger/invoice-pdf';
import type { Accounts, CreditedAccount, PlanChange } from '@cloister/accounts/store';
import type { TObject } from 'typebox';
import { ServerError } from '../http/errors.ts';
import type { ReadOf } from '../schema/schema-reader.ts';
import { Type } from '../schema/type.ts';
import type { OperatorViews } from './views.ts';

export interface AdminCall<Body = unknown> {
  readonly accounts: Accounts;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Starts to drain the server. */
  readonly drain?: (() => void) | undefined;
  /** Undefined where there are no nodes and models to show. */
  readonly views?: OperatorViews | undefined;
  /** Validated by the route's schema. */
  readonly body: Body;
  /** The parsed object, in which `null` differs from an absent member. */
  readonly rawBody: unknown;
  /** Values of `:name` and other parameters of the path, in order. */
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
}

export interface AdminRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Schema of the body; undefined without a body. */
  readonly takes?: TObject;
  /** Status of a successful answer; 200 by default. */
  readonly status?: number | ((answer: unknown) => number);
  readonly answer: (call: AdminCall) => Promise<unknown>;
}

/** An answer that is a file instead of JSON. */
export class FileAnswer {
  readonly type: string;
  readonly bytes: Uint8Array;

  constructor(type: string, bytes: Uint8Array) {
    this.type = type;
    this.bytes = bytes;
  }
}

/** A route with a body. */
function taking<Schema extends TObject>(
  takes: Schema,
  route: Omit<AdminRoute, 'takes' | 'answer'> & {
    readonly answer: (call: AdminCall<ReadOf<Schema>>) => Promise<unknown>;
  },
): AdminRoute {
  return { ...route, takes, answer: (call) => route.answer(call as AdminCall<ReadOf<Schema>>) };
}

const text = Type.String();
const optionalText = Type.Optional(text);

const newKey = Type.Object({
  account: text,
  name: text,
  scopes: Type.Optional(Type.Array(text, { maxItems: 16 })),
  expiresAt: Type.Optional(Type.Integer({ minimum: 0, maximum: 8.64e15 })),
});

/** The first route that matches path and method answers. */
export const adminRoutes: readonly AdminRoute[] = [
  {
    method: 'POST',
    path: '/admin/drain',
    status: 202,
    async answer({ drain }) {
      if (drain === undefined)
        throw new ServerError('ERR_ROUTE_UNKNOWN', 'this service cannot be drained by a request');
      drain();
      return { draining: true };
    },
  },
  { method: 'GET', path: '/admin/accounts', answer: ({ accounts }) => accounts.listAccounts() },
  taking(Type.Object({ name: text, plan: optionalText }), {
    method: 'POST',
    path: '/admin/accounts',
    status: 201,
    answer: ({ accounts, body, now }) => accounts.createAccount({ name: body.name, plan: body.plan, now: now() }),
  }),
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
  taking(Type.Object({ plan: text }), {
    method: 'PUT',
    path: '/admin/accounts/:name/plan',
    answer: ({ accounts, body, parameters: [account = ''] }) => accounts.moveToPlan({ account, plan: body.plan }),
  }),
  taking(Type.Object({ dollars: text, reference: optionalText }), {
    method: 'POST',
    path: '/admin/accounts/:name/credits',
    // A repeated reference adds no credit; its answer has `alreadyBooked`.
    status: (answer) => ((answer as CreditedAccount).alreadyBooked ? 200 : 201),
    answer: ({ accounts, body, parameters: [account = ''], now }) =>
      accounts.credit({
        account,
        microDollars: parseDollars(body.dollars),
        reference: body.reference,
        now: now(),
      }),
  }),
  taking(Type.Object({ request_id: text }), {
    method: 'POST',
    path: '/admin/refunds',
    status: 201,
    answer: ({ accounts, body, now }) => accounts.refund({ requestId: body.request_id, now: now() }),
  }),
  {
    method: 'GET',
    path: '/admin/keys',
    answer: ({ accounts, query }) => accounts.listKeys({ account: query.get('account') ?? undefined }),
  },
  taking(newKey, {
    method: 'POST',
    path: '/admin/keys',
    status: 201,
    async answer({ accounts, body, now }) {
      const { key, secret } = await accounts.createKey({
        account: body.account,
        name: body.name,
        scopes: body.scopes,
        expiresAt: body.expiresAt,
        now: now(),
      });
      return { ...key, secret };
    },
  }),
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
  taking(Type.Object({ id: text }), {
    method: 'POST',
    path: '/admin/plans',
    status: 201,
    answer: ({ accounts, body, rawBody, now }) =>
      accounts.createPlan({ id: body.id, change: givenFields(rawBody), now: now() }),
  }),
  taking(Type.Object({}), {
    method: 'PATCH',
    path: '/admin/plans/:id',
    answer: ({ accounts, rawBody, parameters: [id = ''], now }) =>
      accounts.changePlan({ id, change: readPlanChange(rawBody), now: now() }),
  }),
  { method: 'GET', path: '/admin/audit', answer: ({ accounts }) => accounts.audit() },
  {
    method: 'GET',
    path: '/admin/accounts/:name/movements',
    async answer({ accounts, parameters: [name = ''], query }) {
      const { id } = await accounts.findAccount(name);
      return await accounts.listMovements({ accountId: id, before: readMoment(query.get('before')) });
    },
  },
  { method: 'GET', path: '/admin/invoices', answer: ({ accounts }) => accounts.listInvoices() },
  {
    method: 'GET',
    path: '/admin/invoices/:number/pdf',
    async answer({ accounts, parameters: [number = ''] }) {
      const invoice = (await accounts.listInvoices()).find((one) => String(one.number) === number);
      if (invoice === undefined) throw new AccountError('ERR_INVOICE_UNKNOWN', 'there is no invoice with this number');
      return new FileAnswer('application/pdf', await invoicePdf(invoice));
    },
  },
  {
    method: 'GET',
    path: '/admin/invoices/check',
    answer: async ({ accounts }) => ({ faults: await accounts.checkInvoices() }),
  },
  taking(Type.Object({ account: text, month: text, issuer: optionalText, customer: optionalText }), {
    method: 'POST',
    path: '/admin/invoices',
    // The invoice of a month is issued once.
    status: (answer) => ((answer as { isRepeat: boolean }).isRepeat ? 200 : 201),
    answer: ({ accounts, body: { account, month, issuer = '', customer = '' }, now }) =>
      accounts.issueInvoice({ account, month, issuer, customer, now: now() }),
  }),
  { method: 'GET', path: '/admin/nodes', answer: async ({ views }) => views?.nodes() ?? [] },
  { method: 'GET', path: '/admin/models', answer: async ({ views }) => views?.models() ?? [] },
  taking(Type.Object({ id: Type.String({ minLength: 1, maxLength: 256 }) }), {
    method: 'POST',
    path: '/admin/models',
    status: (answer) => ((answer as { isNew: boolean }).isNew ? 201 : 200),
    async answer({ views, body }) {
      const { model, isNew } = await requireModels(views).loadModel(body.id);
      // Whether it is new only decides the status.
      return Object.defineProperty({ ...model }, 'isNew', { value: isNew });
    },
  }),
  {
    method: 'DELETE',
    path: '/admin/models/:id',
    answer: async ({ views, parameters: [id = ''] }) => await requireModels(views).unloadModel(id),
  },
];

/** @throws {ServerError} ERR_ROUTE_UNKNOWN */
function requireModels(views: OperatorViews | undefined): OperatorViews {
  if (views !== undefined) return views;
  throw new ServerError('ERR_ROUTE_UNKNOWN', 'this service has no models');
}

/** @throws {ServerError} ERR_REQUEST_INVALID */
function readMoment(given: string | null): number | undefined {
  if (given === null) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new ServerError('ERR_REQUEST_INVALID', '`before` must be a time in milliseconds since 1970');
}

/** `accounts` checks the values. */
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
