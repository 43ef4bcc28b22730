/**
 * Fetches what a GPU's report is compared with: NVIDIA's manifests and OCSP responses. Nothing of it is trusted here: the
 * verifier checks every signature. For Node; a page gets them from elsewhere.
 */
import { fetchBounded } from './collateral/fetch.ts';
import { parseJsonObject, textAt } from './collateral/json-fields.ts';
import { AttestationError } from './errors.ts';
import { manifestNamesOf } from './gpu/gpu-state.ts';
import { parseReferenceManifest } from './gpu/rim.ts';
import type { GpuVerification } from './gpu/verify-gpu.ts';
import type { GpuReference } from './gpu/verify-reference.ts';
import { type Certificate, parseCertificate } from './x509/certificate.ts';
import { writeOcspRequest } from './x509/ocsp-request.ts';
import { decodeBase64 } from './x509/pem.ts';
import { certificatesToAskAbout } from './x509/revocation.ts';

/** Where NVIDIA publishes manifests, and where it answers about certificates. */
export const nvidiaManifestUrl = 'https://rim.attestation.nvidia.com';
export const nvidiaOcspUrl = 'https://ocsp.ndis.nvidia.com';

export interface GpuReferenceSource {
  /** `https://host[:port]`, http on loopback only. Defaults: NVIDIA's. */
  readonly manifestUrl?: string;
  readonly ocspUrl?: string;
  /** For each answer. Default 10,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/**
 * @param gpu from `verifyGpuEvidence`: an authentic one, for others are not worth asking about
 * @throws {AttestationError} ERR_NOT_VERIFIED for a GPU that is not authentic, ERR_COLLATERAL_UNAVAILABLE,
 *   ERR_COLLATERAL_REFUSED, ERR_COLLATERAL_MALFORMED, ERR_EVIDENCE_MALFORMED, ERR_CERTIFICATE_MALFORMED, ERR_ABORTED
 */
export async function fetchGpuReference(gpu: GpuVerification, source: GpuReferenceSource = {}): Promise<GpuReference> {
  const { authentic, report, chain } = gpu;
  if (!authentic || report === undefined || chain === undefined) {
    throw new AttestationError('ERR_NOT_VERIFIED', 'there is no reference for a GPU that is not authentic');
  }
  const names = manifestNamesOf(report, chain[0]!.commonName.split(' ')[0]!);
  const [driverRim, vbiosRim] = await Promise.all([
    fetchManifest(names.driver, source),
    fetchManifest(names.vbios, source),
  ]);
  const manifests = [driverRim, vbiosRim].filter((file) => file !== undefined);
  const chains = manifests.map((file) => parseReferenceManifest(file).signature.certificates.map(parseCertificate));
  return { driverRim, vbiosRim, ocspResponses: await askAboutChains([chain, ...chains], source) };
}

async function fetchManifest(name: string | undefined, source: GpuReferenceSource): Promise<Uint8Array | undefined> {
  if (name === undefined) return undefined;
  const base = (source.manifestUrl ?? nvidiaManifestUrl).replace(/\/$/, '');
  const { body } = await fetchBounded(`${base}/v1/rim/${name}`, source);
  const answer = parseJsonObject(new TextDecoder().decode(body), 'the manifest service’s answer');
  if (textAt(answer, 'id') !== name) {
    throw new AttestationError('ERR_COLLATERAL_MALFORMED', `the manifest service answered another name than ${name}`);
  }
  return decodeBase64(textAt(answer, 'rim'), 'rim');
}

/** Each certificate once: the two manifests share most of theirs. */
async function askAboutChains(
  chains: readonly (readonly Certificate[])[],
  source: GpuReferenceSource,
): Promise<Uint8Array[]> {
  const requests = new Map<string, Uint8Array>();
  for (const chain of chains) {
    for (const subject of certificatesToAskAbout(chain)) {
      const request = await writeOcspRequest(subject, chain[chain.indexOf(subject) + 1]!);
      requests.set(request.toString(), request);
    }
  }
  const ask = (question: Uint8Array) =>
    fetchBounded(source.ocspUrl ?? nvidiaOcspUrl, source, { type: 'application/ocsp-request', body: question });
  return (await Promise.all([...requests.values()].map(ask))).map(({ body }) => body);
}
