/** The operator's side of provisioning: verifies the guest, then signs the secrets and encrypts them to its key. */
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { AttestationError } from '@cloister/attestation/base/errors';
import { collateralFor } from '@cloister/attestation/client/attest-server';
import { PinnedAgent, sendPinned } from '@cloister/attestation/client/pinned-https';
import type { Collateral } from '@cloister/attestation/collateral/collateral';
import { judgeQuote, type Policy } from '@cloister/attestation/policy/policy';
import {
  formatSignedSecrets,
  type ProvisionOffer,
  parseOffer,
  provisionPath,
  provisionReportData,
  provisionStatement,
  type Secrets,
} from '@cloister/attestation/provision/provision';
import { openResponse, sealRequest } from '@cloister/attestation/sealed/client';
import { verifyQuote } from '@cloister/attestation/verify/index';

export interface ProvisionTrust {
  /** Policy of `cloister measure`. Its RTMR3 is ignored: RTMR3 must be zero, since the guest has not started the server. */
  readonly policy: Policy;
  /** Trusted root certificates, DER. */
  readonly roots: readonly Uint8Array[];
  /** Intel's collateral [fetched from Intel]. */
  readonly collateral?: Collateral | undefined;
  readonly nowMs: number;
}

export interface ProvisionCall {
  /** `https://host[:port]` */
  readonly origin: string;
  readonly secrets: Secrets;
  /** Ed25519 private key. */
  readonly operatorKey: KeyObject;
  readonly trust: ProvisionTrust;
  readonly signal: AbortSignal;
}

/**
 * Sends secrets to a guest. Before the guest is verified, only a nonce is sent.
 * @throws {AttestationError} ERR_NOT_VERIFIED if the guest does not match the policy; ERR_EVIDENCE_UNAVAILABLE if it does not
 *   respond or refuses; the errors of `fetchCollateral`
 */
export async function provision(call: ProvisionCall): Promise<void> {
  const { origin, secrets, operatorKey, signal } = call;
  // Accept any TLS key: the quote authenticates the sealing key, not the channel.
  const agent = new PinnedAgent({ accept: () => undefined });
  try {
    const nonce = randomBytes(32).toString('hex');
    const offer = await fetchOffer(agent, { origin, nonce, signal });
    await verifyGuest(offer, nonce, call);
    const signature = sign(null, provisionStatement(offer.publicKey, secrets), operatorKey);
    await sendSecrets(agent, { origin, offer, text: formatSignedSecrets({ secrets, signature }), signal });
  } finally {
    agent.destroy();
  }
}

/** Formats the operator's key for the configuration disk. @param key private or public · @returns 64 hexadecimal digits */
export function operatorKeyHex(key: KeyObject): string {
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new TypeError(`the operator's key must be of type ed25519, got ${key.asymmetricKeyType}`);
  }
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Buffer.from(x!, 'base64url').toString('hex');
}

async function fetchOffer(
  agent: PinnedAgent,
  { origin, nonce, signal }: { origin: string; nonce: string; signal: AbortSignal },
): Promise<ProvisionOffer> {
  const url = new URL(`${provisionPath}?nonce=${nonce}`, origin);
  const response = await sendPinned(agent, { url, method: 'GET', headers: new Headers(), signal });
  const text = await response.text();
  if (response.status !== 200) throw refusal(response.status, text);
  return parseOffer(text);
}

async function verifyGuest(offer: ProvisionOffer, nonce: string, { trust, signal }: ProvisionCall): Promise<void> {
  const { policy, roots, nowMs } = trust;
  const collateral = trust.collateral ?? (await collateralFor(offer.quote, {}, signal));
  const verified = await verifyQuote(offer.quote, collateral, roots, nowMs);
  const expected = await provisionReportData(offer.publicKey, nonce);
  const { verdict, checks } = await judgeQuote(verified, { ...policy, rtmr3: 'zero' }, expected);
  if (verdict === 'verified') return;
  const failed = checks
    .filter(({ outcome, required }) => outcome === 'fail' || (outcome !== 'pass' && required))
    .map(({ id, reason }) => `${id}: ${reason}`);
  throw new AttestationError('ERR_NOT_VERIFIED', `the guest does not match the policy: ${failed.join('; ')}`);
}

async function sendSecrets(
  agent: PinnedAgent,
  { origin, offer, text, signal }: { origin: string; offer: ProvisionOffer; text: string; signal: AbortSignal },
): Promise<void> {
  const url = new URL(provisionPath, origin);
  const plain = new Request(url, { method: 'POST', body: text, headers: { 'content-type': 'application/json' } });
  const { request, exchange } = await sealRequest(plain, offer.publicKey);
  const body = new Uint8Array(await request.arrayBuffer());
  const response = await sendPinned(agent, { url, method: 'POST', headers: request.headers, body, signal });
  if (response.status !== 200) throw refusal(response.status, await response.text());
  const answer = await openResponse(response, exchange!);
  await answer.json();
}

/** Quotes the response of an unverified machine only as short, printable text. */
function refusal(status: number, text: string): AttestationError {
  const message = text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 300);
  return new AttestationError('ERR_EVIDENCE_UNAVAILABLE', `the guest responded with ${status}: ${message}`);
}
