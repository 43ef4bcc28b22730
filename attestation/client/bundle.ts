/**
 * A bundle: all inputs of one verification in one file, which can be verified again later without a network, at the time when
 * the evidence was collected. A bundle is not signed. Its proof is the signatures inside; its time is unauthenticated.
 */
import {
  base64Of,
  hexOf,
  type Json,
  type JsonObject,
  listOf,
  malformed,
  objectOf,
  parseStrictJson,
  textOf,
} from '../aci/strict-json.ts';
import { type Collateral, formatCollateral, parseCollateral } from '../collateral/collateral.ts';
import type { GpuReference } from '../gpu/verify-reference.ts';
import type { ObservedServer } from './channel.ts';

export interface Bundle {
  /** Milliseconds since 1970: when the evidence was collected, which is also the time of the verification. */
  readonly takenAtMs: number;
  /** The nonce of the report request, 64 lowercase hexadecimal digits. */
  readonly nonce: string | undefined;
  /** The origin of the evidence, for display. */
  readonly source: string;
  /** The server at the other end of the connection. */
  readonly observed: ObservedServer | undefined;
  /** The exact text of the report. */
  readonly report: string;
  /** Replaces the collateral in the report. */
  readonly collateral: Collateral | undefined;
  /** NVIDIA's manifests and OCSP responses, if the verification used any. */
  readonly gpuReference: GpuReference | undefined;
}

export const bundleKind = 'cloister.bundle.v1';

/** Above any real bundle: the report of a server with eight GPUs has less than 1 MiB. */
export const bundleCharactersMax = 8 * 1024 * 1024;

/** Formats a bundle as the JSON text that `parseBundle` reads. */
export function formatBundle({ takenAtMs, nonce, source, observed, report, collateral, gpuReference }: Bundle): string {
  const json = {
    kind: bundleKind,
    taken_at: new Date(takenAtMs).toISOString(),
    nonce: nonce ?? null,
    source,
    observed: observed === undefined ? null : { host: observed.host, spki_sha256: observed.spkiSha256 },
    collateral: collateral === undefined ? null : (JSON.parse(formatCollateral(collateral)) as JsonObject),
    gpu_reference: gpuReference === undefined ? null : gpuReferenceDocument(gpuReference),
    report,
  };
  return `${JSON.stringify(json, null, 2)}\n`;
}

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED, ERR_COLLATERAL_MALFORMED */
export function parseBundle(text: string): Bundle {
  const document = parseStrictJson(text, { what: 'the bundle', charactersMax: bundleCharactersMax });
  const json = objectOf(document, 'the bundle', { required: members });
  if (json.kind !== bundleKind) throw malformed('kind of the bundle', JSON.stringify(bundleKind));
  return {
    takenAtMs: timeOf(json.taken_at, 'taken_at of the bundle'),
    nonce: json.nonce === null ? undefined : hexOf(json.nonce, 'nonce of the bundle', 32),
    source: textOf(json.source, 'source of the bundle'),
    observed: json.observed === null ? undefined : observedOf(json.observed),
    report: textOf(json.report, 'report of the bundle', bundleCharactersMax),
    collateral: json.collateral === null ? undefined : parseCollateral(JSON.stringify(json.collateral)),
    gpuReference: json.gpu_reference === null ? undefined : gpuReferenceOf(json.gpu_reference),
  };
}

/** Whether a JSON value has the kind of a bundle. Its other members are not checked. */
export function isBundle(json: unknown): boolean {
  return typeof json === 'object' && json !== null && (json as JsonObject).kind === bundleKind;
}

const members = ['kind', 'taken_at', 'nonce', 'source', 'observed', 'collateral', 'gpu_reference', 'report'];

function observedOf(value: Json | undefined): ObservedServer {
  const json = objectOf(value, '`observed` in the bundle', { required: ['host', 'spki_sha256'] });
  return {
    host: textOf(json.host, 'host of the bundle', 253),
    spkiSha256: hexOf(json.spki_sha256, 'spki_sha256 of the bundle', 32),
  };
}

const referenceBytesMax = 4 * 1024 * 1024;
const ocspResponsesMax = 64;

function gpuReferenceDocument({ driverRim, vbiosRim, switchRim, ocspResponses }: GpuReference): JsonObject {
  const base64 = (bytes: Uint8Array | undefined) => (bytes === undefined ? null : toBase64(bytes));
  return {
    driver_rim: base64(driverRim),
    vbios_rim: base64(vbiosRim),
    ...(switchRim === undefined ? {} : { switch_rim: base64(switchRim) }),
    ocsp_responses: ocspResponses === undefined ? null : ocspResponses.map(toBase64),
  };
}

function gpuReferenceOf(value: Json | undefined): GpuReference {
  const what = 'gpu_reference of the bundle';
  const json = objectOf(value, what, {
    required: ['driver_rim', 'vbios_rim', 'ocsp_responses'],
    optional: ['switch_rim'],
  });
  const bytes = (one: Json | undefined) => (one === null ? undefined : base64Of(one, what, referenceBytesMax));
  const responses = json.ocsp_responses;
  return {
    driverRim: bytes(json.driver_rim),
    vbiosRim: bytes(json.vbios_rim),
    ...(json.switch_rim === undefined ? {} : { switchRim: bytes(json.switch_rim) }),
    ocspResponses: responses === null ? undefined : listOf(responses, what, ocspResponsesMax).map((one) => bytes(one)!),
  };
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(text);
}

function timeOf(value: Json | undefined, what: string): number {
  const text = textOf(value, what, 30);
  const ms = Date.parse(text);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) || Number.isNaN(ms)) {
    throw malformed(what, 'a time like 2026-11-21T12:00:00.000Z');
  }
  return ms;
}
