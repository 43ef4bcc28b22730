/** The accepted values of a deploy, up to their bounds, and its responses: rows C-047, C-099, C-101 to C-125, C-139. */
import { describe, expect, it } from 'vitest';
import { computeApps } from '../support/compute/compute-app.ts';
import { confidential, pods, standard, svc } from '../support/compute/compute-scenes.ts';
import { hourMs } from '../support/compute/compute-world.ts';

const open = computeApps();
const count = <Item>(length: number, make: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, i) => make(i));

describe('a standard deploy accepts', () => {
  const image = 'debian:12';

  it.each<[row: string, what: string, change: object, spec: object]>([
    ['C-113', 'a name of 40 characters', { name: `0${'a-'.repeat(19)}z` }, { hostname: `0${'a-'.repeat(19)}z` }],
    ['C-113', 'a name of one', { name: '7' }, { hostname: '7' }],
    ['C-118', "the machine's own count of GPUs", { gpu_count: 3 }, { gpuCount: 3 }],
    ['C-119', 'no Jupyter unless asked', {}, { jupyter: false }],
    ['C-119', 'Jupyter', { jupyter: true }, { jupyter: true }],
    ['C-120', 'six ports by default, one of them for SSH', {}, { ports: [], sparePorts: 5 }],
    ['C-120', 'one port, which is for SSH', { port_count: 1 }, { ports: [], sparePorts: 0 }],
    ['C-120', '31 ports', { port_count: 31 }, { sparePorts: 30 }],
    ['C-120', 'as many as are named and one', { image, ports: [80, 81], port_count: 3 }, { sparePorts: 0 }],
    [
      'C-122',
      'SSH in addition to the named ports',
      { image, ports: [22, 80] },
      { ports: [{ port: 80, protocol: 'tcp' }] },
    ],
    [
      'C-120',
      'no port count together with more than six ports',
      { image, ports: count(9, (i) => 80 + i) },
      { sparePorts: 0 },
    ],
    ['C-124', '16 ports', { image, ports: count(16, (i) => 8_000 + i), port_count: 31 }, { sparePorts: 14 }],
    ['C-124', 'ports from 1 to 65535', { image, ports: [1, 65_535] }, { sparePorts: 3 }],
  ])('%s: %s', async (_row, _what, change, spec) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await app.call('POST', pods, { key, body: { ...standard, ...change } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect([...app.world.engine.pods.values()][0]?.spec).toMatchObject(spec);
  });

  it.each([1, 720])('C-121 and C-140: %i hours, and destroys the pod then', async (hours) => {
    const app = await open();
    const { key } = await app.tenant('acme', { micro: 1_000_000_000 });
    const body = { ...standard, auto_terminate_hours: hours };
    const { pod } = (await app.call('POST', pods, { key, body })).body;
    const details = async () => (await app.get(`${pods}/${pod.id}`, { key })).body;
    await app.world.pass(1_000);
    const at = app.world.now - 1_000 + hours * hourMs;
    expect(await details()).toMatchObject({ hard_stop_at: new Date(at).toISOString() });
    app.world.sleep(at - 1 - app.world.now);
    expect((await details()).status).toBe('RUNNING');
    await app.world.pass(1);
    expect(await details()).toMatchObject({ status: 'STOPPED', reason: 'hard_stop' });
    expect(app.world.engine.pods.size).toBe(0);
  });

  it('C-125: 32 variables with any text, under any name that is valid in a system', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const env = Object.fromEntries(
      count(32, (i) => [i === 0 ? 'PRICE' : `V_${i}`, i === 1 ? '' : 'ü "\n$x'.repeat(i)]),
    );
    const answer = await app.call('POST', pods, { key, body: { ...standard, image, env } });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(app.world.engine.prepared[0]).toMatchObject({ env });
  });

  it('C-123: a start command of several words, as words', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const body = { ...standard, image, start_command: `python -c 'print("a; b")' --name="x y" \\$HOME` };
    expect((await app.call('POST', pods, { key, body })).status).toBe(201);
    const words = ['python', '-c', 'print("a; b")', '--name=x y', '$HOME'];
    expect(app.world.engine.prepared[0]).toMatchObject({ command: words });
  });

  it.each(['a;b', 'a && b', 'a | b', 'a > b', 'a $(b)', 'a `b`', 'a &', 'a\nb', 'A=1 b', "a 'b", '', ' '])(
    'C-123: no %j, which needs a shell',
    async (start_command) => {
      const app = await open();
      const { key } = await app.tenant('acme');
      const answer = await app.call('POST', pods, { key, body: { ...standard, image, start_command } });
      expect(answer).toMatchObject({ status: 400, body: { charged: false } });
      expect(app.world.engine.prepared).toEqual([]);
    },
  );
});

