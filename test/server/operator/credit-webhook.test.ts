import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Accounts } from '../../../accounts/store.ts';
import { creditWebhookHandler, readWebhookSecrets } from '../../../server/operator/credit-webhook.ts';
import { describeStores, makeAccount, noon } from '../../support/accounts/account-stores.ts';

const secret = 'whsec_0123456789abcdef';
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(accounts: Pick<Accounts, 'credit'>, now = () => noon): Promise<string> {
  const handle = creditWebhookHandler({ accounts, secrets: [secret], now });
  const server = createServer(async (request, response) => {
    if (!(await handle(request, response))) response.writeHead(418).end();
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/credits`;
}

/** As Stripe sends it, with members that are not read. */
function event(session: object = {}, head: object = {}): string {
  const object = {
    id: 'cs_test_1',
    object: 'checkout.session',
    amount_total: 2500,
    client_reference_id: 'acme',
    currency: 'usd',
    customer_email: null,
    metadata: {},
    payment_status: 'paid',
    ...session,
  };
  const type = 'checkout.session.completed';
  return JSON.stringify({ id: 'evt_1', object: 'event', api_version: '2025-09-30', type, data: { object }, ...head });
}

const signatureOf = (body: string, { at = noon, key = secret } = {}) => {
  const time = Math.floor(at / 1000);
  return `t=${time},v1=${createHmac('sha256', key).update(`${time}.${body}`).digest('hex')}`;
};

async function post(url: string, body: string, signature: string | undefined = signatureOf(body)) {
  const headers = {
    'content-type': 'application/json',
    ...(signature === '' ? {} : { 'stripe-signature': signature }),
  };
  const response = await fetch(url, { method: 'POST', headers, body });
  const json = (await response.json()) as { credited?: boolean; details?: { code: string } };
  return { status: response.status, json, code: json.details?.code };
}

const credits = async (accounts: Accounts) => (await accounts.findAccount('acme')).balance.available;

describeStores('a payment webhook', (store) => {
  it('credits the account of a paid session once, however often the event comes', async () => {
    const accounts = await store.open();
    await makeAccount(accounts, { microDollars: 0 });
    const url = await serve(accounts);
    expect(await post(url, event())).toMatchObject({ status: 200, json: { received: true, credited: true } });
    expect(await post(url, event())).toMatchObject({ status: 200, json: { received: true, credited: false } });
    expect(await credits(accounts)).toBe(25_000_000);
    expect(await post(url, event({}, { id: 'evt_2' }))).toMatchObject({ json: { credited: true } });
    expect(await credits(accounts)).toBe(50_000_000);
    expect(await accounts.audit()).toMatchObject({ faults: [], sum: 0, paidIn: 50_000_000 });
  });

  it('credits once if the same event comes many times at the same moment', async () => {
    const accounts = await store.open();
    await makeAccount(accounts, { microDollars: 0 });
    const url = await serve(accounts);
    const answers = await Promise.all(Array.from({ length: 12 }, () => post(url, event())));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    expect(answers.filter(({ json }) => json.credited)).toHaveLength(1);
    expect(await credits(accounts)).toBe(25_000_000);
  });

  it('with the id of a booked event and another amount or account is a conflict', async () => {
    const accounts = await store.open();
    await makeAccount(accounts, { microDollars: 0 });
    await accounts.createAccount({ name: 'other', now: noon });
    const url = await serve(accounts);
    await post(url, event());
    for (const changed of [event({ amount_total: 2600 }), event({ client_reference_id: 'other' })])
      expect(await post(url, changed)).toMatchObject({ status: 409, code: 'ERR_REFERENCE_USED' });
    expect(await credits(accounts)).toBe(25_000_000);
  });
});

describe('a payment webhook', () => {
  const never = { credit: () => Promise.reject(new Error('must not be called')) };

  it.each([
    ['no signature', '', 'ERR_KEY_MISSING'],
    ['a signature by another secret', signatureOf(event(), { key: 'whsec_another_secret' }), 'ERR_KEY_INVALID'],
    ['a signature of another body', signatureOf(event({ amount_total: 1 })), 'ERR_KEY_INVALID'],
    ['a replayed signature', signatureOf(event(), { at: noon - 301_000 }), 'ERR_KEY_INVALID'],
    ['a signature of the future', signatureOf(event(), { at: noon + 301_000 }), 'ERR_KEY_INVALID'],
  ])('with %s credits nothing', async (_, signature, code) => {
    expect(await post(await serve(never), event(), signature)).toMatchObject({ status: 401, code });
  });

  it.each([
    ['of another type', event({}, { type: 'payment_intent.succeeded' })],
    ['of a session that is not paid yet', event({ payment_status: 'unpaid' })],
  ])('%s is accepted and credits nothing', async (_, body) => {
    expect(await post(await serve(never), body)).toMatchObject({ status: 200, json: { credited: false } });
  });

  it.each([
    ['is not JSON', '{'],
    ['has no id', event({}, { id: undefined })],
    ['has an id with other characters', event({}, { id: 'evt 1' })],
    ['has another currency', event({ currency: 'eur' })],
    ['names no account', event({ client_reference_id: null })],
    ['has a negative amount', event({ amount_total: -1 })],
    ['has a part of a cent', event({ amount_total: 0.5 })],
  ])('that %s is refused without its text', async (_, body) => {
    const answer = await post(await serve(never), body);
    expect(answer).toMatchObject({ status: 400, code: 'ERR_REQUEST_INVALID' });
    expect(JSON.stringify(answer.json)).not.toMatch(/evt 1|eur/);
  });

  it('above 256 KiB is refused before its signature is computed', async () => {
    const body = event({ description: 'x'.repeat(256 * 1024) });
    expect(await post(await serve(never), body)).toMatchObject({ status: 413, code: 'ERR_BODY_TOO_LARGE' });
  });

  it('takes only POST, on its own path', async () => {
    const url = await serve(never);
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(url.replace('credits', 'other'), { method: 'POST' })).status).toBe(418);
  });
});

describe('the file of webhook secrets', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'cloister-webhook-')), 'secret');
  const read = (content: string) => {
    writeFileSync(path, content);
    return readWebhookSecrets(path);
  };

  it('has one secret, or several while one is replaced', () => {
    expect(read(`${secret}\n`)).toEqual([secret]);
    expect(read(`${secret}\n\n${secret}2\n`)).toEqual([secret, `${secret}2`]);
  });

  it.each(['', 'short\n', `two words ${secret}`, `${secret}\n`.repeat(5)])('is refused as %j', (content) => {
    expect(() => read(content)).toThrow(/must have 1 to 4 lines/);
    expect(() => readWebhookSecrets(`${path}-absent`)).toThrow(/cannot be read \(ENOENT\)/);
  });
});
