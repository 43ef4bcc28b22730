/**
 * Verifies that an authentic switch is acceptable: its measurements match the manifest manifest for its firmware, no certificate is revoked, and
 * it is locked. Pure: the manifest, OCSP responses and the time are arguments.
 */
import { type Check, CheckList, type Step } from '../verify/checks.ts';
import type { Certificate } from '../x509/certificate.ts';
import { type SwitchReferenceCheckId, switchReferenceChecks } from './gpu-reference-check-table.ts';
import type { GpuReport } from './gpu-report.ts';
import { requireLocked, switchBiosVersionOf } from './switch-state.ts';
import type { SwitchVerification } from './verify-gpu.ts';
import type { GpuReference, GpuReferenceExpectations } from './verify-reference.ts';
import { requireGolden, verifyNotRevoked, verifyRim } from './verify-rim.ts';

/**
 * Runs every check and returns the outcome of each. Never throws for invalid evidence or reference values.
 * @param device from `verifySwitchEvidence`; a switch that is not authentic is never acceptable
 */
export async function verifySwitchReference(
  device: SwitchVerification,
  { switchRim, ocspResponses: responses }: GpuReference,
  { rimAnchors, nowMs }: Pick<GpuReferenceExpectations, 'rimAnchors' | 'nowMs'>,
): Promise<readonly Check<SwitchReferenceCheckId>[]> {
  const checks = new CheckList(switchReferenceChecks);
  const { authentic, report: parsed, chain: verified } = device;
  const report: Step<GpuReport> = authentic ? { id: 'switch', value: parsed! } : { id: 'switch' };
  const chain: Step<readonly Certificate[]> = authentic ? { id: 'switch', value: verified! } : { id: 'switch' };
  await verifyNotRevoked(checks, 'switch-not-revoked', chain, { responses, nowMs });
  await checks.run('switch-lock', [report], requireLocked);
  const rim = { name: 'switch-rim', bytes: switchRim, versionOf: switchBiosVersionOf };
  const manifest = await verifyRim(checks, rim, report, { rimAnchors, nowMs, responses });
  await checks.run('switch-measurements', [report, manifest], (one, { measurements }) =>
    requireGolden(one, measurements),
  );
  return checks.all();
}
