/** Error responses of the operator's API repeat no text of the request. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../accounts/store.ts';
import { adminHandler } from '../../server/operator/admin.ts';
import { adminRoutes } from '../../server/operator/admin-routes.ts';
import { noon } from '../support/accounts/account-stores.ts';
import { expectNoEcho } from '../support/server/echo-probe.ts';

const token = 't'.repeat(43);
const bodies: Readonly<Record<string, object>> = {
  '/admin/accounts': { name: 'new', plan: 'operator' },
  '/admin/accounts/:name/plan': { plan: 'operator' },
  '/admin/accounts/:name/credits': { dollars: '5', reference: 'first' },
  '/admin/refunds': { request_id: 'none' },
  '/admin/keys': { account: 'acme', name: 'key', scopes: ['chat'], expiresAt: 0 },
  '/admin/plans': {
    ...{ id: 'gold', title: 'Gold', description: 'All.', models: ['*'], contextTokensMax: 1, requestsPerMinute: 1 },
    ...{
      requestsPerDay: 1,
      tokensPerMonth: 1,
      concurrentRequestsMax: 1,
      pricePercent: 1,
      monthlyPrice: 1,
      priority: 1,
    },
  },
  '/admin/invoices': { account: 'acme', month: '2026-10', issuer: 'us', customer: 'them' },
  '/admin/plans/:id': { title: 'Gold', requestsPerMinute: null },
};

let accounts: AccountStore;
let server: Server;
let base: string;
beforeAll(async () => {
  accounts = await openAccountStore(':memory:', { clock: () => noon });
  await accounts.createAccount({ name: 'acme', now: noon });
  const handle = adminHandler({ accounts, access: { token, byCertificate: false }, now: () => noon });
  server = createServer(async (request, response) => void (await handle(request, response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await accounts.close();
});

it.each(adminRoutes)(
  'the error response of $method $path repeats no text of the request',
  async ({ method, path, takes }) => {
    const parameters = path.split('/').filter((part) => part.startsWith(':'));
    const request = {
      path: Object.fromEntries(parameters.map((name) => [name, 'acme'])),
      query: { account: 'acme' },
      ...(takes === undefined ? {} : { body: bodies[path] }),
    };
    await expectNoEcho({ request, send: (changed) => send({ method, path }, changed), traces: () => '', numRuns: 60 });
  },
);

async function send({ method, path }: { method: string; path: string }, request: unknown) {
  const { path: given, query, body } = (request ?? {}) as { path?: unknown; query?: unknown; body?: unknown };
  const names = (typeof given === 'object' ? given : {}) as Record<string, unknown>;
  const filled = path.replaceAll(/:\w+/g, (name) => encodeURIComponent(String(names[name] ?? given)));
  const response = await fetch(`${base}${filled}?${new URLSearchParams({ account: JSON.stringify(query) })}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}
