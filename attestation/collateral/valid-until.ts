/** When collateral expires, according to its documents. Pure: verifies nothing. */
import { AttestationError } from '../base/errors.ts';
import { parseCrl } from '../x509/crl.ts';
import type { Collateral } from './collateral.ts';

/** @returns milliseconds since 1970 · @throws {AttestationError} ERR_COLLATERAL_MALFORMED, ERR_CERTIFICATE_MALFORMED */
export function collateralValidUntil({ tcbInfo, qeIdentity, rootCaCrl, pckCrl }: Collateral): number {
  const documents = [tcbInfo, qeIdentity].map(nextUpdateOf);
  const lists = [rootCaCrl, pckCrl].map((der) => parseCrl(der).nextUpdateMs);
  return Math.min(...documents, ...lists);
}

function nextUpdateOf(document: string): number {
  try {
    const { nextUpdate } = JSON.parse(document) as { nextUpdate?: unknown };
    const ms = typeof nextUpdate === 'string' ? Date.parse(nextUpdate) : Number.NaN;
    if (!Number.isNaN(ms)) return ms;
  } catch {
    // Malformed JSON is reported below.
  }
  throw new AttestationError('ERR_COLLATERAL_MALFORMED', 'a collateral document has no date of its next update');
}
