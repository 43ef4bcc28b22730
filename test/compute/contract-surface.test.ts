/** The paths of the service, the kinds of pod, and the features it does not offer: rows C-001 to C-009, C-025, C-059, C-156. */
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../compute/http/operation.ts';
import { parseInventory } from '../../compute/inventory/configuration.ts';
import { operationsOf } from '../../compute/routes/operations.ts';
import { computeApps } from '../support/compute/compute-app.ts';
import { inventoryFile, standardMachine } from '../support/compute/compute-fixtures.ts';
import { confidential, pods, standard, svc } from '../support/compute/compute-scenes.ts';

const open = computeApps();
const operations = operationsOf({ svc: 'svc' });
const named = (one: Operation): [string, Operation] => [`${one.method} ${one.path}`, one];
/** Lives on the inference surface, whose paths do have a version (I-065). */
const shortcut = '/v1/compute/instances';

describe('the compute API', () => {
  it.each(operations.filter(({ path }) => path !== shortcut).map(named))(
    'C-001 and C-003: %s lives under one of three bases, and has no version in its path',
    (_name, { path }) => {
      expect(path).toMatch(/^\/api\/(svc|confidential|attestation)\//);
      expect(path).not.toMatch(/\/v\d+(\/|$)/);
    },
  );

  it('C-003 announces a removal only in the responses of the endpoint concerned', async () => {
    const path = `${svc}/machines`;
    const removal = { method: 'GET', path, deprecatedOn: '2031-01-01', sunsetOn: '2031-04-01' } as const;
    const app = await open({ deprecations: [removal] });
    const { key } = await app.tenant('acme');
    const { headers } = await app.get(path, { key });
    expect([headers.deprecation, headers.sunset]).toEqual(['@1924992000', 'Tue, 01 Apr 2031 00:00:00 GMT']);
    expect((await app.get(`${svc}/balance`, { key })).headers.sunset).toBeUndefined();
  });

  it('C-001 has the path segment that the operator configures', () => {
    const paths = operationsOf({ svc: 'rent' }).map(({ path }) => path);
    expect(paths).toContain('/api/rent/pods');
    expect(paths.filter((path) => path.startsWith('/api/svc/'))).toEqual([]);
  });

  it.each(operations.map(named))('C-025: %s succeeds with 200, or with 201 if it creates something', (_name, one) => {
    const makes = /^(create|add)/.test(one.id);
    // One endpoint makes pods of two kinds: a VM's answer is 200 (C-106), a standard pod's 201 (C-128).
    const expected = one.id === 'createPod' ? ['200', '201'] : one.id === 'startPod' ? [] : [makes ? '201' : '200'];
    expect(Object.keys(one.answers)).toEqual(expected);
    for (const schema of Object.values(one.answers)) expect(schema).toHaveProperty('type');
  });
});

describe('the two kinds of pod', () => {
  it('C-004 and C-009 are rented at one endpoint with one key and one balance', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    expect((await app.call('POST', pods, { key, body: standard })).status).toBe(201);
    app.world.sleep(1_000);
    expect((await app.call('POST', pods, { key, body: confidential })).status).toBe(200);
    const { body } = await app.get(pods, { key });
    expect(body.map(({ provider }: { provider: string }) => provider)).toEqual(['confidential', 'standard']);
    expect((await app.get(`${svc}/balance`, { key })).body).toMatchObject({ balance: 46.5, active_pods: 2 });
    expect([...app.world.engine.pods.values()].map(({ machine }) => machine).sort()).toEqual(['m-1', 'vm-1']);
    for (const provider of ['', 'Standard', 'spot', null, 1, ['standard']]) {
      expect((await app.call('POST', pods, { key, body: { ...standard, provider } })).status).toBe(400);
    }
  });

  it('C-007 differ: a standard pod states in every response that it proves nothing', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [listed] = (await app.get(`${svc}/machines?provider=standard`, { key })).body;
    const { pod } = (await app.call('POST', pods, { key, body: standard })).body;
    const [entry] = (await app.get(pods, { key })).body;
    const details = (await app.get(`${pods}/${pod.id}`, { key })).body;
    for (const one of [listed, pod, entry, details]) expect(one).toMatchObject({ confidential_compute: false });
    for (const one of [listed, pod, entry, details]) {
      expect(Object.keys(one).filter((name) => /attest|quote|evidence|report/i.test(name))).toEqual([]);
    }
    const { not_attested } = (await app.get('/api/attestation/evidence')).body;
    expect(not_attested.join()).toMatch(/standard pods/);
  });
});

