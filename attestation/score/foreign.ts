/**
 * Reads the evidence of other providers: an ACI report with other evidence than Cloister's, or dstack's own format. Lenient, because it
 * verifies nothing: other code verifies the quote and replays the event log. Pure.
 */
import { fromHex, toHex } from '../base/bytes.ts';
import type { MeasuredEvent } from '../eventlog/event-log.ts';
import { quoteBytesMax } from '../quote/quote.ts';

export interface ForeignEvidence {
  /** The format, for display. */
  readonly form: string;
  readonly quote: Uint8Array | undefined;
  readonly eventLog: readonly MeasuredEvent[] | undefined;
  /** The text of the compose file that the evidence names. */
  readonly appCompose: string | undefined;
  /** Whether the evidence has a member for GPU reports. Its contents are not read. */
  readonly hasGpuPayload: boolean;
  readonly hasSigningKey: boolean;
}

const nothing = { eventLog: undefined, appCompose: undefined, hasGpuPayload: false, hasSigningKey: false } as const;

/** @param text of any report · @returns undefined if it is not a JSON object */
export function readForeign(text: string): ForeignEvidence | undefined {
  const report = objectOf(jsonOf(text));
  if (report === undefined) return undefined;
  const attestation = objectOf(report.attestation);
  const isAci = report.api_version === 'aci/1' && attestation !== undefined;
  const evidence = objectOf(isAci ? attestation.evidence : report) ?? {};
  const quote = quoteOf(evidence.intel_quote ?? evidence.quote);
  const teeType = isAci ? attestation.tee_type : report.attestation_type;
  if (quote === undefined) {
    const form = typeof teeType === 'string' && teeType !== 'tdx' ? 'evidence other than TDX' : 'unknown';
    return { ...nothing, form, quote };
  }
  return {
    form: isAci ? 'an ACI report of another provider' : "dstack's attestation",
    quote,
    eventLog: eventLogOf(evidence.event_log),
    appCompose: typeof evidence.app_compose === 'string' ? evidence.app_compose : undefined,
    hasGpuPayload: [evidence.nvidia_payload, evidence.gpu, evidence.gpu_evidence].some((one) => !isEmpty(one)),
    hasSigningKey: isAci ? objectOf(attestation.workload_keyset) !== undefined : !isEmpty(evidence.signing_public_key),
  };
}

/** Hexadecimal, as dstack writes it, or base64. */
function quoteOf(value: unknown): Uint8Array | undefined {
  if (typeof value !== 'string' || value === '' || value.length > 2 * quoteBytesMax + 2) return undefined;
  const hex = fromHex(value.startsWith('0x') ? value.slice(2) : value);
  if (hex !== undefined) return hex;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return undefined;
  return Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
}

const eventsMax = 4096;

/** dstack's log: a list of objects, or its JSON text, with registers numbered from 0. Undefined if malformed. */
function eventLogOf(value: unknown): readonly MeasuredEvent[] | undefined {
  const list = typeof value === 'string' ? jsonOf(value) : value;
  if (!Array.isArray(list) || list.length === 0 || list.length > eventsMax) return undefined;
  const events = list.map((one): MeasuredEvent | undefined => {
    const { imr, event_type: type, digest } = objectOf(one) ?? {};
    const bytes = typeof digest === 'string' ? fromHex(digest) : undefined;
    const isRegister = Number.isInteger(imr) && (imr as number) >= 0 && (imr as number) <= 3;
    if (!isRegister || bytes === undefined) return undefined;
    return { mrIndex: (imr as number) + 1, type: typeof type === 'number' ? type : 0, digest: bytes };
  });
  return events.includes(undefined) ? undefined : (events as MeasuredEvent[]);
}

/** Whether MRCONFIGID, in hexadecimal, is that of this compose file: the byte 1, then the SHA-256, as dstack writes it. */
export async function isComposeBound(appCompose: string, mrConfigId: string): Promise<boolean> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(appCompose));
  return mrConfigId.startsWith(`01${toHex(new Uint8Array(digest))}`);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}
