/**
 * Whether an authentic GPU is acceptable: it measured what NVIDIA published for its driver and firmware, none of the
 * certificates is revoked, and it is in a wanted mode. Pure: manifests, OCSP responses and the time are arguments, and
 * what is missing is named as not checked.
 */
import { sameBytes, toHex } from '../bytes.ts';
import { type Check, CheckList, refuse, type Step, type Verdict, verdictOf } from '../verify/checks.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { requireValidAt, verifyChain } from '../x509/chain.ts';
import { type OcspResponse, parseOcspResponse } from '../x509/ocsp.ts';
import { certificatesToAskAbout, requireNotRevokedByOcsp } from '../x509/revocation.ts';
import { GPU_REFERENCE_CHECKS, type GpuReferenceCheckId } from './gpu-reference-check-table.ts';
import { driverVersionOf, type GpuReport } from './gpu-report.ts';
import { type GpuMode, gpuModeOf, hasVideoDecoder, vbiosVersionOf } from './gpu-state.ts';
import { type GoldenMeasurement, parseReferenceManifest, type ReferenceManifest } from './rim.ts';
import type { GpuVerification } from './verify-gpu.ts';
import { verifyXmlSignature } from './xml-signature.ts';

export interface GpuReference {
  /** NVIDIA's manifests for the driver and the firmware (VBIOS) that the report names: XML files. */
  readonly driverRim?: Uint8Array | undefined;
  readonly vbiosRim?: Uint8Array | undefined;
  /** OCSP responses about the chains of the GPU and the manifests, in any order. */
  readonly ocspResponses?: readonly Uint8Array[] | undefined;
}

