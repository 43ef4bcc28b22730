/** The operator's console on a port that requires a client certificate. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AccountStore, openAccountStore } from '../../accounts/store.ts';
import { readConfig } from '../../server/program/config.ts';
import { type OperatorPorts, openOperatorPorts } from '../../server/start/operator-ports.ts';
import { makeIdentity } from '../../server/tls/tls.ts';
import { makeClientCertificate } from '../support/server/client-certificates.ts';
import { accessibilityViolations, Windows, whyNoBrowser } from './support/browser.ts';

describe.skipIf(whyNoBrowser !== undefined)("the operator's console with mutual TLS", () => {
  const cwd = mkdtempSync(join(tmpdir(), 'cloister-operator-'));
  const windows = new Windows();
  let accounts: AccountStore;
  let ports: OperatorPorts;
  let origin: string;

  beforeAll(async () => {
    for (const name of ['ours', 'theirs']) makeClientCertificate(cwd, name);
    const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
    writeFileSync(join(cwd, 'cert.pem'), identity.certificate);
    writeFileSync(join(cwd, 'key.pem'), identity.key);
    accounts = await openAccountStore(':memory:');
    await accounts.createAccount({ name: 'acme', now: Date.now() });
    const args = [
      ...['--state-dir', '.', '--metrics-port', '0', '--admin-port', '0', '--admin-ca', 'ours-ca.pem'],
      ...['--admin-cert', 'cert.pem', '--admin-key', 'key.pem'],
    ];
    const { config } = readConfig({ args, env: {}, cwd });
    ports = await openOperatorPorts(config, { accounts, registry: new Registry(), tls: identity });
    origin = new URL(ports.adminUrl!).origin;
    await windows.launch();
  });
  afterEach(() => windows.forget());
  afterAll(async () => {
    await windows.quit();
    ports?.close();
    await accounts?.close();
  });

  const certificate = (name: string) => ({
    ...{ origin, certPath: join(cwd, `${name}.pem`), keyPath: join(cwd, `${name}.key`) },
  });

  it('opens without a token for the certificate of the configured authority', async () => {
    const { page, faults } = await windows.window({}, [certificate('ours')]);
    await page.goto(origin);
    await page.getByRole('cell', { name: 'acme', exact: true }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows nothing to other certificates, or without one', async () => {
    for (const certificates of [[certificate('theirs')], []]) {
      const { page } = await windows.window({}, certificates);
      // The driver answers for a connection that the server closed.
      const answer = await page.goto(origin).catch(() => undefined);
      expect(answer?.ok() ?? false).toBe(false);
      expect(await page.getByText("Operator's console").count()).toBe(0);
    }
  });
});
