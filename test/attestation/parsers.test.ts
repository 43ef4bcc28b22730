/** Hostile bytes: every parser returns or throws an error with one of its codes; none crashes or hangs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/base/errors.ts';
import { formatCollateral, parseCollateral, splitSignedAnswer } from '../../attestation/collateral/collateral.ts';
import { parsePckPlatform } from '../../attestation/collateral/pck-extension.ts';
import { prepareCollateral } from '../../attestation/collateral/prepare.ts';
import { parseQeIdentity, parseTcbInfo } from '../../attestation/collateral/tcb-info.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';
import { parseTdReport } from '../../attestation/quote/td-report.ts';
import { verifyQuote } from '../../attestation/verify/index.ts';
import { parseCertificate } from '../../attestation/x509/certificate.ts';
import { parseCrl } from '../../attestation/x509/crl.ts';
import { derOid, derSmallInteger, derTag, derTimeMs, parseDer } from '../../attestation/x509/der.ts';
import { formatPemChain, parsePemChain } from '../../attestation/x509/pem.ts';
import { buildEvidence, evidenceNowMs } from '../support/attestation/simulated-evidence.ts';

const { quote, collateral, rootCa } = await buildEvidence();
const certificate = parsePemChain(collateral.tcbInfoIssuerChain, 'chain')[0]!;
const pck = parsePemChain(parseQuote(quote).pckChainPem, 'chain')[0]!;
const text = (value: string) => new TextEncoder().encode(value);
const asText = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
const runs = { numRuns: 400 };

/** Changes a few bytes of a good input, and sometimes its length. */
function damaged(good: Uint8Array): fc.Arbitrary<Uint8Array> {
  const edit = fc.record({ at: fc.nat(good.length - 1), value: fc.nat(255) });
  return fc
    .tuple(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(good.length), fc.boolean())
    .map(([edits, cut, isCut]) => {
      const bytes = Uint8Array.from(good);
      for (const { at, value } of edits) bytes[at] = value;
      return isCut ? bytes.subarray(0, cut) : bytes;
    });
}

const parsers: readonly (readonly [string, Uint8Array, (bytes: Uint8Array) => unknown])[] = [
  ['parseQuote', quote, parseQuote],
  ['parseTdReport', Uint8Array.from([0x81, ...new Uint8Array(1023)]), parseTdReport],
  ['parseCertificate', certificate, parseCertificate],
  ['parsePckPlatform', pck, (bytes) => parsePckPlatform(parseCertificate(bytes))],
  ['parseCrl', collateral.pckCrl, parseCrl],
  ['parsePemChain', text(collateral.tcbInfoIssuerChain), (bytes) => parsePemChain(bytes, 'chain')],
  ['parseTcbInfo', text(collateral.tcbInfo), (bytes) => parseTcbInfo(asText(bytes))],
  ['parseQeIdentity', text(collateral.qeIdentity), (bytes) => parseQeIdentity(asText(bytes))],
  ['parseCollateral', text(formatCollateral(collateral)), (bytes) => parseCollateral(asText(bytes))],
  [
    'splitSignedAnswer',
    text(`{"tcbInfo":${collateral.tcbInfo},"signature":"${'ab'.repeat(64)}"}`),
    (bytes) => splitSignedAnswer(asText(bytes), 'tcbInfo'),
  ],
];

function expectCoded(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error;
  }
}

describe.each(parsers)('%s', (_, good, parse) => {
  it('accepts valid input', () => {
    expect(() => parse(good)).not.toThrow();
  });

  it('rejects every truncation of valid input', () => {
    for (let length = 0; length < good.length; length += Math.max(1, good.length >> 7)) {
      expectCoded(() => parse(good.subarray(0, length)));
    }
    expect(() => parse(good.subarray(0, good.length >> 1))).toThrow(AttestationError);
  });

  it('returns, or throws an error code, for damage and noise', () => {
    fc.assert(
      fc.property(damaged(good), (bytes) => expectCoded(() => parse(bytes))),
      runs,
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (bytes) => expectCoded(() => parse(bytes))),
      runs,
    );
  });
});

