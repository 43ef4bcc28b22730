/**
 * Fetches the reference values for GPUs and switches: NVIDIA's manifests and OCSP responses. Trusts none of them: the verifier checks every
 * signature. For Node; a web page must obtain them elsewhere.
 */
import { AttestationError } from '../base/errors.ts';
import { fetchBounded } from '../collateral/fetch.ts';
import { parseJsonObject, textAt } from '../collateral/json-fields.ts';
import { deviceOf } from '../gpu/device-identity.ts';
import { manifestNamesOf } from '../gpu/gpu-state.ts';
import { parseReferenceManifest } from '../gpu/rim.ts';
import { switchManifestNameOf } from '../gpu/switch-state.ts';
import { type GpuVerification, requireAuthentic, type SwitchVerification } from '../gpu/verify-gpu.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { writeOcspRequest } from '../x509/ocsp-request.ts';
import { decodeBase64 } from '../x509/pem.ts';
import { certificatesToCheck } from '../x509/revocation.ts';

/** NVIDIA's services for manifests and for OCSP. */
export const nvidiaManifestUrl = 'https://rim.attestation.nvidia.com';
export const nvidiaOcspUrl = 'https://ocsp.ndis.nvidia.com';

export interface GpuReferenceSource {
  /** `https://host[:port]`; http on loopback only. Default: NVIDIA's. */
  readonly manifestUrl?: string;
  readonly ocspUrl?: string;
  /** Time limit of each request. Default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The devices of a node, from `verifyGpuEvidence` and `verifySwitchEvidence`. All must be authentic. */
export interface GpuReferenceDevices {
  readonly gpus: readonly GpuVerification[];
  readonly switches?: readonly SwitchVerification[];
}

/**
 * The names of NVIDIA's manifests for the first GPU and the first switch, which all others must match; undefined if a report lacks a part of
 * the name. @throws {AttestationError} ERR_NOT_VERIFIED for a device that is not authentic
 */
export function requiredManifests({
  gpus,
  switches = [],
}: GpuReferenceDevices): Record<'driver' | 'vbios' | 'fabric', string | undefined> {
  const [gpu, fabric] = [gpus.map(requireAuthentic)[0], switches.map(requireAuthentic)[0]];
  const names = gpu === undefined ? undefined : manifestNamesOf(gpu.report, deviceOf(gpu.chain).chip);
  return {
    driver: names?.driver,
    vbios: names?.vbios,
    fabric: fabric === undefined ? undefined : switchManifestNameOf(fabric.report),
  };
}

/**
 * Fetches the manifests of `manifestsWanted`, and OCSP responses for every certificate.
 * @throws {AttestationError} ERR_NOT_VERIFIED for a device that is not authentic, ERR_COLLATERAL_UNAVAILABLE,
 *   ERR_COLLATERAL_REFUSED, ERR_COLLATERAL_MALFORMED, ERR_EVIDENCE_MALFORMED, ERR_CERTIFICATE_MALFORMED, ERR_ABORTED
 */
export async function fetchGpuReference(
  devices: GpuReferenceDevices,
  source: GpuReferenceSource = {},
): Promise<GpuReference> {
  const wanted = requiredManifests(devices);
  const [driverRim, vbiosRim, switchRim] = await Promise.all([
    fetchManifest(wanted.driver, source),
    fetchManifest(wanted.vbios, source),
    fetchManifest(wanted.fabric, source),
  ]);
  const manifests = [driverRim, vbiosRim, switchRim].filter((file) => file !== undefined);
  const signers = manifests.map((file) => parseReferenceManifest(file).signature.certificates.map(parseCertificate));
  const chains = [...devices.gpus, ...(devices.switches ?? [])].map((device) => requireAuthentic(device).chain);
  return { driverRim, vbiosRim, switchRim, ocspResponses: await fetchOcspResponses([...chains, ...signers], source) };
}

async function fetchManifest(name: string | undefined, source: GpuReferenceSource): Promise<Uint8Array | undefined> {
  if (name === undefined) return undefined;
  const base = (source.manifestUrl ?? nvidiaManifestUrl).replace(/\/$/, '');
  const { body } = await fetchBounded(`${base}/v1/rim/${name}`, source);
  const answer = parseJsonObject(new TextDecoder().decode(body), 'the manifest service’s answer');
  if (textAt(answer, 'id') !== name) {
    throw new AttestationError(
      'ERR_COLLATERAL_MALFORMED',
      `the manifest service returned a different manifest than the requested ${name}`,
    );
  }
  return decodeBase64(textAt(answer, 'rim'), 'rim');
}

/** Fetches each certificate's status once: chains share most certificates. */
async function fetchOcspResponses(
  chains: readonly (readonly Certificate[])[],
  source: GpuReferenceSource,
): Promise<Uint8Array[]> {
  const requests = new Map<string, Uint8Array>();
  for (const chain of chains) {
    for (const subject of certificatesToCheck(chain)) {
      const request = await writeOcspRequest(subject, chain[chain.indexOf(subject) + 1]!);
      requests.set(request.toString(), request);
    }
  }
  const ask = (question: Uint8Array) =>
    fetchBounded(source.ocspUrl ?? nvidiaOcspUrl, source, { type: 'application/ocsp-request', body: question });
  return (await Promise.all([...requests.values()].map(ask))).map(({ body }) => body);
}