describe('a confidential deploy', () => {
  it.each<[row: string, change: object, field: RegExp]>([
    ['C-101', { name: undefined }, /`name`/],
    ['C-101', { resource_name: undefined }, /`resource_name`/],
    ['C-101', { resource_name: 1 }, /`resource_name`/],
    ['C-101', { ssh_key_uids: 'key' }, /`ssh_key_uids`/],
    ['C-101', { ssh_key_uids: [] }, /`ssh_key_uids`/],
    ['C-101', { ssh_key_uids: [1] }, /`ssh_key_uids\[0\]`/],
    ['C-101', { hardstop_hours: '2' }, /`hardstop_hours`/],
    ['C-101', { hardstop_hours: 1.5 }, /`hardstop_hours`/],
    ['C-102', { machine_id: 'm-1' }, /`machine_id`/],
    ['C-102', { price: 1 }, /`price`/],
    ['C-111', { hardstop_hours: 0 }, /`hardstop_hours`/],
    ['C-111', { hardstop_hours: 721 }, /`hardstop_hours`/],
    ['C-111', { name: '' }, /`name`/],
    ['C-111', { name: 'a'.repeat(41) }, /`name`/],
    ['C-111', { name: 'a_b' }, /`name`/],
  ])('%s rejects %j', async (_row, change, field) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await app.call('POST', pods, { key, body: { ...confidential, ...change } });
    expect(answer).toMatchObject({ status: 400, body: { charged: false, error: expect.stringMatching(field) } });
  });

  it.each([1, 720])(
    'C-111 and C-140 accepts %i hours, stops at that time, and reports it in the answer',
    async (hours) => {
      const app = await open();
      const { key } = await app.tenant('acme', { micro: 5_000_000_000 });
      const body = { ...confidential, name: 'a'.repeat(40), hardstop_hours: hours };
      const vm = (await app.call('POST', pods, { key, body })).body;
      expect(vm.hardStopAt).toBe(new Date(app.world.now + hours * hourMs).toISOString());
      await app.world.pass(1_000);
      app.world.sleep(hours * hourMs - 1_001);
      expect((await app.get(pods, { key })).body).toHaveLength(1);
      await app.world.pass(1);
      expect((await app.get(`${pods}/${vm.podId}`, { key })).body).toMatchObject({ status: 'STOPPED' });
    },
  );

  it("C-099 and C-102 charges its own price and ignores the caller's", async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    for (const cost_per_hour of [0, -1, 0.000001, 1e9, 'free', null]) {
      const { status, body } = await app.call('POST', pods, { key, body: { ...confidential, cost_per_hour } });
      expect([status, body.hourlyPrice]).toEqual([200, 2.5]);
      expect((await app.world.balance('acme')).held).toBe(2_500_000);
      await app.world.pass(1_000);
      expect((await app.call('DELETE', `${pods}/${body.podId}`, { key })).status).toBe(200);
    }
  });

  it('C-106 and C-110 answers without any address', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { body } = await app.call('POST', pods, { key, body: confidential });
    expect(JSON.stringify(body)).not.toMatch(/192\.0\.2|ssh_host|ssh_port|ssh_command/);
    expect(body.hardStopAt).toBeNull();
  });

  it('C-107 accepts keys at the endpoint of VMs, reports that no stop was requested, and has no provider', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const [{ id }] = (await app.get(`${svc}/ssh-keys`, { key })).body;
    const vm = { name: 'vm', resource_name: 'h100-tdx' };
    const deploy = (body: object) => app.call('POST', '/api/confidential/vm/deploy', { key, body });
    expect(await deploy({ ...vm, provider: 'confidential' })).toMatchObject({ status: 400, body: { charged: false } });
    const { status, body } = await deploy({ ...vm, ssh_key_uids: [id] });
    expect(status).toBe(200);
    expect(body).toMatchObject({ hardStopRequested: false, hardStopAt: null, ports: [] });
  });

  it('C-108 accepts eight ports of both protocols, the same number once for each', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const ports = count(8, (i) => ({ port: [1, 53, 65_535, 8_080][i >> 1], protocol: i % 2 === 0 ? 'tcp' : 'udp' }));
    const body = { name: 'vm', resource_name: 'h100-tdx', ports };
    expect((await app.call('POST', '/api/confidential/vm/deploy', { key, body })).body.ports).toEqual(ports);
  });
});

