/** The public names of version 0.1 that have changed, kept for one release. New code uses the names on the left of `as`. */

export {
  /** @deprecated Use `receiptChecks`. */
  receiptChecks as RECEIPT_CHECKS,
} from './client/check-receipt.ts';
export {
  /** @deprecated Use `blockingCheck`. */
  blockingCheck as whyNotVerified,
} from './client/verification.ts';
export {
  /** @deprecated Use `gpuChecks`. */
  gpuChecks as GPU_CHECKS,
  /** @deprecated Use `switchChecks`. */
  switchChecks as SWITCH_CHECKS,
} from './gpu/gpu-check-table.ts';
export {
  /** @deprecated Use `gpuField`. */
  gpuField as GPU_FIELD,
} from './gpu/gpu-report.ts';
export type {
  /** @deprecated Use `SourceRequirement`. */
  SourceRequirement as SourceWish,
} from './policy/evidence-policy.ts';
export {
  /** @deprecated Use `tdAttribute`. */
  tdAttribute as TD_ATTRIBUTE,
} from './quote/td-body.ts';
export {
  /** @deprecated Use `quoteChecks`. */
  quoteChecks as QUOTE_CHECKS,
} from './verify/quote-check-table.ts';
