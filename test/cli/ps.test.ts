import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../accounts/store.ts';
import { adminUrl } from '../../cli/models/admin-client.ts';
import { run } from '../../cli/ps.ts';
import { adminHandler, readAdminToken } from '../../server/operator/admin.ts';
import { readConfig } from '../../server/program/config.ts';
import type { ServedModel } from '../../server/serving/served-model.ts';
import { loadedModels } from '../../server/start/loaded-models.ts';
import { FakeEmbeddingEngine } from '../support/runtime/fake-embedding-engine.ts';
import { FakeEngine } from '../support/runtime/fake-engine.ts';
import { terms } from '../support/server/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloister-ps-'));
const now = Date.now();
const served = { created: 1, fingerprint: 'fp', terms };
const models: readonly ServedModel[] = [
  {
    kind: 'chat',
    id: 'chat-TEE',
    aliases: ['gpt-4o-mini'],
    engine: new FakeEngine(),
    use: { claimedBytes: () => 1_500_000_000, readyAt: now - 7_200_000, usedAt: now - 130_000 },
    ...served,
  },
  { kind: 'embedding', id: 'vectors-TEE', engine: new FakeEmbeddingEngine(), embedding: {}, ...served },
];
let accounts: AccountStore;
let server: Server;
let url: string;

beforeAll(async () => {
  accounts = await openAccountStore(':memory:');
  const token = readAdminToken(join(folder, 'admin-token'));
  const access = { token, byCertificate: false };
  const views = {
    models: () => loadedModels(models, { now }),
    nodes: () => [],
    loadModel: unused,
    unloadModel: unused,
  };
  function unused(): never {
    throw new Error('not called by ps');
  }
  const handle = adminHandler({ accounts, access, views, now: Date.now });
  server = createServer(async (request, response) => void (await handle(request, response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await accounts.close();
});

async function ps(...args: string[]) {
  let out = '';
  const stdout = { write: (text: string) => (out += text) };
  await run([...args, '--state-dir', folder], { stdout, stderr: stdout, env: {}, cwd: folder });
  return out;
}

describe('cloister ps', () => {
  it('lists models with memory, requests and times', async () => {
    const [head, chat, vectors] = (await ps('--url', url)).split('\n');
    expect(head).toMatch(/^ID +KIND +STATUS +MEMORY +RUNNING +WAITING +DEVICE +LOADED +IDLE +EXPIRES IN$/);
    expect(chat).toMatch(/^chat-TEE +chat +ready +1\.50 GB +0 of \d+ +0 +\S.* 2 h +2 min +-$/);
    expect(vectors).toMatch(/^vectors-TEE +embedding +ready +0 B +0 +0 +\S.* - +- +-$/);
  });

  it('prints the same facts as JSON', async () => {
    const { models: listed } = JSON.parse(await ps('--json', '--url', url));
    expect(listed[0]).toMatchObject({
      id: 'chat-TEE',
      aliases: ['gpt-4o-mini'],
      memoryBytes: 1_500_000_000,
      running: 0,
      loadedAt: now - 7_200_000,
      idleSeconds: 130,
    });
    expect(listed[1]).toMatchObject({ id: 'vectors-TEE', sequences: null, loadedAt: null, idleSeconds: null });
  });

  it('says what to do if no server answers, or if the token is another server’s', async () => {
    await expect(ps('--url', 'http://127.0.0.1:1')).rejects.toThrow(
      'no answer from http://127.0.0.1:1 (ECONNREFUSED): start the server, or name it with --url',
    );
    const other = mkdtempSync(join(tmpdir(), 'cloister-ps-'));
    writeFileSync(join(other, 'admin-token'), 'x'.repeat(40));
    const io = { stdout: { write: () => true }, stderr: { write: () => true }, env: {}, cwd: other };
    await expect(run(['--url', url, '--state-dir', other], io)).rejects.toThrow(
      /answered 401: the admin token is wrong/,
    );
  });

  it.each([
    [['extra'], 'expected no argument'],
    [['--cert', 'x'], '--cert and --key belong together'],
    [['--url', 'localhost:9443'], '--url must be an http or https address'],
  ])('rejects %j as wrong usage', async (args, reason) => {
    await expect(ps(...args)).rejects.toThrow(reason);
  });
});

describe('the address of the admin API', () => {
  const of = (...args: string[]) => adminUrl(readConfig({ args, env: {}, cwd: folder }).config).href;

  it('is that of the metrics, or of a port of its own', () => {
    expect(of()).toBe('http://127.0.0.1:9443/');
    expect(of('--metrics-port', '9000')).toBe('http://127.0.0.1:9000/');
    expect(of('--admin-port', '9555')).toBe('http://127.0.0.1:9555/');
    expect(of('--admin-host', '0.0.0.0', '--admin-token-file', 't')).toBe('https://127.0.0.1:9444/');
  });

  it('is unknown if the port is off or any free one', () => {
    expect(() => of('--admin-port', 'off')).toThrow('the admin API is off: set --admin-port');
    expect(() => of('--metrics-port', '0')).toThrow('name it with --url');
  });
});