export interface GpuReferenceExpectations {
  /** Certificates trusted as they are: the root of NVIDIA's manifests. */
  readonly rimAnchors: readonly Certificate[];
  /** Default: `single` and `multi`. `'any'` waives it, as older reports need, which do not say. */
  readonly modes?: readonly GpuMode[] | 'any';
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

export interface GpuReferenceVerification {
  /** Of authenticity and these checks together. */
  readonly verdict: Verdict;
  readonly checks: readonly Check<GpuReferenceCheckId>[];
}

type Checks = CheckList<GpuReferenceCheckId>;
type Rim = 'driver-rim' | 'vbios-rim';

/** More than any GPU's certificates and its manifests' together. */
export const ocspResponsesMax = 64;

/** The measurement of the video decoder's firmware, which parts without that decoder lack. */
const videoDecoderIndex = 35;

/**
 * Runs every check and says how each came out; never throws for what the evidence or the reference holds.
 * @param gpu from `verifyGpuEvidence`; where it is not authentic, nothing is acceptable
 */
export async function verifyGpuReference(
  gpu: GpuVerification,
  reference: GpuReference,
  expectations: GpuReferenceExpectations,
): Promise<GpuReferenceVerification> {
  const { nowMs, modes = ['single', 'multi'] } = expectations;
  if (!Number.isFinite(nowMs)) throw new TypeError(`nowMs must be a time in milliseconds, got ${nowMs}`);
  const checks: Checks = new CheckList(GPU_REFERENCE_CHECKS);
  const report: Step<GpuReport> = gpu.authentic ? { id: 'gpu', value: gpu.report! } : { id: 'gpu' };
  const chain: Step<readonly Certificate[]> = gpu.authentic ? { id: 'gpu', value: gpu.chain! } : { id: 'gpu' };
  const revocation = { responses: reference.ocspResponses, nowMs };
  await verifyNotRevoked(checks, 'gpu-not-revoked', chain, revocation);
  await verifyMode(checks, report, modes);
  const rims = {
    'driver-rim': { bytes: reference.driverRim, versionOf: driverVersionOf },
    'vbios-rim': { bytes: reference.vbiosRim, versionOf: vbiosVersionOf },
  };
  const verified: Step<ReferenceManifest>[] = [];
  for (const name of ['driver-rim', 'vbios-rim'] as const) {
    const rim = await verifyRim(checks, name, rims[name].bytes, { ...expectations, responses: revocation.responses });
    verified.push(
      await checks.run(`${name}-version`, [rim, report], (manifest, parsed) =>
        requireVersion(manifest, rims[name].versionOf(parsed)),
      ),
    );
  }
  await verifyMeasurements(checks, report, verified as [Step<ReferenceManifest>, Step<ReferenceManifest>]);
  const all = checks.all();
  return { verdict: verdictOf([...gpu.checks, ...all]), checks: all };
}

async function verifyNotRevoked(
  checks: Checks,
  id: `${'gpu' | Rim}-not-revoked`,
  chain: Step<readonly Certificate[]>,
  { responses, nowMs }: { responses: readonly Uint8Array[] | undefined; nowMs: number },
): Promise<void> {
  if (responses === undefined) return checks.skip(id, 'no OCSP responses were given');
  if (chain.value !== undefined && certificatesToAskAbout(chain.value).length === 0) {
    return checks.skip(id, 'no certificate of the chain names a responder to ask');
  }
  await checks.run(id, [chain], async (certificates) => {
    if (responses.length > ocspResponsesMax)
      refuse(`${responses.length} OCSP responses were given, at most ${ocspResponsesMax} are read`);
    const parsed: OcspResponse[] = responses.map(parseOcspResponse);
    const count = await requireNotRevokedByOcsp(certificates, parsed, nowMs);
    return `${count} of ${certificates.length - 1} certificates below the root have a responder, and are good`;
  });
}

async function verifyMode(checks: Checks, report: Step<GpuReport>, modes: readonly GpuMode[] | 'any'): Promise<void> {
  const mode = await checks.run('gpu-mode', [report], (parsed) => {
    const found = gpuModeOf(parsed);
    if (found !== undefined && modes !== 'any' && !modes.includes(found)) {
      refuse(`it is ${found}; allowed: ${modes.join(', ')}`);
    }
    return found ?? 'the report does not say, and the caller waives it';
  });
  const isSilent = report.value !== undefined && mode.value !== undefined && gpuModeOf(report.value) === undefined;
  if (isSilent && modes !== 'any') checks.skip('gpu-mode', 'reports of this older form do not say which mode is on');
}

async function verifyRim(
  checks: Checks,
  name: Rim,
  bytes: Uint8Array | undefined,
  expectations: GpuReferenceExpectations & { responses: readonly Uint8Array[] | undefined },
): Promise<Step<ReferenceManifest>> {
  if (bytes === undefined) {
    for (const part of ['format', 'chain', 'chain-dates', 'not-revoked', 'signature', 'version'] as const) {
      checks.skip(`${name}-${part}`, 'no manifest was given');
    }
    return { id: `${name}-format` };
  }
  const { rimAnchors, nowMs, responses } = expectations;
  const parsed = await checks.run(`${name}-format`, [], () => {
    const manifest = parseReferenceManifest(bytes);
    return { manifest, certificates: manifest.signature.certificates.map(parseCertificate) };
  });
  const chain = await checks.run(`${name}-chain`, [parsed], ({ certificates }) =>
    verifyChain(certificates, rimAnchors),
  );
  await checks.run(`${name}-chain-dates`, [chain], ({ certificates }) => requireValidAt(certificates, nowMs));
  const certificates = chain.value === undefined ? { id: chain.id } : { id: chain.id, value: chain.value.certificates };
  await verifyNotRevoked(checks, `${name}-not-revoked`, certificates, { responses, nowMs });
  return checks.run(`${name}-signature`, [parsed, chain], async ({ manifest }, { leafKey }) => {
    await verifyXmlSignature(manifest.root, manifest.signature, leafKey);
    return manifest;
  });
}

function requireVersion(manifest: ReferenceManifest, reported: string | undefined): ReferenceManifest {
  if (manifest.version !== reported) refuse(`it is for ${manifest.version}, the GPU reports ${reported ?? 'none'}`);
  return manifest;
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
  const measured = await checks.run('gpu-measurements', [report, golden], requireGolden);
  await checks.run('gpu-developer-tools', [measured], () => 'all measurements are those of production');
}

/** The GPU's report counts measurements from 1, manifests from 0. */
function requireGolden(report: GpuReport, golden: readonly GoldenMeasurement[]): string {
  const isSkipped = (index: number) => index === videoDecoderIndex && !hasVideoDecoder(report);
  const compared = golden.filter(({ index }) => !isSkipped(index));
  const wrong = compared.filter(({ index, values }) => {
    const measured = report.measurements.find((one) => one.index === index + 1);
    return measured === undefined || !values.some((value) => sameBytes(value, measured.value));
  });
  const [first] = wrong;
  if (first === undefined) return `${compared.length} measurements are as published`;
  const found = report.measurements.find((one) => one.index === first.index + 1);
  const all = wrong.map(({ index }) => index).join(', ');
  return refuse(
    `measurements ${all} are not as published; ${first.index} is ${found ? toHex(found.value) : 'missing'}`,
  );
}
