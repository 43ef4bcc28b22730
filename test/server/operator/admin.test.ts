import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../../accounts/store.ts';
import { adminHandler, readAdminToken } from '../../../server/operator/admin.ts';
import { adminRoutes } from '../../../server/operator/admin-routes.ts';
import { buildAdminDocument, undescribedAdminRoutes } from '../../../server/operator/openapi.ts';
import { halfUsed, noon, requestOf } from '../../support/accounts/account-stores.ts';
import { type Document, gapsOf, operationsOf } from '../../support/openapi.ts';

const token = 't'.repeat(43);
let accounts: AccountStore;
let server: Server;
let base: string;

beforeAll(async () => {
  accounts = await openAccountStore(':memory:', { clock: () => noon });
  const handle = adminHandler({ accounts, access: { token, byCertificate: false }, now: () => noon });
  server = createServer(async (request, response) => {
    if (!(await handle(request, response))) response.writeHead(418).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await accounts.close();
});

async function call(line: string, body?: unknown, authorization = `Bearer ${token}`) {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(base + path, {
    method,
    headers: authorization === '' ? {} : { authorization },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text), headers: response.headers };
}

describe('the admin API', () => {
  it('accepts only its token', async () => {
    await accounts.createAccount({ name: 'acme', now: noon });
    const { secret } = await accounts.createKey({ account: 'acme', name: 'key', now: noon });
    const answers = await Promise.all(
      ['', 'Basic x', 'Bearer wrong', `Bearer ${secret}`, `Bearer ${token}x`].map((authorization) =>
        call('GET /admin/accounts', undefined, authorization),
      ),
    );
    expect(answers.map(({ status, json }) => [status, json.details.code])).toEqual([
      [401, 'ERR_KEY_MISSING'],
      [401, 'ERR_KEY_MISSING'],
      [401, 'ERR_KEY_INVALID'],
      [401, 'ERR_KEY_INVALID'],
      [401, 'ERR_KEY_INVALID'],
    ]);
  });

  it('publishes a complete description of every route, without a token', async () => {
    const { status, json } = await call('GET /admin/openapi.json', undefined, '');
    expect(status).toBe(200);
    expect(undescribedAdminRoutes()).toEqual([]);
    const described = operationsOf(json).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
    const routes = adminRoutes.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(described.sort()).toEqual(routes.sort());
    expect(gapsOf(json)).toEqual([]);
    expect(buildAdminDocument().unused).toEqual([]);
    expect((await call('POST /admin/openapi.json', {}, '')).status).toBe(401);
  });

  it('answers in the described form', async () => {
    const { json: document } = await call('GET /admin/openapi.json', undefined, '');
    await accounts.createAccount({ name: 'shape', now: noon });
    await call('POST /admin/accounts/shape/credits', { dollars: '1', reference: 'shape' });
    await call('POST /admin/keys', { account: 'shape', name: 'robot' });
    await call('POST /admin/invoices', { account: 'shape', month: '2020-01' });
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', ...document });
    const reads = operationsOf(document as Document).filter(({ method }) => method === 'get');
    for (const { path, operation } of reads) {
      if (path.endsWith('/pdf')) continue;
      const url = path.replace('{name}', 'shape').replace('{id}', 'free');
      const { status, json } = await call(`GET ${url}`);
      expect({ url, status }).toEqual({ url, status: 200 });
      const schema = operation.responses[200]!.content!['application/json']!.schema;
      const name = String((schema.$ref ?? (schema.items as { $ref: string }).$ref) as string)
        .split('/')
        .at(-1)!;
      const known = Object.keys(document.components.schemas[name].properties);
      const isValid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
      expect(isValid(json), `${url}: ${JSON.stringify(isValid.errors)}`).toBe(true);
      const fields = [json].flat().flatMap((one) => Object.keys(one));
      expect({ url, unknown: fields.filter((field) => !known.includes(field)) }).toEqual({ url, unknown: [] });
    }
    await accounts.closeAccount({ account: 'shape', now: noon });
  });

  it('answers an invoice as PDF, and 404 for a number without an invoice', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${base}/admin/invoices/1/pdf`, { headers });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toMatch(/^%PDF-1\.\d\n/);
    const unknown = await call('GET /admin/invoices/99/pdf');
    expect([unknown.status, unknown.json.details.code]).toEqual([404, 'ERR_INVOICE_UNKNOWN']);
    expect((await call('GET /admin/invoices/1/pdf', undefined, '')).status).toBe(401);
  });

  it('does not handle other paths', async () => {
    expect((await call('GET /metrics')).status).toBe(418);
    expect((await call('GET /administration')).status).toBe(418);
  });

  it('creates, credits, changes and closes accounts', async () => {
    const made = await call('POST /admin/accounts', { name: 'Umbrella & Söhne', plan: 'pro' });
    expect([made.status, made.json.plan]).toEqual([201, 'pro']);
    const path = `/admin/accounts/${encodeURIComponent('Umbrella & Söhne')}`;
    const credited = await call(`POST ${path}/credits`, { dollars: '12.50', reference: 'i1' });
    expect([credited.status, credited.json.balance.available]).toEqual([201, 12_500_000]);
    expect(credited.json.alreadyBooked).toBe(false);
    const again = await call(`POST ${path}/credits`, { dollars: '12.50', reference: 'i1' });
    expect([again.status, again.json.alreadyBooked, again.json.balance.available]).toEqual([200, true, 12_500_000]);
    expect((await call(`PUT ${path}/plan`, { plan: 'team' })).json.plan).toBe('team');
    expect((await call(`GET ${path}`)).json).toMatchObject({ planInForce: { requestsPerMinute: 300 }, running: 0 });
    expect((await call(`DELETE ${path}`)).json.closedAt).toBe(noon);
    expect((await call('GET /admin/accounts')).json).toHaveLength(3);
  });

  it('creates and revokes keys', async () => {
    const made = await call('POST /admin/keys', { account: 'acme', name: 'robot', scopes: ['inference'] });
    expect(made.status).toBe(201);
    const caller = accounts.findCaller(made.json.secret)!;
    expect(caller.scopes).toEqual(['inference']);
    expect((await call('GET /admin/keys?account=acme')).json.at(-1)).not.toHaveProperty('secret');
    expect((await call(`DELETE /admin/keys/${made.json.id}`)).json.revokedAt).toBe(noon);
    expect(accounts.findCaller(made.json.secret)).toBeUndefined();
  });

  it('changes plans, where null means unlimited', async () => {
    const changed = await call('PATCH /admin/plans/free', { requestsPerDay: null, requestsPerMinute: 5 });
    expect(changed.json).toMatchObject({ requestsPerMinute: 5, contextTokensMax: 40_960 });
    expect(changed.json).not.toHaveProperty('requestsPerDay');
    expect((await call('GET /admin/plans/free')).json).toEqual(changed.json);
    expect((await call('GET /admin/plans')).json).toHaveLength(8);
  });

  it('creates a plan with POST and changes an existing one with PATCH', async () => {
    const made = await call('POST /admin/plans', { id: 'campus', requestsPerMinute: 5 });
    expect([made.status, made.json]).toMatchObject([201, { id: 'campus', title: 'campus', requestsPerMinute: 5 }]);
    const again = await call('POST /admin/plans', { id: 'campus' });
    expect([again.status, again.json.details.code]).toEqual([409, 'ERR_PLAN_EXISTS']);
    const typo = await call('PATCH /admin/plans/campsu', { requestsPerMinute: 6 });
    expect([typo.status, typo.json.details.code]).toEqual([404, 'ERR_PLAN_UNKNOWN']);
    expect(typo.json.error).toContain('these exist: campus, developer');
  });

  it('refunds a request and audits the ledger', async () => {
    await accounts.createAccount({ name: 'beta', plan: 'operator', now: noon });
    await accounts.credit({ account: 'beta', microDollars: 100, now: noon });
    const { secret } = await accounts.createKey({ account: 'beta', name: 'key', now: noon });
    const admission = await accounts.admit(requestOf(accounts.findCaller(secret)!, { requestId: 'bad-answer' }));
    await admission.settle(halfUsed);
    const refunded = await call('POST /admin/refunds', { request_id: 'bad-answer' });
    expect([refunded.status, refunded.json.balance.available]).toEqual([201, 100]);
    expect((await call('GET /admin/audit')).json).toMatchObject({ sum: 0, faults: [] });
  });

  it.each([
    ['GET /admin/nothing', undefined, 404, 'ERR_ROUTE_UNKNOWN'],
    ['GET /admin/accounts/%ff', undefined, 404, 'ERR_ROUTE_UNKNOWN'],
    ['GET /admin/accounts/nobody', undefined, 404, 'ERR_ACCOUNT_UNKNOWN'],
    ['PUT /admin/accounts', '{}', 405, 'ERR_METHOD_NOT_ALLOWED'],
    ['POST /admin/accounts', 'nonsense', 400, 'ERR_REQUEST_INVALID'],
    ['POST /admin/accounts', '{}', 400, 'ERR_REQUEST_INVALID'],
    ['POST /admin/accounts', `"${'x'.repeat(70_000)}"`, 413, 'ERR_BODY_TOO_LARGE'],
    ['POST /admin/accounts', { name: 'acme' }, 409, 'ERR_ACCOUNT_EXISTS'],
    ['POST /admin/accounts', { name: 'x', plan: 'gold' }, 404, 'ERR_PLAN_UNKNOWN'],
    ['POST /admin/accounts/acme/credits', { dollars: '-5' }, 400, 'ERR_AMOUNT_INVALID'],
    ['POST /admin/keys', { account: 'nobody', name: 'x' }, 404, 'ERR_ACCOUNT_UNKNOWN'],
    ['POST /admin/keys', { account: 'acme', name: 'x', scopes: ['fly'] }, 400, 'ERR_SCOPE_INVALID'],
    ['PATCH /admin/plans/free', {}, 400, 'ERR_REQUEST_INVALID'],
    ['PATCH /admin/plans/free', { title: null }, 400, 'ERR_PLAN_INVALID'],
  ])('answers %s with %j with %i %s', async (line, body, status, code) => {
    const answer = await call(line, body);
    expect([answer.status, answer.json.details.code]).toEqual([status, code]);
  });
});

describe('the admin token', () => {
  it('is created once, readable only by its owner', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'cloister-admin-')), 'admin-token');
    const made = readAdminToken(path);
    expect(made).toMatch(/^[\w-]{43}$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readAdminToken(path)).toBe(made);
    expect(readFileSync(path, 'utf8')).toBe(`${made}\n`);
  });

  it('is rejected if it is too short', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'cloister-admin-')), 'admin-token');
    writeFileSync(path, 'secret\n');
    expect(() => readAdminToken(path)).toThrow(expect.objectContaining({ code: 'ERR_START' }));
  });
});
