/** The API of the quote verifier. */
import type { Collateral } from '../collateral/collateral.ts';
import { prepareCollateral } from '../collateral/prepare.ts';
import { type QuoteVerification, verifyPreparedQuote } from './verify-quote.ts';

export { type Check, type Outcome, type Verdict, verdictOf } from './checks.ts';
export { type QuoteCheckId, quoteChecks } from './quote-check-table.ts';
export { type QuoteVerification, verifyPreparedQuote } from './verify-quote.ts';

/**
 * Verifies one quote with collateral that is used once. For many quotes, call `prepareCollateral` once and `verifyPreparedQuote` for each.
 * @param anchors DER of the trusted root certificates; Intel's is `intelRootCa`
 * @param nowMs milliseconds since 1970
 */
export async function verifyQuote(
  quoteBytes: Uint8Array,
  collateral: Collateral | undefined,
  anchors: readonly Uint8Array[],
  nowMs: number,
): Promise<QuoteVerification> {
  const prepared = collateral === undefined ? undefined : await prepareCollateral(collateral, anchors);
  return verifyPreparedQuote(quoteBytes, prepared, nowMs);
}
