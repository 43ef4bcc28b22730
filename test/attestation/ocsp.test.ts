/** OCSP responses: strict parsing, and acceptance only from signers that the issuer authorizes. */
import { describe, expect, it } from 'vitest';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { der, derNumber, derObjectIdentifier, derOctets, derSequence } from '../../attestation/x509/der-writer.ts';
import {
  answerAbout,
  namesOcspResponder,
  ocspResponseBytesMax,
  parseOcspResponse,
} from '../../attestation/x509/ocsp.ts';
import { certificatesToCheck, ocspAgeMaxMs, requireNotRevokedByOcsp } from '../../attestation/x509/revocation.ts';
import { type WrittenAnswer, type WrittenResponse, writeOcspResponse } from '../support/attestation/ocsp-writer.ts';
import {
  issueP384,
  newKeyPair,
  ocspResponderExtension,
  ocspSigningExtension,
} from '../support/attestation/p384-hierarchy.ts';

const nowMs = Date.UTC(2026, 5, 15, 12);
const hourMs = 3_600_000;
const dates = { notBeforeMs: nowMs - 1000 * hourMs, notAfterMs: nowMs + 1000 * hourMs };
const [rootKey, otherKey, leafKey] = [newKeyPair(), newKeyPair(), newKeyPair()] as const;
const root = issueP384({ name: 'Root', issuer: 'Root', key: rootKey, by: rootKey, isCa: true, ...dates });
const leaf = issueP384({
  ...{ name: 'Leaf', issuer: 'Root', key: leafKey, by: rootKey, isCa: false, serial: 0x1234, ...dates },
  extensions: [ocspResponderExtension()],
});
const chain = [leaf, root].map(parseCertificate);
const good: WrittenAnswer = {
  subject: leaf,
  issuer: root,
  thisUpdateMs: nowMs - hourMs,
  nextUpdateMs: nowMs + hourMs,
};
const written = (change: Partial<WrittenResponse> = {}) =>
  writeOcspResponse({ answers: [good], by: rootKey, ...change });
const clear = (...responses: readonly Uint8Array[]) =>
  requireNotRevokedByOcsp(chain, responses.map(parseOcspResponse), nowMs);

/** The response with every occurrence of a byte string replaced by another of the same length. */
function replaced(response: Uint8Array, from: Uint8Array, to: Uint8Array): Uint8Array {
  const text = Buffer.from(response)
    .toString('hex')
    .replace(Buffer.from(from).toString('hex'), Buffer.from(to).toString('hex'));
  return new Uint8Array(Buffer.from(text, 'hex'));
}

describe('parseOcspResponse', () => {
  it('reads the status of each certificate, dates and certificates', () => {
    const response = parseOcspResponse(written({ certificates: [leaf] }));
    const [answer] = response.answers;
    expect([response.answers.length, response.certificates.length, response.signatureCurve]).toEqual([1, 1, 'P-384']);
    expect([answer!.serial, answer!.status, answer!.hash]).toEqual(['1234', 'good', 'SHA-1']);
    expect([answer!.thisUpdateMs, answer!.nextUpdateMs]).toEqual([good.thisUpdateMs, good.nextUpdateMs]);
  });

  const oid = derObjectIdentifier;
  it.each<[string, RegExp, Uint8Array]>([
    ['nothing', /cut short/, new Uint8Array()],
    ['no success', /no success: status 06/, written({ outerStatus: 6 })],
    ['a status alone', /OCSP response is missing/, derSequence(der(0x0a, Uint8Array.of(0)))],
    ['a tail', /followed by 1 bytes/, Uint8Array.from([...written(), 0])],
    [
      'another kind',
      /not a basic OCSP response/,
      replaced(written(), oid('1.3.6.1.5.5.7.48.1.1'), oid('1.3.6.1.5.5.7.48.1.2')),
    ],
    [
      'an RSA signature',
      /not signed with ECDSA/,
      replaced(written(), oid('1.2.840.10045.4.3.3'), oid('1.2.840.10045.4.3.9')),
    ],
    [
      'an unknown hash',
      /single response of an unknown form/,
      replaced(written(), oid('1.3.14.3.2.26'), oid('1.3.14.3.2.27')),
    ],
    [
      'an unknown responder',
      /unknown fields/,
      replaced(written(), der(0xa2, derOctets(new Uint8Array(20))), der(0xa3, derOctets(new Uint8Array(20)))),
    ],
    ['an unknown status', /single response of an unknown form/, replaced(written(), der(0x80), der(0x83))],
    ['a negative serial number', /negative/, replaced(written(), derNumber(0x1234), Uint8Array.of(2, 2, 0x92, 0x34))],
    ['nine certificates', /too many certificates/, written({ certificates: new Array<Uint8Array>(9).fill(leaf) })],
    ['too many bytes', /has over/, new Uint8Array(ocspResponseBytesMax + 1)],
    ['70 answers', /over 64 answers/, written({ answers: new Array<WrittenAnswer>(70).fill(good) })],
  ])('rejects %s', (_, reason, response) => {
    expect(() => parseOcspResponse(response)).toThrow(reason);
    expect(() => parseOcspResponse(response)).toThrow(expect.objectContaining({ code: 'ERR_CERTIFICATE_MALFORMED' }));
  });
});

