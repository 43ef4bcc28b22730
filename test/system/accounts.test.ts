/** Billing and limits on the real server, as seen by a tenant and an operator. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Audit } from '../../accounts/ledger/audit.ts';
import type { Standing } from '../../accounts/store.ts';
import { type PostgresServer, startPostgres } from '../support/accounts/postgres.ts';
import { RunningServer, startServer } from '../support/server/server.ts';

const model = 'cloister-demo-TEE';
const messages = [{ role: 'user' as const, content: 'What can you do for me?' }];

let server: RunningServer;
afterEach(() => server?.stop());

interface UsageRow {
  readonly price_micro_dollars: number;
  readonly statement: { readonly day: string; readonly root: string };
}

interface Secret {
  readonly id: string;
  readonly secret: string;
}

/** The operator's API, with the token from the state folder. */
async function admin<Answer>(line: string, body?: object): Promise<{ status: number; json: Answer }> {
  const [method = '', path = ''] = line.split(' ');
  const token = readFileSync(join(server.stateDir, 'admin-token'), 'utf8').trim();
  const response = await fetch(new URL(path, server.listening.metricsUrl), {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Answer };
}

async function get<Answer>(path: string): Promise<Answer> {
  const { baseUrl, apiKey } = server.listening;
  const response = await fetch(`${baseUrl}${path}`, { headers: { authorization: `Bearer ${apiKey}` } });
  return (await response.json()) as Answer;
}

describe('accounts', () => {
  it('link a response to its usage row, its price and the day’s statement', async () => {
    server = await startServer();
    const before = (await get<{ balance_micro_dollars: number }>('/balance')).balance_micro_dollars;
    expect(before).toBe(100_000_000);
    const answer = await server.post('/chat/completions', { model, messages, max_tokens: 12 });
    const { usage } = (await answer.json()) as OpenAI.ChatCompletion;
    const row = await get<UsageRow>(`/usage/requests/${answer.headers.get('x-request-id')}`);
    const { prompt_tokens, completion_tokens } = usage!;
    const price = Math.ceil((prompt_tokens * 100_000 + completion_tokens * 200_000) / 1_000_000);
    expect(row).toMatchObject({ model, prompt_tokens, completion_tokens, price_micro_dollars: price });
    expect(await get('/balance')).toMatchObject({ balance_micro_dollars: before - price, held_micro_dollars: 0 });
    const { root } = await get<{ root: string }>(`/usage/statements/${row.statement.day}`);
    expect(root).toBe(row.statement.root);
  });

  it('can be changed by the operator without a restart, which clients see in responses', async () => {
    server = await startServer();
    const { baseUrl } = server.listening;
    await admin('POST /admin/accounts', { name: 'acme', plan: 'developer' });
    expect((await admin('POST /admin/accounts/acme/credits', { dollars: '0.5' })).status).toBe(201);
    const { json: key } = await admin<Secret>('POST /admin/keys', { account: 'acme', name: 'laptop' });
    const client = new OpenAI({ baseURL: baseUrl, apiKey: key.secret, maxRetries: 0 });
    const ask = () => client.chat.completions.create({ model, messages, max_tokens: 2 }).withResponse();
    const { response } = await ask();
    expect(response.headers.get('x-ratelimit-limit-requests')).toBe('60');
    await admin('PATCH /admin/plans/developer', { requestsPerMinute: 1 });
    await expect(ask()).rejects.toMatchObject({ status: 429 });
    await admin('PATCH /admin/plans/developer', { requestsPerMinute: null, models: { chat: [] } });
    await expect(ask()).rejects.toMatchObject({ status: 400 });
    await admin(`DELETE /admin/keys/${key.id}`);
    await expect(ask()).rejects.toMatchObject({ status: 401 });
    expect((await admin('GET /admin/audit')).json).toMatchObject({ sum: 0, faults: [] });
  });

  it('are exact to the micro-dollar after SIGKILL during a hundred streams', async () => {
    const flags = ['--sequences', '16', '--context', '512'];
    server = await startServer(flags);
    const ended: string[] = [];
    const stream = async (index: number) => {
      const body = { model, messages, stream: true, max_tokens: 4 + 4 * index, temperature: 2, seed: index };
      const answer = await server.post('/chat/completions', body);
      const text = await answer.text();
      if (text.includes('[DONE]')) ended.push(answer.headers.get('x-request-id')!);
    };
    const streams = Array.from({ length: 100 }, (_, index) => stream(index).catch(() => undefined));
    await expect.poll(() => ended.length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(5);
    await server.signalAndWait('SIGKILL');
    await Promise.all(streams);
    expect(ended.length).toBeLessThan(100);

    server = await new RunningServer(flags, { stateDir: server.stateDir }).ready();
    const { json: audit } = await admin<Audit>('GET /admin/audit');
    expect(audit).toMatchObject({ sum: 0, faults: [], paidIn: 100_000_000 });
    expect(audit.available + audit.held + audit.spent).toBe(audit.paidIn);
    for (const id of ended)
      expect((await get<UsageRow>(`/usage/requests/${id}`)).price_micro_dollars).toBeGreaterThan(0);
    const { data } = await get<{ data: UsageRow[] }>('/usage');
    expect(data.map(({ price_micro_dollars }) => price_micro_dollars)).toEqual([audit.spent]);
    expect((await server.post('/chat/completions', { model, messages, max_tokens: 2 })).status).toBe(200);
  });
});

const started = startPostgres();
if ('missing' in started) console.warn(`PostgreSQL is skipped: ${started.missing}`);

describe.skipIf('missing' in started)('a server on a shared database', () => {
  const postgres = started as PostgresServer;
  let url: string;
  beforeAll(async () => {
    url = await postgres.emptyDatabase();
  });
  afterAll(() => postgres.remove());

  it('creates no account or key by itself, and accepts those of the operator', async () => {
    server = await startServer(['--database-url', url]);
    expect(server.listening.apiKey).toBeUndefined();
    await admin('POST /admin/accounts', { name: 'acme', plan: 'pro' });
    await admin('POST /admin/accounts/acme/credits', { dollars: '1' });
    const { json: key } = await admin<Secret>('POST /admin/keys', { account: 'acme', name: 'laptop' });
    const client = new OpenAI({ baseURL: server.listening.baseUrl, apiKey: key.secret, maxRetries: 0 });
    const { usage } = await client.chat.completions.create({ model, messages, max_tokens: 4 });
    const { json: standing } = await admin<Standing>('GET /admin/accounts/acme');
    expect(standing.balance.spent).toBe(Math.ceil((usage!.prompt_tokens * 1 + usage!.completion_tokens * 2) / 10));
    postgres.stop();
    const away = client.chat.completions.create({ model, messages, max_tokens: 4 });
    await expect(away).rejects.toMatchObject({ status: 503 });
    postgres.start();
    const ask = () =>
      client.chat.completions.create({ model, messages, max_tokens: 4 }).then(
        () => true,
        () => false,
      );
    await expect.poll(ask, { timeout: 30_000, interval: 250 }).toBe(true);
  });
});
