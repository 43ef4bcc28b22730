/** Everything attestation refuses or fails with. The comment by each code is what the caller should do. */
export type AttestationErrorCode =
  // Bytes that are not what they should be:
  | 'ERR_QUOTE_MALFORMED' // Not a TDX quote, cut short, or followed by something: fetch it again; if it recurs, distrust the server.
  | 'ERR_QUOTE_UNSUPPORTED' // A quote of a version, key type or certification this verifier does not know: update the verifier.
  | 'ERR_TD_REPORT_MALFORMED' // Not a TDREPORT: the device or the driver is not what it should be.
  | 'ERR_CERTIFICATE_MALFORMED' // A certificate, CRL or PEM text is not strict DER or lacks a field: fetch it again.
  | 'ERR_COLLATERAL_MALFORMED' // Collateral is not in Intel's form: fetch it again from Intel or another cache.
  | 'ERR_EVIDENCE_MALFORMED' // Another piece of evidence (event log, GPU report, RIM) is damaged: fetch it again.
  | 'ERR_POLICY_MALFORMED' // The policy file is wrong: mend the member that the message names.
  // Evidence that is well-formed and does not hold:
  | 'ERR_NOT_VERIFIED' // The message says which statement does not hold: do not trust the server.
  // Collateral from the network:
  | 'ERR_COLLATERAL_UNAVAILABLE' // Intel or the cache did not answer: retry later, or name another cache.
  | 'ERR_COLLATERAL_REFUSED' // Intel or the cache knows no such platform or refuses: check the address and the FMSPC.
  | 'ERR_ABORTED'; // The caller aborted.

export class AttestationError extends Error {
  override readonly name = 'AttestationError';
  readonly code: AttestationErrorCode;

  constructor(code: AttestationErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
