/** OCSP responses with one fault at a time, signed by test keys. */
import { createHash, sign } from 'node:crypto';
import { type Certificate, parseCertificate } from '../../../attestation/x509/certificate.ts';
import { der, derBits, derObjectIdentifier, derOctets, derSequence } from '../../../attestation/x509/der-writer.ts';
import { ecdsaSha384, type KeyPair } from './p384-hierarchy.ts';

export interface WrittenAnswer {
  /** DER of the certificate in question and of its issuer. */
  subject: Uint8Array;
  issuer: Uint8Array;
  status?: 'good' | 'revoked' | 'unknown';
  thisUpdateMs: number;
  nextUpdateMs?: number;
}

export interface WrittenResponse {
  answers: readonly WrittenAnswer[];
  by: KeyPair;
  /** Certificate of a responder to which the issuer delegated. */
  certificates?: readonly Uint8Array[];
  /** Status of the response as a whole; 0 is success. */
  outerStatus?: number;
  /** Changes the signed part after signing. */
  tamper?: (tbs: Uint8Array) => Uint8Array;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const time = (ms: number) => der(0x18, bytesOf(`${new Date(ms).toISOString().replace(/[-:T]|\..*$/g, '')}Z`));
const sha1 = (bytes: Uint8Array) => new Uint8Array(createHash('sha1').update(bytes).digest());

export function writeOcspResponse(response: WrittenResponse): Uint8Array {
  const { answers, by, certificates = [], outerStatus = 0, tamper } = response;
  const keyHash = new Uint8Array(20);
  const tbs = derSequence(
    der(0xa2, derOctets(keyHash)),
    time(answers[0]?.thisUpdateMs ?? 0),
    derSequence(...answers.map(answerOf)),
  );
  const signature = new Uint8Array(sign('sha384', tbs, by.privateKey));
  const basic = derSequence(
    tamper?.(tbs) ?? tbs,
    ecdsaSha384(),
    derBits(signature),
    ...(certificates.length > 0 ? [der(0xa0, derSequence(...certificates))] : []),
  );
  const bytes = derSequence(derObjectIdentifier('1.3.6.1.5.5.7.48.1.1'), derOctets(basic));
  return derSequence(der(0x0a, Uint8Array.of(outerStatus)), der(0xa0, bytes));
}

function answerOf({ subject, issuer, status = 'good', thisUpdateMs, nextUpdateMs }: WrittenAnswer): Uint8Array {
  const authority = parseCertificate(issuer);
  const id = derSequence(
    derSequence(derObjectIdentifier('1.3.14.3.2.26'), der(0x05)),
    derOctets(sha1(authority.subject)),
    derOctets(sha1(Uint8Array.from([4, ...authority.publicPoint]))),
    der(0x02, Buffer.from(serialOf(parseCertificate(subject)), 'hex')),
  );
  const next = nextUpdateMs === undefined ? [] : [der(0xa0, time(nextUpdateMs))];
  const statuses = { good: der(0x80), revoked: der(0xa1, time(thisUpdateMs)), unknown: der(0x82) };
  return derSequence(id, statuses[status], time(thisUpdateMs), ...next);
}

/** Hexadecimal digits, with a sign octet if necessary. */
function serialOf({ serial }: Certificate): string {
  const even = serial.length % 2 === 0 ? serial : `0${serial}`;
  return Number.parseInt(even.slice(0, 2), 16) > 0x7f ? `00${even}` : even;
}
