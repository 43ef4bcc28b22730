/** Parses OCSP responses, in which an issuer states the revocation status of its certificates. Pure: fetches nothing. */
import { concatBytes, sameBytes, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { type Certificate, parseCertificate, parseExtensions, signatureCurves } from './certificate.ts';
import {
  type DerValue,
  derBitOctets,
  derChildren,
  derOid,
  derTag,
  derTimeMs,
  derUnsigned,
  parseDer,
  requireTag,
} from './der.ts';
import { type Curve, rawSignature } from './ecdsa.ts';

export interface OcspAnswer {
  /** WebCrypto's name of the hash function for names and keys. */
  readonly hash: 'SHA-1' | 'SHA-256' | 'SHA-384';
  readonly issuerNameHash: Uint8Array;
  readonly issuerKeyHash: Uint8Array;
  /** In the format of `Certificate.serial`. */
  readonly serial: string;
  readonly status: 'good' | 'revoked' | 'unknown';
  readonly thisUpdateMs: number;
  /** Undefined if newer status is always available. */
  readonly nextUpdateMs: number | undefined;
}

export interface OcspResponse {
  /** The signed part with its tag and length. */
  readonly tbs: Uint8Array;
  /** r ‖ s */
  readonly signature: Uint8Array;
  readonly signatureCurve: Curve;
  readonly producedAtMs: number;
  readonly answers: readonly OcspAnswer[];
  /** The certificates in the response. The signer's is among them, unless the signer is the issuer. */
  readonly certificates: readonly Certificate[];
}

/** Above any real response for a few certificates. */
export const ocspResponseBytesMax = 64 * 1024;
const answersMax = 64;
const certificatesMax = 8;

const basicResponse = '1.3.6.1.5.5.7.48.1.1';
const hashes: Readonly<Record<string, OcspAnswer['hash']>> = {
  '1.3.14.3.2.26': 'SHA-1',
  '2.16.840.1.101.3.4.2.1': 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
};
const statusByTag: Readonly<Record<number, OcspAnswer['status']>> = { 128: 'good', 161: 'revoked', 130: 'unknown' };

/**
 * @param der exactly one response
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED, also for an error status or a critical extension
 * @see RFC 6960 §4.2.1
 */
export function parseOcspResponse(der: Uint8Array): OcspResponse {
  if (der.length > ocspResponseBytesMax) throw malformed(`has over ${ocspResponseBytesMax} bytes`);
  const [status, wrapped, ...more] = derChildren(parseDer(der, derTag.sequence, 'OCSP'), 'OCSP');
  const { content } = requireTag(status, derTag.enumerated, 'OCSP status');
  if (content.length !== 1 || content[0] !== 0) throw malformed(`reports no success: status ${toHex(content)}`);
  const [bytes, ...others] = derChildren(requireTag(wrapped, 0xa0, 'OCSP response'), 'OCSP response');
  const [kind, basic, ...rest] = derChildren(requireTag(bytes, derTag.sequence, 'OCSP response'), 'OCSP response');
  if (more.length + others.length + rest.length > 0 || derOid(kind, 'OCSP kind') !== basicResponse) {
    throw malformed('is not a basic OCSP response');
  }
  return parseBasic(requireTag(basic, derTag.octetString, 'OCSP response').content);
}

function parseBasic(der: Uint8Array): OcspResponse {
  const [tbs, algorithm, signature, certificates, ...more] = derChildren(
    parseDer(der, derTag.sequence, 'OCSP'),
    'OCSP',
  );
  const [oid, ...parameters] = derChildren(requireTag(algorithm, derTag.sequence, 'OCSP algorithm'), 'OCSP algorithm');
  const signatureCurve = signatureCurves[derOid(oid, 'OCSP algorithm')];
  if (signatureCurve === undefined || parameters.length + more.length > 0) {
    throw malformed('is not signed with ECDSA and SHA-256 or SHA-384');
  }
  return {
    tbs: requireTag(tbs, derTag.sequence, 'OCSP data').whole,
    signature: rawSignature(derBitOctets(signature, 'OCSP signature'), signatureCurve),
    signatureCurve,
    ...parseData(tbs!),
    certificates: certificates === undefined ? [] : parseCertificates(certificates),
  };
}

function parseData(tbs: DerValue): Pick<OcspResponse, 'producedAtMs' | 'answers'> {
  const fields = derChildren(tbs, 'OCSP data');
  // DER omits the version, which has its default value.
  const [responder, producedAt, answers, extensions, ...more] = fields;
  if ((responder?.tag !== 0xa1 && responder?.tag !== 0xa2) || more.length > 0) throw malformed('has unknown fields');
  refuseCritical(extensions, 0xa1);
  const list = derChildren(requireTag(answers, derTag.sequence, 'OCSP answers'), 'OCSP answers');
  if (list.length > answersMax) throw malformed(`has over ${answersMax} answers`);
  return { producedAtMs: timeMs(producedAt, 'OCSP production'), answers: list.map(parseAnswer) };
}

function parseAnswer(answer: DerValue): OcspAnswer {
  const [id, status, thisUpdate, ...optional] = derChildren(
    requireTag(answer, derTag.sequence, 'OCSP answer'),
    'OCSP answer',
  );
  const [algorithm, name, key, serial, ...more] = derChildren(requireTag(id, derTag.sequence, 'OCSP id'), 'OCSP id');
  const [oid] = derChildren(requireTag(algorithm, derTag.sequence, 'OCSP hash'), 'OCSP hash');
  const hash = hashes[derOid(oid, 'OCSP hash')];
  const known = statusByTag[status?.tag ?? 0];
  if (hash === undefined || known === undefined || more.length > 0)
    throw malformed('has a single response of an unknown form');
  const next = optional[0]?.tag === 0xa0 ? optional.shift() : undefined;
  refuseCritical(optional.shift(), 0xa1);
  if (optional.length > 0) throw malformed('has a single response with unknown fields');
  return {
    hash,
    issuerNameHash: requireTag(name, derTag.octetString, 'OCSP name hash').content,
    issuerKeyHash: requireTag(key, derTag.octetString, 'OCSP key hash').content,
    serial: toHex(derUnsigned(serial, 'OCSP serial number')),
    status: known,
    thisUpdateMs: timeMs(thisUpdate, 'OCSP update'),
    nextUpdateMs: next === undefined ? undefined : timeMs(derChildren(next, 'OCSP next update')[0], 'OCSP next update'),
  };
}

function timeMs(value: DerValue | undefined, field: string): number {
  return derTimeMs(requireTag(value, derTag.generalizedTime, field), field);
}

function refuseCritical(extensions: DerValue | undefined, tag: number): void {
  if (extensions === undefined) return;
  for (const [oid, { critical }] of parseExtensions(requireTag(extensions, tag, 'OCSP extensions'))) {
    if (critical) throw malformed(`has the unknown critical extension ${oid}`);
  }
}

function parseCertificates(wrapper: DerValue): Certificate[] {
  const [list, ...more] = derChildren(requireTag(wrapper, 0xa0, 'OCSP certificates'), 'OCSP certificates');
  const entries = derChildren(requireTag(list, derTag.sequence, 'OCSP certificates'), 'OCSP certificates');
  if (more.length > 0 || entries.length > certificatesMax) throw malformed('has too many certificates');
  return entries.map(({ whole }) => parseCertificate(whole));
}

/** The status of `subject`, found by the hashes of names and keys; undefined if the response has none. */
export async function answerAbout(
  response: OcspResponse,
  subject: Certificate,
  issuer: Certificate,
): Promise<OcspAnswer | undefined> {
  for (const answer of response.answers) {
    if (answer.serial !== subject.serial) continue;
    const name = await digest(answer.hash, issuer.subject);
    const key = await digest(answer.hash, concatBytes(Uint8Array.of(4), issuer.publicPoint));
    if (sameBytes(answer.issuerNameHash, name) && sameBytes(answer.issuerKeyHash, key)) return answer;
  }
  return undefined;
}

async function digest(hash: OcspAnswer['hash'], bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(hash, bytes as Uint8Array<ArrayBuffer>));
}

/** Whether a certificate names an OCSP responder. */
export function namesOcspResponder(certificate: Certificate): boolean {
  const extension = certificate.extensions.get(authorityInformation);
  if (extension === undefined) return false;
  const entries = derChildren(parseDer(extension.value, derTag.sequence, 'authority information'), 'access');
  return entries.some(
    (entry) =>
      derOid(derChildren(requireTag(entry, derTag.sequence, 'access'), 'access')[0], 'access method') === ocspMethod,
  );
}

const authorityInformation = '1.3.6.1.5.5.7.1.1';
const ocspMethod = '1.3.6.1.5.5.7.48.1';

function malformed(why: string): AttestationError {
  return new AttestationError('ERR_CERTIFICATE_MALFORMED', `the OCSP response ${why}`);
}
