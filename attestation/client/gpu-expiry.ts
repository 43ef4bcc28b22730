/** Until when what was relied on for GPUs and switches is valid: their certificates, NVIDIA's manifests and the OCSP responses. Pure. */
import { parseReferenceManifest } from '../gpu/rim.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import { type Certificate, parseCertificate } from '../x509/certificate.ts';
import { parseOcspResponse } from '../x509/ocsp.ts';
import { parsePemChain } from '../x509/pem.ts';
import { ocspAgeMaxMs } from '../x509/revocation.ts';
import type { Evidence } from './evidence.ts';
import type { EvidenceTrust } from './verification.ts';

/**
 * Of evidence that was verified: what is malformed has failed there.
 * @returns milliseconds since 1970, infinite where there is no device; undefined where something cannot be read
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
