/** Tests rows about keys, which both surfaces share, and about configuration: plans and the model catalogue. */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parseCatalogue } from '../../models/catalogue/catalogue.ts';
import type { ServedModel } from '../../server/serving/served-model.ts';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { entry, parseChanged } from '../support/models/catalogue-entry.ts';
import { FakeEmbeddingEngine } from '../support/runtime/fake-embedding-engine.ts';
import { FakeEngine } from '../support/runtime/fake-engine.ts';
import { startConfidentialApp } from '../support/server/confidential-app.ts';
import { chatBody, modelId, startTestApp, type TestApp, terms } from '../support/server/test-app.ts';

const openCompute = computeApps();
const servers: TestApp[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function start(...options: Parameters<typeof startTestApp>): Promise<TestApp> {
  const server = await startTestApp(...options);
  servers.push(server);
  return server;
}

function twoModels(): ReadonlyMap<string, ServedModel> {
  const served = { created: 1, fingerprint: 'fp', terms };
  const models: readonly ServedModel[] = [
    { kind: 'chat', id: modelId, engine: new FakeEngine(answering), ...served },
    { kind: 'embedding', id: 'embedding-TEE', engine: new FakeEmbeddingEngine(), embedding: {}, ...served },
  ];
  return new Map(models.map((model) => [model.id, model]));
}

const answering = { script: (chat: { answer(text: string): unknown }) => void chat.answer('yes') };

describe('a key', () => {
  /** Both services on the same accounts. */
  async function both() {
    const compute = await openCompute();
    const server = await start({ ...answering, overrides: { accounts: compute.world.accounts } });
    const statuses = async (key: string) => [
      (await server.post(chatBody(), { authorization: `Bearer ${key}` })).status,
      (await compute.get('/api/svc/balance', { key })).status,
    ];
    return { compute, statuses };
  }

  async function signIn(compute: ComputeApp, accountId: string): Promise<Record<string, string>> {
    const { secret } = await compute.world.accounts.makeLoginLink({ accountId, now: compute.world.now });
    const { headers } = await compute.get(`/api/svc/session?token=${secret}`);
    return { cookie: String(headers['set-cookie']).split(';')[0]!, origin: 'https://web.example' };
  }

  it('I-059: works on the inference and on the compute surface', async () => {
    const { compute, statuses } = await both();
    const { key } = await compute.tenant('acme');
    expect(await statuses(key)).toEqual([200, 200]);
  });

  it('I-057 and I-058: a key is accepted by the compute shortcut in either header, and rejected together with a different one', async () => {
    const { compute } = await both();
    const { key } = await compute.tenant('acme');
    const { key: other } = await compute.tenant('other');
    const status = async (headers: Record<string, string>) =>
      (await compute.call('POST', '/v1/compute/instances', { headers, body: {} })).status;
    const [own, bearer] = [{ 'x-service-key': key }, { authorization: `Bearer ${key}` }];
    expect([await status(own), await status(bearer), await status({ ...own, ...bearer })]).toEqual([400, 400, 400]);
    for (const first of [own, bearer, { 'x-api-key': key }]) {
      const second = 'authorization' in first ? { 'x-service-key': other } : { authorization: `Bearer ${other}` };
      expect(await status({ ...first, ...second })).toBe(401);
    }
  });

  it('I-063: is shown once by the dashboard, and revoked there with immediate effect on both surfaces', async () => {
    const { compute, statuses } = await both();
    const { accountId } = await compute.tenant('acme');
    const headers = await signIn(compute, accountId);
    const { body } = await compute.call('POST', '/api/svc/api-keys', { headers, body: { name: 'ci' } });
    expect(await statuses(body.key)).toEqual([200, 200]);
    const list = await compute.call('GET', '/api/svc/api-keys', { headers });
    expect(JSON.stringify(list.body)).toContain(body.id);
    expect(JSON.stringify(list.body)).not.toContain(body.key);
    await compute.call('DELETE', `/api/svc/api-keys?id=${body.id}`, { headers });
    expect(await statuses(body.key)).toEqual([401, 401]);
  });
});

describe('without a key', () => {
  /** The endpoints, of the evidence and of the nodes to verify, that a tenant needs before it trusts the service with its key. */
  const open = ['get /aci/attestation', 'get /aci/channel', 'get /fleet'];

  it('I-056: no operation of the API description is answered but the evidence of the enclave', async () => {
    const app = await startConfidentialApp(answering);
    servers.push(app);
    const { text } = await app.get('/v1/openapi.json', app.secret);
    const paths: Record<string, Record<string, { security?: unknown[] }>> = JSON.parse(text).paths;
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({ name: `${method} ${path}`, method, path, security })),
    );
    expect(operations.length).toBeGreaterThanOrEqual(15);
    const described = operations.filter(({ security }) => security?.length === 0);
    // Signing in takes the key in its body.
    expect(described.map(({ name }) => name)).toEqual(['post /sessions', ...open]);
    for (const { name, method, path } of operations) {
      const url = `/v1${path.replace(/\{\w+\}/g, 'some-id')}`;
      const { statusCode } = await app.app.inject({ method: method.toUpperCase() as 'GET', url });
      expect(statusCode === 401, name).toBe(!open.includes(name));
    }
  });

  it('I-064: pages of other origins read nothing, and the README warns against keys in them', async () => {
    const { app, secret } = await start(answering);
    const headers = { authorization: `Bearer ${secret}`, origin: 'https://other.example' };
    for (const method of ['GET', 'OPTIONS'] as const) {
      const answer = await app.inject({ method, url: '/v1/models', headers });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    const warns = (sentence: string) =>
      [/\bkeys?\b/i, /browser|web page/i, /public repositor/i].every((word) => word.test(sentence));
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    expect(readme.replaceAll('\n', ' ').split('. ').filter(warns)).not.toEqual([]);
  });
});

