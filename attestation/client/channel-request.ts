/** Asks a server on a new connection to prove that it ends this connection. For Node. */
import { channelProofCharactersMax } from '../aci/channel-proof.ts';
import { AttestationError } from '../base/errors.ts';
import { refuse } from '../verify/checks.ts';
import { channelPath, type ReadChannelProof, readChannelProof } from './bound-channel.ts';
import type { NewConnection } from './new-connection.ts';
import { randomNonce } from './report-request.ts';

/**
 * The proof is read, not yet believed.
 * @returns with the nonce that it must be for
 * @throws {AttestationError} ERR_NOT_VERIFIED where the server has no such proof · ERR_EVIDENCE_UNAVAILABLE where it has
 *   none now · ERR_EVIDENCE_MALFORMED and others of `readChannelProof` · the network's errors
 */
export async function askForChannelProof(
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
      `${host} answered ${status} when asked to prove the connection`,
    );
  }
  // A relay can withhold the proof, so a server that has none is refused unless the policy accepts less.
  if (status !== 200) {
    refuse(
      `${host} answered ${status} when it was asked to prove that it ends the connection; the policy's "channel": "key" ` +
        'would accept its TLS key alone',
    );
  }
  return { proof: readChannelProof(body), nonce };
}
