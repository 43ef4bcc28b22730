/**
 * Checks that a request is on its day's signed statement: the hash tree of RFC 6962 from the request to the root, and the signature of the
 * server's attested receipt key over the statement. docs/reference/evidence-and-receipts.md has the formats.
 */
import { canonicalBytes } from '@cloister/attestation/aci/jcs';
import type { JsonObject } from '@cloister/attestation/aci/strict-json';
import { fromHex, toHex } from '@cloister/attestation/base/bytes';
import { type EvidenceVerification, receiptKey } from '@cloister/attestation/browser';

/** `GET /v1/usage/requests/{id}`. */
export interface BilledRequest {
  readonly id: string;
  readonly request_id: string;
  readonly key_id: string;
  readonly model: string;
  /** Unix seconds. */
  readonly created: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly images: number;
  readonly steps: number;
  readonly price_micro_dollars: number;
  readonly finish_reason: string;
  readonly statement: {
    readonly day: string;
    readonly index: number;
    readonly size: number;
    readonly proof: readonly string[];
    readonly root: string;
  };
}

/** `GET /v1/usage/statements/{day}`. */
export interface Statement extends JsonObject {
  readonly account_id: string;
  readonly root: string;
}

/** A request on the bill, and the statement of its day. */
export interface Bill {
  readonly request: BilledRequest;
  readonly statement: Statement;
}

/** `missing`: the server does not sign · `unproven`: the keys are not those of an acceptable machine. */
export type StatementSignature = 'valid' | 'invalid' | 'missing' | 'unproven';

export interface BillProof {
  readonly request: BilledRequest;
  readonly isOnStatement: boolean;
  readonly signature: StatementSignature;
}

/** @param verification of the server that signed the statement */
export async function proveBill({ request, statement }: Bill, verification: EvidenceVerification): Promise<BillProof> {
  const root = await rootOf(request, statement.account_id);
  return {
    request,
    isOnStatement: root === request.statement.root && root === statement.root,
    signature: await signatureOf(statement, verification),
  };
}

async function signatureOf(
  { signature, ...signed }: Statement,
  { acceptable, keyset, keysetDigest }: EvidenceVerification,
): Promise<StatementSignature> {
  if (typeof signature !== 'string') return 'missing';
  if (!acceptable || keyset === undefined) return 'unproven';
  if (signed.workload_keyset_digest !== keysetDigest) return 'invalid';
  const raw = receiptKey(keyset, String(signed.key_id));
  const bytes = fromHex(signature);
  if (raw === undefined || bytes === undefined) return 'invalid';
  const key = await crypto.subtle.importKey('raw', Uint8Array.from(raw), 'Ed25519', false, ['verify']);
  const text = canonicalBytes(signed as JsonObject);
  return (await crypto.subtle.verify('Ed25519', key, Uint8Array.from(bytes), text)) ? 'valid' : 'invalid';
}

/** @returns hexadecimal; empty if the proof has the wrong length */
async function rootOf(request: BilledRequest, accountId: string): Promise<string> {
  const { index, size, proof } = request.statement;
  const siblings = proof.map((node) => fromHex(node) ?? new Uint8Array());
  const leaf = await sha256(Uint8Array.of(0), entryOf(request, accountId));
  const climb = async (position: number, width: number): Promise<Uint8Array> => {
    if (width <= 1) return leaf;
    // RFC 6962 splits at the largest power of two below the width.
    const split = 2 ** (Math.ceil(Math.log2(width)) - 1);
    const isLeft = position < split;
    const below = isLeft ? await climb(position, split) : await climb(position - split, width - split);
    const sibling = siblings.shift() ?? new Uint8Array();
    return isLeft ? sha256(Uint8Array.of(1), below, sibling) : sha256(Uint8Array.of(1), sibling, below);
  };
  const root = await climb(index, size);
  return siblings.length === 0 ? toHex(root) : '';
}

function entryOf(request: BilledRequest, accountId: string): Uint8Array {
  const { id, request_id, key_id, model, created, finish_reason } = request;
  const counts = [request.prompt_tokens, request.completion_tokens, request.images, request.steps];
  const entry = [id, accountId, key_id, request_id, model, created, ...counts, request.price_micro_dollars];
  return new TextEncoder().encode(JSON.stringify(['cloister-usage-1', ...entry, finish_reason]));
}

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const bytes = new Uint8Array(await new Blob(parts.map((part) => Uint8Array.from(part))).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}
