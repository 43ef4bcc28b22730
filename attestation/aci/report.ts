/**
 * The attestation report: the keys of a workload and the evidence that binds them. The report is not signed as a whole; the functions below
 * check how the quote binds each part. See ACI, "Attestation Report".
 */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { reportDataOf } from '../base/report-data.ts';
import { type Keyset, keysetDigest, keysetDocument, parseKeyset } from './keyset.ts';
import {
  anyObjectOf,
  digestOf,
  hexOf,
  type Json,
  type JsonObject,
  listOf,
  malformed,
  nullableTextOf,
  objectOf,
  parseStrictJson,
  textOf,
} from './strict-json.ts';

export const aciVersion = 'aci/1';

export interface Report {
  /** `sha256:…` of the keyset as stated in the report; `requireKeysetDigest` verifies it. */
  readonly keysetDigest: string;
  readonly keyset: Keyset;
  /** 32 bytes as 64 lowercase hexadecimal digits, as stated in the report; `requireReportData` verifies them. */
  readonly reportData: string;
  readonly provenance: SourceProvenance;
  /** The evidence in the format of the platform. */
  readonly evidence: JsonObject;
  /** The supported methods to seal bodies. */
  readonly sealingVersions: readonly string[];
  /** `direct`: inference runs in this workload. */
  readonly serving: string;
}

/** The origin of the program as stated by the server; only a measurement proves it. */
export interface SourceProvenance {
  readonly repositoryUrl: string | undefined;
  readonly commit: string | undefined;
  readonly imageDigest: string | undefined;
}

/** Above any real report, even with eight GPUs, their chains and a full start log. */
export const reportCharactersMax = 8 * 1024 * 1024;

/** Maximum remaining lifetime of a keyset, so that a wrong expiry time cannot make a keyset valid indefinitely. */
export const keysetLifetimeMsMax = 400 * 86_400_000;

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED unless this is a TDX report */
export function parseReport(text: string | Uint8Array): Report {
  const json = parseStrictJson(text, { what: 'the report', charactersMax: reportCharactersMax });
  const { api_version, workload_keyset_digest, attestation, service_capabilities } = objectOf(json, 'the report', {
    required: ['api_version', 'workload_keyset_digest', 'attestation', 'service_capabilities'],
  });
  if (api_version !== aciVersion) throw malformed('api_version of the report', `"${aciVersion}"`);
  const bound = objectOf(attestation, 'attestation', {
    required: ['tee_type', 'workload_keyset', 'report_data', 'source_provenance', 'evidence'],
  });
  if (bound.tee_type !== 'tdx') throw malformed('tee_type', '"tdx"');
  const capabilities = anyObjectOf(service_capabilities, 'service_capabilities');
  return {
    keysetDigest: digestOf(workload_keyset_digest, 'workload_keyset_digest'),
    keyset: parseKeyset(bound.workload_keyset),
    reportData: hexOf(bound.report_data, 'report_data', 32),
    provenance: parseProvenance(bound.source_provenance),
    evidence: anyObjectOf(bound.evidence, 'evidence'),
    sealingVersions: listOf(capabilities.supported_e2ee_versions, 'supported_e2ee_versions', 16).map((one) =>
      textOf(one, 'a version of supported_e2ee_versions', 64),
    ),
    serving: textOf(capabilities.serving, 'serving', 64),
  };
}

/** Formats a report for `parseReport`. @returns JSON on one line */
export function formatReport(report: Report): string {
  return JSON.stringify({
    api_version: aciVersion,
    workload_keyset_digest: report.keysetDigest,
    attestation: {
      tee_type: 'tdx',
      workload_keyset: keysetDocument(report.keyset),
      report_data: report.reportData,
      source_provenance: {
        repo_url: report.provenance.repositoryUrl ?? null,
        repo_commit: report.provenance.commit ?? null,
        image_digest: report.provenance.imageDigest ?? null,
        image_provenance: null,
      },
      evidence: report.evidence,
    },
    service_capabilities: { supported_e2ee_versions: report.sealingVersions, serving: report.serving },
  });
}

/** @throws {AttestationError} ERR_NOT_VERIFIED if the report states another digest than its keyset has */
export async function requireKeysetDigest({ keyset, keysetDigest: named }: Report): Promise<void> {
  const found = await keysetDigest(keyset);
  if (found !== named) refuse(`the report names the keyset ${named} and carries ${found}`);
}

/**
 * Requires that the report states this nonce and this keyset in its report data.
 * @param nonce 64 lowercase hexadecimal digits; undefined for a report requested without one, which proves no freshness
 * @returns the 64 bytes that the quote must contain to prove the statement
 * @throws {AttestationError} ERR_NOT_VERIFIED · @throws {TypeError} if `nonce` is malformed
 */
export async function requireReportData(report: Report, nonce: string | undefined): Promise<Uint8Array> {
  await requireKeysetDigest(report);
  const expected = await reportDataOf({ keysetDigest: report.keysetDigest.slice('sha256:'.length), nonce });
  if (toHex(expected.subarray(0, 32)) !== report.reportData) {
    refuse('report_data is for another nonce or another keyset: the report was replayed or changed');
  }
  return expected;
}

/**
 * @param nowMs milliseconds since 1970
 * @throws {AttestationError} ERR_NOT_VERIFIED if the keyset has expired, or expires implausibly late
 */
export function requireCurrentKeyset(
  { notAfter }: Keyset,
  nowMs: number,
  { lifetimeMsMax = keysetLifetimeMsMax }: { lifetimeMsMax?: number } = {},
): void {
  const leftMs = notAfter * 1000 - nowMs;
  if (!(leftMs > 0)) refuse(`the keyset expired at ${timeText(notAfter)}`);
  if (leftMs > lifetimeMsMax) refuse(`the keyset claims to last until ${timeText(notAfter)}, which is too long`);
}

function parseProvenance(value: Json | undefined): SourceProvenance {
  const json = objectOf(value, 'source_provenance', {
    required: ['repo_url', 'repo_commit', 'image_digest', 'image_provenance'],
  });
  const imageDigest = nullableTextOf(json.image_digest, 'image_digest');
  if (imageDigest !== undefined) digestOf(imageDigest, 'image_digest');
  return {
    repositoryUrl: nullableTextOf(json.repo_url, 'repo_url'),
    commit: nullableTextOf(json.repo_commit, 'repo_commit'),
    imageDigest,
  };
}

/** ISO 8601; the number itself if it is out of range for a date. */
export function timeText(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  return Number.isNaN(date.getTime()) ? `${unixSeconds} s` : date.toISOString();
}

function refuse(message: string): never {
  throw new AttestationError('ERR_NOT_VERIFIED', message);
}
