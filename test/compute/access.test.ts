import { describe, expect, it } from 'vitest';
import { defaultLimits } from '../../compute/http/admission.ts';
import { SlidingWindows } from '../../compute/http/sliding-window.ts';
import { operationsOf } from '../../compute/routes/operations.ts';
import { computeApps } from '../support/compute/compute-app.ts';
import { hourMs } from '../support/compute/compute-world.ts';

const open = computeApps();
const pods = '/api/svc/pods';
const keyed = operationsOf({ svc: 'svc' }).filter(({ access }) => !['open', 'session', 'signed-in'].includes(access));

describe('keys and scopes', () => {
  it.each(keyed.map(({ method, path, access }) => [method, path, access] as const))(
    'C-010 to C-015 and C-028: %s %s needs a key with the scope %s',
    async (method, path, access) => {
      const app = await open();
      const url = path.replace(':id', 'some-id');
      const body = method === 'POST' ? { body: {} } : {};
      for (const key of [undefined, 'nonsense', `clst_${'A'.repeat(43)}`]) {
        const answer = await app.call(method, url, { ...body, ...(key === undefined ? {} : { key }) });
        expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
      }
      const others = ['pods', 'templates', 'ssh-keys', 'docker-credentials', 'machines', 'balance', 'inference'].filter(
        (scope) => scope !== access,
      );
      const { key } = await app.tenant('acme', { scopes: others, sshKey: false });
      expect(await app.call(method, url, { ...body, key })).toMatchObject({
        status: 403,
        body: { code: 'MISSING_SCOPE', scope: access, error: expect.stringMatching(/insufficient permissions/) },
      });
      const { secret } = await app.world.accounts.createKey({
        account: 'acme',
        name: 'one',
        scopes: [access],
        now: app.world.now,
      });
      expect((await app.call(method, url, { ...body, key: secret })).status).not.toBeOneOf([401, 403, 500]);
    },
  );

  it('C-010 leaves only the evidence and the sign-in open', () => {
    const others = operationsOf({ svc: 'svc' }).filter(({ access }) =>
      ['open', 'session', 'signed-in'].includes(access),
    );
    expect(others.map(({ access, method, path }) => `${access} ${method} ${path}`).sort()).toEqual([
      'open GET /api/attestation/evidence',
      'open GET /api/svc/session',
      'open POST /api/svc/session',
      'session DELETE /api/svc/api-keys',
      'session GET /api/svc/api-keys',
      'session POST /api/svc/api-keys',
      'signed-in DELETE /api/svc/session',
      'signed-in GET /api/svc/account',
    ]);
  });

  it('C-012 rejects a revoked key from the next request on', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    expect((await app.get(pods, { key })).status).toBe(200);
    const [{ id } = { id: '' }] = await app.world.accounts.listKeys({ account: 'acme' });
    await app.world.accounts.revokeKey(id, { now: app.world.now });
    expect((await app.get(pods, { key })).status).toBe(401);
  });

  it('C-098 checks the key before the scope, the body and everything else', async () => {
    const app = await open();
    const headers = { 'content-type': 'application/json' };
    expect((await app.call('POST', pods, { headers, body: {} })).status).toBe(401);
    const { key } = await app.tenant('acme', { scopes: ['balance'], sshKey: false });
    expect((await app.call('POST', pods, { key, body: {} })).status).toBe(403);
  });
});

describe('errors', () => {
  it('C-020 and C-023 have one envelope', async () => {
    const app = await open();
    const { body } = await app.get(pods);
    expect(body).toEqual({
      success: false,
      error: expect.any(String),
      message: body.error,
      code: 'INVALID_API_KEY',
      status: 401,
      status_code: 401,
      timestamp: new Date(app.world.now).toISOString(),
    });
  });

  it.each([
    ['C-026', '{', 'application/json', 400],
    ['C-026', '[]', 'application/json', 400],
    ['C-026', '"text"', 'application/json', 400],
    ['C-026', undefined, undefined, 400],
    ['C-002', 'a=b', 'application/x-www-form-urlencoded', 415],
    ['C-026', `{"name":"${'x'.repeat(300_000)}"}`, 'application/json', 413],
  ])('%s: rejects the body %# with a JSON error', async (_row, payload, type, status) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const headers = { 'x-api-key': key, ...(type === undefined ? {} : { 'content-type': type }) };
    const answer = await app.app.inject({
      method: 'POST',
      url: pods,
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ success: false, status_code: status });
  });

  it('C-033 reveal nothing internal', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    await app.world.store.db.schema.dropTable('compute_pods').execute();
    const answer = await app.get(pods, { key });
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } });
    expect(JSON.stringify(answer.body)).not.toMatch(/compute_pods|sqlite|at /i);
  });

  it('answer 404 at unknown paths, and point to the API description', async () => {
    const app = await open();
    expect(await app.get('/api/svc/nothing')).toMatchObject({
      status: 404,
      body: { error: expect.stringMatching(/openapi/) },
    });
  });
});

