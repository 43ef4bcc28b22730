/** Rate-limit headers of responses, and the order of checks: rows C-032, C-042 and C-098. */
import { describe, expect, it } from 'vitest';
import type { ComputeErrorCode } from '../../compute/base/errors.ts';
import { defaultLimits } from '../../compute/http/admission.ts';
import { clientNetwork } from '../../server/http/client-network.ts';
import { type Answered, computeApps } from '../support/compute/compute-app.ts';
import { newSshKey } from '../support/compute/compute-fixtures.ts';
import {
  type Ask,
  afterDeploy,
  as,
  ask,
  confidential,
  deploy,
  keyless,
  keylessAccount,
  ofPod,
  pods,
  poor,
  type Scene,
  svc,
  withFate,
} from '../support/compute/compute-scenes.ts';

const open = computeApps();

describe('C-032 returns 429 with whole seconds to wait', () => {
  const one = { limit: 1, windowMs: 7_500 };

  it.each<[limit: string, limits: object, request: Ask]>([
    [
      'of an endpoint and address',
      { perEndpoint: one },
      ({ app, key }) => app.call('GET', pods, { key, ip: '1.1.1.1' }),
    ],
    ['of an account', { perAccount: one }, ask('GET', 'balance')],
    ['without a key', { keyless: one }, ({ app }) => app.call('GET', '/api/attestation/evidence', { ip: '1.1.1.1' })],
    ['of creations', { creations: one }, withFate('create', 'refused', deploy())],
  ])('at the limit %s', async (_limit, limits, request) => {
    const app = await open({ limits: { ...defaultLimits, ...limits } });
    const { key } = await app.tenant('acme', { sshKey: 'creations' in limits });
    expect((await request({ app, key })).status).not.toBe(429);
    app.world.sleep(1_250);
    const refused = await request({ app, key });
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' }, headers: { 'retry-after': '7' } });
    expect(refused.body.error).toMatch(/7 s/);
    app.world.sleep(7_000);
    expect((await request({ app, key })).status).not.toBe(429);
  });
});

describe('an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:192.0.2.7', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['no address', 'no address'],
  ])('%s counts as %s', (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });

  it('shares the limit with other addresses of its network', async () => {
    const app = await open();
    const ask = (ip: string) => app.call('GET', '/api/attestation/evidence', { ip });
    for (let host = 1; host <= 10; host++) expect((await ask(`2001:db8::${host}`)).status).toBe(200);
    expect((await ask('2001:db8::ffff')).status).toBe(429);
    expect((await ask('2001:db8:0:1::1')).status).toBe(200);
  });
});

describe('C-042 shows the tightest limit', () => {
  const long = `pods/${'x'.repeat(300)}`;

  it.each<[status: number, request: Ask]>([
    [200, ask('GET', 'pods')],
    [201, ({ app, key }) => app.call('POST', `${svc}/ssh-keys`, { key, body: { name: 'b', public_key: newSshKey() } })],
    [400, ask('POST', 'ssh-keys')],
    [400, ask('GET', 'pods/%ff')],
    [401, keyless],
    [402, poor(deploy())],
    [403, as('narrow', { scopes: ['balance'], sshKey: false }, ask('GET', 'pods'))],
    [404, ask('GET', 'pods/x')],
    [404, ask('GET', 'nothing')],
    [404, ask('GET', long)],
    [405, ask('PUT', 'templates')],
    [413, ({ app, key }) => app.call('POST', pods, { key, body: { name: 'x'.repeat(300_000) } })],
    [501, ofPod('POST', '/stop')],
    [502, withFate('create', 'refused', deploy())],
    [503, withFate('probe', 'unreachable', ask('GET', 'machines'))],
  ])('on every answer, such as a %i (%#)', async (status, request) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await request({ app, key });
    expect(answer.status).toBe(status);
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(String(answer.headers[`x-ratelimit-${name}`]), name).toMatch(/^\d+$/);
    }
    const resetS = Number(answer.headers['x-ratelimit-reset']) - app.world.now / 1000;
    expect(resetS).toBeGreaterThan(0);
    expect(resetS).toBeLessThanOrEqual(3_600);
  });

  it('of all that apply to a request, also on paths without a route', async () => {
    const limits = { ...defaultLimits, perAccount: { limit: 2, windowMs: 60_000 } };
    const app = await open({ limits });
    const { key } = await app.tenant('acme', { sshKey: false });
    expect((await ask('GET', 'pods')({ app, key })).headers).toMatchObject({
      'x-ratelimit-limit': '2',
      'x-ratelimit-remaining': '1',
    });
    const stray = () => app.call('GET', `${svc}/pods/%ff`, { ip: '192.0.2.1' });
    for (let count = 0; count < 10; count++) expect((await stray()).status).toBe(400);
    expect(await stray()).toMatchObject({ status: 429, headers: { 'retry-after': '10' } });
  });
});

describe('C-098 checks in this order', () => {
  const nothingLeft = { micro: 0, sshKey: true };

  it.each<[what: string, request: (scene: Scene) => Promise<Answered>, code: ComputeErrorCode]>([
    ['the key before the body', ({ app }) => app.call('POST', pods, { key: 'x', body: {} }), 'INVALID_API_KEY'],
    ['the scope before the body', as('a', { scopes: ['ssh-keys'] }, deploy({ name: 1 })), 'MISSING_SCOPE'],
    ['the body before the SSH key', keylessAccount(deploy({ colour: 1 })), 'INVALID_REQUEST'],
    ['the SSH key before the machine', keylessAccount(deploy({ machine_id: 'x' })), 'SSH_KEY_REQUIRED'],
    ['the machine before the balance', as('a', nothingLeft, deploy({ machine_id: 'x' })), 'MACHINE_NOT_FOUND'],
    ['the balance before the claim', afterDeploy(as('a', nothingLeft, deploy())), 'INSUFFICIENT_BALANCE'],
    ['the body before the SSH key of a VM', keylessAccount(deploy({ a: 1 }, confidential)), 'INVALID_REQUEST'],
    ['the SSH key before the tier', keylessAccount(deploy({ resource_name: 'x' }, confidential)), 'SSH_KEY_REQUIRED'],
    [
      'the tier before the balance',
      as('a', nothingLeft, deploy({ resource_name: 'x' }, confidential)),
      'MACHINE_NOT_FOUND',
    ],
    [
      'the balance before the claim of a VM',
      async (scene) => {
        for (const name of ['vm-1', 'vm-2']) expect((await deploy({ name }, confidential)(scene)).status).toBe(200);
        return await as('a', nothingLeft, deploy({}, confidential))(scene);
      },
      'INSUFFICIENT_BALANCE',
    ],
  ])('%s', async (_what, request, code) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    expect((await request({ app, key })).body.code).toBe(code);
  });
});
