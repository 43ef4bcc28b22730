/**
 * A server's report, parsed once. Each step of a verification takes this value instead of bytes, so that no step can parse the
 * report or its quote again, and all steps judge the same value. Nothing in it is verified. Pure.
 */
import { parseReport, type Report } from '../aci/report.ts';
import { type Parsed, parsedOrUndefined, parsedValue, tryParse } from '../base/parsed.ts';
import { nvidiaDeviceRootCa } from '../gpu/nvidia-roots.ts';
import { type DeviceVerifications, verifyDeviceEvidence } from '../gpu/verify-gpu.ts';
import { parseQuote, type Quote } from '../quote/quote.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { type Evidence, parseEvidence } from './evidence.ts';

export interface ParsedReport {
  readonly report: Parsed<Report>;
  /** The error of the report if that is malformed. */
  readonly evidence: Parsed<Evidence>;
  /** The error of the evidence if that is malformed. */
  readonly quote: Parsed<Quote>;
}

/** Never throws: each malformed part carries its error. */
export function parseWholeReport(text: string | Uint8Array): ParsedReport {
  const report = tryParse(() => parseReport(text));
  const evidence = tryParse(() => parseEvidence(parsedValue(report).evidence));
  const quote = tryParse(() => parseQuote(parsedValue(evidence).quote));
  return { report, evidence, quote };
}

/**
 * Authenticates each GPU and switch in the evidence. The expected nonce is the first half of the quote's report data.
 * @param trust.gpuRoots DER; default: NVIDIA's
 * @returns undefined if the evidence or its quote is malformed
 */
export async function authenticateDevices(
  { evidence, quote }: ParsedReport,
  { gpuRoots, nowMs }: { readonly gpuRoots?: readonly Uint8Array[] | undefined; readonly nowMs: number },
): Promise<DeviceVerifications | undefined> {
  const devices = parsedOrUndefined(evidence);
  const nonce = parsedOrUndefined(quote)?.body.reportData.subarray(0, 32);
  if (devices === undefined || nonce === undefined) return undefined;
  const anchors = (gpuRoots ?? [nvidiaDeviceRootCa]).map(parseCertificate);
  return verifyDeviceEvidence(devices, { anchors, nonce, nowMs });
}
