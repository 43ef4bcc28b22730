/**
 * Which roots a node trusts when it verifies another node before secrets pass. A machine with TDX trusts Intel's only. A simulated one
 * has no root that it could know in advance, since each simulation makes its own, and trusts the one that the evidence carries: this
 * proves nothing, and neither does the machine.
 */
import { readableEvidence } from '@cloister/attestation/client/attest-server';
import type { EvidencePolicy } from '@cloister/attestation/policy/evidence-policy';
import { parseQuote } from '@cloister/attestation/quote/quote';
import { parsePemChain } from '@cloister/attestation/x509/pem';

/**
 * @param report of the other node
 * @returns DER; undefined for Intel's
 */
export function rootsFor(
  report: string | Uint8Array,
  own: { readonly isSimulated: boolean },
): Uint8Array[] | undefined {
  if (!own.isSimulated) return undefined;
  const evidence = readableEvidence(report);
  if (evidence?.simulated !== true) return undefined;
  try {
    const root = parsePemChain(parseQuote(evidence.quote).pckChainPem, 'PCK chain').at(-1);
    return root === undefined ? undefined : [root];
  } catch {
    // The verification reports what is malformed.
    return undefined;
  }
}

/** Whether a policy has a requirement that only hardware can meet: then no simulation is accepted, whatever it states. */
export function demandsHardware(policy: EvidencePolicy): boolean {
  const { fmspcs, platformIds, teeTcbSvnMin, tcbEvaluationMin = 0, gpuRequired, measurements } = policy;
  const pinsModule = measurements !== 'any' && measurements.some(({ mrSeam }) => mrSeam !== undefined);
  const lists = [fmspcs, platformIds, teeTcbSvnMin];
  return pinsModule || gpuRequired === true || tcbEvaluationMin > 0 || lists.some((one) => one !== undefined);
}
