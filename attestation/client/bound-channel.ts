/**
 * Verifies the proof of a connection: it must come from the verified machine and name this connection. Only the quote's signature
 * is checked again, because everything else in the quote must equal the quote that was verified before. Pure, for Node: its
 * synchronous signature checks take a third of WebCrypto's time, and every connection waits for them.
 */
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { type ChannelProof, parseChannelProof } from '../aci/channel-proof.ts';
import { concatBytes, fromHex, sameBytes } from '../base/bytes.ts';
import { channelKeyText, channelReportData, channelText } from '../base/channel-data.ts';
import { parseQuote, type Quote } from '../quote/quote.ts';
import { refuse } from '../verify/checks.ts';
import type { ObservedChannel } from './new-connection.ts';

/** The client requests this path on the connection to be proven. */
export const channelPath = '/v1/aci/channel';

/** The machine and the keyset of verified evidence. */
export interface VerifiedMachine {
  /** `sha256:…` */
  readonly keysetDigest: string;
  /** The quote of that evidence. */
  readonly quote: Quote;
}

export interface ReadChannelProof extends ChannelProof {
  readonly parsedQuote: Quote;
}

/** Parses a proof and its quote without verifying them. @throws {AttestationError} ERR_EVIDENCE_MALFORMED, ERR_QUOTE_MALFORMED, ERR_QUOTE_UNSUPPORTED */
export function readChannelProof(body: Uint8Array): ReadChannelProof {
  const proof = parseChannelProof(body);
  return { ...proof, parsedQuote: parseQuote(proof.quote) };
}

/**
 * Requires that the proof comes from the verified machine in its verified state. On failure the server may have restarted: verify
 * its evidence again.
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function requireSameMachine(
  { keysetDigest, parsedQuote }: Pick<ReadChannelProof, 'keysetDigest' | 'parsedQuote'>,
  verified: VerifiedMachine,
): void {
  if (keysetDigest !== verified.keysetDigest) {
    refuse(`the proof of the connection names keyset ${keysetDigest}, expected ${verified.keysetDigest}`);
  }
  const { quote } = verified;
  const isSame =
    sameBytes(withoutReportData(parsedQuote), withoutReportData(quote)) &&
    sameBytes(parsedQuote.attestationKey, quote.attestationKey) &&
    sameBytes(parsedQuote.qeReportBytes, quote.qeReportBytes) &&
    sameBytes(parsedQuote.qeAuthenticationData, quote.qeAuthenticationData) &&
    sameBytes(parsedQuote.pckChainPem, quote.pckChainPem);
  if (!isSame)
    refuse(
      'the quote of the connection comes from a different machine than the verified one, or from a different state of that machine',
    );
}

/**
 * Requires that the quote vouches for this connection, directly or through a key that the quote commits to.
 * @throws {AttestationError} ERR_NOT_VERIFIED if the proof was made for another connection, nonce or certificate
 */
export function requireBoundChannel(
  { parsedQuote, signed, keysetDigest }: ReadChannelProof,
  { nonce, channel }: { nonce: string; channel: ObservedChannel },
): void {
  const digest = keysetDigest.slice('sha256:'.length);
  const { exporter, certificate } = channel;
  const statement = channelText({ nonce, exporter, certificate, keysetDigest: digest });
  const quoted =
    signed === undefined ? statement : channelKeyText({ channelKey: signed.channelKey, keysetDigest: digest });
  if (!isQuoteFor(parsedQuote, quoted)) {
    refuse('the quote of the connection was made for another nonce, connection or certificate: it may be relayed');
  }
  if (!isQuoteSigned(parsedQuote)) refuse('the signature of the quote of the connection is invalid');
  if (signed !== undefined && !isStatementSigned(statement, signed)) {
    refuse('the proof was made for another connection: it is relayed, or a proxy terminates TLS');
  }
}

/**
 * Requires that the machine of verified evidence made a quote over a text, in the state that was verified.
 * @param text see `channelReportData`
 * @throws {AttestationError} ERR_NOT_VERIFIED
 */
export function requireQuoteOver(parsedQuote: Quote, text: string, verified: VerifiedMachine): void {
  requireSameMachine({ keysetDigest: verified.keysetDigest, parsedQuote }, verified);
  if (!isQuoteFor(parsedQuote, text)) refuse('the quote was made for another statement: it is replayed or relayed');
  if (!isQuoteSigned(parsedQuote)) refuse('the signature of the quote is invalid');
}

function isQuoteFor({ body }: Quote, text: string): boolean {
  return sameBytes(body.reportData, channelReportData(text));
}

/** `requireSameMachine` has compared the attestation key with that of the verified quote. */
function isQuoteSigned({ attestationKey, signedBytes, signature }: Quote): boolean {
  const [x, y] = [attestationKey.subarray(0, 32), attestationKey.subarray(32)].map(base64url);
  const key = publicKey({ kty: 'EC', crv: 'P-256', x: x!, y: y! });
  return verify('sha256', signedBytes, { key, dsaEncoding: 'ieee-p1363' }, signature);
}

function isStatementSigned(text: string, signed: NonNullable<ChannelProof['signed']>): boolean {
  const key = publicKey({ kty: 'OKP', crv: 'Ed25519', x: base64url(fromHex(signed.channelKey)!) });
  return verify(null, Buffer.from(text), key, fromHex(signed.signature)!);
}

function publicKey(key: JsonWebKey) {
  return createPublicKey({ key, format: 'jwk' });
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** The signed header and body without the report data. */
function withoutReportData({ signedBytes, body }: Quote): Uint8Array {
  const at = body.reportData.byteOffset - signedBytes.byteOffset;
  return concatBytes(signedBytes.subarray(0, at), signedBytes.subarray(at + body.reportData.length));
}
