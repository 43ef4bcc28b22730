/**
 * The checks of one reference manifest and the comparison of a device with it, for GPU drivers, GPU firmware and switch firmware. Pure.
 */
import { sameBytes, toHex } from '../base/bytes.ts';
import { type CheckList, refuse, type Step } from '../verify/checks.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { requireValidAt, verifyChain } from '../x509/chain.ts';
import { type OcspResponse, parseOcspResponse } from '../x509/ocsp.ts';
import { certificatesToCheck, requireNotRevokedByOcsp } from '../x509/revocation.ts';
import { manifestChecks } from './gpu-reference-check-table.ts';
import type { GpuReport } from './gpu-report.ts';
import { type GoldenMeasurement, parseReferenceManifest, type ReferenceManifest } from './rim.ts';
import { verifyXmlSignature } from './xml-signature.ts';

export interface RimExpectations {
  /** Trusted certificates: the root of NVIDIA's manifests. */
  readonly rimAnchors: readonly Certificate[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** OCSP responses for any chain, in any order; undefined if none were fetched. */
  readonly responses: readonly Uint8Array[] | undefined;
}

/** Above the number of certificates of a node with eight GPUs and four switches. */
export const ocspResponsesMax = 64;

/** Requires that no certificate of the chain that names a responder is revoked. */
export async function verifyNotRevoked(
  checks: CheckList<string>,
  id: string,
  chain: Step<readonly Certificate[]>,
  { responses, nowMs }: Pick<RimExpectations, 'responses' | 'nowMs'>,
): Promise<void> {
  if (responses === undefined) return checks.skip(id, 'no OCSP responses were given');
  if (chain.value !== undefined && certificatesToCheck(chain.value).length === 0) {
    return checks.skip(id, 'no certificate of the chain names an OCSP responder');
  }
  await checks.run(id, [chain], async (certificates) => {
    if (responses.length > ocspResponsesMax)
      refuse(`${responses.length} OCSP responses were given, at most ${ocspResponsesMax} are read`);
    const parsed: OcspResponse[] = responses.map(parseOcspResponse);
    const count = await requireNotRevokedByOcsp(certificates, parsed, nowMs);
    return `${count} of ${certificates.length - 1} certificates below the root name an OCSP responder, and none is revoked`;
  });
}

/**
 * The manifest's own checks, `<name>-format` to `<name>-version`.
 * @param rim.versionOf the version that the device reports · @returns the manifest, if all its checks passed
 */
export async function verifyRim(
  checks: CheckList<string>,
  {
    name,
    bytes,
    versionOf,
  }: {
    name: string;
    bytes: Uint8Array | undefined;
    versionOf: (report: GpuReport) => string | undefined;
  },
  report: Step<GpuReport>,
  expectations: RimExpectations,
): Promise<Step<ReferenceManifest>> {
  if (bytes === undefined) {
    for (const check of manifestChecks) checks.skip(`${name}-${check}`, 'no manifest was given');
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
  const signed = await checks.run(`${name}-signature`, [parsed, chain], async ({ manifest }, { leafKey }) => {
    await verifyXmlSignature(manifest.root, manifest.signature, leafKey);
    return manifest;
  });
  return checks.run(`${name}-version`, [signed, report], (manifest, parsed) =>
    requireVersion(manifest, versionOf(parsed)),
  );
}

function requireVersion(manifest: ReferenceManifest, reported: string | undefined): ReferenceManifest {
  if (manifest.version !== reported) refuse(`it is for ${manifest.version}, the device reports ${reported ?? 'none'}`);
  return manifest;
}

/** Reports count measurements from 1, manifests from 0. @throws {AttestationError} ERR_NOT_VERIFIED */
export function requireGolden(report: GpuReport, compared: readonly GoldenMeasurement[]): string {
  const wrong = compared.filter(({ index, values }) => {
    const measured = report.measurements.find((one) => one.index === index + 1);
    return measured === undefined || !values.some((value) => sameBytes(value, measured.value));
  });
  const [first] = wrong;
  if (first === undefined) return `${compared.length} measurements match the manifest`;
  const found = report.measurements.find((one) => one.index === first.index + 1);
  const all = wrong.map(({ index }) => index).join(', ');
  return refuse(
    `measurements ${all} do not match the manifest; ${first.index} is ${found ? toHex(found.value) : 'missing'}`,
  );
}
