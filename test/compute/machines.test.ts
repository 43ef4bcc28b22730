import { describe, expect, it } from 'vitest';
import { Fleet } from '../../compute/control/fleet.ts';
import { parseInventory } from '../../compute/inventory/configuration.ts';
import { priceAt } from '../../compute/inventory/price-curve.ts';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { inventoryFile, standardMachine } from '../support/compute/compute-fixtures.ts';
import { MemoryEngine } from '../support/compute/memory-engine.ts';

const open = computeApps();

describe('machines', () => {
  const machines = '/api/svc/machines';

  it('C-057 and C-058 list confidential tiers by default', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const tier = {
      name: 'H100 in a trust domain',
      price: 2.5,
      rental_rate: 0,
      p_min: 2.5,
      p_max: 2.5,
      base_price: 2.5,
      total_gpu_count: 2,
      k: 0,
      provider: 'confidential',
      resource_name: 'h100-tdx',
      gpu_type: 'H100',
      gpu_count: 1,
      vcpu: 16,
      memory: 128,
      available: 2,
      confidential_compute: true,
    };
    expect((await app.get(machines, { key })).body).toEqual([tier]);
    expect((await app.get(`${machines}?provider=confidential`, { key })).body).toEqual([tier]);
    expect((await app.get(`${machines}?provider=all`, { key })).body).toHaveLength(3);
    expect(await app.get(`${machines}?provider=cheap`, { key })).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/`provider`/) },
    });
  });

  it('C-060 to C-062 list standard machines with the price that is charged', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { body } = await app.get(`${machines}?provider=standard`, { key });
    expect(body).toHaveLength(2);
    expect(body[0]).toEqual({
      machine_id: 'm-1',
      name: 'RTX 4090 in Oslo',
      provider: 'standard',
      confidential_compute: false,
      gpu_type: 'RTX 4090',
      gpu_count: 3,
      gpu_memory_gb: 24,
      price_per_hour: 1,
      price_per_gpu_hour: 0.33,
      price: 1,
      available: true,
      available_gpu_count: 3,
      location: { city: 'Oslo', country: 'Norway', country_code: 'NO' },
      cpu_cores: 16,
      ram_gb: 64,
      disk_gb: 200,
      max_cuda_version: '12.8',
    });
  });

  it('C-063 and C-064 omit rented machines, from a list built at most once a minute', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const list = async () =>
      (await app.get(`${machines}?provider=standard`, { key })).body.map(
        (one: { machine_id: string }) => one.machine_id,
      );
    const probes = () => app.world.engine.calls.filter((call) => call === 'probe').length;
    expect(await list()).toEqual(['m-1', 'm-2']);
    await app.call('POST', '/api/svc/pods', { key, body: { provider: 'standard', name: 'pod', machine_id: 'm-1' } });
    app.world.sleep(59_000);
    expect(await list()).toEqual(['m-1', 'm-2']);
    expect(probes()).toBe(1);
    app.world.sleep(1_000);
    expect(await list()).toEqual(['m-2']);
    expect(probes()).toBe(2);
  });

  it.each([{ gpuCount: 2 }, { offers: [] }])('C-063 omit a machine that an engine reports as %j', async (facts) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    for (const one of app.world.engine.machines) if (one.machine === 'm-1') Object.assign(one, facts);
    const { body } = await app.get(`${machines}?provider=standard`, { key });
    expect(body).toMatchObject([{ machine_id: 'm-2', available: true }]);
  });

  it('C-037 answers 503 with Retry-After if no engine answers', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    app.world.engine.fateOf = () => 'unreachable';
    for (const provider of ['standard', 'confidential', 'all']) {
      const answer = await app.get(`${machines}?provider=${provider}`, { key });
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
      expect(answer.headers['retry-after']).toBeDefined();
    }
    app.world.engine.fateOf = () => 'done';
    app.world.sleep(5_000);
    expect((await app.get(machines, { key })).status).toBe(200);
  });

  it.each([
    ['/api/svc/machines', 'the confidential list', 'vm'],
    ['/api/confidential/vm/tiers', 'the tiers', 'vm'],
    ['/api/svc/machines?provider=standard', 'the standard list', 'm'],
  ])('C-037 answers 503 to %s while no host of its machines has answered', async (url, _what, silent) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const host = new MemoryEngine('host');
    host.machines = app.world.engine.machines;
    host.protection = 'tdx';
    host.fateOf = () => 'unreachable';
    const { machines } = inventoryFile;
    const places = machines.map(({ id }) => ({
      id,
      engine: id.startsWith(`${silent}-`) ? host : app.world.engine,
      machine: id,
    }));
    Object.assign(app.world.control, { fleet: new Fleet(places) });
    const answer = await app.get(url, { key });
    expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' }, headers: { 'retry-after': '5' } });
    // Machines of other hosts are listed.
    expect((await app.get('/api/svc/machines?provider=all', { key })).status).toBe(200);
    host.fateOf = () => 'done';
    app.world.sleep(5_000);
    expect(await app.get(url, { key })).toMatchObject({ status: 200 });
  });

  it('offers no confidential machine of a host that cannot run a trust domain', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    for (const machine of app.world.engine.machines) machine.offers = ['standard'];
    expect((await app.get(machines, { key })).body).toEqual([]);
    expect((await app.get('/api/confidential/vm/tiers', { key })).body).toEqual({ tiers: [] });
    const body = { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' };
    expect((await app.call('POST', '/api/svc/pods', { key, body })).status).toBe(409);
  });

  it('C-058 moves a price along the curve of its tier, between its bounds', () => {
    const curve = { basePrice: 2_000_000, priceMin: 1_200_000, priceMax: 2_600_000, exponent: 1 };
    expect([0, 0.25, 0.5, 0.75, 1].map((rate) => priceAt(curve, rate))).toEqual([
      1_200_000, 1_500_000, 2_000_000, 2_500_000, 2_600_000,
    ]);
    expect(priceAt({ ...curve, exponent: 0 }, 1)).toBe(2_000_000);
  });

  it('C-058 uses the price at the time of the deploy', async () => {
    const [tier] = inventoryFile.tiers;
    const app = await open({ inventory: { ...inventoryFile, tiers: [{ ...tier, p_min: '1', p_max: '9', k: 1 }] } });
    const { key } = await app.tenant('acme');
    const price = async () => (await app.get(machines, { key })).body[0].price;
    const body = { provider: 'confidential', name: 'vm', resource_name: 'h100-tdx' };
    expect(await price()).toBe(1.25);
    expect((await app.call('POST', '/api/svc/pods', { key, body })).body.hourlyPrice).toBe(1.25);
    expect((await app.get(machines, { key })).body).toMatchObject([{ rental_rate: 0.5, price: 2.5, available: 1 }]);
    expect((await app.world.balance('acme')).held).toBe(1_250_000);
  });
});

