/** The operator's side of the handshake: verifies the guest, then signs and seals the secrets to it. */
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
  /** Of `cloister measure`. RTMR3 must be zero whatever it says: nothing has started in that machine. */
  readonly policy: Policy;
  /** DER. */
  readonly roots: readonly Uint8Array[];
  /** Default: fetched from Intel. */
  readonly collateral?: Collateral | undefined;
  readonly nowMs: number;
}

export interface ProvisionCall {
  /** `https://host[:port]` */
  readonly origin: string;
  readonly secrets: Secrets;
  /** Ed25519, private. */
  readonly operatorKey: KeyObject;
  readonly trust: ProvisionTrust;
  readonly signal: AbortSignal;
}

/**
 * Nothing but a nonce is sent before the guest has proven itself.
 * @throws {AttestationError} ERR_NOT_VERIFIED where it is not the machine of the policy; ERR_EVIDENCE_UNAVAILABLE where it
 *   does not answer or refuses · and as `fetchCollateral`
 */
export async function provision(call: ProvisionCall): Promise<void> {
  const { origin, secrets, operatorKey, signal } = call;
  // The channel's own key proves nothing: the sealing key is what the quote vouches for.
  const agent = new PinnedAgent({ accept: () => undefined });
  try {
    const nonce = randomBytes(32).toString('hex');
    const offer = await askForOffer(agent, { origin, nonce, signal });
    await requireMachine(offer, nonce, call);
    const signature = sign(null, provisionStatement(offer.publicKey, secrets), operatorKey);
    await bring(agent, { origin, offer, text: formatSignedSecrets({ secrets, signature }), signal });
  } finally {
    agent.destroy();
  }
}

/** As a configuration disk names it. @param key private or public · @returns 32 bytes as 64 hexadecimal digits */
export function operatorKeyHex(key: KeyObject): string {
  if (key.asymmetricKeyType !== 'ed25519') {
    throw new TypeError(`the operator's key must be of type ed25519, got ${key.asymmetricKeyType}`);
  }
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Buffer.from(x!, 'base64url').toString('hex');
}

async function askForOffer(
  agent: PinnedAgent,
  { origin, nonce, signal }: { origin: string; nonce: string; signal: AbortSignal },
): Promise<ProvisionOffer> {
  const url = new URL(`${provisionPath}?nonce=${nonce}`, origin);
  const response = await sendPinned(agent, { url, method: 'GET', headers: new Headers(), signal });
  const text = await response.text();
  if (response.status !== 200) throw refusal(response.status, text);
  return parseOffer(text);
}

async function requireMachine(offer: ProvisionOffer, nonce: string, { trust, signal }: ProvisionCall): Promise<void> {
  const { policy, roots, nowMs } = trust;
  const collateral = trust.collateral ?? (await collateralFor(offer.quote, {}, signal));
  const verified = await verifyQuote(offer.quote, collateral, roots, nowMs);
  const expected = await provisionReportData(offer.publicKey, nonce);
  const { verdict, checks } = await judgeQuote(verified, { ...policy, rtmr3: 'zero' }, expected);
  if (verdict === 'verified') return;
  const failed = checks
    .filter(({ outcome, required }) => outcome === 'fail' || (outcome !== 'pass' && required))
    .map(({ id, reason }) => `${id}: ${reason}`);
  throw new AttestationError('ERR_NOT_VERIFIED', `this is not the machine of the policy; ${failed.join('; ')}`);
}

async function bring(
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

/** What an unverified machine says is repeated as such: printable, and short. */
function refusal(status: number, text: string): AttestationError {
  const said = text.replace(/[^\x20-\x7e]/g, ' ').slice(0, 300);
  return new AttestationError('ERR_EVIDENCE_UNAVAILABLE', `the machine answered ${status}: ${said}`);
}
