/** Starts a fleet on this machine: database, account, nodes, balancer. What was started is ended again if a step fails. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoAccount, ensureDemoAccount } from '@cloister/accounts/demo-account';
import { openAccounts } from '@cloister/accounts/store';
import { simulatedBoot } from '@cloister/attestation/simulate';
import { openAuthority } from '@cloister/server/tls/development-authority';
import { subjectNames } from '@cloister/server/tls/tls';
import { findHaproxy, startBalancer } from './balancer.ts';
import { databaseReady, databaseUrl, findPostgres, startDatabase } from './database.ts';
import { LocalFleet, type LocalFleetOptions } from './local-fleet.ts';
import { type Release, writeFleet } from './state.ts';

export interface FleetUpOptions extends LocalFleetOptions {
  readonly nodes: number;
  readonly port: number;
  readonly release: Release;
}

/** @param options with an empty `paths.folder` · @throws {ServerError} ERR_START, also if a program is not installed */
export async function startFleet(options: FleetUpOptions): Promise<LocalFleet> {
  const { paths, env, signal, onStep, nodes, port, release } = options;
  const path = env.PATH ?? '';
  const [postgres, haproxy] = [findPostgres(path), findHaproxy(path)];
  const runFolder = mkdtempSync(join(tmpdir(), 'cloister-fleet-'));
  writeFleet(paths, { port, runFolder, databaseUrl: databaseUrl(runFolder), release, nodes: [] });
  const fleet = new LocalFleet(options);
  try {
    onStep('starting PostgreSQL');
    const databaseLog = join(paths.logs, 'postgresql.log');
    const database = await startDatabase(postgres, { runFolder, log: databaseLog });
    fleet.update({ database });
    await databaseReady(postgres, database, { runFolder, log: databaseLog, signal });
    writeFileSync(paths.apiKey, `${await makeApiKey(fleet.state.databaseUrl)}\n`, { mode: 0o600 });
    openAuthority(
      { certificate: paths.certificate, key: paths.certificateKey },
      { names: subjectNames('127.0.0.1'), now: Date.now() },
    );
    writeFileSync(paths.policy, release.policy);
    onStep('starting HAProxy');
    const balancerLog = join(paths.logs, 'haproxy.log');
    fleet.update({ balancer: await startBalancer(haproxy, { port, runFolder, log: balancerLog, env }) });
    await fleet.scale(nodes);
    return fleet;
  } catch (error) {
    onStep('ending what was started');
    await fleet.down();
    throw error;
  }
}

/** The policy of a fleet without one: the registers of a simulated boot. It proves nothing, like the simulation. */
export function simulationPolicy(): string {
  const { mrTd, rtmrs } = simulatedBoot(new Uint8Array(48));
  const hex = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString('hex');
  const [rtmr0, rtmr1, rtmr2] = (rtmrs ?? []).map(hex);
  const set = { mrTd: hex(mrTd), rtmr0, rtmr1, rtmr2 };
  return `${JSON.stringify({ measurements: [set], sources: 'any' }, null, 2)}\n`;
}

/** The key of the account that new servers have, which is credited for a demonstration. */
async function makeApiKey(url: string): Promise<string> {
  const accounts = await openAccounts({ kind: 'postgres', url });
  try {
    const now = Date.now();
    await ensureDemoAccount(accounts, { now });
    return (await accounts.createKey({ account: demoAccount, name: 'fleet', now })).secret;
  } finally {
    await accounts.close();
  }
}
