/** Requests the proof that a server terminates a new connection. For Node. */
import { channelProofCharactersMax } from '../aci/channel-proof.ts';
import { AttestationError } from '../base/errors.ts';
import { refuse } from '../verify/checks.ts';
import { channelPath, type ReadChannelProof, readChannelProof } from './bound-channel.ts';
import type { NewConnection } from './new-connection.ts';
import { randomNonce } from './report-request.ts';

/**
 * Requests and parses a proof; the caller verifies it.
 * @returns the proof and the nonce that it must answer
 * @throws {AttestationError} ERR_NOT_VERIFIED if the server does not support proofs · ERR_EVIDENCE_UNAVAILABLE if it cannot
 *   make one now · ERR_EVIDENCE_MALFORMED and others of `readChannelProof` · network errors
 */
export async function requestChannelProof(
  connection: NewConnection,
): Promise<{ proof: ReadChannelProof; nonce: string }> {
  const nonce = randomNonce();
  const { status, body } = await connection.get(`${channelPath}?nonce=${nonce}`, {
    bytesMax: channelProofCharactersMax,
  });
  const { host } = connection.server;
  if (status === 429 || status >= 500) {
    throw new AttestationError(
      'ERR_EVIDENCE_UNAVAILABLE',
      `${host} answered ${status} to the request for a proof of the connection`,
    );
  }
  // A relay can withhold the proof, so a missing proof is a refusal unless the policy accepts the TLS key alone.
  if (status !== 200) {
    refuse(
      `${host} answered ${status} to the request for a proof that it terminates the connection; set "channel": "key" in ` +
        'the policy to accept the attested TLS key alone',
    );
  }
  return { proof: readChannelProof(body), nonce };
}