describe('does not offer', () => {
  it('C-006: an endpoint that issues, signs or relays a proof', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const aboutProofs = operations.filter(({ id, path }) =>
      /attest|quote|report|evidence|proof/i.test(`${id} ${path}`),
    );
    expect(aboutProofs.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /api/attestation/evidence']);
    for (const one of operations) {
      expect(JSON.stringify([one.body, one.query]) ?? '').not.toMatch(/nonce|challenge|quote|report_data/i);
    }
    const vm = (await app.call('POST', pods, { key, body: confidential })).body;
    for (const path of ['/api/attestation/quote', '/api/attestation/report', `${pods}/${vm.podId}/attestation`]) {
      for (const method of ['GET', 'POST'] as const) {
        const body = method === 'GET' ? {} : { body: {} };
        expect((await app.call(method, path, { key, ...body })).status, `${method} ${path}`).toBe(404);
      }
    }
    // The tenant finds out inside.
    const { tiers } = (await app.get('/api/confidential/vm/tiers', { key })).body;
    expect(tiers[0].attestation.verifyInsideTheVm.join()).toMatch(/\/dev\/tdx_guest/);
  });

  it.each([
    'svc/volumes',
    'svc/volumes/v-1',
    'svc/containers',
    'svc/container-templates',
    'confidential/volumes',
    'confidential/containers',
    'confidential/container/tiers',
    'confidential/container/deploy',
    'confidential/templates',
    'confidential/vm/volumes',
  ])('C-008: %s, which was retired', async (path) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const body = method === 'GET' ? {} : { body: {} };
      expect((await app.call(method, `/api/${path}`, { key, ...body })).status, method).toBe(404);
    }
  });

  it.each([{ volume_id: 'v-1' }, { volumes: ['v-1'] }, { container_template: 'c-1' }, { pod_type: 'container' }])(
    'C-008: a way to attach what was retired: %j',
    async (change) => {
      const app = await open();
      const { key } = await app.tenant('acme');
      for (const body of [standard, confidential]) {
        const answer = await app.call('POST', pods, { key, body: { ...body, ...change } });
        expect(answer).toMatchObject({ status: 400, body: { charged: false } });
      }
    },
  );

  it('C-008: templates for confidential pods other than VMs; the list of templates remains', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const body = { ...confidential, template_uid: 'torch', image: 'debian' };
    expect((await app.call('POST', pods, { key, body })).status).toBe(200);
    expect(app.world.engine.prepared).toEqual([{ kind: 'confidential', image: 'ubuntu-24.04' }]);
    expect((await app.get(`${svc}/templates`, { key })).body.items).toHaveLength(1);
  });

  it.each(['m-1', 'RTX 4090 in Oslo', 'RTX 4090'])(
    'C-059: a confidential VM on %s, a standard machine',
    async (name) => {
      const app = await open();
      const { key } = await app.tenant('acme');
      const answer = await app.call('POST', pods, { key, body: { ...confidential, resource_name: name } });
      expect(answer).toMatchObject({ status: 404, body: { code: 'MACHINE_NOT_FOUND', charged: false } });
    },
  );

  it("C-059: the operator's upstream price, in any response or in the file", async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { podId } = (await app.call('POST', pods, { key, body: confidential })).body;
    const paths = [
      ...[`${svc}/machines?provider=all`, '/api/confidential/vm/tiers', `${svc}/templates`, pods, `${pods}/${podId}`],
      ...[`${svc}/balance`, `${svc}/charges`, `${svc}/events`, '/api/attestation/evidence'],
    ];
    for (const path of paths) {
      const { status, body } = await app.get(path, { key });
      expect(status).toBe(200);
      expect(memberNames(body).filter((name) => /upstream|cost|margin|markup|purchase/i.test(name))).toEqual([]);
    }
    for (const member of ['cost_per_hour', 'upstream_price', 'markup']) {
      const machines = [{ ...standardMachine, [member]: '0.10' }];
      expect(() => parseInventory({ ...inventoryFile, machines })).toThrow(member);
    }
  });
});

describe('C-156: polling', () => {
  it('reports every state of a pod, in the list while it exists and in its details afterwards', async () => {
    const app = await open();
    app.world.engine.startsAtOnce = false;
    const { key } = await app.tenant('acme');
    const { podId } = (await app.call('POST', pods, { key, body: confidential })).body;
    const listed = async () =>
      (await app.get(pods, { key })).body.map((one: { status: string; provider_status: string }) => [
        one.status,
        one.provider_status,
      ]);
    const details = async () => (await app.get(`${pods}/${podId}`, { key })).body;
    expect(await listed()).toEqual([['RUNNING', 'provisioning']]);
    app.world.engine.become(podId, 'running');
    await app.world.pass(5_000);
    expect(await listed()).toEqual([['RUNNING', 'running']]);
    app.world.engine.fateOf = (call) => (call === 'destroy' ? 'unreachable' : 'done');
    expect((await app.call('POST', `${pods}/${podId}/stop`, { key })).status).toBe(200);
    // C-056
    expect(await listed()).toEqual([['STOPPING', 'stopping']]);
    expect(await details()).toMatchObject({ status: 'STOPPING', reason: 'released' });
    app.world.engine.fateOf = () => 'done';
    await app.world.pass(60_000);
    expect(await listed()).toEqual([]);
    expect(await details()).toMatchObject({ status: 'STOPPED', provider_status: 'stopped', reason: 'released' });
  });
});

/** @returns the keys of all objects in a value */
function memberNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...memberNames(inner)]);
}
