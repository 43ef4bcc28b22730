/**
 * Keysets, reports and receipts as hostile texts: exactly the specified form is accepted, anything else is refused with a
 * reason.
 */
import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Keyset, keysetDigest, keysetDocument, parseKeyset, receiptKey } from '../../attestation/aci/keyset.ts';
import {
  formatReceipt,
  parseReceipt,
  type Receipt,
  signReceipt,
  verifyReceipt,
} from '../../attestation/aci/receipt.ts';
import {
  formatReport,
  parseReport,
  type Report,
  requireCurrentKeyset,
  requireKeysetDigest,
} from '../../attestation/aci/report.ts';
import type { Json } from '../../attestation/aci/strict-json.ts';
import { AttestationError } from '../../attestation/base/errors.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const receiptPublicKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex');
const keyset: Keyset = {
  subject: undefined,
  notAfter: 1_800_000_000,
  receiptSigningKeys: [{ keyId: 'receipt-1', algorithm: 'ed25519', publicKey: receiptPublicKey }],
  e2eePublicKeys: [{ keyId: 'seal-1', algorithm: 'ehbp-x25519-hkdf-sha256-aes-256-gcm', publicKey: '11'.repeat(32) }],
  tlsPublicKeys: [{ spkiSha256: '22'.repeat(32) }, { spkiSha256: '33'.repeat(32), domain: 'api.example.org' }],
};
const digest = await keysetDigest(keyset);
const report: Report = {
  keysetDigest: digest,
  keyset,
  reportData: '44'.repeat(32),
  provenance: { repositoryUrl: 'https://example.org/x', commit: 'c0ffee', imageDigest: undefined },
  evidence: { kind: 'cloister.tdx.v1', any: [1, null] },
  sealingVersions: ['ehbp/1'],
  serving: 'direct',
};
const receipt: Receipt = {
  receiptId: 'rcpt-1',
  chatId: undefined,
  model: 'demo-TEE',
  keysetDigest: digest,
  endpoint: '/v1/chat/completions',
  method: 'POST',
  servedAt: 1_799_999_999,
  events: [
    { type: 'request.received', body_hash: `sha256:${'55'.repeat(32)}` },
    { type: 'unknown.event', nested: { anything: [1.5, '€'] } },
    { type: 'response.returned', body_hash: `sha256:${'66'.repeat(32)}` },
  ],
  keyId: 'receipt-1',
};
const signed = await signReceipt(receipt, (bytes) => sign(null, bytes, privateKey));

type Tree = Record<string, unknown>;
/** A copy of a document's text with one change. */
function changed(text: string, change: (document: Tree) => void): string {
  const document = JSON.parse(text) as Tree;
  change(document);
  return JSON.stringify(document);
}
const messageOf = (parse: () => unknown) => {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(AttestationError);
    expect(error).toHaveProperty('code', 'ERR_EVIDENCE_MALFORMED');
    return (error as Error).message;
  }
  throw new Error('it was accepted');
};

describe('a keyset', () => {
  it('has the members that the specification names', async () => {
    expect(parseKeyset(keysetDocument(keyset))).toEqual(keyset);
    expect(receiptKey(keyset, 'receipt-1')).toHaveLength(32);
    expect(receiptKey(keyset, 'receipt-2')).toBeUndefined();
  });

  const refused: [string, (keyset: Tree) => void, RegExp][] = [
    ['an unknown member', (one) => (one.extra = 1), /has no member "extra"/],
    ['no subject', (one) => delete one.subject, /lacks its member "subject"/],
    ['an end that is no whole number', (one) => (one.not_after = 1.5), /not_after must be a whole number/],
    ['an end that is text', (one) => (one.not_after = '1800000000'), /not_after/],
    ['a key with upper-case digits', (one) => (keyOf(one).public_key = 'AB'.repeat(32)), /lowercase/],
    ['a key that is too short', (one) => (keyOf(one).public_key = 'ab'.repeat(31)), /64 lowercase/],
    ['a key with an unknown member', (one) => (keyOf(one).use = 'sign'), /has no member "use"/],
    ['two keys of one id', (one) => (one.receipt_signing_keys = [keyOf(one), keyOf(one)]), /repeated key ids/],
    ['a key with two roles', (one) => (one.e2ee_public_keys = [{ ...keyOf(one), key_id: 'x' }]), /two roles/],
    ['more keys than anybody needs', (one) => (one.tls_public_keys = Array(17).fill({})), /list of at most 16/],
    [
      'a domain that is null',
      (one) => (one.tls_public_keys = [{ spki_sha256: '22'.repeat(32), domain: null }]),
      /domain/,
    ],
  ];
  const keyOf = (one: Tree) => (one.receipt_signing_keys as Tree[])[0]!;
  it.each(refused)('with %s is rejected', (_, change, message) => {
    const text = changed(JSON.stringify(keysetDocument(keyset)), change);
    expect(messageOf(() => parseKeyset(JSON.parse(text) as Json))).toMatch(message);
  });

  it('ignores keys of algorithms that are not known', () => {
    const foreign = { keyId: 'receipt-9', algorithm: 'ml-dsa-65', publicKey: 'whatever it looks like' };
    const mixed = { ...keyset, receiptSigningKeys: [foreign] };
    expect(parseKeyset(keysetDocument(mixed))).toEqual(mixed);
    expect(receiptKey(mixed, 'receipt-9')).toBeUndefined();
  });

  it('is valid until its expiry', () => {
    const end = keyset.notAfter * 1000;
    expect(() => requireCurrentKeyset(keyset, end - 1)).not.toThrow();
    expect(() => requireCurrentKeyset(keyset, end)).toThrow(/expired at 2027-01-15/);
    expect(() => requireCurrentKeyset(keyset, end - 401 * 86_400_000)).toThrow(/too long/);
    expect(() => requireCurrentKeyset({ ...keyset, notAfter: Number.MAX_SAFE_INTEGER }, end)).toThrow(/too long/);
  });
});

