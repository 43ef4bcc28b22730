/**
 * Parses the response of `GET /v1/aci/channel`: a quote, and the statement about the connection that it covers. Verifies nothing. Pure.
 */
import { base64Of, digestOf, hexOf, malformed, objectOf, parseStrictJson } from './strict-json.ts';

export interface ChannelProof {
  /** `sha256:…` */
  readonly keysetDigest: string;
  readonly quote: Uint8Array;
  /** Undefined if the quote was made for this connection and commits to the statement itself. */
  readonly signed: { readonly channelKey: string; readonly signature: string } | undefined;
}

export const channelProofVersion = 'cloister.channel.v1';
/** Above any real proof: a quote in base64 and the other members. */
export const channelProofCharactersMax = 32 * 1024;
const quoteBytesMax = 16 * 1024;

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseChannelProof(text: string | Uint8Array): ChannelProof {
  const what = 'the proof of the connection';
  const json = objectOf(parseStrictJson(text, { what, charactersMax: channelProofCharactersMax }), what, {
    required: ['version', 'keyset_digest', 'quote', 'channel_key', 'signature'],
  });
  if (json.version !== channelProofVersion) throw malformed(`version of ${what}`, `"${channelProofVersion}"`);
  const isSigned = json.channel_key !== null || json.signature !== null;
  return {
    keysetDigest: digestOf(json.keyset_digest, `keyset_digest of ${what}`),
    quote: base64Of(json.quote, `quote of ${what}`, quoteBytesMax),
    signed: isSigned
      ? {
          channelKey: hexOf(json.channel_key, `channel_key of ${what}`, 32),
          signature: hexOf(json.signature, `signature of ${what}`, 64),
        }
      : undefined,
  };
}

/** Formats a proof for `parseChannelProof`. @param proof.quote in base64 · @returns JSON on one line */
export function formatChannelProof(proof: Omit<ChannelProof, 'quote'> & { readonly quote: string }): string {
  return JSON.stringify({
    version: channelProofVersion,
    keyset_digest: proof.keysetDigest,
    quote: proof.quote,
    channel_key: proof.signed?.channelKey ?? null,
    signature: proof.signed?.signature ?? null,
  });
}
