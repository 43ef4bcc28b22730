/**
 * The runtime's first file in the confidential VM's image: what the guest's init executes. The settings are those of the
 * measured configuration disk; where state lies and on which interface is heard is the image's to say.
 */
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlatform } from '@cloister/attestation/guest/open-platform';
import type { Secrets } from '@cloister/attestation/provision/provision';
import { closeProcess } from '@cloister/server/enclave/process-guard';
import { receiveSecrets } from '@cloister/server/guest/provision';
import { parseProvisionWish, provisionFile } from '@cloister/server/guest/provision-wish';
import { ServerError } from '@cloister/server/http/errors';
import { readConfig } from '@cloister/server/program/config';
import { runCli } from './cli.ts';

/** Made by init, in memory: nothing in it outlives the machine. */
const stateFolder = '/run/state';
const configFolder = '/run/config';
const host = '0.0.0.0';

const { stdout, stderr } = process;
process.exit(await start());

async function start(): Promise<number> {
  const options = guestOptions();
  const io = { stdout, stderr, env: {}, cwd: stateFolder };
  const wish = join(configFolder, provisionFile);
  if (!existsSync(wish)) return runCli(['serve', ...options, '--json'], io);
  const { more, env } = settingsOf(await waitForSecrets(readFileSync(wish, 'utf8'), options));
  return runCli(['serve', ...options, ...more, '--json'], { ...io, env });
}

function guestOptions(): string[] {
  const settings = join(configFolder, 'settings.json');
  return [
    ...['--host', host, '--state-dir', stateFolder],
    // A key on the console would be the host's as well: whoever wants one says so in the settings.
    ...(existsSync(settings) ? ['--config', settings] : ['--start-key', 'off']),
    ...catalogueOption(),
  ];
}

/** Beside the models that init linked, since paths of a catalogue begin where it lies. */
function catalogueOption(): string[] {
  const measured = join(configFolder, 'catalogue.json');
  if (!existsSync(measured)) return [];
  const catalogue = join(stateFolder, 'models', 'catalogue.json');
  copyFileSync(measured, catalogue);
  return ['--catalogue', catalogue];
}

/** On the port that the server will have. Without a TD nobody could tell whom the secrets go to: then nothing starts. */
async function waitForSecrets(wishText: string, options: readonly string[]): Promise<Secrets> {
  closeProcess();
  const wish = parseProvisionWish(wishText);
  const platform = await openPlatform({ simulate: false, nowMs: Date.now() });
  if (platform === undefined) throw new ServerError('ERR_START', 'secrets are only taken in a TD');
  const { config } = readConfig({ args: options, env: {}, cwd: stateFolder });
  return await receiveSecrets({
    platform,
    operatorKey: wish.operatorKey,
    wanted: wish.secrets,
    host,
    port: config.port,
    now: Date.now,
    onListening: (port) =>
      stdout.write(`${JSON.stringify({ event: 'awaiting-secrets', port, secrets: wish.secrets })}\n`),
  });
}

/** Files of the state folder are in memory, as all of it. */
function settingsOf({ databaseUrl, tlsCert, tlsKey }: Secrets): { more: string[]; env: Record<string, string> } {
  const env = databaseUrl === undefined ? {} : { CLOISTER_DATABASE_URL: databaseUrl };
  if (tlsCert === undefined || tlsKey === undefined) return { more: [], env };
  const [cert, key] = [join(stateFolder, 'tls-cert.pem'), join(stateFolder, 'tls-key.pem')];
  writeFileSync(cert, tlsCert, { mode: 0o600 });
  writeFileSync(key, tlsKey, { mode: 0o600 });
  return { more: ['--tls-cert', cert, '--tls-key', key], env };
}
