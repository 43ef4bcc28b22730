/**
 * The public API for Node and browsers: verification of evidence, quotes and receipts, and sealing of bodies. No network, no
 * devices. `node.ts` and `browser.ts` add the clients for each platform.
 */

export { type Keyset, keysetDigest, parseKeyset, receiptKey, sealingKey } from './aci/keyset.ts';
export { type Exchange, parseReceipt, type Receipt, type SignedReceipt, verifyReceipt } from './aci/receipt.ts';
export { parseReport, type Report, type SourceProvenance } from './aci/report.ts';
export { AttestationError, type AttestationErrorCode } from './base/errors.ts';
export { isNonce, reportDataOf, reportDataText } from './base/report-data.ts';
export { type Bundle, formatBundle, parseBundle } from './client/bundle.ts';
export { type ObservedServer, requireAttestedKey } from './client/channel.ts';
export { checkReceipt, type ReceiptInput, receiptChecks } from './client/check-receipt.ts';
export { type Claim, type Evidence, parseEvidence } from './client/evidence.ts';
export * from './client/verification.ts';
export { verifyEvidence } from './client/verify-evidence.ts';
export { type Collateral, formatCollateral, parseCollateral } from './collateral/collateral.ts';
export { intelRootCa } from './collateral/intel-root.ts';
export { type PreparedCollateral, prepareCollateral } from './collateral/prepare.ts';
export type { TcbStatus, TcbVerdict } from './collateral/tcb-info.ts';
export * from './deprecated.ts';
export { type CcelTable, parseCcelTable } from './eventlog/ccel-table.ts';
export { type EventLog, type LogEvent, type MeasuredEvent, parseEventLog } from './eventlog/event-log.ts';
export { isDigestOfData, type RtmrNumber, type Rtmrs, replayEventLog, requireReplay } from './eventlog/replay.ts';
export { replayStartLog, type StartEvent } from './eventlog/start-log.ts';
export * from './fleet/entry.ts';
export { type GpuCheckId, gpuChecks, type SwitchCheckId, switchChecks } from './gpu/gpu-check-table.ts';
export { driverVersionOf, type GpuReport, gpuField, parseGpuReport } from './gpu/gpu-report.ts';
export type { GpuMode } from './gpu/gpu-state.ts';
export {
  type GpuEvidence,
  type GpuExpectations,
  type GpuVerification,
  type SwitchVerification,
  verifyGpuEvidence,
  verifySwitchEvidence,
} from './gpu/verify-gpu.ts';
export type { GpuReference } from './gpu/verify-reference.ts';
export {
  type ImageFiles,
  type ImageMeasurements,
  type MeasureOptions,
  measureImage,
  policyFor,
} from './measure/measure.ts';
export { type EvidencePolicy, parseEvidencePolicy, type SourceRequirement } from './policy/evidence-policy.ts';
export {
  type JudgedCheck,
  type Judgement,
  judgeQuote,
  type Measurement,
  measurementsOf,
  type OptionalAttribute,
  type Policy,
} from './policy/policy.ts';
export { parsePolicy } from './policy/policy-file.ts';
export { parseQuote, type Quote } from './quote/quote.ts';
export { attributeBits, type TdBody, tdAttribute } from './quote/td-body.ts';
export { parseTdReport, type TdReport } from './quote/td-report.ts';
export { judgeRatls, type RatlsEvidence, ratlsReportData, readRatls } from './ratls/ratls.ts';
export { openResponse, type SealedExchange, sealRequest } from './sealed/client.ts';
export { parseKeyConfig } from './sealed/key-config.ts';
export * from './verify/index.ts';
export { formatPemChain, parsePemChain } from './x509/pem.ts';