describe('a report', () => {
  const text = formatReport(report);

  it('has the members that the specification names', () => {
    expect(parseReport(text)).toEqual(report);
    expect(parseReport(new TextEncoder().encode(text))).toEqual(report);
  });

  const attestation = (one: Tree) => one.attestation as Tree;
  const refused: [string, (report: Tree) => void, RegExp][] = [
    ['another version', (one) => (one.api_version = 'aci/2'), /api_version/],
    ['an unknown member', (one) => (one.signature = ''), /has no member "signature"/],
    ['no evidence', (one) => delete attestation(one).evidence, /lacks its member "evidence"/],
    ['another kind of machine', (one) => (attestation(one).tee_type = 'sev_snp'), /tee_type/],
    ['a digest without its prefix', (one) => (one.workload_keyset_digest = '00'.repeat(32)), /workload_keyset_digest/],
    ['report data of 64 bytes', (one) => (attestation(one).report_data = '00'.repeat(64)), /report_data/],
    ['a malformed image digest', (one) => ((attestation(one).source_provenance as Tree).image_digest = 'x'), /image/],
  ];
  it.each(refused)('with %s is rejected', (_, change, message) => {
    expect(messageOf(() => parseReport(changed(text, change)))).toMatch(message);
  });

  it('with a duplicate member is rejected, whichever of the two a reader would use', () => {
    const twice = text.replace('"api_version":"aci/1"', '"api_version":"aci/1","api_version":"aci/1"');
    expect(messageOf(() => parseReport(twice))).toMatch(/twice/);
  });

  it('may declare capabilities that are not defined yet', () => {
    const more = changed(text, (one) => ((one.service_capabilities as Tree).new_thing = true));
    expect(parseReport(more)).toEqual(report);
  });

  it('that names a keyset other than its own is not verified', async () => {
    await requireKeysetDigest(parseReport(text));
    const other = parseReport(changed(text, (one) => (one.workload_keyset_digest = `sha256:${'00'.repeat(32)}`)));
    await expect(requireKeysetDigest(other)).rejects.toMatchObject({ code: 'ERR_NOT_VERIFIED' });
  });
});

describe('a receipt', () => {
  const text = formatReceipt(signed);
  const events = (one: Tree) => one.event_log as Tree[];

  it('has the members that the specification names', async () => {
    expect(parseReceipt(text)).toEqual(signed);
    await verifyReceipt(parseReceipt(text), { keyset, keysetDigest: digest });
  });

  const refused: [string, (receipt: Tree) => void, RegExp][] = [
    ['another version', (one) => (one.api_version = 'aci/2'), /api_version/],
    ['an unknown member', (one) => (one.algorithm = 'none'), /has no member "algorithm"/],
    ['no signature', (one) => delete one.signature, /lacks its member "signature"/],
    ['a signature that is too short', (one) => (one.signature = '00'.repeat(63)), /128 lowercase/],
    ['no event', (one) => (one.event_log = []), /first event/],
    ['another first event', (one) => events(one).reverse(), /first event/],
    ['no answer', (one) => events(one).pop(), /response.returned/],
    ['two requests', (one) => events(one).push(events(one)[0]!), /free of a second request.received/],
    ['two answers', (one) => events(one).push(events(one)[2]!), /free of a second response.returned/],
    ['a malformed digest', (one) => (events(one)[0]!.body_hash = 'md5:00'), /body_hash of request.received/],
    ['an event without a type', (one) => delete events(one)[1]!.type, /type of an event/],
    ['more events than anybody needs', (one) => (one.event_log = Array(65).fill({})), /at most 64/],
  ];
  it.each(refused)('with %s is rejected', (_, change, message) => {
    expect(messageOf(() => parseReceipt(changed(text, change)))).toMatch(message);
  });

  it('is not verified after any change of any byte of its text', async () => {
    const verified = { keyset, keysetDigest: digest };
    const holds = async (one: string) => {
      try {
        await verifyReceipt(parseReceipt(one), verified);
        return true;
      } catch (error) {
        expect(error).toBeInstanceOf(AttestationError);
        return false;
      }
    };
    const bytes = fc.tuple(fc.nat(text.length - 1), fc.integer({ min: 32, max: 126 }));
    await fc.assert(
      fc.asyncProperty(bytes, async ([at, code]) => {
        const letter = String.fromCharCode(code);
        fc.pre(text[at] !== letter);
        expect(await holds(text.slice(0, at) + letter + text.slice(at + 1))).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});

describe('arbitrary bytes', () => {
  it('are rejected with a reason and without a hang', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.uint8Array({ maxLength: 200 })), (input) => {
        for (const parse of [parseReport, parseReceipt]) {
          expect(() => parse(input)).toThrow(AttestationError);
        }
      }),
    );
  });
});
