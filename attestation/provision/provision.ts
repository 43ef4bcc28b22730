/**
 * The messages that provision a guest with secrets: see docs/reference/guest-image.md. Pure, with WebCrypto.
 * The guest presents a quote over a key that it generated and the operator's nonce. The operator verifies the quote, signs the secrets for
 * this key, and seals them to it.
 */
import { canonicalJson } from '../aci/jcs.ts';
import { base64Of, hexOf, type Json, objectOf, parseStrictJson, textOf } from '../aci/strict-json.ts';
import { fromHex, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { isNonce } from '../base/report-data.ts';

export const provisionFormat = 'cloister.provision.v1';
export const provisionPath = '/v1/provision';
/** Maximum size of a sealed message, including certificates and keys. */
export const provisionBytesMax = 64 * 1024;

const quoteBytesMax = 16 * 1024;
const secretCharactersMax = 32 * 1024;
const signatureBytes = 64;
const keyBytes = 32;

/** The secrets that can be provisioned, by the names of their settings. */
export const secretNames = ['databaseUrl', 'tlsCert', 'tlsKey'] as const;
export type SecretName = (typeof secretNames)[number];
export type Secrets = Readonly<Partial<Record<SecretName, string>>>;

/** The guest's response to a nonce. */
export interface ProvisionOffer {
  /** X25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly quote: Uint8Array;
}

/** The message that is sealed to the guest. */
export interface SignedSecrets {
  readonly secrets: Secrets;
  /** Ed25519 signature of the operator over `provisionStatement`, 64 bytes. */
  readonly signature: Uint8Array;
}

/** @returns the 64 bytes of report data for the offer's quote · @throws {TypeError} if the nonce is malformed */
export async function provisionReportData(publicKey: Uint8Array, nonce: string): Promise<Uint8Array> {
  const text = `${provisionFormat}:${hexOfKey(publicKey)}:${requireNonce(nonce)}`;
  return new Uint8Array(await crypto.subtle.digest('SHA-512', new TextEncoder().encode(text)));
}

/** The text that the operator signs: these secrets, for this key only. */
export function provisionStatement(publicKey: Uint8Array, secrets: Secrets): Uint8Array {
  return new TextEncoder().encode(`${provisionFormat}\n${hexOfKey(publicKey)}\n${canonicalJson(secrets as Json)}`);
}

export function formatOffer({ publicKey, quote }: ProvisionOffer): string {
  const base64 = Buffer.from(quote).toString('base64');
  return JSON.stringify({ format: provisionFormat, public_key: hexOfKey(publicKey), quote: base64 });
}

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseOffer(text: string): ProvisionOffer {
  const json = parseStrictJson(text, { what: 'the offer', charactersMax: 64 * 1024 });
  const offer = objectOf(json, 'the offer', { required: ['format', 'public_key', 'quote'], optional: [] });
  if (offer.format !== provisionFormat) throw malformed(`the offer is not of the format ${provisionFormat}`);
  return {
    publicKey: fromHex(hexOf(offer.public_key, 'public_key', keyBytes))!,
    quote: base64Of(offer.quote, 'quote', quoteBytesMax),
  };
}

export function formatSignedSecrets({ secrets, signature }: SignedSecrets): string {
  return JSON.stringify({ secrets, signature: toHex(signature) });
}

/**
 * @param wanted the names of the required secrets; other secrets are refused
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED, whose message never contains a secret
 */
export function parseSignedSecrets(text: string, wanted: readonly SecretName[]): SignedSecrets {
  const json = parseStrictJson(text, { what: 'the secrets', charactersMax: provisionBytesMax });
  const message = objectOf(json, 'the secrets', { required: ['secrets', 'signature'], optional: [] });
  const named = objectOf(message.secrets, 'secrets', { required: [...wanted], optional: [] });
  return {
    secrets: Object.fromEntries(wanted.map((name) => [name, textOf(named[name], name, secretCharactersMax)])),
    signature: fromHex(hexOf(message.signature, 'signature', signatureBytes))!,
  };
}

function hexOfKey(publicKey: Uint8Array): string {
  if (publicKey.length !== keyBytes) throw new TypeError(`a key has ${keyBytes} bytes, got ${publicKey.length}`);
  return toHex(publicKey);
}

function requireNonce(nonce: string): string {
  if (!isNonce(nonce)) throw new TypeError('nonce must be 64 lowercase hexadecimal digits');
  return nonce;
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', message);
}
