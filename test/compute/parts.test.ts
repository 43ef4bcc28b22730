/** Self-contained parts of the compute service. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TSchema, Type } from 'typebox';
import { afterEach, describe, expect, expectTypeOf, it } from 'vitest';
import { openAccounts } from '../../accounts/store.ts';
import { runCli } from '../../cli/cli.ts';
import { closed } from '../../compute/base/schemas.ts';
import { readSealingKey, SecretBox } from '../../compute/base/secrets.ts';
import { hashSudoPassword, newSudoPassword } from '../../compute/base/sudo-password.ts';
import { openApiDocument } from '../../compute/http/openapi.ts';
import { created, type Operation, ok, operation } from '../../compute/http/operation.ts';
import { parseInventory } from '../../compute/inventory/configuration.ts';
import { operationsOf } from '../../compute/routes/operations.ts';
import { openEngines } from '../../compute/start/open-engines.ts';
import { readServiceFile } from '../../compute/start/service-file.ts';
import { openApiDocument as inferenceDocument } from '../../server/features/openapi/openapi.ts';
import { computeApps } from '../support/compute/compute-app.ts';
import { inventoryFile } from '../support/compute/compute-fixtures.ts';
import { findMismatch } from '../support/compute/compute-schemas.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-parts-'));
  folders.push(folder);
  return folder;
}

describe('the sudo password', () => {
  // Made with `openssl passwd -6 -salt …`.
  it.each([
    [
      'saltstring',
      'Hello world!',
      'svn8UoSVapNtMuq1ukKS4tPQd8iKwSMHWjl/O817G3uBnIFNjnQJuesI68u4OTLiBFdcbYEdFCoEOfaS35inz1',
    ],
    [
      'abcd',
      'xyzzyxyzzyxyzzyxyzzyxyzz',
      'u06qRoXCIDEb2eN25r.0le/lfa/wd3zdjC6kU2iulDsThQs1w3bTNORbct7J21SCEYzlE17kcAGIvn2duZT2Y1',
    ],
  ])('is hashed as crypt(3) does: salt %s', (salt, password, hash) => {
    expect(hashSudoPassword(password, salt)).toBe(`$6$${salt}$${hash}`);
  });

  it('is different each time', () => {
    expect(newSudoPassword()).not.toBe(newSudoPassword());
    expect(hashSudoPassword('same')).not.toBe(hashSudoPassword('same'));
  });
});

describe('sealed secrets', () => {
  it('open with the same key, for the same purpose, unchanged', () => {
    const box = new SecretBox(Buffer.alloc(32, 1));
    const sealed = box.seal('secret', { purpose: 'registry:1' });
    expect(box.open(sealed, { purpose: 'registry:1' })).toBe('secret');
    expect(box.seal('secret', { purpose: 'registry:1' })).not.toBe(sealed);
    expect(() => box.open(sealed, { purpose: 'registry:2' })).toThrow();
    expect(() => new SecretBox(Buffer.alloc(32, 2)).open(sealed, { purpose: 'registry:1' })).toThrow();
    expect(() =>
      box.open(`${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`, { purpose: 'registry:1' }),
    ).toThrow();
    expect(() => new SecretBox(Buffer.alloc(31))).toThrow(RangeError);
  });

  it('use a key that is created once', () => {
    const path = join(scratch(), 'key');
    expect(readSealingKey(path)).toEqual(readSealingKey(path));
  });
});

describe('schemas', () => {
  it.each<[schema: TSchema, value: unknown, says: RegExp | undefined]>([
    [Type.Integer({ minimum: 1 }), 1, undefined],
    [Type.Integer(), 1.5, /must be an integer/],
    [Type.Number(), Number.NaN, /must be a number/],
    [Type.Union([Type.String(), Type.Null()]), null, undefined],
    [Type.String({ maxLength: 2 }), 'abc', /2 characters, got 3/],
    [Type.Array(Type.String()), ['a', 1], /`\[1\]` must be a string/],
    [Type.Object({ a: Type.String() }), {}, /`a` is missing/],
    [Type.Object({}, closed), { 'ev\nil': 1 }, /an unknown field at position 1$/],
    [Type.Object({}, closed), JSON.parse('{"__proto__": 1}'), /`__proto__`/],
    [Type.Object({}), [], /the request body must be an object/],
    [Type.Object({}), undefined, /the request body is missing/],
  ])('%j reports for %j: %s', (schema, value, says) => {
    const found = findMismatch(schema, value);
    if (says === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(says);
  });
});

describe('an operation', () => {
  const operations = operationsOf({ svc: 'svc' });

  // A schema keyword that the validator does not support throws at the first request.
  it.each(operations.map((one): [string, Operation] => [one.id, one]))(
    '%s has schemas that the reader checks whole',
    (_id, { body, alternatives = [], query = {}, answers }) => {
      const schemas = [...(body ? [body] : []), ...alternatives, ...Object.values(query), ...Object.values(answers)];
      for (const schema of schemas) expect(() => findMismatch(schema, {})).not.toThrow();
    },
  );

  it('passes the types of its schemas to its handler', () => {
    const scopes = Type.Optional(Type.Array(Type.String()));
    const answers = { 201: Type.Object({ id: Type.String() }) };
    const about = { method: 'POST', path: '/a', id: 'a', summary: '', access: 'open', answers } as const;
    operation({
      ...about,
      body: Type.Object({ name: Type.String(), scopes }),
      query: { kind: Type.Enum(['a', 'b']) },
      async handle({ body, query }) {
        expectTypeOf(body).toEqualTypeOf<{ readonly name: string; readonly scopes?: readonly string[] }>();
        expectTypeOf(query.kind).toEqualTypeOf<'a' | 'b' | undefined>();
        return created({ id: body.name });
      },
    });
    // @ts-expect-error The answer has another status than its schema.
    operation({ ...about, handle: async () => ok({ id: 'a' }) });
    // @ts-expect-error The answer lacks a member.
    operation({ ...about, handle: async () => created({}) });
  });
});

describe('the OpenAPI document', () => {
  const operations = operationsOf({ svc: 'svc' });

  it('has every endpoint with its scope, errors and headers', async () => {
    const document = openApiDocument(operations, { baseUrl: 'https://api.example' });
    const described = Object.values(document.paths).flatMap((path) => Object.values(path));
    expect(described).toHaveLength(operations.length);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
    const post = document.paths['/api/svc/pods']?.post as {
      responses: object;
      security: object[];
      parameters: object[];
    };
    expect(Object.keys(post.responses)).toEqual([
      '200',
      '201',
      '400',
      '401',
      '402',
      '403',
      '404',
      '409',
      '429',
      '500',
      '502',
      '503',
    ]);
    expect(post.security).toEqual([{ key: [] }, { session: [] }]);
    expect(JSON.stringify(post.parameters)).toContain('Idempotency-Key');
  });

  it('describes the body of POST /v1/compute/instances as the inference API does', () => {
    const { paths } = openApiDocument(operationsOf({ svc: 'svc' }), { baseUrl: '' });
    const { requestBody } = paths['/v1/compute/instances']!.post as { requestBody: { content: object } };
    expect(requestBody.content).toEqual({
      'application/json': { schema: (inferenceDocument.components.schemas as Record<string, unknown>).InstanceBody },
    });
  });

  it('is served, and never contains an upstream price', async () => {
    const open = computeApps();
    const app = await open();
    const { status, body } = await app.get('/api/svc/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toBe('3.1.0');
    // C-038, C-032, C-037 and C-136
    expect(body.info.description).toMatch(/exponential backoff .* at most five times .* same `Idempotency-Key`/);
    for (const status of [409, 429, 503]) {
      expect(body.paths['/api/svc/pods'].post.responses[status].headers).toHaveProperty('Retry-After');
    }
    expect(JSON.stringify(body)).not.toMatch(/upstream_|cost_price/);
  });
});

const unixEndpoint = { transport: 'unix', socket_path: 's' };
const libvirtEngine = {
  name: 'vms',
  type: 'libvirt',
  uri: 'qemu:///system',
  pool: 'pods',
  images: { 'ubuntu-24.04': { pool: 'images', volume: 'ubuntu.qcow2', format: 'qcow2' } },
  profile: { kind: 'tdx', firmware: '/usr/share/ovmf.fd', quote_socket: '/run/qgs.sock' },
  network: { kind: 'routed', name: 'pods' },
  gpus: ['0000:17:00.0'],
};

describe('the file of the service', () => {
  const file = (content: object) => {
    const path = join(scratch(), 'compute.json');
    writeFileSync(path, JSON.stringify(content));
    return path;
  };

  it.each([
    ['{"service": clst_secret}', ' is not valid JSON'],
    ['{"service": {},}', ' is not valid JSON: see line 1, column 16'],
    ['[]', ' must contain a JSON object'],
  ])('is refused with the place of the error, and without a word of it: %s', (content, says) => {
    const path = join(scratch(), 'compute.json');
    writeFileSync(path, content);
    expect(() => readServiceFile(path)).toThrow(expect.objectContaining({ message: path + says }));
  });

  it('has defaults for all but its inventory', () => {
    const { settings, inventory } = readServiceFile(file(inventoryFile));
    expect(settings).toMatchObject({ host: '127.0.0.1', port: 8444, svc: 'svc', allowPrivateWebhooks: false });
    expect(settings.limits.perEndpoint).toEqual({ limit: 10, windowMs: 10_000 });
    expect(inventory.machines).toHaveLength(4);
  });

  it.each([
    [{ service: { colour: 'red' } }, /colour/],
    [{ service: { port: 70_000 } }, /port/],
    [{ service: { trusted_proxies: ['proxy.example'] } }, /trusted_proxies/],
    [{ service: { service_ssh_key: 'nonsense' } }, /public_key/],
    [{ service: { web_origins: ['https://a.example/path'] } }, /web_origins/],
    [{ service: { top_up_url: 'our shop' } }, /top_up_url/],
    [{ service: { create_timeout_s: 600 } }, /create_timeout_s/],
    [{ extra: 1 }, /extra/],
  ])('is rejected if a member is invalid: %#', (change, says) => {
    expect(() => readServiceFile(file({ ...inventoryFile, ...change }))).toThrow(says);
  });

  it.each([
    [{ name: 'memory', type: 'docker' }, /endpoint/],
    [{ name: 'memory', type: 'docker', endpoint: { transport: 'unix' }, public_host: 'h' }, /socket_path/],
    [
      {
        name: 'memory',
        type: 'docker',
        endpoint: { transport: 'unix', socket_path: 's', colour: 1 },
        public_host: 'h',
      },
      /colour/,
    ],
    [
      { name: 'memory', type: 'libvirt', uri: 'qemu:///session', pool: 'p', images: {}, profile: { kind: 'tdx' } },
      /network/,
    ],
    [
      { name: 'memory', type: 'docker', endpoint: unixEndpoint, public_host: 'h', gpu_request: 'cuda' },
      /`engines\[0\]\.gpu_request` must be one of "nvidia", "cdi", "libpod"/,
    ],
    [{ ...libvirtEngine, network: { kind: 'routed' } }, /`engines\[0\]\.network\.name` is missing/],
    [{ ...libvirtEngine, profile: { kind: 'plain-vm-for-tests' } }, /`engines\[0\]\.profile\.domain_type` is missing/],
  ])('is rejected if an engine is invalid: %#', (engine, says) => {
    const context = { instance: 'test', templateKey: Buffer.alloc(32), folder: '/', now: Date.now };
    const inventory = parseInventory({ engines: [engine], machines: [] });
    expect(() => openEngines(inventory, context)).toThrow(says);
  });

  it('names engines, endpoints and hosts as their drivers do', () => {
    const context = { instance: 'test', templateKey: Buffer.alloc(32), folder: '/srv', now: Date.now };
    const engines = [
      { name: 'rack', type: 'docker', endpoint: { transport: 'unix', socket_path: 'podman.sock' }, public_host: 'h' },
      libvirtEngine,
      {
        name: 'swarm',
        type: 'swarm',
        endpoint: { transport: 'unix', socket_path: '/s' },
        nodes: { node_a: { public_host: 'h' } },
      },
    ];
    const opened = openEngines(parseInventory({ engines, machines: [] }), context);
    expect([...opened.values()].map(({ name, type }) => [name, type])).toEqual([
      ['rack', 'docker'],
      ['vms', 'libvirt'],
      ['swarm', 'swarm'],
    ]);
  });
});

describe('the command line', () => {
  const run = async (...args: string[]) => {
    const out: string[] = [];
    const sink = { write: (text: string) => out.push(text) };
    const code = await runCli(args, { stdout: sink, stderr: sink, env: {}, cwd: process.cwd() });
    return { code, text: out.join('') };
  };

  it('checks a file, audits the books, and creates a sign-in link', async () => {
    const folder = scratch();
    const file = join(folder, 'compute.json');
    writeFileSync(file, JSON.stringify({ ...inventoryFile, templates: {} }));
    expect(await run('compute', 'check', file)).toEqual({
      code: 0,
      text: 'the file is valid: 1 engines, 4 machines, 1 tiers, 0 templates\n',
    });
    writeFileSync(file, '{');
    expect(await run('compute', 'check', file)).toMatchObject({ code: 78 });
    const state = ['--state-dir', folder];
    expect(await run('accounts', 'create', 'acme', ...state)).toMatchObject({ code: 0 });
    expect(await run('compute', 'audit', ...state)).toMatchObject({
      code: 0,
      text: 'pods and ledger of 1 accounts agree\n',
    });
    const toPages = await run('accounts', 'login', 'acme', ...state);
    expect(toPages.text).toMatch(/^https:\/\/localhost:8443\/sign-in#[\w-]{43}\n/);
    const compute = ['--compute', '--url', 'https://compute.example'];
    const { code, text } = await run('accounts', 'login', 'acme', ...compute, ...state);
    expect(code).toBe(0);
    const [, secret = ''] = /^https:\/\/compute\.example\/svc\/console#(\S+)/.exec(text) ?? [];
    const accounts = await openAccounts({ kind: 'sqlite', path: join(folder, 'accounts.sqlite') });
    const use = () => accounts.openSession({ link: secret, now: Date.now() });
    expect(await use()).toMatchObject({ accountId: expect.any(String), keyId: undefined });
    expect(await use()).toBeUndefined();
    await accounts.close();
    expect(await run('accounts', 'login', 'nobody', ...state)).toMatchObject({
      code: 1,
      text: expect.stringMatching(/no account has this name: create it/),
    });
    expect(await run('accounts', 'login', ...state)).toMatchObject({ code: 64 });
    expect(await run('compute', 'dance')).toMatchObject({ code: 64 });
    expect(await run('compute', '--help')).toMatchObject({ code: 0 });
  });
});
