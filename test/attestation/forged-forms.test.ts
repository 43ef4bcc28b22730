/** Certificates and lists in ambiguous forms, which are refused even if a trusted party signed them. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../../attestation/base/bytes.ts';
import { ratlsExtensionValue, ratlsQuoteOid, readRatls } from '../../attestation/ratls/ratls.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { parseCrl } from '../../attestation/x509/crl.ts';
import { type DerValue, derChildren, derTag, parseDer } from '../../attestation/x509/der.ts';
import {
  der,
  derExtension,
  derNumber,
  derObjectIdentifier,
  derOctets,
  derSequence,
  derTime,
  derTrue,
  derUnsignedInteger,
} from '../../attestation/x509/der-writer.ts';
import { parsePemChain } from '../../attestation/x509/pem.ts';
import { buildEvidence } from '../support/attestation/simulated-evidence.ts';

const { collateral } = await buildEvidence();
const certificate = parsePemChain(collateral.tcbInfoIssuerChain, 'chain')[0]!;
const malformed = expect.objectContaining({ code: 'ERR_CERTIFICATE_MALFORMED' });

type Fields = Uint8Array[];

/** The same structure with other fields in its signed part; parsing does not verify signatures. */
function withFields(whole: Uint8Array, change: (fields: Fields) => Fields): Uint8Array {
  const [tbs, ...rest] = derChildren(parseDer(whole, derTag.sequence, 'x'), 'x') as [DerValue, ...DerValue[]];
  const fields = derChildren(tbs, 'x').map((field) => Uint8Array.from(field.whole));
  return derSequence(derSequence(...change(fields)), ...rest.map((part) => part.whole));
}

/** A field with extra bytes after its contents. */
const extended = (at: number, more: Uint8Array) => (fields: Fields) =>
  fields.map((field, index) =>
    index === at ? derSequence(parseDer(field, derTag.sequence, 'x').content, more) : field,
  );

const withExtension = (extension: Uint8Array) => (fields: Fields) => {
  const list = derChildren(parseDer(fields[7]!, 0xa3, 'x'), 'x')[0]!.content;
  return [...fields.slice(0, 7), der(0xa3, derSequence(list, extension))];
};

const withoutConstraints = (fields: Fields): Fields => {
  const list = derChildren(derChildren(parseDer(fields[7]!, 0xa3, 'x'), 'x')[0]!, 'x');
  const others = list.filter(
    ({ content }) => !Buffer.from(content).includes(Buffer.from(derObjectIdentifier('2.5.29.19'))),
  );
  return [...fields.slice(0, 7), der(0xa3, derSequence(...others.map(({ whole }) => whole)))];
};

describe('a certificate is rejected that', () => {
  const name = derExtension('2.5.29.17', derOctets(Uint8Array.of(1)), false);

  it.each<[string, (fields: Fields) => Fields]>([
    ['has a second block of extensions', (fields) => [...fields, der(0xa3, derSequence(name))]],
    ['has a unique identifier of old', (fields) => [...fields.slice(0, 7), der(0x81, Uint8Array.of(0, 1)), fields[7]!]],
    ['has a field of its own at the end', (fields) => [...fields, derNumber(1)]],
    ['has a third date', extended(4, derTime(Date.UTC(2049, 0)))],
    ['has extra bytes after its key', extended(6, derNumber(1))],
    ['has no version', (fields) => fields.slice(1)],
    [
      'has extra bytes after its basic constraints',
      (fields) =>
        withExtension(derExtension('2.5.29.19', derSequence(derTrue(), derNumber(0), derNumber(9)), true))(
          withoutConstraints(fields),
        ),
    ],
    ['has an extension twice', (fields) => withExtension(name)(withExtension(name)(fields))],
  ])('%s', (_, change) => {
    expect(() => parseCertificate(withFields(certificate, (fields) => fields))).not.toThrow();
    expect(() => parseCertificate(withFields(certificate, change))).toThrow(malformed);
  });
});

describe('a revocation list is rejected that', () => {
  const entry = (...more: Uint8Array[]) =>
    derSequence(derUnsignedInteger(Uint8Array.of(7)), derTime(Date.UTC(2025, 0)), ...more);
  const listWith = (...entries: Uint8Array[]) =>
    withFields(collateral.pckCrl, ([version, algorithm, issuer, from, until, ...rest]) => {
      const extensions = rest.filter((field) => field[0] === 0xa0);
      return [version!, algorithm!, issuer!, from!, until!, derSequence(...entries), ...extensions];
    });
  const reason = (isCritical: boolean) =>
    derSequence(derExtension('2.5.29.21', der(derTag.enumerated, Uint8Array.of(1)), isCritical));

  it('has an entry with a critical extension, which may belong to another issuer', () => {
    expect([...parseCrl(listWith(entry(), entry(reason(false)))).revokedSerials]).toEqual(['07']);
    expect(() => parseCrl(listWith(entry(reason(true))))).toThrow(malformed);
  });

  it('has an entry with data after its extensions', () => {
    expect(() => parseCrl(listWith(entry(reason(false), derNumber(1))))).toThrow(malformed);
  });
});

describe('the quote of a certificate', () => {
  const quoteExtension = derExtension(ratlsQuoteOid, ratlsExtensionValue(Uint8Array.of(1, 2, 3)), false);
  const withQuote = withFields(certificate, withExtension(quoteExtension));

  it('is for the key that TLS uses', async () => {
    const spki = derChildren(derChildren(parseDer(withQuote, derTag.sequence, 'x'), 'x')[0]!, 'x')[6]!.whole;
    const expected = createHash('sha512')
      .update(concatBytes(new TextEncoder().encode('ratls-cert:'), spki))
      .digest();
    expect(Buffer.from((await readRatls(withQuote))!.reportData)).toEqual(expected);
  });

  it('is not read if a missing version field moves another key to its position', async () => {
    const theirs = derSequence(derSequence(derObjectIdentifier('1.2.840.10045.2.1')), derNumber(1));
    const moved = withFields(withQuote, ([, ...fields]) => [...fields.slice(0, 5), theirs, ...fields.slice(5)]);
    await expect(readRatls(moved)).rejects.toEqual(malformed);
  });

  it('is not read if there are two blocks of extensions', async () => {
    const twice = withFields(withQuote, (fields) => [...fields, fields[7]!]);
    await expect(readRatls(twice)).rejects.toEqual(malformed);
  });
});
