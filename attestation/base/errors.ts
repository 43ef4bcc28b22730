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
  // Sealed bodies:
  | 'ERR_SEALED_MALFORMED' // A sealed body or a key configuration is garbled or cut short: send the request again; if it recurs, distrust the way there.
  | 'ERR_SEALED_STRIPPED' // An answer that claims success came unsealed: somebody on the way took its sealing off. Do not use it.
  | 'ERR_SEALED_KEY' // The server says that it has another key: verify its keys anew, seal again and resend.
  // Collateral from the network:
  | 'ERR_COLLATERAL_UNAVAILABLE' // Intel or the cache did not answer: retry later, or name another cache.
  | 'ERR_COLLATERAL_REFUSED' // Intel or the cache knows no such platform or refuses: check the address and the FMSPC.
  // This machine's own evidence, on the guest's side:
  | 'ERR_TDX_DEVICE_MISSING' // No TDX interface here: run inside a TD, with a kernel that has its guest driver (6.7 or later).
  | 'ERR_TDX_PERMISSION' // The TDX interface is there and may not be used: run as root, or give this user access.
  | 'ERR_TDX_FAILED' // The driver or the TDX module refused, or answered something else: the message says what; see the kernel log.
  | 'ERR_QUOTE_SERVICE_UNREACHABLE' // The host's quote service gave no quote: its operator starts it; retry later.
  | 'ERR_QUOTE_TIMEOUT' // The quote took too long: retry later.
  | 'ERR_QUOTE_BUSY' // Too many wait for a quote, or the last one is still in flight: retry later.
  | 'ERR_QUOTE_RATE_LIMITED' // This client asks too often: retry after what the message says.
  | 'ERR_RTMR_UNAVAILABLE' // The kernel cannot extend RTMR3 (6.16 or later can), so a start cannot be measured.
  | 'ERR_RTMR_NOT_FRESH' // RTMR3 was extended before this start: restart the virtual machine.
  | 'ERR_SIMULATION_REFUSED' // This is a real TD: start without --simulate-tdx.
  | 'ERR_NVML_MISSING' // NVIDIA's management library is not there: install the driver.
  | 'ERR_NVML_FAILED' // The GPU's driver refused: the message holds its answer.
  | 'ERR_GPU_NOT_CONFIDENTIAL' // The GPU is not in confidential mode: switch it on, and its developer tools off.
  | 'ERR_NSCQ_MISSING' // NVIDIA's library for switches is not there: install libnvidia-nscq, of the driver's version.
  | 'ERR_NSCQ_FAILED' // The switches' driver refused: the message holds its answer.
  | 'ERR_GPU_NOT_VERIFIED' // A GPU or switch of this machine fails a check that tenants make: the message says which.
  // Evidence from the network:
  | 'ERR_EVIDENCE_UNAVAILABLE' // The server did not answer, or has no evidence yet: send nothing, retry later.
  | 'ERR_ABORTED'; // The caller aborted.

export class AttestationError extends Error {
  override readonly name = 'AttestationError';
  readonly code: AttestationErrorCode;

  constructor(code: AttestationErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
