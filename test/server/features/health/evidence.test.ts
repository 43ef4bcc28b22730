import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { AttestationError } from '../../../../attestation/base/errors.ts';
import type { AttestedPlatform } from '../../../../attestation/guest/platform.ts';
import { openSimulatedPlatform } from '../../../../attestation/guest/simulated-platform.ts';
import type { Enclave } from '../../../../server/enclave/enclave.ts';
import { openEnclave } from '../../../../server/enclave/open-enclave.ts';
import { openReadiness } from '../../../../server/features/health/open-readiness.ts';
import { buildLogger } from '../../../../server/http/request-log.ts';
import { makeIdentity } from '../../../../server/tls/tls.ts';

const dayMs = 86_400_000;
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

function enclaveOn(platform: AttestedPlatform): Enclave {
  return openEnclave({
    platform,
    sealingKey: undefined,
    provenance: { repositoryUrl: undefined, commit: undefined, imageDigest: undefined },
    claims: () => [],
    now: Date.now,
    clock: () => performance.now(),
    hasGpu: () => false,
    tls: makeIdentity({ host: 'x', now: Date.now() }),
    ownKey: undefined,
  });
}

function open(enclave: Enclave, registry = new Registry()) {
  const { readiness, close } = openReadiness({
    config: { readyStepS: 60, readyGraceS: 0, memoryLimitMb: 'auto' },
    models: new Map(),
    accounts: {
      probe: async () => undefined,
      ledgerLoad: { waiting: 3, owed: 2, rounds: 7, work: 21, roundMs: 1500 },
    },
    enclave: () => enclave,
    logger: buildLogger({ level: 'silent', destination: { write: () => undefined } }),
    registry,
  });
  opened.push({ close });
  return () => readiness.failures().get('evidence');
}

const soon = { timeout: 20_000 };

describe('evidence', () => {
  it('is valid while both the keyset and the collateral are valid', async () => {
    const now = Date.now();
    const young = enclaveOn(await openSimulatedPlatform(now));
    // The keyset is renewed before the collateral.
    expect(await young.evidenceValidUntil()).toBe(young.identity.keyset.notAfter * 1000);
    const old = enclaveOn(await openSimulatedPlatform(now - 360 * dayMs));
    expect(Math.abs((await old.evidenceValidUntil()) - (now + 5 * dayMs))).toBeLessThan(2_000);
    const failure = open(old);
    await old.evidenceValidUntil();
    expect(failure()).toBeUndefined();
  });

  it('has an age and an end in the metrics, next to the load of the ledger', async () => {
    const registry = new Registry();
    const now = Date.now();
    const enclave = enclaveOn(await openSimulatedPlatform(now));
    const value = async (name: string) => {
      const text = await registry.metrics();
      return Number(new RegExp(`^cloister_${name} (.+)$`, 'm').exec(text)?.[1]);
    };
    open(enclave, registry);
    await expect.poll(() => value('evidence_expiry_timestamp_seconds'), soon).toBe(enclave.identity.keyset.notAfter);
    expect(await value('evidence_age_seconds')).toBeLessThan(60);
    expect(Math.abs((await value('accounts_probe_timestamp_seconds')) - now / 1000)).toBeLessThan(60);
    expect(await value('accounts_probe_seconds')).toBeLessThan(60);
    const names = ['work_waiting', 'settlements_owed', 'rounds_total', 'work_total', 'round_seconds_total'];
    const values = await Promise.all(names.map((name) => value(`ledger_${name}`)));
    expect(values).toEqual([3, 2, 7, 21, 1.5]);
  });

  it('makes the server unready once its collateral has expired', async () => {
    const failure = open(enclaveOn(await openSimulatedPlatform(Date.now() - 400 * dayMs)));
    await expect.poll(failure, soon).toBe('the server has no valid evidence (EVIDENCE_EXPIRED)');
  });

  it('makes the server unready while the platform issues no quotes', async () => {
    const platform = await openSimulatedPlatform(Date.now());
    const quote = () => Promise.reject(new AttestationError('ERR_QUOTE_SERVICE_UNREACHABLE', 'nobody answers'));
    const failure = open(enclaveOn(Object.assign(Object.create(platform), { quote })));
    await expect.poll(failure, soon).toBe('the server has no valid evidence (ERR_QUOTE_SERVICE_UNREACHABLE)');
  });

  it('shows the number of prepared quotes and of connections that shared a quote', async () => {
    const enclave = enclaveOn(await openSimulatedPlatform(Date.now()));
    const registry = new Registry();
    open(enclave, registry);
    const [ready, proofs] = ['cloister_channel_quotes_ready', 'cloister_channel_proofs_total'];
    const values = async (name: string) =>
      (await registry.getSingleMetric(name)!.get()).values.map(({ labels, value }) => ({ ...labels, value }));
    expect(await values(ready!)).toEqual([{ value: 0 }]);
    const digits = '0f'.repeat(32);
    const call = { nonce: digits, exporter: digits, certificate: digits, client: 'one' };
    await enclave.proveChannel(call);
    await expect.poll(async () => (await values(ready!))[0]!.value, soon).toBe(32);
    for (let count = 0; count < 33; count++) await enclave.proveChannel(call);
    expect(await values(proofs!)).toEqual([
      { quote: 'pooled', value: 31 },
      { quote: 'shared', value: 2 },
      { quote: 'direct', value: 1 },
    ]);
  });
});
