/**
 * The messages with which a starting node gets the secrets of its fleet from a running one: see docs/reference/fleet.md. For Node.
 * The running node gives a nonce. The starting node sends its report, as clients get it for that nonce, and a quote over a key that
 * it made for this exchange. The running node seals the secrets to that key.
 */
import { base64Of, digestOf, hexOf, malformed, objectOf, parseStrictJson, textOf } from '../aci/strict-json.ts';
import { fromHex, toHex } from '../base/bytes.ts';
import { isNonce } from '../base/report-data.ts';
import { quoteBytesMax } from '../quote/quote.ts';

export const joinVersion = 'cloister.join.v1';
export const joinPath = '/v1/fleet/join';
/** Limit of the request of a starting node, in UTF-16 code units and in bytes: its report has most of them. */
export const joinRequestCharactersMax = 2 * 1024 * 1024;
/** Limit of the sealed secrets. */
export const sealedSecretsBytesMax = 128 * 1024;
/** Limit of every other message. */
export const joinAnswerCharactersMax = 256 * 1024;
const keyBytes = 32;

/** What the quote of a starting node commits to. */
export interface JoinStatement {
  /** `sha256:…` of the keyset of the running node, so that no other node can use the quote. */
  readonly giver: string;
  /** `sha256:…` of the keyset of the starting node. */
  readonly keysetDigest: string;
  /** Chosen by the running node: 64 lowercase hexadecimal digits. */
  readonly nonce: string;
  /** X25519, 32 bytes: the starting node's key for this exchange. */
  readonly recipientKey: Uint8Array;
}

/**
 * The exact text that the quote commits to, in the style of `channelText`. No other quote of a node is over such a text, so evidence
 * that anybody can request is of no use here.
 * @throws {TypeError} if a member has another form
 */
export function joinText({ giver, keysetDigest, nonce, recipientKey }: JoinStatement): string {
  for (const [name, value] of Object.entries({ giver, keysetDigest })) {
    if (!/^sha256:[0-9a-f]{64}$/.test(value))
      throw new TypeError(`${name} must be "sha256:" and 64 lowercase hexadecimal digits`);
  }
  if (!isNonce(nonce)) throw new TypeError('nonce must be 64 lowercase hexadecimal digits');
  if (recipientKey.length !== keyBytes) throw new TypeError(`recipientKey must have ${keyBytes} bytes`);
  return `{"giver":"${giver}","keyset_digest":"${keysetDigest}","nonce":"${nonce}","purpose":"${joinVersion}","recipient_key":"${toHex(recipientKey)}"}`;
}

/** The answer of a running node to the request for a nonce. */
export interface JoinChallenge {
  /** `sha256:…` of its keyset. */
  readonly giver: string;
  /** 64 lowercase hexadecimal digits. */
  readonly nonce: string;
}

/** What a starting node sends. */
export interface JoinRequest {
  /** X25519, 32 bytes. */
  readonly recipientKey: Uint8Array;
  /** Over `joinText`. */
  readonly quote: Uint8Array;
  /** The exact text of its report for the nonce. */
  readonly report: string;
}

/** What a running node answers. */
export interface SealedSecrets {
  /** 32 bytes. */
  readonly encapsulatedKey: Uint8Array;
  /** Frames, as of a sealed request. */
  readonly sealed: Uint8Array;
}

export function formatJoinChallenge({ giver, nonce }: JoinChallenge): string {
  return JSON.stringify({ version: joinVersion, giver, nonce });
}

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseJoinChallenge(text: string | Uint8Array): JoinChallenge {
  const what = 'the answer to the request for a nonce';
  const json = versioned(text, { what, charactersMax: joinAnswerCharactersMax }, ['giver', 'nonce']);
  return { giver: digestOf(json.giver, 'giver'), nonce: hexOf(json.nonce, 'nonce', 32) };
}

export function formatJoinRequest({ recipientKey, quote, report }: JoinRequest): string {
  return JSON.stringify({
    version: joinVersion,
    recipient_key: toHex(recipientKey),
    quote: Buffer.from(quote).toString('base64'),
    report,
  });
}

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseJoinRequest(text: string | Uint8Array): JoinRequest {
  const limits = { what: 'the request of a joining node', charactersMax: joinRequestCharactersMax };
  const json = versioned(text, limits, ['recipient_key', 'quote', 'report']);
  return {
    recipientKey: fromHex(hexOf(json.recipient_key, 'recipient_key', keyBytes))!,
    quote: base64Of(json.quote, 'quote', quoteBytesMax),
    report: textOf(json.report, 'report', joinRequestCharactersMax),
  };
}

export function formatSealedSecrets({ encapsulatedKey, sealed }: SealedSecrets): string {
  return JSON.stringify({
    version: joinVersion,
    encapsulated_key: toHex(encapsulatedKey),
    sealed: Buffer.from(sealed).toString('base64'),
  });
}

/** @throws {AttestationError} ERR_EVIDENCE_MALFORMED */
export function parseSealedSecrets(text: string | Uint8Array): SealedSecrets {
  const limits = { what: 'the sealed secrets', charactersMax: joinAnswerCharactersMax };
  const json = versioned(text, limits, ['encapsulated_key', 'sealed']);
  return {
    encapsulatedKey: fromHex(hexOf(json.encapsulated_key, 'encapsulated_key', keyBytes))!,
    sealed: base64Of(json.sealed, 'sealed', sealedSecretsBytesMax),
  };
}

function versioned(
  text: string | Uint8Array,
  limits: { what: string; charactersMax: number },
  members: readonly string[],
) {
  const json = objectOf(parseStrictJson(text, limits), limits.what, {
    required: ['version', ...members],
    optional: [],
  });
  if (json.version !== joinVersion) throw malformed(`version of ${limits.what}`, `"${joinVersion}"`);
  return json;
}
