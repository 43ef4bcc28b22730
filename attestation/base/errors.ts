/** The error codes of attestation. The comment at each code is the caller's action. */
export type AttestationErrorCode =
  // Malformed input:
  | 'ERR_QUOTE_MALFORMED' // Not a TDX quote, truncated, or with trailing bytes: fetch it again; if it recurs, do not trust the server.
  | 'ERR_QUOTE_UNSUPPORTED' // The quote has an unknown version, key type or certification: update the verifier.
  | 'ERR_TD_REPORT_MALFORMED' // Not a TDREPORT: check the device and its driver.
  | 'ERR_CERTIFICATE_MALFORMED' // A certificate, CRL or PEM text is not strict DER or lacks a field: fetch it again.
  | 'ERR_COLLATERAL_MALFORMED' // Collateral does not have Intel's format: fetch it again from Intel or another cache.
  | 'ERR_EVIDENCE_MALFORMED' // Other evidence (event log, GPU report, RIM) is malformed: fetch it again.
  | 'ERR_POLICY_MALFORMED' // The policy is invalid: correct the member in the message.
  // Well-formed evidence that fails a check:
  | 'ERR_NOT_VERIFIED' // The message names the failed check: do not trust the server.
  // Sealed bodies:
  | 'ERR_SEALED_MALFORMED' // A sealed body or a key configuration is malformed or truncated: retry; if it recurs, do not trust the network path.
  | 'ERR_SEALED_STRIPPED' // A successful response is not sealed: an intermediary replaced it. Do not use it.
  | 'ERR_SEALED_KEY' // The server has another key: verify it again, seal the body to the new key and resend.
  // Collateral from the network:
  | 'ERR_COLLATERAL_UNAVAILABLE' // Intel or the cache did not respond: retry later, or configure another cache.
  | 'ERR_COLLATERAL_REFUSED' // Intel or the cache refused, or does not know the platform: check the URL and the FMSPC.
  // Evidence of this machine, in the guest:
  | 'ERR_TDX_DEVICE_MISSING' // No TDX interface: run in a TD, on a kernel with the guest driver (6.7 or later).
  | 'ERR_TDX_PERMISSION' // No permission for the TDX interface: run as root, or grant this user access.
  | 'ERR_TDX_FAILED' // The driver or the TDX module failed: see the message and the kernel log.
  | 'ERR_QUOTE_SERVICE_UNREACHABLE' // The host's quote service made no quote: ask its operator to start it; retry later.
  | 'ERR_QUOTE_TIMEOUT' // The quote took too long: retry later.
  | 'ERR_QUOTE_BUSY' // The quote queue is full, or the last quote is still in flight: retry later.
  | 'ERR_QUOTE_RATE_LIMITED' // This client exceeded its rate limit: retry after the time in the message.
  | 'ERR_RTMR_UNAVAILABLE' // The kernel cannot extend RTMR3, so the start cannot be measured: use Linux 6.16 or later.
  | 'ERR_RTMR_NOT_FRESH' // RTMR3 was extended before this start: restart the virtual machine.
  | 'ERR_SIMULATION_REFUSED' // This is a real TD: start without --simulate-tdx.
  | 'ERR_NVML_MISSING' // NVIDIA's management library is missing: install the driver.
  | 'ERR_NVML_FAILED' // The GPU driver failed: see the message.
  | 'ERR_GPU_NOT_CONFIDENTIAL' // The GPU is not in confidential mode: enable it, and disable developer tools.
  | 'ERR_NSCQ_MISSING' // NVIDIA's switch library is missing: install libnvidia-nscq in the driver's version.
  | 'ERR_NSCQ_FAILED' // The switch driver failed: see the message.
  | 'ERR_GPU_NOT_VERIFIED' // A GPU or switch of this machine fails a check of tenants: see the message.
  // Evidence from the network:
  | 'ERR_EVIDENCE_UNAVAILABLE' // The server did not respond, or has no evidence yet: send nothing, retry later.
  | 'ERR_NO_ANSWER' // The server stopped answering after the request was sent: it may have been executed, so repeat it only if that is harmless.
  | 'ERR_ABORTED'; // The caller aborted.

export class AttestationError extends Error {
  override readonly name = 'AttestationError';
  readonly code: AttestationErrorCode;

  constructor(code: AttestationErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
  }
}
