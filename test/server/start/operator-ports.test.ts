import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { request as tlsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../../accounts/store.ts';
import { readConfig } from '../../../server/program/config.ts';
import { type OperatorPorts, openOperatorPorts } from '../../../server/start/operator-ports.ts';
import { makeIdentity } from '../../../server/tls/tls.ts';
import { noon } from '../../support/accounts/account-stores.ts';
import { makeClientCertificate } from '../../support/server/client-certificates.ts';

const cwd = mkdtempSync(join(tmpdir(), 'cloister-operator-'));
const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
const token = 't'.repeat(40);
let accounts: AccountStore;
let ports: OperatorPorts | undefined;

beforeAll(async () => {
  accounts = await openAccountStore(':memory:', { clock: () => noon });
  writeFileSync(join(cwd, 'cert.pem'), identity.certificate);
  writeFileSync(join(cwd, 'key.pem'), identity.key);
  writeFileSync(join(cwd, 'token'), `${token}\n`);
  writeFileSync(join(cwd, 'short'), 'short\n');
  for (const name of ['ours', 'theirs']) makeClientCertificate(cwd, name);
});
afterEach(() => ports?.close());
afterAll(() => accounts.close());

async function open(...args: string[]) {
  const { config } = readConfig({ args: ['--state-dir', '.', '--metrics-port', '0', ...args], env: {}, cwd });
  ports = await openOperatorPorts(config, { accounts, registry: new Registry(), tls: identity });
  return ports;
}

interface Call {
  readonly host?: string;
  readonly authorization?: string;
  /** Name of the client certificate. */
  readonly client?: string;
}

/** @returns the status, or the code of the error */
function call(url: string, { host, authorization, client }: Call = {}): Promise<number | string> {
  const read = (name: string) => readFileSync(join(cwd, name));
  const headers = { ...(host !== undefined && { host }), ...(authorization !== undefined && { authorization }) };
  const credentials = client === undefined ? {} : { cert: read(`${client}.pem`), key: read(`${client}.key`) };
  return new Promise((resolve) => {
    const options = { headers, agent: false as const };
    const sent = url.startsWith('https:')
      ? tlsRequest(url, { ...options, ca: identity.certificate, checkServerIdentity: () => undefined, ...credentials })
      : plainRequest(url, options);
    sent.on('response', (response) => resolve(response.resume().statusCode!));
    sent.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });
}

const bearer = { authorization: `Bearer ${token}` };

describe('the ports of the operator', () => {
  it('are one by default, on the loopback interface, with the token of the state folder', async () => {
    const { metricsUrl, adminUrl } = await open();
    expect(metricsUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
    expect(adminUrl).toBeUndefined();
    const admin = metricsUrl!.replace('/metrics', '/admin/accounts');
    const own = readFileSync(join(cwd, 'admin-token'), 'utf8').trim();
    expect(await call(metricsUrl!)).toBe(200);
    expect(await call(admin)).toBe(401);
    expect(await call(admin, { authorization: `Bearer ${own}` })).toBe(200);
    expect(await call(metricsUrl!, { host: '10.0.0.1' })).toBe(403);
  });

  it('serve metrics on every interface without the admin API, under addresses and own names', async () => {
    const { metricsUrl, adminUrl } = await open(
      ...['--metrics-host', '0.0.0.0', '--admin-port', '0', '--public-url', 'https://api.example.org/v1'],
    );
    const hosts = ['10.0.0.1:9443', '[fd00::1]', 'api.example.org', 'localhost'];
    expect(await Promise.all(hosts.map((host) => call(metricsUrl!, { host })))).toEqual([200, 200, 200, 200]);
    expect(await call(metricsUrl!, { host: 'attacker.example' })).toBe(403);
    expect(await call(metricsUrl!.replace('/metrics', '/admin/accounts'), bearer)).toBe(404);
    expect(adminUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/admin$/);
    expect(await call(`${adminUrl}/accounts`, { host: '10.0.0.1' })).toBe(403);
    expect(await call(adminUrl!.replace('/admin', '/metrics'))).toBe(404);
  });

  it('serve the admin API elsewhere with a token file, over TLS with the certificate of the API', async () => {
    const port = await open('--admin-host', '0.0.0.0', '--admin-port', '0', '--admin-token-file', 'token');
    expect(port.adminUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/admin$/);
    const url = `${port.adminUrl}/accounts`;
    expect(await call(url, bearer)).toBe(200);
    expect(await call(url)).toBe(401);
    expect(await call(url, { authorization: `Bearer ${'x'.repeat(40)}` })).toBe(401);
    expect(await call(url, { ...bearer, host: 'attacker.example' })).toBe(403);
    expect(await call(url.replace('https:', 'http:'), bearer)).not.toBe(200);
    port.useCertificate(makeIdentity({ host: '127.0.0.1', now: Date.now() }));
    expect(await call(url, bearer)).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  });

  it('accept only clients of the authority with mutual TLS, without a token', async () => {
    const tls = ['--admin-ca', 'ours-ca.pem', '--admin-cert', 'cert.pem', '--admin-key', 'key.pem'];
    const { adminUrl } = await open('--admin-host', '0.0.0.0', '--admin-port', '0', ...tls);
    const url = `${adminUrl}/accounts`;
    expect(await call(url, { client: 'ours' })).toBe(200);
    expect(await call(url, { client: 'theirs' })).toMatch(/^(ERR_SSL|ECONNRESET)/);
    expect(await call(url, bearer)).toMatch(/^(ERR_SSL|ECONNRESET)/);
  });

  it('require both if both are configured', async () => {
    const tls = ['--admin-ca', 'ours-ca.pem', '--admin-cert', 'cert.pem', '--admin-key', 'key.pem'];
    const { adminUrl } = await open('--admin-port', '0', ...tls, '--admin-token-file', 'token');
    const url = `${adminUrl}/accounts`;
    expect(await call(url, { client: 'ours', ...bearer })).toBe(200);
    expect(await call(url, { client: 'ours' })).toBe(401);
    expect(await call(url, { client: 'theirs', ...bearer })).toMatch(/^(ERR_SSL|ECONNRESET)/);
  });

  it('open payment webhooks only with a secret, in plain HTTP on loopback and else with the certificate', async () => {
    const off = await open('--admin-port', 'off');
    expect(off.webhookUrl).toBeUndefined();
    off.close();
    const args = ['--admin-port', 'off', '--credits-webhook-secret-file', 'token', '--credits-webhook-port', '0'];
    const { webhookUrl, metricsUrl } = await open(...args);
    expect(webhookUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/webhooks\/credits$/);
    expect(await call(webhookUrl!)).toBe(405);
    expect(await call(webhookUrl!.replace('/webhooks/credits', '/metrics'))).toBe(404);
    expect(await call(metricsUrl!.replace('/metrics', '/webhooks/credits'))).toBe(404);
    ports?.close();
    const onAll = await open(...args, '--credits-webhook-host', '0.0.0.0');
    expect(onAll.webhookUrl).toMatch(/^https:/);
    expect(await call(onAll.webhookUrl!, { host: '10.0.0.1' })).toBe(405);
  });

  it('are none if both are off', async () => {
    const { metricsUrl, adminUrl } = await open('--metrics-port', 'off', '--admin-port', 'off');
    expect([metricsUrl, adminUrl]).toEqual([undefined, undefined]);
    const { metricsUrl: metrics } = await open('--admin-port', 'off');
    expect(await call(metrics!.replace('/metrics', '/admin/accounts'), bearer)).toBe(404);
  });

  it.each([
    [
      ['--admin-host', '0.0.0.0'],
      /--admin-host is not a loopback address: set --admin-ca, --admin-cert and --admin-key/,
    ],
    [['--admin-host', '10.0.0.1', '--admin-cert', 'cert.pem', '--admin-key', 'key.pem'], /or --admin-token-file/],
    [['--admin-host', '127.0.0.1.example'], /is not a loopback address/],
    [['--admin-ca', 'ours-ca.pem'], /--admin-cert and --admin-key are missing: --admin-ca needs them/],
    [['--admin-cert', 'cert.pem'], /--admin-key is missing/],
    [['--admin-token-file', 'short'], /short must contain one token of at least 32 characters/],
    [['--credits-webhook-secret-file', 'short'], /short must have 1 to 4 lines, each a secret of at least 16/],
    [['--admin-token-file', 'none'], /--admin-token-file: .*none cannot be read \(ENOENT\)/],
    [
      ['--admin-port', '0', '--admin-ca', 'token', '--admin-cert', 'cert.pem', '--admin-key', 'key.pem'],
      /--admin-ca: .*token is not a readable certificate/,
    ],
  ])('are refused for %j', async (args, message) => {
    ports = undefined;
    await expect((async () => open(...args))()).rejects.toThrow(message);
  });
});