describe('requireNotRevokedByOcsp', () => {
  it('accepts responses by the issuer or its delegate', async () => {
    expect(await clear(written())).toBe(1);
    const responder = issueP384({
      ...{ name: 'R', issuer: 'Root', key: otherKey, by: rootKey, isCa: false, serial: 5, ...dates },
      extensions: [ocspSigningExtension()],
    });
    expect(await clear(written({ by: otherKey, certificates: [responder] }))).toBe(1);
  });

  it('selects only certificates that name a responder, and never the root', () => {
    expect(certificatesToCheck(chain)).toEqual([chain[0]]);
    expect(namesOcspResponder(chain[1]!)).toBe(false);
    expect(certificatesToCheck([chain[1]!])).toEqual([]);
  });

  const responder = (change: Partial<Parameters<typeof issueP384>[0]>) =>
    issueP384({
      ...{ name: 'R', issuer: 'Root', key: otherKey, by: rootKey, isCa: false, serial: 5, ...dates },
      ...{ extensions: [ocspSigningExtension()], ...change },
    });
  it.each<[string, RegExp, Partial<WrittenResponse>]>([
    ['a revoked certificate', /"Leaf" \(1234\) is revoked/, { answers: [{ ...good, status: 'revoked' }] }],
    ['an unknown certificate', /is unknown/, { answers: [{ ...good, status: 'unknown' }] }],
    ['no answer', /no OCSP response is for "Leaf"/, { answers: [] }],
    ['an answer about another certificate', /no OCSP response is for/, { answers: [{ ...good, subject: root }] }],
    ['an answer by another issuer', /no OCSP response is for/, { answers: [{ ...good, issuer: leaf }] }],
    ['a signature by an unknown key', /not signed by "Root"/, { by: otherKey }],
    ['the certificate’s own word', /may not sign OCSP responses/, { by: leafKey, certificates: [leaf] }],
    [
      'a responder of another issuer',
      /chain ends with "R"/,
      { by: otherKey, certificates: [responder({ issuer: 'Else' })] },
    ],
    [
      'a responder that signed itself',
      /signature is invalid/,
      { by: otherKey, certificates: [responder({ by: otherKey })] },
    ],
    ['a responder that is a CA', /is a CA certificate/, { by: otherKey, certificates: [responder({ isCa: true })] }],
    ['an expired responder', /"R" expired/, { by: otherKey, certificates: [responder({ notAfterMs: nowMs - 1000 })] }],
    ['an expired answer', /response for "Leaf" expired/, { answers: [{ ...good, nextUpdateMs: nowMs - 1000 }] }],
    [
      'an answer of tomorrow',
      /response for "Leaf" was issued on/,
      { answers: [{ ...good, thisUpdateMs: nowMs + 1000 }] },
    ],
  ])('rejects %s', async (_, reason, change) => {
    await expect(clear(written(change))).rejects.toThrow(reason);
    await expect(clear(written(change))).rejects.toMatchObject({ code: 'ERR_NOT_VERIFIED' });
  });

  it('accepts a response without nextUpdate for one day', async () => {
    const { nextUpdateMs: _, ...open } = good;
    expect(await clear(written({ answers: [{ ...open, thisUpdateMs: nowMs - ocspAgeMaxMs }] }))).toBe(1);
    const stale = written({ answers: [{ ...open, thisUpdateMs: nowMs - ocspAgeMaxMs - 1000 }] });
    await expect(clear(stale)).rejects.toThrow(/expired/);
  });

  it('rejects a chain with a good and a revoked response', async () => {
    const bad = written({ answers: [{ ...good, status: 'revoked' }] });
    await expect(clear(written(), bad)).rejects.toThrow(/is revoked/);
    await expect(clear(bad, written())).rejects.toThrow(/is revoked/);
  });

  it('compares the issuer’s key in addition to its name', async () => {
    const twin = issueP384({ name: 'Root', issuer: 'Root', key: otherKey, by: otherKey, isCa: true, ...dates });
    const response = parseOcspResponse(written({ answers: [{ ...good, issuer: twin }] }));
    expect(await answerAbout(response, chain[0]!, chain[1]!)).toBeUndefined();
  });
});
