/** A running node that gives secrets, and a starting one: the real application and the real enclave, on simulated machines. */
import { openAccountStore } from '../../../accounts/store.ts';
import type { StartEvent } from '../../../attestation/eventlog/start-log.ts';
import { openSimulatedPlatform } from '../../../attestation/guest/simulated-platform.ts';
import type { EvidencePolicy } from '../../../attestation/policy/evidence-policy.ts';
import { Enclave } from '../../../server/enclave/enclave.ts';
import { createSealingKey } from '../../../server/enclave/sealing-key.ts';
import { Fleet } from '../../../server/fleet/fleet.ts';
import { SharedSecrets } from '../../../server/fleet/shared-secrets.ts';
import { makeIdentity } from '../../../server/tls/tls.ts';
import { simulatedSoftware, testStartLog } from '../attestation/attested-server.ts';
import { type AttestedApp, startAttestedApp } from './attested-app.ts';

export const databaseUrl = 'postgres://cloister:canary-password-9d31@db.internal/cloister';
/** What no log, error or refusal may contain. */
export const secretCanary = 'canary-password-9d31';
export const fleetPolicy: EvidencePolicy = { measurements: simulatedSoftware, sources: 'any' };

async function measuredPlatform(events: readonly StartEvent[]) {
  const platform = await openSimulatedPlatform(Date.now());
  for (const event of events) await platform.measure(event);
  return platform;
}

/** An enclave whose start is measured, on a machine of its own. */
export async function startedEnclave(events: readonly StartEvent[] = testStartLog): Promise<Enclave> {
  const { certificate } = makeIdentity({ host: '127.0.0.1', now: Date.now() });
  return new Enclave({
    ...{ platform: await measuredPlatform(events), certificate, isTlsKeyBornInside: true },
    sealingKey: createSealingKey(),
    provenance: { repositoryUrl: undefined, commit: undefined, imageDigest: undefined },
    claims: () => [],
    collateralFor: () => Promise.reject(new Error('a simulated platform has its own collateral')),
    now: Date.now,
    clock: () => performance.now(),
  });
}

export interface GivingNode {
  readonly app: AttestedApp;
  readonly fleet: Fleet;
  /** `https://127.0.0.1:port` */
  readonly origin: string;
  /** Nodes that got secrets, and the reasons of refusals. */
  readonly given: string[];
  readonly refusals: string[];
  /** Moves the monotonic clock of its limits. */
  advance(ms: number): void;
  close(): Promise<void>;
}

export interface GivingNodeOptions {
  readonly policy?: EvidencePolicy;
  readonly gives?: boolean;
  readonly events?: readonly StartEvent[];
}

export async function startGivingNode({
  policy = fleetPolicy,
  gives = true,
  events = testStartLog,
}: GivingNodeOptions = {}): Promise<GivingNode> {
  const accounts = await openAccountStore(':memory:');
  const enclave: { current: Enclave | undefined } = { current: undefined };
  const [given, refusals]: [string[], string[]] = [[], []];
  let extraMs = 0;
  const fleet = new Fleet({
    rows: accounts.fleet,
    enclave: () => enclave.current,
    address: 'https://node-1.example.org',
    policy: { policy, digest: `sha256:${'00'.repeat(32)}` },
    giving: gives
      ? {
          secrets: new SharedSecrets({ databaseUrl: Buffer.from(databaseUrl) }),
          onGiven: ({ node }) => given.push(node),
          onRefused: ({ reason }) => refusals.push(reason),
        }
      : undefined,
    facts: () => ({ models: [], load: 0 }),
    simulationRoot: () => undefined,
    onFailed: () => undefined,
    now: Date.now,
    clock: () => performance.now() + extraMs,
    drainServesMs: 0,
  });
  const platform = await measuredPlatform(events);
  const app = await startAttestedApp({
    fleet,
    enclave: { platform, now: Date.now, clock: () => performance.now() },
  });
  enclave.current = app.enclave;
  const origin = new URL(await app.listen()).origin;
  return {
    ...{ app, fleet, origin, given, refusals },
    advance: (ms) => {
      extraMs += ms;
    },
    async close() {
      await fleet.close();
      await app.close();
      await accounts.close();
    },
  };
}
