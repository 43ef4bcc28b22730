/** Reference manifests: signed XML with the measurements that a GPU may report. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/base/errors.ts';
import { parseReferenceManifest } from '../../attestation/gpu/rim.ts';
import { canonicalXml } from '../../attestation/gpu/xml-canonical.ts';
import { newKeyPair } from '../support/attestation/p384-hierarchy.ts';
import { type WrittenRim, writeRim } from '../support/attestation/rim-writer.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../support/vectors.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const value = new Uint8Array(48).fill(5);
const key = newKeyPair();
const rim = (change: Partial<WrittenRim> = {}) =>
  writeRim({ measurements: [{ index: 2, values: [value] }], certificates: [Uint8Array.of(1)], by: key, ...change });

describe('parseReferenceManifest', () => {
  it('reads version, chip, active measurements, and the signed part', () => {
    const manifest = parseReferenceManifest(
      rim({
        measurements: [
          { index: 7, values: [value] },
          { index: 1, values: [value], active: false },
          { index: 2, values: [value, value] },
        ],
      }),
    );
    expect([manifest.version, manifest.product]).toEqual(['570.1.2', 'GH100']);
    expect(manifest.measurements.map(({ index, values }) => [index, values.length])).toEqual([
      [2, 2],
      [7, 1],
    ]);
    expect([manifest.signature.signature.length, manifest.signature.certificates]).toEqual([96, [Uint8Array.of(1)]]);
  });

  const inSignature = (from: string, to: string) => ({ editSignature: (text: string) => text.replace(from, to) });
  const inFile = (from: string | RegExp, to: string) => ({ tamper: (text: string) => text.replace(from, to) });
  it.each<[string, RegExp, Partial<WrittenRim>]>([
    ['no signature', /does not end with a signature/, inFile(/<ds:Signature .*<\/ds:Signature>/s, '')],
    ['a signature before the end', /does not end with/, inFile('</SoftwareIdentity>', '<x></x></SoftwareIdentity>')],
    ['two signatures', /more than one/, inFile(/(<ds:Signature .*<\/ds:Signature>)/s, '$1$1')],
    [
      'a signature inside another element',
      /more than one/,
      inFile(/(<\/ns0:Payload>)(.*)(<ds:Signature .*<\/ds:Signature>)/s, '$3$1$2$3'),
    ],
    [
      'another canonical form',
      /algorithm for CanonicalizationMethod/,
      inSignature('2006/12/xml-c14n11', '2001/10/xml-exc-c14n#'),
    ],
    ['another signature algorithm', /algorithm for SignatureMethod/, inSignature('ecdsa-sha384', 'hmac-sha384')],
    ['another digest', /algorithm for DigestMethod/, inSignature('more#sha384', 'more#md5')],
    ['no enveloped transform', /algorithm for Transform /, inSignature('#enveloped-signature', '#base64')],
    [
      'a third transform',
      /in Transforms, expected/,
      inSignature('</ds:Transforms>', '<ds:Transform Algorithm="x"></ds:Transform></ds:Transforms>'),
    ],
    ['a reference to a part', /does not cover the whole/, inSignature('URI=""', 'URI="#x"')],
    [
      'a second reference',
      /in SignedInfo, expected/,
      inSignature('</ds:SignedInfo>', '<ds:Reference URI=""></ds:Reference></ds:SignedInfo>'),
    ],
    ['text inside the signature', /text in SignedInfo/, inSignature('</ds:SignedInfo>', 'x</ds:SignedInfo>')],
    ['a digest that is no base64', /is not base64/, inSignature('<ds:DigestValue>', '<ds:DigestValue>*')],
    [
      'an element in the signature value',
      /elements in SignatureValue/,
      inFile('<ds:SignatureValue>', '<ds:SignatureValue><a/>'),
    ],
    ['no certificates', /0 certificates/, { certificates: [] }],
    ['nine certificates', /9 certificates/, { certificates: new Array<Uint8Array>(9).fill(Uint8Array.of(1)) }],
    ['another root', /is not a SWID tag/, { tamper: (text) => text.replaceAll('SoftwareIdentity', 'Software') }],
    ['no measurements', /has no active measurement/, { measurements: [] }],
    ['none that counts', /has no active measurement/, { measurements: [{ index: 1, values: [value], active: false }] }],
    [
      'one index twice',
      /two measurements with one index/,
      { measurements: [1, 1].map((index) => ({ index, values: [value] })) },
    ],
    ['a short value', /is not a SHA-384/, { measurements: [{ index: 1, values: [value.subarray(1)] }] }],
    [
      'more values than its count',
      /has 2 values of measurement 1, but declares 1/,
      { measurements: [{ index: 1, values: [value, value], alternatives: 1 }] },
    ],
    [
      'fewer values than its count',
      /without Hash1/,
      { measurements: [{ index: 1, values: [value], alternatives: 2 }] },
    ],
    ['no values', /has 0 values/, { measurements: [{ index: 1, values: [] }] }],
    ['an index beyond SPDM', /index must be at most 238/, { measurements: [{ index: 239, values: [value] }] }],
    [
      'a resource of another kind',
      /not a measurement/,
      { edit: (text) => text.replace('type="Measurement"', 'type="File"') },
    ],
    ['an unknown flag', /says "Yes"/, { edit: (text) => text.replace('"True"', '"Yes"') }],
    ['another size', /does not have 48 bytes/, { edit: (text) => text.replace('size="48"', 'size="32"') }],
    ['no version', /Meta without colloquialVersion/, { edit: (text) => text.replace('colloquialVersion', 'v') }],
    [
      'two payloads',
      /must have one Payload/,
      { edit: (text) => text.replace('<ns0:Payload>', '<ns0:Payload></ns0:Payload><ns0:Payload>') },
    ],
  ])('rejects a manifest with %s', (_, reason, change) => {
    expect(() => parseReferenceManifest(rim(change))).toThrow(reason);
    expect(() => parseReferenceManifest(rim(change))).toThrow(AttestationError);
  });

  it('returns, or throws an error code, for hostile bytes', () => {
    const good = rim();
    const edit = fc.record({ at: fc.nat(good.length - 1), value: fc.constantFrom(...bytes('<>&"\'/=: \n\0aé')) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), fc.nat(good.length), (edits, cut) => {
        const damaged = Uint8Array.from(good);
        for (const { at, value: byte } of edits) damaged[at] = byte;
        for (const input of [damaged, damaged.subarray(0, cut)]) {
          try {
            parseReferenceManifest(input);
          } catch (error) {
            if (!(error instanceof AttestationError)) throw error;
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});

it.skipIf(!hasVectors)(`a real manifest has the digest that it names, in canonical form${vectorsNote}`, () => {
  const file = vectorBytes('gpu-nvidia-attestation-sdk/NV_GPU_DRIVER_GH100_550.144.03.xml');
  const { root, signature, measurements, version, product } = parseReferenceManifest(file);
  const digest = createHash('sha384').update(canonicalXml(root, signature.element)).digest();
  expect(Uint8Array.from(digest)).toEqual(signature.digest);
  expect([version, product, measurements.length, signature.certificates.length]).toEqual([
    '550.144.03',
    'GH100',
    21,
    4,
  ]);
});
