/**
 * What a server that attests itself needs of the machine it runs on, real or simulated. Only the shape, for whoever
 * builds on it: `guest/open-platform.ts` opens one.
 */
import type { Collateral } from '../collateral/collateral.ts';
import type { StartEvent } from '../eventlog/start-log.ts';

export interface AttestedPlatform {
  /** Whoever shows anything of a simulated one says so. */
  readonly kind: 'tdx' | 'simulated';
  /**
   * A quote over `reportData`. Quotes are made one at a time; the same report data is asked for once.
   * @param reportData 64 bytes
   * @throws {RangeError} where it has another length
   * @throws {AttestationError} ERR_TDX_DEVICE_MISSING, ERR_TDX_PERMISSION, ERR_TDX_FAILED,
   *   ERR_QUOTE_SERVICE_UNREACHABLE, ERR_QUOTE_TIMEOUT, ERR_QUOTE_BUSY, ERR_QUOTE_MALFORMED, ERR_QUOTE_UNSUPPORTED,
   *   ERR_ABORTED
   */
  quote(reportData: Uint8Array, options?: { signal?: AbortSignal }): Promise<Uint8Array>;
  /**
   * Extends RTMR3 with the event's digest, then appends it to the log. After a failure the log may lack what the
   * register holds, and no quote of this start verifies any more: give up.
   * @throws {AttestationError} ERR_RTMR_UNAVAILABLE, ERR_RTMR_NOT_FRESH, ERR_TDX_PERMISSION, ERR_TDX_FAILED, ERR_EVIDENCE_MALFORMED
   */
  measure(event: StartEvent): Promise<void>;
  /** What was measured so far: replays to RTMR3. */
  readonly startLog: readonly StartEvent[];
  /** The firmware's event log (CCEL), for RTMR0 to RTMR2; undefined where the platform has none. */
  readonly bootLog: Uint8Array | undefined;
  /** What a verifier must be given to believe a simulated platform; undefined for a real one. */
  readonly simulation: Simulation | undefined;
}

export interface Simulation {
  /** DER of the root, born with the process. */
  readonly rootCa: Uint8Array;
  readonly collateral: Collateral;
}
