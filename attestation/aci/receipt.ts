/**
 * Receipts: signed records of the processing of one request. They contain digests of the exact bodies, never the bodies. Pure, with
 * WebCrypto. See ACI, "Inference Receipts".
 */
import { fromHex, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { sha256Digest } from './digest.ts';
import { canonicalBytes } from './jcs.ts';
import { type Keyset, receiptKey } from './keyset.ts';
import { aciVersion } from './report.ts';
import {
  anyObjectOf,
  countOf,
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

export interface Receipt {
  readonly receiptId: string;
  /** The id in the response, if it has one. */
  readonly chatId: string | undefined;
  /** The requested model, if it is served. */
  readonly model: string | undefined;
  /** `sha256:…` of the keyset of the signing key. */
  readonly keysetDigest: string;
  readonly endpoint: string;
  readonly method: string;
  /** Unix seconds, by the server's clock. */
  readonly servedAt: number;
  /** In chronological order; the first is `request.received`. */
  readonly events: readonly ReceiptEvent[];
  readonly keyId: string;
}

/** A type and the members of that type. Verifiers ignore unknown types. */
export interface ReceiptEvent extends JsonObject {
  readonly type: string;
}

export interface SignedReceipt extends Receipt {
  /** 64 bytes as 128 lowercase hexadecimal digits. */
  readonly signature: string;
}

export const receiptEvent = {
  received: 'request.received',
  forwarded: 'request.forwarded',
  returned: 'response.returned',
} as const;

export const receiptCharactersMax = 256 * 1024;
const eventsMax = 64;

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseReceipt(text: string | Uint8Array): SignedReceipt {
  const what = 'the receipt';
  const json = objectOf(parseStrictJson(text, { what, charactersMax: receiptCharactersMax }), what, {
    required: [...unsignedMembers, 'signature'],
  });
  if (json.api_version !== aciVersion) throw malformed('api_version of the receipt', `"${aciVersion}"`);
  return {
    receiptId: textOf(json.receipt_id, 'receipt_id'),
    chatId: nullableTextOf(json.chat_id, 'chat_id'),
    model: nullableTextOf(json.model, 'model'),
    keysetDigest: digestOf(json.workload_keyset_digest, 'workload_keyset_digest of the receipt'),
    endpoint: textOf(json.endpoint, 'endpoint'),
    method: textOf(json.method, 'method'),
    servedAt: countOf(json.served_at, 'served_at'),
    events: parseEvents(json.event_log),
    keyId: textOf(json.key_id, 'key_id of the receipt'),
    signature: hexOf(json.signature, 'signature of the receipt', 64),
  };
}

/** Formats a receipt for `parseReceipt`. @returns canonical JSON */
export function formatReceipt(receipt: SignedReceipt): string {
  return new TextDecoder().decode(canonicalBytes({ ...receiptDocument(receipt), signature: receipt.signature }));
}

/** The exact signed bytes: the receipt's canonical form without its signature. */
export function receiptBytes(receipt: Receipt): Uint8Array<ArrayBuffer> {
  return canonicalBytes(receiptDocument(receipt));
}

/** @param sign signs with Ed25519 and the key `receipt.keyId` · @returns the receipt with its signature */
export async function signReceipt(
  receipt: Receipt,
  sign: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>,
): Promise<SignedReceipt> {
  return { ...receipt, signature: toHex(await sign(receiptBytes(receipt))) };
}

/** The exchange that a receipt must describe. */
export interface Exchange {
  /** The request body before sealing; not compared if undefined. */
  readonly requestBody?: Uint8Array<ArrayBuffer> | undefined;
  /** The response body after opening the seal, with the framing of a stream. */
  readonly responseBody?: Uint8Array<ArrayBuffer> | undefined;
  /** From the response header `X-Receipt-Id`. */
  readonly receiptId?: string | undefined;
}

/**
 * Verifies that a key of the keyset signed this receipt, for this exchange. The caller must have verified the keyset.
 * @throws {AttestationError} ERR_NOT_VERIFIED with the failed check
 */
export async function verifyReceipt(
  receipt: SignedReceipt,
  verified: { keyset: Keyset; keysetDigest: string },
  exchange: Exchange = {},
): Promise<void> {
  if (receipt.keysetDigest !== verified.keysetDigest) {
    refuse(`the receipt names the keyset ${receipt.keysetDigest}, expected ${verified.keysetDigest}`);
  }
  const key = receiptKey(verified.keyset, receipt.keyId);
  if (key === undefined) refuse('the receipt is signed by a key that is not in the keyset');
  if (!(await isSignedBy(receipt, key))) refuse('the signature of the receipt is invalid: the receipt was changed');
  if (exchange.receiptId !== undefined && exchange.receiptId !== receipt.receiptId) {
    refuse('the id of the receipt differs from that of the response');
  }
  await requireBody(receipt, receiptEvent.received, exchange.requestBody, 'request');
  await requireBody(receipt, receiptEvent.returned, exchange.responseBody, 'answer');
}

/** The first event of a type. */
export function findEvent({ events }: Receipt, type: string): ReceiptEvent | undefined {
  return events.find((event) => event.type === type);
}

const unsignedMembers = [
  'api_version',
  'receipt_id',
  'chat_id',
  'model',
  'workload_keyset_digest',
  'endpoint',
  'method',
  'served_at',
  'event_log',
  'key_id',
];

function receiptDocument(receipt: Receipt): JsonObject {
  return {
    api_version: aciVersion,
    receipt_id: receipt.receiptId,
    chat_id: receipt.chatId ?? null,
    model: receipt.model ?? null,
    workload_keyset_digest: receipt.keysetDigest,
    endpoint: receipt.endpoint,
    method: receipt.method,
    served_at: receipt.servedAt,
    event_log: receipt.events,
    key_id: receipt.keyId,
  };
}

function parseEvents(value: Json | undefined): readonly ReceiptEvent[] {
  const events = listOf(value, 'event_log', eventsMax).map((item): ReceiptEvent => {
    const event = anyObjectOf(item, 'an event of event_log');
    return { ...event, type: textOf(event.type, 'type of an event of event_log', 256) };
  });
  if (events[0]?.type !== receiptEvent.received) throw malformed('the first event', `"${receiptEvent.received}"`);
  for (const type of Object.values(receiptEvent)) {
    const found = events.filter((event) => event.type === type);
    // With two events of one statement, two readers could use different digests.
    if (found.length > 1) throw malformed('event_log', `free of a second ${type}`);
    for (const event of found) digestOf(event.body_hash, `body_hash of ${type}`);
  }
  if (!events.some(({ type }) => type === receiptEvent.returned)) {
    throw malformed('event_log', `one with "${receiptEvent.returned}"`);
  }
  return events;
}

async function isSignedBy(receipt: SignedReceipt, publicKey: Uint8Array): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', new Uint8Array(publicKey), 'Ed25519', false, ['verify']);
  const signature = new Uint8Array(fromHex(receipt.signature) ?? []);
  return crypto.subtle.verify('Ed25519', key, signature, receiptBytes(receipt));
}

async function requireBody(
  receipt: Receipt,
  type: string,
  body: Uint8Array<ArrayBuffer> | undefined,
  what: string,
): Promise<void> {
  if (body === undefined) return;
  const found = await sha256Digest(body);
  if (findEvent(receipt, type)?.body_hash !== found) {
    refuse(`the receipt is for another ${what}: the bytes here have the digest ${found}`);
  }
}

function refuse(message: string): never {
  throw new AttestationError('ERR_NOT_VERIFIED', message);
}
