/** The interface of a platform that attests itself, real or simulated. `guest/open-platform.ts` opens one. */
import type { Collateral } from '../collateral/collateral.ts';
import type { StartEvent } from '../eventlog/start-log.ts';

export interface AttestedPlatform {
  /** Every output about a simulated platform must say so. */
  readonly kind: 'tdx' | 'simulated';
  /**
   * Makes a quote over `reportData`. Quotes are made one at a time; concurrent calls with the same report data share one.
   * @param reportData 64 bytes
   * @throws {RangeError} for any other length
   * @throws {AttestationError} ERR_TDX_DEVICE_MISSING, ERR_TDX_PERMISSION, ERR_TDX_FAILED,
   *   ERR_QUOTE_SERVICE_UNREACHABLE, ERR_QUOTE_TIMEOUT, ERR_QUOTE_BUSY, ERR_QUOTE_MALFORMED, ERR_QUOTE_UNSUPPORTED,
   *   ERR_ABORTED
   */
  quote(reportData: Uint8Array, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  /**
   * Extends RTMR3 with the event's digest, then appends it to the log. After an error, the log may lack an event of the register, so that no
   * quote of this start verifies any more: stop the process.
   * @throws {AttestationError} ERR_RTMR_UNAVAILABLE, ERR_RTMR_NOT_FRESH, ERR_TDX_PERMISSION, ERR_TDX_FAILED, ERR_EVIDENCE_MALFORMED
   */
  measure(event: StartEvent): Promise<void>;
  /** The measured events so far, which replay to RTMR3. */
  readonly startLog: readonly StartEvent[];
  /** The firmware's event log (CCEL), for RTMR0 to RTMR2; undefined if the platform has none. */
  readonly bootLog: Uint8Array | undefined;
  /** What a verifier must trust to accept a simulated platform; undefined for a real one. */
  readonly simulation: Simulation | undefined;
}

export interface Simulation {
  /** DER of the root, which is generated at the start of the process. */
  readonly rootCa: Uint8Array;
  readonly collateral: Collateral;
}
