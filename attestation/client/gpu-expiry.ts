/** When the certificates, manifests and OCSP responses for GPUs and switches expire. Pure. */
import { parseReferenceManifest } from '../gpu/rim.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { parseOcspResponse } from '../x509/ocsp.ts';
import { parsePemChain } from '../x509/pem.ts';
import { ocspAgeMaxMs } from '../x509/revocation.ts';
import type { Evidence } from './evidence.ts';
import type { EvidenceTrust } from './verification.ts';

/**
 * Expects verified evidence, in which nothing is malformed.
 * @returns milliseconds since 1970; infinity without devices; undefined if anything is malformed
 */
export function gpuExpiry(
  { gpus, switches }: Pick<Evidence, 'gpus' | 'switches'>,
  { policy, gpuReference = {} }: Pick<EvidenceTrust, 'policy' | 'gpuReference'>,
): number | undefined {
  const devices = [...gpus, ...switches];
  if (devices.length === 0) return Number.POSITIVE_INFINITY;
  try {
    const chains = devices.flatMap(({ chainPem }) =>
      parsePemChain(chainPem, 'certificate chain of a device').map(parseCertificate),
    );
    const isReferenceUsed = policy?.gpuMeasurements !== 'any';
    return Math.min(...chains.map(notAfter), ...(isReferenceUsed ? referenceEnds(gpuReference) : []));
  } catch {
    return undefined;
  }
}

function referenceEnds({ driverRim, vbiosRim, switchRim, ocspResponses = [] }: GpuReference): number[] {
  const manifests = [driverRim, vbiosRim, switchRim].filter((rim) => rim !== undefined).map(parseReferenceManifest);
  const signers = manifests.flatMap(({ signature }) => signature.certificates.map(parseCertificate));
  const responses = ocspResponses.map(parseOcspResponse);
  const answers = responses.flatMap((response) => response.answers);
  return [
    ...[...signers, ...responses.flatMap(({ certificates }) => certificates)].map(notAfter),
    ...answers.map(({ thisUpdateMs, nextUpdateMs }) => nextUpdateMs ?? thisUpdateMs + ocspAgeMaxMs),
  ];
}

function notAfter({ notAfterMs }: Certificate): number {
  return notAfterMs;
}
