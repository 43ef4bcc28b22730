/** Fuzz target for channel-binding proofs: only the proof made for the connection may be accepted. */
import { formatChannelProof } from '../../../attestation/aci/channel-proof.ts';
import { AttestationError } from '../../../attestation/base/errors.ts';
import {
  readChannelProof,
  requireBoundChannel,
  requireSameMachine,
} from '../../../attestation/client/bound-channel.ts';
import { ChannelQuotes } from '../../../attestation/guest/channel-quotes.ts';
import { parseQuote } from '../../../attestation/quote/quote.ts';
import { createSimulatedPlatform } from '../../../attestation/simulate/platform.ts';
import { bytesOf, type EvidenceParser, jsonWords } from './parser.ts';

export async function channelParser(): Promise<EvidenceParser> {
  const platform = await createSimulatedPlatform(Date.now());
  const makeQuote = (reportData: Uint8Array) => platform.quote(reportData);
  const pool = new ChannelQuotes({ quote: makeQuote }, { now: () => 0 });
  const [nonce, exporter, certificate, keyset] = ['aa', 'bb', 'cc', 'dd'].map((pair) => pair.repeat(32)) as string[];
  const statement = { nonce: nonce!, exporter: exporter!, certificate: certificate!, keysetDigest: keyset! };
  // The first proof is made for the connection, the others by a key that was quoted before.
  await pool.prove(statement, { client: 'fuzz' });
  const one = await pool.prove(statement, { client: 'fuzz' });
  const keysetDigest = `sha256:${keyset}`;
  const quote = parseQuote(await platform.quote(new Uint8Array(64)));
  const text = { keysetDigest, quote: Buffer.from(one.quote).toString('base64'), signed: one.signed };
  return {
    ...{ name: 'channel-proof', good: bytesOf(formatChannelProof(text)), parse: readChannelProof, words: jsonWords },
    async accepts(bytes) {
      const proof = readChannelProof(bytes);
      try {
        requireSameMachine(proof, { keysetDigest, quote });
        requireBoundChannel(proof, { nonce: nonce!, channel: { exporter: exporter!, certificate: certificate! } });
      } catch (error) {
        if (error instanceof AttestationError) return undefined;
        throw error;
      }
      return Buffer.from(proof.parsedQuote.signedBytes).toString('hex');
    },
  };
}
