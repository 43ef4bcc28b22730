/** What tenants import: verifying quotes, without network, devices or a model runtime. Runs in Node and in a browser. */

export { type Collateral, formatCollateral, parseCollateral } from './collateral/collateral.ts';
export { intelRootCa } from './collateral/intel-root.ts';
export { type PreparedCollateral, prepareCollateral } from './collateral/prepare.ts';
export type { TcbStatus, TcbVerdict } from './collateral/tcb-info.ts';
export { AttestationError, type AttestationErrorCode } from './errors.ts';
export { type Judgement, judgeQuote, type Measurement, measurementsOf, type Policy, parsePolicy } from './policy.ts';
export { parseQuote, type Quote } from './quote/quote.ts';
export { attributeBits, TD_ATTRIBUTE, type TdBody } from './quote/td-body.ts';
export { parseTdReport, type TdReport } from './quote/td-report.ts';
export { isNonce, reportDataOf, reportDataText } from './report-data.ts';
export * from './verify/index.ts';
