/** The OpenAPI document of the operator's API: `GET /admin/openapi.json` of the admin port. It needs no token. */
import { AccountError } from '@cloister/accounts/base/errors';
import type { TObject } from 'typebox';
import { errorReply } from '../http/error-replies.ts';
import { ServerError } from '../http/errors.ts';
import { completeDocument } from '../schema/complete-document.ts';
import { text } from '../schema/members.ts';
import { Type } from '../schema/type.ts';
import { type AdminRoute, adminRoutes } from './admin-routes.ts';
import { adminAnswers, plan } from './answer-schema.ts';
import { adminFields } from './field-texts.ts';

type AnswerName = keyof typeof adminAnswers;

interface Description {
  readonly id: string;
  readonly summary: string;
  readonly answer: AnswerName | readonly [listOf: AnswerName] | typeof pdf;
  /** Statuses of successful answers; default 200. */
  readonly statuses?: readonly number[];
  /** Statuses of errors in addition to those of every route. */
  readonly errors?: readonly number[];
  readonly query?: readonly string[];
  /** Published instead of the schema that the route checks, where `accounts` checks the rest. */
  readonly body?: TObject;
}

const { id: planId, ...planFields } = plan.properties;
const planChange = Type.Partial(Type.Object(planFields));

/** Marks a route that answers with a PDF file. */
const pdf = Symbol('pdf');

/** By method and path. */
const descriptions: Readonly<Record<string, Description>> = {
  'POST /admin/drain': {
    id: 'drain',
    summary: 'Finishes the requests in flight and stops the server.',
    answer: 'Draining',
    statuses: [202],
    errors: [404],
  },
  'GET /admin/accounts': { id: 'listAccounts', summary: 'Every account with its balance.', answer: ['Account'] },
  'POST /admin/accounts': {
    id: 'createAccount',
    summary: 'Opens an account.',
    answer: 'Account',
    statuses: [201],
    errors: [404, 409],
  },
  'GET /admin/accounts/:name': {
    id: 'readAccount',
    summary: 'One account, with its plan and what it used of the limits.',
    answer: 'Standing',
    errors: [404],
  },
  'DELETE /admin/accounts/:name': {
    id: 'closeAccount',
    summary: 'Closes an account: its keys stop working, and its books stay.',
    answer: 'Account',
    errors: [404],
  },
  'PUT /admin/accounts/:name/plan': {
    id: 'moveToPlan',
    summary: 'Moves an account to another plan.',
    answer: 'Account',
    errors: [404],
  },
  'POST /admin/accounts/:name/credits': {
    id: 'credit',
    summary: 'Books a payment, once per reference.',
    answer: 'CreditedAccount',
    statuses: [200, 201],
    errors: [403, 404, 409],
  },
  'POST /admin/refunds': {
    id: 'refund',
    summary: 'Returns the price of a request to its account.',
    answer: 'Account',
    statuses: [201],
    errors: [404],
  },
  'GET /admin/keys': {
    id: 'listKeys',
    summary: 'API keys, without their secrets.',
    answer: ['Key'],
    query: ['account'],
  },
  'POST /admin/keys': {
    id: 'createKey',
    summary: 'Creates an API key. Its secret is in this answer only.',
    answer: 'CreatedKey',
    statuses: [201],
    errors: [403, 404, 409],
  },
  'DELETE /admin/keys/:id': {
    id: 'revokeKey',
    summary: 'Revokes a key from the next request.',
    answer: 'Key',
    errors: [404],
  },
  'GET /admin/plans': { id: 'listPlans', summary: 'Every plan.', answer: ['Plan'] },
  'GET /admin/plans/:id': { id: 'readPlan', summary: 'One plan.', answer: 'Plan', errors: [404] },
  'POST /admin/plans': {
    id: 'createPlan',
    summary: 'Creates a plan.',
    answer: 'Plan',
    statuses: [201],
    errors: [409],
    body: Type.Object({ id: planId, ...planChange.properties }, { required: ['id'] }),
  },
  'PATCH /admin/plans/:id': {
    id: 'changePlan',
    summary: 'Changes fields of a plan, from the next request of its accounts.',
    answer: 'Plan',
    errors: [404],
    body: planChange as TObject,
  },
  'GET /admin/audit': {
    id: 'audit',
    summary: 'Recomputes the books: every balance from the journal, the charges and the reservations.',
    answer: 'Audit',
  },
  'GET /admin/accounts/:name/movements': {
    id: 'listMovements',
    summary: 'The last 100 movements of an account without the charges of requests, newest first.',
    answer: ['Movement'],
    errors: [400, 404],
    query: ['before'],
  },
  'GET /admin/invoices': { id: 'listInvoices', summary: 'Every invoice.', answer: ['Invoice'] },
  'GET /admin/invoices/:number/pdf': {
    id: 'readInvoicePdf',
    summary: 'An invoice as PDF: the same bytes each time.',
    answer: pdf,
    errors: [400, 404],
  },
  'GET /admin/invoices/check': {
    id: 'checkInvoices',
    summary: 'Checks that no invoice is missing or was changed.',
    answer: 'Faults',
  },
  'POST /admin/invoices': {
    id: 'issueInvoice',
    summary: 'Issues the invoice of a month that is over, once.',
    answer: 'Invoice',
    statuses: [200, 201],
    errors: [404],
  },
  'GET /admin/nodes': {
    id: 'listNodes',
    summary: 'The nodes of the fleet, by their signed entries.',
    answer: ['Node'],
  },
  'GET /admin/models': { id: 'listModels', summary: 'The models of this server.', answer: ['LoadedModel'] },
  'POST /admin/models': {
    id: 'loadModel',
    summary:
      'Loads a model of the catalogue, by id or alias, and measures it before it serves. Answers when it is loaded.',
    answer: 'LoadedModel',
    statuses: [200, 201],
    errors: [404, 409],
  },
  'DELETE /admin/models/:id': {
    id: 'unloadModel',
    summary: 'Refuses new requests for a model, lets running ones finish, and frees its memory.',
    answer: 'LoadedModel',
    errors: [404, 409],
  },
};