describe('a plan', () => {
  const now = 1_800_000_000_000;
  const limits = { contextTokensMax: 1_000, requestsPerMinute: 9, requestsPerDay: 90, tokensPerMonth: 100_000 };

  it('I-080: is a row with model, context, requests per minute and day, token quota and price', async () => {
    const { accounts } = await start();
    const change = { ...limits, models: { chat: ['b-TEE'] }, pricePercent: 50, monthlyPrice: 20_000_000 };
    await accounts.createPlan({ id: 'own', change: { title: 'Own', ...change }, now });
    expect(await accounts.findPlan('own')).toMatchObject({ id: 'own', title: 'Own', ...change });
    for (const id of ['free', 'plus', 'pro', 'team-starter', 'enterprise', 'developer', 'team']) {
      expect(await accounts.findPlan(id)).toMatchObject({ id });
    }
  });

  it.each([
    ['free', [200, 429]],
    ['pro', [200, 200]],
  ])('I-078: on %s, the 100th and the 101st request of a day are answered %j', async (plan, expected) => {
    const { accounts, post, app } = await start({ ...answering, overrides: { models: twoModels() } });
    await accounts.createAccount({ name: 'own', plan, now });
    await accounts.credit({ account: 'own', microDollars: 1_000_000, reference: 'own', now });
    const { secret } = await accounts.createKey({ account: 'own', name: 'first', now });
    const ask = async () => (await post(chatBody(), { authorization: `Bearer ${secret}` })).status;
    for (let count = 1; count < 100; count++) expect(await ask()).toBe(200);
    expect([await ask(), await ask()]).toEqual(expected);
    // All models together.
    const headers = { authorization: `Bearer ${secret}` };
    const input = { model: 'embedding-TEE', input: 'a' };
    const embedding = await app.inject({ method: 'POST', url: '/v1/embeddings', headers, payload: input });
    expect(embedding.statusCode).toBe(expected[1]);
  });

  it('I-080: decides from the next request on which model answers, within which context, and what it costs', async () => {
    const engines = [new FakeEngine(answering), new FakeEngine(answering)];
    const models = engines.map((engine, index): [string, ServedModel] => [
      'ab'[index]!.concat('-TEE'),
      { kind: 'chat', id: 'ab'[index]!.concat('-TEE'), engine, created: 1, fingerprint: 'fp', terms },
    ]);
    const { accounts, post } = await start({ overrides: { models: new Map(models) } });
    const ask = async (model: string) => (await post(chatBody({ model }))).status;
    const change = { ...limits, models: { chat: ['b-TEE'] }, pricePercent: 50 };
    expect([await ask('a-TEE'), await ask('b-TEE')]).toEqual([200, 200]);
    const before = (await accounts.findAccount('tests')).balance.spent;
    await accounts.changePlan({ id: 'operator', change, now });
    expect([await ask('a-TEE'), await ask('b-TEE')]).toEqual([400, 200]);
    expect(engines[1]!.chats.at(-1)!.request.contextMax).toBe(1_000);
    // Half of five tokens of the prompt and one of the answer, rounded up.
    expect((await accounts.findAccount('tests')).balance.spent - before).toBe(4);
  });
});

describe('the catalogue', () => {
  it('I-011: refuses a model whose id does not end in -TEE', () => {
    expect(() => parseChanged({ id: 'tiny' })).toThrow('ending in "-TEE"');
    expect(parseChanged({ id: 'other-TEE' }).models).toHaveLength(1);
  });

  it.each([1, 10, 15, 40])('I-011: may have %i models, which are all listed', async (count) => {
    const ids = Array.from({ length: count }, (_, index) => `m${index}-TEE`);
    const entries = ids.map((id) => ({ ...entry, id }));
    expect(parseCatalogue(JSON.stringify({ version: 1, models: entries }), 'c.json').models).toHaveLength(count);
    const engine = new FakeEngine(answering);
    const served = { kind: 'chat', engine, created: 1, fingerprint: 'fp', terms } as const;
    const { app, secret, post } = await start({
      overrides: { models: new Map(ids.map((id): [string, ServedModel] => [id, { ...served, id }])) },
    });
    const headers = { authorization: `Bearer ${secret}` };
    const { data } = (await app.inject({ url: '/v1/models', headers })).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect((await post(chatBody({ model: ids.at(-1) }))).json().model).toBe(ids.at(-1));
    expect((await post(chatBody({ model: modelId }))).status).toBe(400);
  });
});
