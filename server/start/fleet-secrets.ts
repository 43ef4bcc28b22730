/**
 * The secrets of a fleet at the start of a node: from the settings at the first node, or from a running node with `--join`. Such a
 * node loads and measures everything first, because it proves all of it before it gets a secret, and opens its ports afterwards.
 */
import { readFileSync } from 'node:fs';
import { Joiner } from '../fleet/joiner.ts';
import { SharedSecrets } from '../fleet/shared-secrets.ts';
import { ServerError } from '../http/errors.ts';
import type { Announcer } from '../program/announcements.ts';
import type { Config } from '../program/config.ts';
import { splitOrigins } from '../program/setting-kinds.ts';
import { SharedName } from '../tls/shared-name.ts';
import type { TlsIdentity } from '../tls/tls.ts';
import type { Attestation, MeasuredContents, Proof } from './attestation.ts';
import { readFleetPolicy } from './fleet.ts';

/** The secrets in the settings; undefined if this server shares none. @throws {ServerError} ERR_START */
export function readSharedSecrets(config: Config): SharedSecrets | undefined {
  const { fleetAddress, databaseUrl, fleetTlsCert, fleetTlsKey } = config;
  if (fleetAddress === undefined || (databaseUrl === undefined && fleetTlsCert === undefined)) return undefined;
  try {
    return new SharedSecrets({
      databaseUrl: databaseUrl === undefined ? undefined : Buffer.from(databaseUrl),
      tlsCert: fleetTlsCert === undefined ? undefined : readFileSync(fleetTlsCert),
      tlsKey: fleetTlsKey === undefined ? undefined : readFileSync(fleetTlsKey),
    });
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new ServerError('ERR_START', `the secrets of the fleet cannot be read: ${reason}`, { cause });
  }
}

/** The settings with the database that the fleet shares. What was measured stays: there, the database is not set. */
export function withDatabase(config: Config, secrets: SharedSecrets | undefined): Config {
  const databaseUrl = secrets?.bytesOf('databaseUrl')?.toString('utf8');
  return databaseUrl === undefined ? config : Object.freeze({ ...config, databaseUrl });
}

/** @returns undefined if the fleet shares no certificate · @throws {ServerError} ERR_START */
export function openSharedName({ fleetAddress }: Config, secrets: SharedSecrets | undefined): SharedName | undefined {
  const [certificate, key] = [secrets?.bytesOf('tlsCert'), secrets?.bytesOf('tlsKey')];
  if (certificate === undefined || key === undefined || fleetAddress === undefined) return undefined;
  return new SharedName({ certificate, key }, { ownName: new URL(fleetAddress).hostname });
}

export interface JoinParts {
  readonly config: Config;
  readonly attestation: Attestation;
  readonly say: Pick<Announcer, 'joining'>;
  /** Resolves with what the start measures, when it is loaded. */
  readonly contents: () => Promise<Omit<MeasuredContents, 'provision'>>;
}

/** What a node has after it joined. */
export interface Joined {
  readonly secrets: SharedSecrets;
  readonly proof: Proof;
  /** The certificate to use from now on. */
  readonly tls: TlsIdentity;
}

/**
 * Joins a fleet: loads, verifies running nodes, measures the start with their names, and gets the secrets.
 * @returns undefined without `--join`
 * @throws {ServerError} ERR_START · as `Attestation.prove` · the reason of the signal
 */
export async function joinFleet(
  { config, attestation, say, contents }: JoinParts,
  { signal }: { signal: AbortSignal },
): Promise<Joined | undefined> {
  if (config.join === undefined) return undefined;
  const { platformKind } = attestation;
  if (platformKind === undefined) {
    throw new ServerError('ERR_START', '--join needs a machine with TDX: use --simulate-tdx for development');
  }
  const { policy, digest } = readFleetPolicy(config)!;
  const joiner = new Joiner({
    ...{ addresses: splitOrigins(config.join), policy, isSimulated: platformKind === 'simulated' },
    onStep: (step) => say.joining(step),
    clock: () => performance.now(),
  });
  const loaded = await contents();
  signal.throwIfAborted();
  const givers = await joiner.findGivers({ signal });
  const provision = { givers: [...new Set(givers.map(({ keysetDigest }) => keysetDigest))], policy: digest };
  let tls = attestation.tls;
  const onTls = (identity: TlsIdentity) => {
    tls = identity;
  };
  const proof = await attestation.prove({ ...loaded, provision }, { onTls });
  const secrets = await joiner.receive(givers, attestation.enclave!, { signal });
  return { secrets, proof: proof!, tls };
}
