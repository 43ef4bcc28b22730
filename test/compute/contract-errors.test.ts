/** Errors, their form, and the next step that each one states: rows C-020 to C-036. */
import { describe, expect, it } from 'vitest';
import { type ComputeErrorCode, statusOf } from '../../compute/base/errors.ts';
import { type Answered, computeApps } from '../support/compute/compute-app.ts';
import { inventoryFile, newSshKey, standardMachine } from '../support/compute/compute-fixtures.ts';
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
  standard,
  svc,
  withFate,
} from '../support/compute/compute-scenes.ts';

const open = computeApps();

describe('an error of a standard deploy', () => {
  it.each<[row: string, what: string, request: Ask, status: number, charged: boolean, next: RegExp]>([
    ['C-026', 'a field is missing', deploy({ name: undefined }), 400, false, /`name`/],
    ['C-026', 'a field is not known', deploy({ colour: 'red' }), 400, false, /`colour`/],
    ['C-117', 'there is a price', deploy({ price: 1 }), 400, false, /remove the field/],
    ['C-115', 'the template is unknown', deploy({ template_id: 'x' }), 400, false, /list the templates/],
    ['C-122', 'the image is no image', deploy({ image: 'no image' }), 400, false, /image must be/],
    ['C-123', 'the command needs a shell', deploy({ image: 'a', start_command: 'a;b' }), 400, false, /start_command/],
    ['C-116', 'there is no SSH key', keylessAccount(deploy()), 400, false, /POST ssh-keys/],
    ['C-029', 'the SSH key is unknown', deploy({ ssh_key_id: 'x' }), 404, false, /list the SSH keys/],
    ['C-029', 'the credential is unknown', deploy({ image: 'a', docker_credential_id: 'x' }), 404, false, /list the/],
    ['C-029', 'the machine is unknown', deploy({ machine_id: 'x' }), 404, false, /list the machines/],
    ['C-027', 'the account cannot pay', poor(deploy()), 402, false, /top up/],
    ['C-031', 'someone has the machine', afterDeploy(deploy()), 409, false, /list the machines/],
    ['C-035', 'the engine refuses', withFate('create', 'refused', deploy()), 502, false, /list the machines/],
    ['C-035', 'the engine is away', withFate('create', 'unreachable', deploy()), 502, false, /try again/],
    ['C-035', 'availability is unknown', withFate('probe', 'unreachable', deploy()), 502, false, /try again/],
    ['C-036', 'the engine is silent', withFate('create', 'lost', deploy()), 502, true, /list the pods/],
  ])('C-020, C-021, C-022 and %s: %s', async (_row, _what, request, status, charged, next) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await request({ app, key });
    expect(answer).toMatchObject({
      status,
      body: { success: false, status_code: status, charged, timestamp: new Date(app.world.now).toISOString() },
    });
    expect(answer.body.error).toMatch(next);
    expect(answer.body.message).toBe(answer.body.error);
  });
});

describe('any other error', () => {
  it.each<[row: string, what: string, request: Ask, status: number, next: RegExp]>([
    ['C-011', 'no key', keyless, 401, /send a live key/],
    [
      'C-028',
      'no scope',
      as('narrow', { scopes: ['balance'], sshKey: false }, ask('GET', 'pods')),
      403,
      /use a key that/,
    ],
    ['C-029', 'an unknown pod', ask('GET', 'pods/x'), 404, /list the pods/],
    ['C-029', 'an unknown SSH key', ask('GET', 'ssh-keys/x'), 404, /list the SSH keys/],
    ['C-029', 'an unknown credential', ask('GET', 'docker-credentials/x'), 404, /list the docker credentials/],
    ['C-029', 'an unknown template', ask('GET', 'templates/x'), 404, /list the templates/],
    ['C-029', 'an unknown webhook', ask('DELETE', 'webhooks/x'), 404, /list the webhooks/],
    ['C-030', 'another method', ask('PUT', 'pods/x'), 405, /GET, HEAD, DELETE/],
    ['C-031', 'a release too early', afterDeploy(releaseAtOnce), 409, /try again in a minute/],
    ['C-034', 'the stop of a standard pod', ofPod('POST', '/stop'), 501, /with DELETE/],
    ['C-135', 'a start', ofPod('POST', '/start'), 501, /POST pods/],
  ])('C-022 and %s states what to do next: %s', async (_row, _what, request, status, next) => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const answer = await request({ app, key });
    expect(answer).toMatchObject({ status, body: { error: expect.stringMatching(next), status } });
  });

  it('C-024 has a stable upper-case code', () => {
    const codes: ComputeErrorCode[] = [
      ...(['INVALID_API_KEY', 'SESSION_REQUIRED', 'ORIGIN_REFUSED', 'MISSING_SCOPE', 'INVALID_REQUEST'] as const),
      ...(['PRICE_NOT_ACCEPTED', 'SSH_KEY_REQUIRED', 'SSH_KEY_NOT_FOUND', 'TEMPLATE_UNKNOWN'] as const),
      ...(['IMAGE_UNAVAILABLE', 'SETTINGS_REFUSED', 'BODY_TOO_LARGE', 'BODY_TYPE', 'HEADERS_TOO_LARGE'] as const),
      ...(['REQUEST_TIMEOUT', 'INSUFFICIENT_BALANCE'] as const),
      ...(['MACHINE_NOT_FOUND', 'NOT_FOUND', 'METHOD_NOT_ALLOWED', 'MACHINE_UNAVAILABLE', 'POD_DEPLOYING'] as const),
      ...(['KEY_EXISTS', 'KEY_LIMIT', 'LIMIT_REACHED', 'IDEMPOTENCY_MISMATCH', 'IDEMPOTENCY_RUNNING'] as const),
      ...(['RATE_LIMITED', 'NOT_SUPPORTED', 'ENGINE_REFUSED', 'UPSTREAM_UNAVAILABLE', 'OUTCOME_UNKNOWN'] as const),
      ...(['UNAVAILABLE', 'INTERNAL'] as const),
    ];
    expect(Object.keys(statusOf)).toEqual(codes);
    for (const code of codes) expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(new Set(Object.values(statusOf))).toEqual(
      new Set([400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 429, 431, 500, 501, 502, 503]),
    );
  });
});