describe('the inventory file', () => {
  it.each([
    [{ machines: [{ ...standardMachine, engine: 'nothing' }] }, /no engine is named nothing/],
    [{ machines: [{ ...standardMachine, price_per_hour: '-1' }] }, /price_per_hour/],
    [{ machines: [{ ...standardMachine, colour: 'red' }] }, /colour/],
    [{ machines: [standardMachine, standardMachine] }, /twice/],
    [{ machines: [{ id: 'vm', provider: 'confidential', engine: 'memory' }] }, /resource_name/],
    [
      { machines: [{ id: 'vm', provider: 'confidential', engine: 'memory', resource_name: 'b200' }] },
      /no tier is named b200/,
    ],
    [{ tiers: [{ ...inventoryFile.tiers[0], p_min: '3' }] }, /p_min/],
  ])('is rejected if a member is invalid: %#', (change, says) => {
    expect(() => parseInventory({ ...inventoryFile, ...change })).toThrow(says);
  });
});

describe('tiers and evidence', () => {
  it('C-065 to C-067 and C-095, C-096 come from one record', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { tiers } = (await app.get('/api/confidential/vm/tiers', { key })).body;
    expect(tiers).toEqual([
      {
        resourceName: 'h100-tdx',
        displayName: 'H100 in a trust domain',
        gpuType: 'H100',
        gpuCount: 1,
        vcpu: 16,
        memoryGb: 128,
        pricePerHour: 2.5,
        available: 2,
        gpuAttestation: true,
        attestation: {
          verified: true,
          verifiedOn: '2026-11-01',
          evidenceUrl: 'https://evidence.example/h100-tdx.json',
          generatedBy: 'tenant',
          verifyInsideTheVm: ['test -e /dev/tdx_guest'],
          index: 'https://api.example/api/attestation/evidence',
        },
      },
    ]);
    const evidence = (await app.get('/api/attestation/evidence')).body;
    expect(evidence.evidence).toMatchObject([{ sku: 'h100-tdx', ...tiers[0].attestation, gpuAttestation: true }]);
    expect(evidence.evidence[0].notAttested).toEqual(['the boot disk of the host']);
    expect(evidence.not_attested.length).toBeGreaterThan(0);
    expect(evidence.reproduce.join()).toMatch(/tdx/);
    const body = { name: 'vm', resource_name: 'h100-tdx' };
    const deploy = (await app.call('POST', '/api/confidential/vm/deploy', { key, body })).body;
    expect(deploy.attestation).toEqual(tiers[0].attestation);
  });

  const everywhere = async (app: ComputeApp) => {
    const { key } = await app.tenant('acme');
    const { tiers } = (await app.get('/api/confidential/vm/tiers', { key })).body;
    const { evidence } = (await app.get('/api/attestation/evidence')).body;
    const body = { name: 'vm', resource_name: 'h100-tdx' };
    const { attestation } = (await app.call('POST', '/api/confidential/vm/deploy', { key, body })).body;
    return { tier: tiers[0], record: evidence[0], attestation };
  };

  it('C-066 claims no GPU report for a tier without a GPU, even if the file does', async () => {
    const [tier] = inventoryFile.tiers;
    const app = await open({ inventory: { ...inventoryFile, tiers: [{ ...tier, gpu_type: 'none', gpu_count: 0 }] } });
    const shown = await everywhere(app);
    expect(shown.tier).toMatchObject({ gpuCount: 0, gpuAttestation: false, attestation: { verified: true } });
    expect(shown.record).toMatchObject({ gpuAttestation: false, gpuReportUrl: null });
    expect(shown.attestation).toEqual(shown.tier.attestation);
  });

  it('C-067 reports no attestation as verified if the machines of the tier are plain test machines', async () => {
    const engines = [
      ...inventoryFile.engines,
      { name: 'host', type: 'libvirt', profile: { kind: 'plain-vm-for-tests' } },
    ];
    const machines = inventoryFile.machines.map((one) =>
      one.provider === 'confidential' ? { ...one, engine: 'host' } : one,
    );
    const app = await open({ inventory: { ...inventoryFile, engines, machines } });
    app.world.engine.protection = 'plain-vm-test';
    const shown = await everywhere(app);
    const none = { verified: false, verifiedOn: null, evidenceUrl: null };
    expect(shown.tier).toMatchObject({ gpuAttestation: false, attestation: none });
    expect(shown.record).toMatchObject({ ...none, gpuAttestation: false, gpuReportUrl: null });
    expect(shown.attestation).toMatchObject(none);
  });

  it.each([{ gpu_report_url: null }, { verified: false }])('C-066 claims no GPU proof with %j', async (change) => {
    const [evidence] = inventoryFile.evidence;
    const app = await open({ inventory: { ...inventoryFile, evidence: [{ ...evidence, ...change }] } });
    const { key } = await app.tenant('acme');
    expect((await app.get('/api/confidential/vm/tiers', { key })).body.tiers[0].gpuAttestation).toBe(false);
  });
});
