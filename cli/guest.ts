/**
 * The runtime's entry point in the confidential VM, which the guest's init executes. Settings come from the measured
 * configuration disk; the image fixes the state folder and the listening address.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlatform } from '@cloister/attestation/guest/open-platform';
import type { Secrets } from '@cloister/attestation/provision/provision';
import { closeProcess } from '@cloister/server/enclave/process-guard';
import { receiveSecrets } from '@cloister/server/guest/provision';
import { parseProvisionRequest, provisionFile } from '@cloister/server/guest/provision-request';
import { ServerError } from '@cloister/server/http/errors';
import { type Config, readConfig } from '@cloister/server/program/config';
import { runCli } from './cli.ts';

/** Created by init in memory, so its contents do not outlive the machine. */
const stateFolder = '/run/state';
const configFolder = '/run/config';
const policyPath = join(configFolder, 'fleet-policy.json');
const host = '0.0.0.0';

const { stdout, stderr } = process;
process.exit(await start());

async function start(): Promise<number> {
  const options = guestOptions();
  const io = { stdout, stderr, env: {}, cwd: stateFolder };
  const requestPath = join(configFolder, provisionFile);
  if (!existsSync(requestPath)) return runCli(['serve', ...options, '--json'], io);
  const { config } = readConfig({ args: options, env: {}, cwd: stateFolder });
  const secrets = await waitForSecrets(readFileSync(requestPath, 'utf8'), config);
  const { tlsArgs, env } = secretSettings(secrets, { isNode: config.fleetAddress !== undefined });
  return runCli(['serve', ...options, ...tlsArgs, '--json'], { ...io, env });
}

function guestOptions(): string[] {
  const settings = join(configFolder, 'settings.json');
  return [
    ...['--host', host, '--state-dir', stateFolder],
    // The host can read the console, so the development key is off unless the settings turn it on.
    ...(existsSync(settings) ? ['--config', settings] : ['--start-key', 'off']),
    ...catalogueOption(),
    ...(existsSync(policyPath) ? ['--fleet-policy', policyPath] : []),
  ];
}

/** Copies the catalogue next to the models that init linked: a catalogue's paths are relative to its folder. */
function catalogueOption(): string[] {
  const measured = join(configFolder, 'catalogue.json');
  if (!existsSync(measured)) return [];
  const catalogue = join(stateFolder, 'models', 'catalogue.json');
  copyFileSync(measured, catalogue);
  return ['--catalogue', catalogue];
}

/** Waits on the server's own port. Refuses outside a TD, where a sender could not verify the recipient of the secrets. */
async function waitForSecrets(requestText: string, { port }: Pick<Config, 'port'>): Promise<Secrets> {
  closeProcess();
  const request = parseProvisionRequest(requestText);
  const platform = await openPlatform({ simulate: false, nowMs: Date.now() });
  if (platform === undefined) throw new ServerError('ERR_START', 'secrets can be received only in a TD');
  return await receiveSecrets({
    platform,
    operatorKey: request.operatorKey,
    wanted: request.secrets,
    host,
    port,
    now: Date.now,
    onListening: (opened) =>
      stdout.write(`${JSON.stringify({ event: 'awaiting-secrets', port: opened, secrets: request.secrets })}\n`),
  });
}

/**
 * Passes the database URL as a variable and the certificate as files. The state folder is in memory, so they never reach a disk. In a
 * fleet, the certificate is that of the shared name, since nodes verify each other by keys of their own.
 */
function secretSettings(
  { databaseUrl, tlsCert, tlsKey }: Secrets,
  { isNode }: { isNode: boolean },
): { tlsArgs: string[]; env: Record<string, string> } {
  const env = databaseUrl === undefined ? {} : { CLOISTER_DATABASE_URL: databaseUrl };
  if (tlsCert === undefined || tlsKey === undefined) return { tlsArgs: [], env };
  const [cert, key] = [join(stateFolder, 'tls-cert.pem'), join(stateFolder, 'tls-key.pem')];
  writeFileSync(cert, tlsCert, { mode: 0o600 });
  writeFileSync(key, tlsKey, { mode: 0o600 });
  const prefix = isNode ? '--fleet-tls' : '--tls';
  return { tlsArgs: [`${prefix}-cert`, cert, `${prefix}-key`, key], env };
}