async function releaseAtOnce({ app, key }: Scene): Promise<Answered> {
  const [{ id }] = (await app.get(pods, { key })).body;
  return await app.call('DELETE', `${pods}/${id}`, { key });
}

describe('C-029 returns 404', () => {
  const paths: [method: 'GET' | 'POST' | 'DELETE', path: string][] = [
    ...(['GET', 'DELETE'] as const).map((method): [typeof method, string] => [method, 'pods/:pod']),
    ['POST', 'pods/:pod/stop'],
    ['POST', 'pods/:pod/start'],
    ...(['GET', 'DELETE'] as const).map((method): [typeof method, string] => [method, 'ssh-keys/:sshKey']),
    ...(['GET', 'DELETE'] as const).map((method): [typeof method, string] => [method, 'docker-credentials/:registry']),
    ['DELETE', 'webhooks/:webhook'],
    ['GET', 'webhooks/:webhook/dead-letters'],
  ];

  it.each(paths)('C-016 identically for missing resources and those of other accounts: %s %s', async (method, path) => {
    const app = await open();
    const [acme, other] = [await app.tenant('acme'), await app.tenant('other')];
    const add = async (where: string, body: object) =>
      (await app.call('POST', `${svc}/${where}`, { key: other.key, body })).body.id as string;
    const theirs: Record<string, string> = {
      ':pod': (await app.call('POST', pods, { key: other.key, body: standard })).body.pod.id,
      ':sshKey': await add('ssh-keys', { name: 'b', public_key: newSshKey() }),
      ':registry': await add('docker-credentials', { name: 'b', registry: 'ghcr.io', username: 'u', password: 'p' }),
      ':webhook': await add('webhooks', { url: 'http://127.0.0.1:9/' }),
    };
    await app.world.pass(1_000);
    const [word = ''] = /:\w+/.exec(path) ?? [];
    const at = (id: string) => app.call(method, `${svc}/${path.replace(word, id)}`, { key: acme.key });
    const [missing, foreign] = [await at('nothing'), await at(theirs[word]!)];
    expect(missing.status).toBe(404);
    expect(foreign).toMatchObject({ status: 404, body: missing.body });
    // The owner's request still succeeds: the resource is unchanged.
    const own = await app.call(method, `${svc}/${path.replace(word, theirs[word]!)}`, { key: other.key });
    expect(own.status).toBe(path.endsWith('/stop') || path.endsWith('/start') ? 501 : 200);
  });

  it("to a deploy that names another account's resource, without charging", async () => {
    const app = await open();
    const [acme, other] = [await app.tenant('acme'), await app.tenant('other')];
    const { key } = other;
    const [{ id: sshKey }] = (await app.get(`${svc}/ssh-keys`, { key })).body;
    const credential = { name: 'b', registry: 'ghcr.io', username: 'u', password: 'p' };
    const { id: registry } = (await app.call('POST', `${svc}/docker-credentials`, { key, body: credential })).body;
    for (const body of [
      { ...standard, ssh_key_id: sshKey },
      { ...standard, image: 'ghcr.io/a/b', docker_credential_id: registry },
      { ...confidential, ssh_key_uids: [sshKey] },
    ]) {
      const answer = await app.call('POST', pods, { key: acme.key, body });
      expect(answer).toMatchObject({ status: 404, body: { charged: false } });
    }
    expect(app.world.engine.prepared).toEqual([]);
    expect(await app.world.balance('acme')).toMatchObject({ available: 50_000_000, held: 0 });
  });
});

describe('C-031 returns 409', () => {
  const machine = { ...standardMachine, disk_gb: 600 };

  it('if the machine has too little disk', async () => {
    const app = await open({ inventory: { ...inventoryFile, machines: [machine] } });
    const { key } = await app.tenant('acme');
    expect(await deploy()({ app, key })).toMatchObject({
      status: 409,
      body: { code: 'MACHINE_UNAVAILABLE', charged: false },
    });
  });

  it('where some of its GPUs are rented', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    for (const one of app.world.engine.machines) if (one.machine === 'm-1') one.gpuCount = 2;
    expect(await deploy()({ app, key })).toMatchObject({
      status: 409,
      body: { code: 'MACHINE_UNAVAILABLE', charged: false },
    });
  });

  it('while another deploy on the machine is under way', async () => {
    const app = await open();
    const [acme, other] = [await app.tenant('acme'), await app.tenant('other')];
    const [creating, created] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    app.world.engine.onCall = async (call) => {
      if (call !== 'create') return;
      creating.resolve();
      await created.promise;
    };
    const first = app.call('POST', pods, { key: acme.key, body: standard });
    await creating.promise;
    expect(await deploy()({ app, key: other.key })).toMatchObject({
      status: 409,
      body: { code: 'MACHINE_UNAVAILABLE', charged: false },
    });
    created.resolve();
    expect((await first).status).toBe(201);
    expect(await app.world.balance('other')).toMatchObject({ available: 50_000_000, held: 0 });
  });
});