const errors: Readonly<Record<number, readonly [description: string, error: Error]>> = {
  400: ['a field is wrong: the text names it', new ServerError('ERR_REQUEST_INVALID', '`account` must be a string')],
  401: [
    'the admin token or the certificate is missing or wrong',
    new ServerError('ERR_KEY_INVALID', 'the admin token is wrong'),
  ],
  403: ['the account is closed', new AccountError('ERR_ACCOUNT_CLOSED', 'the account is closed')],
  404: [
    'no such account, key, plan, invoice, request or model',
    new AccountError('ERR_ACCOUNT_UNKNOWN', 'no account has this name'),
  ],
  409: [
    'it exists already, or the model cannot be loaded or unloaded now',
    new AccountError('ERR_ACCOUNT_EXISTS', 'an account with this name already exists'),
  ],
  413: ['the body is larger than 64 KiB', new ServerError('ERR_BODY_TOO_LARGE', 'the request body is too large')],
  500: ['server error: retry with backoff', new Error('unexpected')],
  503: ['the database is unavailable: retry', new AccountError('ERR_STORE_UNAVAILABLE', 'the database is unavailable')],
};

const retryAfter = { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', examples: [5] } } };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ 'application/json': { schema } });
const errorBody = Type.Object({
  error: text,
  details: Type.Object({ status: Type.Integer(), endpoint: text, code: text }),
});

const nameOf = ({ method, path }: AdminRoute) => `${method} ${path}`;

function describe(route: AdminRoute) {
  const {
    id,
    summary,
    answer,
    statuses = [200],
    errors: own = [],
    query = [],
    body = route.takes,
  } = descriptions[nameOf(route)]!;
  const refused = [...(body === undefined ? [] : [400, 413]), 401, ...own, 500, 503];
  return {
    operationId: id,
    summary,
    parameters: [
      ...[...route.path.matchAll(/:(\w+)/g)].map(([, name]) => {
        return { name: name!, in: 'path', required: true, schema: { type: 'string' } };
      }),
      ...query.map((name) => ({ name, in: 'query', schema: { type: name === 'before' ? 'integer' : 'string' } })),
    ],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, { description: 'done', content: contentOf(answer) }])),
      ...Object.fromEntries(
        [...new Set(refused)].sort((a, b) => a - b).map((status) => [status, refusal(status, route)]),
      ),
    },
  };
}

function contentOf(answer: Description['answer']): object {
  if (answer === pdf) return { 'application/pdf': { schema: { type: 'string', format: 'binary' } } };
  return json(typeof answer === 'string' ? ref(answer) : { type: 'array', items: ref(answer[0]) });
}

function refusal(status: number, { path }: AdminRoute) {
  const [description, error] = errors[status]!;
  const { body } = errorReply(error, path);
  const content = { 'application/json': { schema: ref('Error'), example: body } };
  return { description, ...(status === 503 ? { headers: retryAfter } : {}), content };
}

/** Every route that has no description, and every description that has no route. */
export function undescribedAdminRoutes(): readonly string[] {
  const routes = adminRoutes.map(nameOf);
  const names = Object.keys(descriptions);
  return [...routes.filter((name) => !names.includes(name)), ...names.filter((name) => !routes.includes(name))];
}

/** The document, and texts that describe no field. */
export function buildAdminDocument() {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of adminRoutes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describe(route) };
  }
  const document = {
    openapi: '3.1.0',
    info: {
      title: "Operator's API",
      version: '1.0.0',
      description:
        'Accounts, plans, credits, keys, invoices and state of this server, on the admin port only. It has no access to the ' +
        'contents of requests. Retry 500 and 503 with exponential backoff.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { certificate: [] }],
    paths,
    components: {
      schemas: { ...adminAnswers, Error: errorBody },
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token in the file `admin-token` of the state folder.',
        },
        certificate: { type: 'mutualTLS', description: 'With `--admin-ca`: a client certificate of that authority.' },
      },
    },
  };
  return completeDocument(document, adminFields);
}