describe('an entry of the list', () => {
  it('C-047 and C-160 has every field, of its type, before and after the pod can be reached (C-139)', async () => {
    const app = await open();
    app.world.engine.startsAtOnce = false;
    const { key } = await app.tenant('acme');
    await app.call('POST', pods, { key, body: confidential });
    await app.call('POST', pods, { key, body: standard });
    const types = async () =>
      (await app.get(pods, { key })).body.map((one: Record<string, unknown>) =>
        Object.entries(one).map(([name, value]) => `${name} ${value === null ? 'null' : typeof value}`),
      );
    const fields = (address: (type: string) => string) => [
      ...['id string', 'name string', 'status string', 'provider_status string', 'resource_name string'],
      ...[
        'gpu_type string',
        'gpu_count number',
        'hourly_price number',
        'billed number',
        'held number',
        'created_at string',
        'updated_at string',
      ],
      ...[
        'ssh_ready boolean',
        'ssh_banner boolean',
        `ssh_host ${address('string')}`,
        `ssh_port ${address('number')}`,
        'ssh_user string',
      ],
      ...[`ssh_command ${address('string')}`, 'provider string', 'confidential_compute boolean'],
    ];
    expect(await types()).toEqual([fields(() => 'null'), fields(() => 'null')]);
    for (const id of app.world.engine.pods.keys()) app.world.engine.become(id, 'running');
    await app.world.pass(5_000);
    expect(await types()).toEqual([fields((type) => type), fields((type) => type)]);
    for (const one of (await app.get(pods, { key })).body) {
      expect(one).toMatchObject({ provider_status: 'running', ssh_ready: true, ssh_port: 2222 });
      expect(Number.isInteger(one.gpu_count) && Date.parse(one.created_at) <= Date.parse(one.updated_at)).toBe(true);
    }
  });

  it.each([
    [confidential, 'ssh -p 2222 ubuntu@192.0.2.7'],
    [standard, 'ssh root@192.0.2.7 -p 2222'],
  ])(
    'C-049, C-050 and C-139 turns running and ready with the address, before SSH answers: %j',
    async (body, command) => {
      const app = await open();
      app.world.engine.startsAtOnce = false;
      app.world.sshAnswers = false;
      const { key } = await app.tenant('acme');
      await app.call('POST', pods, { key, body });
      await app.world.pass(30_000);
      const entry = async () => (await app.get(pods, { key })).body[0];
      expect(await entry()).toMatchObject({ provider_status: 'provisioning', ssh_ready: false, ssh_command: null });
      for (const id of app.world.engine.pods.keys()) app.world.engine.become(id, 'running');
      await app.world.pass(2_000);
      const ready = { provider_status: 'running', ssh_ready: true, ssh_command: command };
      expect(await entry()).toMatchObject({ ...ready, ssh_banner: false });
      app.world.sshAnswers = true;
      await app.world.pass(5_000);
      expect(await entry()).toMatchObject({ ...ready, ssh_banner: true });
      expect((await app.get(`${pods}/${(await entry()).id}`, { key })).body).toMatchObject({ ssh_banner: true });
    },
  );
});
