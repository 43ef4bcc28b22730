/**
 * The statement that proves a TLS connection: that this enclave is its server end. The exporter (RFC 9266) differs on every
 * connection, so a relayed proof does not match. Both ends know the exporter, so the statement also names the server's
 * certificate; otherwise a proof could be reflected. The texts follow the style of ACI's report data (`report-data.ts`). For Node.
 */
import { createHash } from 'node:crypto';
import { isNonce } from './report-data.ts';

/** RFC 9266 `tls-exporter`: this label, an empty context, 32 bytes; TLS 1.3 only. */
export const channelExporter = { label: 'EXPORTER-Channel-Binding', bytes: 32 } as const;

/** Every member is 64 lowercase hexadecimal digits. */
export interface ChannelStatement {
  /** Chosen by the client for this connection. */
  readonly nonce: string;
  /** See `channelExporter`. */
  readonly exporter: string;
  /** SHA-256 of the server's certificate (DER). */
  readonly certificate: string;
  readonly keysetDigest: string;
}

/**
 * The exact text that a quote over the connection commits to, or that a key with a quote signs.
 * @throws {TypeError} if a member is not 64 lowercase hexadecimal digits
 */
export function channelText(statement: ChannelStatement): string {
  const { nonce, exporter, certificate, keysetDigest } = requireDigits(statement);
  return `{"certificate":"sha256:${certificate}","exporter":"${exporter}","keyset_digest":"sha256:${keysetDigest}","nonce":"${nonce}","purpose":"cloister.channel.v1"}`;
}

export interface ChannelKeyStatement {
  /** Ed25519, 32 bytes as 64 lowercase hexadecimal digits. */
  readonly channelKey: string;
  readonly keysetDigest: string;
}

/**
 * The exact text that a quote made in advance commits to: a key that was generated in the enclave to sign `channelText`.
 * @throws {TypeError} as `channelText`
 */
export function channelKeyText(statement: ChannelKeyStatement): string {
  const { channelKey, keysetDigest } = requireDigits(statement);
  return `{"channel_key":"${channelKey}","keyset_digest":"sha256:${keysetDigest}","purpose":"cloister.channel_key.v1"}`;
}

/** @returns the 64 bytes of report data of a quote over such a text: its SHA-256, then zeros */
export function channelReportData(text: string): Uint8Array {
  const reportData = new Uint8Array(64);
  reportData.set(createHash('sha256').update(text).digest());
  return reportData;
}

function requireDigits<T extends object>(statement: T): T {
  for (const [name, value] of Object.entries(statement)) {
    if (!isNonce(value as string)) throw new TypeError(`${name} must be 64 lowercase hexadecimal digits`);
  }
  return statement;
}
