/** What tenants import: verifying quotes, without network, devices or a model runtime. Runs in Node and in a browser. */

export { type Collateral, formatCollateral, parseCollateral } from './collateral/collateral.ts';
export { intelRootCa } from './collateral/intel-root.ts';
export { type PreparedCollateral, prepareCollateral } from './collateral/prepare.ts';
export type { TcbStatus, TcbVerdict } from './collateral/tcb-info.ts';
export { AttestationError, type AttestationErrorCode } from './errors.ts';
export { type CcelTable, parseCcelTable } from './eventlog/ccel-table.ts';
export { type EventLog, type LogEvent, type MeasuredEvent, parseEventLog } from './eventlog/event-log.ts';
export { isDigestOfData, type RtmrNumber, type Rtmrs, replayEventLog, requireReplay } from './eventlog/replay.ts';
export { GPU_CHECKS, type GpuCheckId } from './gpu/gpu-check-table.ts';
export { driverVersionOf, GPU_FIELD, type GpuReport, parseGpuReport } from './gpu/gpu-report.ts';
export { type GpuEvidence, type GpuExpectations, type GpuVerification, verifyGpuEvidence } from './gpu/verify-gpu.ts';
export { type Judgement, judgeQuote, type Measurement, measurementsOf, type Policy, parsePolicy } from './policy.ts';
export { parseQuote, type Quote } from './quote/quote.ts';
export { attributeBits, TD_ATTRIBUTE, type TdBody } from './quote/td-body.ts';
export { parseTdReport, type TdReport } from './quote/td-report.ts';
export { isNonce, reportDataOf, reportDataText } from './report-data.ts';
export * from './verify/index.ts';