describe('a parsed document', () => {
  it('a damaged quote is never genuine and never a defect', async () => {
    await fc.assert(
      fc.asyncProperty(damaged(quote), async (bytes) => {
        const { genuine, checks } = await verifyQuote(bytes, collateral, [rootCa], evidenceNowMs);
        const isSame = bytes.length === quote.length && bytes.every((byte, index) => byte === quote[index]);
        expect(genuine && !isSame && !isPemWhiteSpace(bytes)).toBe(false);
        expect(checks.filter((check) => check.reason.startsWith('defect'))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  it('prepareCollateral settles for any collateral', async () => {
    const part = fc.oneof(fc.constantFrom(...Object.values(collateral)), fc.string(), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(collateral)), part, async (name, value) => {
        const old = collateral[name as keyof typeof collateral];
        const fitting = typeof value === typeof old ? value : old;
        const { genuine } = await verifyQuote(quote, { ...collateral, [name]: fitting }, [rootCa], evidenceNowMs);
        await prepareCollateral({ ...collateral, [name]: fitting }, [rootCa]);
        expect(genuine && fitting !== old && name !== 'pckCrlIssuerChain' && !/IssuerChain/.test(name)).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('of collateral survives its JSON unchanged, text for text', () => {
    expect(parseCollateral(formatCollateral(collateral))).toEqual(collateral);
  });

  it('of a certificate survives PEM unchanged', () => {
    expect(parsePemChain(`${formatPemChain([certificate, rootCa])}\0`, 'chain')).toEqual([certificate, rootCa]);
  });
});

/** White space between base64 lines is the only part of a quote whose change keeps the certificates equal. */
function isPemWhiteSpace(bytes: Uint8Array): boolean {
  const differences = [...bytes.keys()].filter((index) => bytes[index] !== quote[index]);
  return bytes.length === quote.length && differences.every((index) => [9, 10, 13, 32].includes(bytes[index]!));
}

describe('a PEM text', () => {
  it('of a million zeros is rejected at once, at any position', { timeout: 4_000 }, () => {
    const zeros = '\0'.repeat(200_000);
    for (const pem of [
      `${zeros}x`,
      `${formatPemChain([certificate])}${zeros}x`,
      `${zeros}${formatPemChain([certificate])}`,
    ]) {
      expect(() => parsePemChain(pem, 'chain')).toThrow('chain has text outside its certificates');
    }
  });
});

describe('strict DER', () => {
  const cases: readonly (readonly [string, readonly number[], (bytes: Uint8Array) => unknown])[] = [
    ['an indefinite length', [0x30, 0x80, 0, 0], (b) => parseDer(b, derTag.sequence, 'x')],
    ['a length in more octets than needed', [0x04, 0x81, 0x01, 0], (b) => parseDer(b, derTag.octetString, 'x')],
    [
      'a length with a leading zero octet',
      [0x04, 0x82, 0, 0x80, ...new Array<number>(128).fill(0)],
      (b) => parseDer(b, derTag.octetString, 'x'),
    ],
    ['a long tag', [0x1f, 0x01, 0], (b) => parseDer(b, 0x1f, 'x')],
    ['bytes after the value', [0x05, 0, 0], (b) => parseDer(b, derTag.null, 'x')],
    ['a padded integer', [0x02, 2, 0, 1], (b) => derSmallInteger(parseDer(b, derTag.integer, 'x'), 'x')],
    ['a negative integer', [0x02, 1, 0x80], (b) => derSmallInteger(parseDer(b, derTag.integer, 'x'), 'x')],
    [
      'an integer above 31 bits',
      [0x02, 5, 0, 0x80, 0, 0, 0],
      (b) => derSmallInteger(parseDer(b, derTag.integer, 'x'), 'x'),
    ],
    [
      'a padded object identifier',
      [0x06, 3, 0x2a, 0x80, 1],
      (b) => derOid(parseDer(b, derTag.objectIdentifier, 'x'), 'x'),
    ],
    ['a cut object identifier', [0x06, 2, 0x2a, 0x86], (b) => derOid(parseDer(b, derTag.objectIdentifier, 'x'), 'x')],
    ['a February 30', [0x17, 13, ...text('260230000000Z')], (b) => derTimeMs(parseDer(b, derTag.utcTime, 'x'), 'x')],
    [
      'a time without seconds',
      [0x17, 11, ...text('2602280000Z')],
      (b) => derTimeMs(parseDer(b, derTag.utcTime, 'x'), 'x'),
    ],
  ];
  it.each(cases)('rejects %s', (_, bytes, parse) => {
    expect(() => parse(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ code: 'ERR_CERTIFICATE_MALFORMED' }));
  });
});