describe('limits', () => {
  it('C-039 reject the 11th request of an address to an endpoint with 429', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const ask = () => app.call('GET', pods, { key, ip: '192.0.2.1' });
    for (let count = 1; count <= 10; count++) {
      expect((await ask()).headers).toMatchObject({
        'x-ratelimit-limit': '10',
        'x-ratelimit-remaining': String(10 - count),
      });
    }
    const refused = await ask();
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers['retry-after']).toBe('10');
    expect(refused.headers['x-ratelimit-reset']).toBe(String(app.world.now / 1000 + 10));
    expect((await app.call('GET', '/api/svc/balance', { key, ip: '192.0.2.1' })).status).toBe(200);
    expect((await app.call('GET', pods, { key, ip: '192.0.2.2' })).status).toBe(200);
    app.world.sleep(10_000);
    expect((await ask()).status).toBe(200);
  });

  it('C-043 never reject a client that polls every ten seconds', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    for (let polls = 0; polls < 400; polls++) {
      expect((await app.call('GET', pods, { key, ip: '192.0.2.1' })).status).toBe(200);
      app.world.sleep(10_000);
    }
  });

  it('C-040 are 1,000 an hour per account and 100 a minute per address without a key', async () => {
    expect(defaultLimits).toMatchObject({
      perAccount: { limit: 1_000, windowMs: hourMs },
      keyless: { limit: 100, windowMs: 60_000 },
    });
    const few = { limit: 3, windowMs: 60_000 };
    const app = await open({ limits: { ...defaultLimits, perAccount: few, keyless: few } });
    const { key } = await app.tenant('acme', { sshKey: false });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count++) statuses.push((await app.get(pods, { key })).status);
    for (let count = 0; count < 4; count++) {
      statuses.push((await app.call('GET', '/api/attestation/evidence', { ip: '192.0.2.9' })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 200, 200, 200, 429]);
    // The limit covers all endpoints, and other accounts are unaffected.
    expect((await app.get('/api/svc/balance', { key })).status).toBe(429);
    const other = await app.tenant('other', { sshKey: false });
    expect((await app.get(pods, other)).status).toBe(200);
    expect((await app.call('GET', '/api/attestation/evidence', { ip: '192.0.2.8' })).status).toBe(200);
  });

  it('C-041 are 10 creations a minute per account over all endpoints', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.fateOf = (call) => (call === 'create' ? 'refused' : 'done');
    const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };
    const vm = { name: 'vm', resource_name: 'h100-tdx' };
    const instance = { gpu_type: 'A6000', gpu_count: 1, region: 'NO', image: 'debian' };
    const deploy = (count: number, tenant: { key: string }) =>
      count % 2 === 0
        ? app.call('POST', pods, { ...tenant, body: standard })
        : app.call('POST', '/api/confidential/vm/deploy', { ...tenant, body: vm });
    const statuses: number[] = [];
    for (let count = 0; count < 11; count++) statuses.push((await deploy(count, { key })).status);
    expect(statuses).toEqual([...Array(10).fill(502), 429]);
    expect(await app.call('POST', '/v1/compute/instances', { key, body: instance })).toMatchObject({
      status: 429,
      body: { charged: false },
      headers: { 'retry-after': '60', 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': '0' },
    });
    const { key: other } = await app.tenant('other');
    expect((await deploy(0, { key: other })).status).toBe(502);
    app.world.sleep(60_000);
    expect((await deploy(0, { key })).status).toBe(502);
  });

  it.each<[what: string, micro: number, body: object, status: number]>([
    ['a wrong body', 50_000_000, {}, 400],
    ['an unknown machine', 50_000_000, { provider: 'standard', name: 'pod', machine_id: 'm-9' }, 404],
    ['too little money', 0, { provider: 'standard', name: 'pod', machine_id: 'm-1' }, 402],
    ['no free machine', 50_000_000, { provider: 'standard', name: 'pod', machine_id: 'm-2' }, 409],
  ])('C-041 do not count a deploy that is rejected for %s', async (_what, micro, body, status) => {
    const app = await open();
    const { key } = await app.tenant('acme', { micro });
    const taken = { provider: 'standard', name: 'pod', machine_id: 'm-2' };
    expect((await app.call('POST', pods, { ...(await app.tenant('other')), body: taken })).status).toBe(201);
    for (let count = 0; count < 11; count++) {
      expect((await app.call('POST', pods, { key, body })).status).toBe(status);
    }
  });

  it('C-044 use forwarding headers of trusted peers only', async () => {
    const app = await open({ trustedProxies: ['192.0.2.100'] });
    const remaining = async (ip: string, forwarded: string) =>
      (await app.call('GET', '/api/attestation/evidence', { ip, headers: { 'x-forwarded-for': forwarded } })).headers[
        'x-ratelimit-remaining'
      ];
    expect(await remaining('192.0.2.100', '198.51.100.1')).toBe('9');
    expect(await remaining('192.0.2.100', '198.51.100.2')).toBe('9');
    expect(await remaining('192.0.2.50', '198.51.100.3')).toBe('9');
    expect(await remaining('192.0.2.50', '198.51.100.4')).toBe('8');
  });

  it('keep a bounded number of keys and evict the least recently used', () => {
    const windows = new SlidingWindows({ limit: 1, windowMs: 1_000 });
    for (let key = 0; key <= 20_000; key++) windows.take(String(key), 0);
    expect(windows.take('20000', 0).isRefused).toBe(true);
    expect(windows.take('0', 0).isRefused).toBe(false);
  });
});
