/** Verifies reports of simulated servers after a test changed them, and returns the findings. */
import type { EvidenceInput, EvidenceTrust } from '../../../attestation/client/verification.ts';
import { verifyEvidence } from '../../../attestation/client/verify-evidence.ts';
import type { EvidencePolicy } from '../../../attestation/policy/evidence-policy.ts';
import { createSimulatedPlatform } from '../../../attestation/simulate/platform.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  simulatedSoftware,
  spkiOf,
  startAttestedServer,
} from './attested-server.ts';

/** The nonce in every request for a report. */
export const evidenceNonce = '5e'.repeat(32);

export interface EvidenceCase {
  readonly server?: AttestedServerOptions;
  /** In addition to the measurements of a simulated boot. */
  readonly policy?: Partial<EvidencePolicy> | 'none';
  readonly input?: Partial<EvidenceInput>;
  /** The verifier's trust settings, or a function that is called to get them after the report was generated. */
  readonly trust?: Partial<EvidenceTrust> | (() => Partial<EvidenceTrust>);
}

/** Starts a server for each case that needs a special one; the other cases share one. */
export async function startEvidenceVerifier() {
  const platform = await createSimulatedPlatform(Date.now());
  const servers = new Set<AttestedServer>();
  let plain: Promise<AttestedServer> | undefined;
  const plainServer = () => (plain ??= startAttestedServer({ platform }));

  async function verify({ server: options, policy = {}, input, trust }: EvidenceCase = {}) {
    const server = await (options === undefined ? plainServer() : startAttestedServer({ platform, ...options }));
    servers.add(server);
    const report = await server.report(evidenceNonce);
    const observed = { host: 'localhost', spkiSha256: spkiOf(server.identity) };
    const result = await verifyEvidence(
      { report, nonce: evidenceNonce, observed, ...input },
      {
        roots: [server.platform.rootCa],
        policy: policy === 'none' ? undefined : { measurements: simulatedSoftware, ...policy },
        nowMs: Date.now(),
        ...(typeof trust === 'function' ? trust() : trust),
      },
    );
    const ids = (outcome: string) => result.checks.filter((check) => check.outcome === outcome).map(({ id }) => id);
    const reasonOf = (id: string) => result.checks.find((check) => check.id === id)?.reason;
    return { ...result, failed: ids('fail'), skipped: ids('not-checked'), reasonOf };
  }

  return {
    platform,
    plainServer,
    verify,
    close: () => Promise.all([...servers].map((server) => server.close())),
  };
}
