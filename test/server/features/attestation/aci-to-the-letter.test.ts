/**
 * ACI conformance: a report as verifiers other than ours read it. The reference verifier also runs if
 * ACI_REFERENCE names a checkout of Dstack-TEE/private-ai-gateway.
 */
import { createHash, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyEvidence } from '../../../../attestation/client/verify-evidence.ts';
import { measureGpus } from '../../../../server/enclave/gpu-admission.ts';
import { measureFacts, type StartFacts } from '../../../../server/enclave/measured-start.ts';
import { failedIdentityChecks } from '../../../support/attestation/aci-identity-checks.ts';
import { simulatedSoftware } from '../../../support/attestation/attested-server.ts';
import { type AttestedApp, appNowMs, startAttestedApp, weightDigest } from '../../../support/server/attested-app.ts';

const nonce = '0f'.repeat(32);
const startFacts = {
  build: { source: { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: null } },
  libraries: [],
  config: {},
  models: [
    { id: 'demo-TEE', kind: 'llama-text', device: 'CPU', files: [{ path: 'a', bytes: 1, sha256: weightDigest }] },
  ],
  agents: [],
  gpu: 'none',
  host: {},
} as unknown as StartFacts;

let running: AttestedApp;
let text: string;
let spkiSha256: string;

beforeAll(async () => {
  running = await startAttestedApp();
  await measureGpus(running.platform, startFacts.gpu);
  await measureFacts(running.platform, startFacts);
  text = (await running.get(`/v1/aci/attestation?nonce=${nonce}`)).text;
  const { publicKey } = new X509Certificate(running.identity.certificate);
  spkiSha256 = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
});
afterAll(() => running.close());

const failed = (report: string, observedNonce = nonce) =>
  failedIdentityChecks({
    text: report,
    nonce: observedNonce,
    nowSeconds: appNowMs / 1000,
    spkiSha256,
    trust: running.platform.simulation!,
  });

/** Taken from a report that has all three. */
type Evidence = Record<'quote' | 'event_log' | 'app_compose', string>;
function changed(change: (evidence: Evidence) => void): string {
  const report = JSON.parse(text);
  change(report.attestation.evidence);
  return JSON.stringify(report);
}

describe('ACI conformance: a report under the identity checks of §9.1', () => {
  it('passes every check that needs no policy: quote, binding, expiry, provenance and channel', () => {
    expect(failed(text)).toEqual({});
  });

  it('names program and weights in the composition whose hash is measured', () => {
    const { app_compose: composition } = JSON.parse(text).attestation.evidence;
    expect(JSON.parse(composition)).toEqual({
      format: 'cloister.composition.v1',
      build: startFacts.build,
      models: [{ id: 'demo-TEE', files: [{ path: 'a', sha256: weightDigest }] }],
    });
  });

  it.each<[string, string, (evidence: Evidence) => void]>([
    ['a quote in base64', 'quote', (all) => (all.quote = Buffer.from(all.quote, 'hex').toString('base64'))],
    ['no composition', 'provenance', (all) => (all.app_compose = '')],
    ['another composition', 'provenance', (all) => (all.app_compose = all.app_compose.replace('c0ffee', 'decaff'))],
    ['another event', 'provenance', (all) => (all.event_log = all.event_log.replace(/"digest":"./, '"digest":"0'))],
  ])('fails with %s', (_, id, change) => {
    expect(Object.keys(failed(changed(change)))).toContain(id);
  });

  it('is rejected by our verifier if the ACI log or composition differs from the start log', async () => {
    const judge = async (report: string) => {
      const { simulation } = running.platform;
      const policy = { measurements: simulatedSoftware };
      const trust = { roots: [simulation!.rootCa], policy, nowMs: appNowMs };
      const { checks } = await verifyEvidence({ report, nonce, observed: 'none' }, trust);
      return checks.filter(({ outcome }) => outcome === 'fail').map(({ id }) => id);
    };
    expect(await judge(text)).toEqual([]);
    // No digest covers this name: the register stays the same, but another verifier would read another event.
    expect(
      await judge(changed((all) => (all.event_log = all.event_log.replace('cloister.host', 'cloister.hosts')))),
    ).toEqual(['start-log']);
    expect(await judge(changed((all) => (all.app_compose += ' ')))).toEqual(['start-log']);
  });

  it('verifies in the older format, with a base64 quote and without ACI log and composition', async () => {
    const before = changed((all) => {
      all.quote = Buffer.from(all.quote, 'hex').toString('base64');
      delete (all as Partial<Evidence>).event_log;
      delete (all as Partial<Evidence>).app_compose;
    });
    const trust = {
      roots: [running.platform.simulation!.rootCa],
      policy: { measurements: simulatedSoftware },
      nowMs: appNowMs,
    };
    expect(
      (await verifyEvidence({ report: before, nonce, observed: 'none' }, trust)).checks.filter(
        ({ outcome }) => outcome === 'fail',
      ),
    ).toEqual([]);
  });
});

const reference = process.env.ACI_REFERENCE;
const verifier = join(reference ?? '', 'clients/verifier-ts/src/report.ts');
const hasReference = reference !== undefined && existsSync(verifier);
const note = hasReference ? '' : ' (skipped: ACI_REFERENCE names no checkout of Dstack-TEE/private-ai-gateway)';

describe.skipIf(!hasReference)(`the reference's own TypeScript verifier${note}`, () => {
  it('accepts binding, freshness and measured composition, and rejects a changed report', async () => {
    const { verifyReportBinding, verifyComposeMeasurement } = await import(/* @vite-ignore */ verifier);
    const now = { now: appNowMs / 1000 };
    expect(await verifyReportBinding(JSON.parse(text), nonce, now)).toMatchObject({ ok: true });
    expect(await verifyComposeMeasurement(JSON.parse(text))).toMatchObject({ ok: true });
    expect(await verifyReportBinding(JSON.parse(text), '00'.repeat(32), now)).toMatchObject({ ok: false });
    const other = changed((all) => (all.app_compose += ' '));
    expect(await verifyComposeMeasurement(JSON.parse(other))).toMatchObject({ ok: false });
  });
});
