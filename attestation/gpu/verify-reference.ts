/**
 * Verifies that an authentic GPU is acceptable: its measurements match the manifest manifests for its driver and VBIOS, no certificate is
 * revoked, and the policy allows its mode. Pure: manifests, OCSP responses and the time are arguments. A check without its input is
 * reported as not checked.
 */
import { type Check, CheckList, refuse, type Step, type Verdict, verdictOf } from '../verify/checks.ts';
import type { Certificate } from '../x509/certificate.ts';
import { type AuthenticDevice, deviceOf } from './device-identity.ts';
import { type GpuReferenceCheckId, gpuReferenceChecks } from './gpu-reference-check-table.ts';
import { driverVersionOf, type GpuReport } from './gpu-report.ts';
import { type GpuMode, gpuModeOf, hasVideoDecoder, vbiosVersionOf } from './gpu-state.ts';
import type { ReferenceManifest } from './rim.ts';
import type { GpuVerification } from './verify-gpu.ts';
import { requireGolden, verifyNotRevoked, verifyRim } from './verify-rim.ts';

export interface GpuReference {
  /** NVIDIA's manifests (XML) for the driver and the VBIOS in the report. */
  readonly driverRim?: Uint8Array | undefined;
  readonly vbiosRim?: Uint8Array | undefined;
  /** NVIDIA's manifest for the firmware of the switches. */
  readonly switchRim?: Uint8Array | undefined;
  /** OCSP responses for the certificate chains of the devices and the manifests, in any order. */
  readonly ocspResponses?: readonly Uint8Array[] | undefined;
}

export interface GpuReferenceExpectations {
  /** Trusted certificates: the root of NVIDIA's manifests. */
  readonly rimAnchors: readonly Certificate[];
  /**
   * Default: `single` and `multi`. `ppcie` is valid for a whole node only: see `node.ts`. `'any'` also accepts a report without a mode.
   */
  readonly modes?: readonly GpuMode[] | 'any';
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export interface GpuReferenceVerification {
  /** The verdict over the authenticity checks and these checks. */
  readonly verdict: Verdict;
  readonly checks: readonly Check<GpuReferenceCheckId>[];
}

type Checks = CheckList<GpuReferenceCheckId>;

/** The measurement of the video decoder's firmware, which GPUs without that decoder lack. */
const videoDecoderIndex = 35;

/**
 * Runs every check and returns the outcome of each. Never throws for invalid evidence or reference values.
 * @param gpu from `verifyGpuEvidence`; a GPU that is not authentic is never acceptable
 */
export async function verifyGpuReference(
  gpu: GpuVerification,
  reference: GpuReference,
  expectations: GpuReferenceExpectations,
): Promise<GpuReferenceVerification> {
  const { nowMs, modes = ['single', 'multi'] } = expectations;
  if (!Number.isFinite(nowMs)) throw new TypeError(`nowMs must be a time in milliseconds, got ${nowMs}`);
  const checks: Checks = new CheckList(gpuReferenceChecks);
  const report: Step<GpuReport> = gpu.authentic ? { id: 'gpu', value: gpu.report! } : { id: 'gpu' };
  const chain: Step<readonly Certificate[]> = gpu.authentic ? { id: 'gpu', value: gpu.chain! } : { id: 'gpu' };
  const { ocspResponses: responses, driverRim, vbiosRim } = reference;
  await verifyNotRevoked(checks, 'gpu-not-revoked', chain, { responses, nowMs });
  await checks.run('gpu-mode', [report, chain], (parsed, verified) =>
    requireMode({ report: parsed, chain: verified }, modes),
  );
  const rims = { ...expectations, responses };
  const driver = { name: 'driver-rim', bytes: driverRim, versionOf: driverVersionOf };
  const vbios = { name: 'vbios-rim', bytes: vbiosRim, versionOf: vbiosVersionOf };
  await verifyMeasurements(checks, report, [
    await verifyRim(checks, driver, report, rims),
    await verifyRim(checks, vbios, report, rims),
  ]);
  const all = checks.all();
  return { verdict: verdictOf([...gpu.checks, ...all]), checks: all };
}

function requireMode({ report, chain }: AuthenticDevice, modes: readonly GpuMode[] | 'any'): string {
  const { chip } = deviceOf(chain);
  const found = gpuModeOf(report, chip);
  if (modes === 'any') return found ?? 'the report does not say, and the caller waives it';
  if (found === undefined) {
    return refuse(
      `driver ${driverVersionOf(report)} does not report the mode of ${chip}: driver R590 or later is required`,
    );
  }
  return modes.includes(found) ? found : refuse(`it is ${found}; allowed: ${modes.join(', ')}`);
}

async function verifyMeasurements(
  checks: Checks,
  report: Step<GpuReport>,
  [driver, vbios]: [Step<ReferenceManifest>, Step<ReferenceManifest>],
): Promise<void> {
  const golden = await checks.run('rim-no-conflict', [driver, vbios], (one, other) => {
    if (one.product !== other.product) refuse(`one is for ${one.product}, the other for ${other.product}`);
    const both = one.measurements.find(({ index }) => other.measurements.some((their) => their.index === index));
    if (both !== undefined) refuse(`both have measurement ${both.index}`);
    return [...one.measurements, ...other.measurements];
  });
  const measured = await checks.run('gpu-measurements', [report, golden], (parsed, values) => {
    const isSkipped = (index: number) => index === videoDecoderIndex && !hasVideoDecoder(parsed);
    return requireGolden(
      parsed,
      values.filter(({ index }) => !isSkipped(index)),
    );
  });
  await checks.run('gpu-developer-tools', [measured], () => 'all measurements are those of production mode');
}
