/** Reference manifests and the XML that they are written in: strict, bounded, and canonical as the W3C says. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/errors.ts';
import { parseReferenceManifest } from '../../attestation/gpu/rim.ts';
import { parseXml, type XmlElement, xmlBytesMax } from '../../attestation/gpu/xml.ts';
import { canonicalXml } from '../../attestation/gpu/xml-canonical.ts';
import { newKeyPair } from '../support/p384-hierarchy.ts';
import { type WrittenRim, writeRim } from '../support/rim-writer.ts';
import { hasVectors, vectorBytes, vectorsNote } from '../support/vectors.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const canonical = (text: string) => new TextDecoder().decode(canonicalXml(parseXml(bytes(text))));
const value = new Uint8Array(48).fill(5);
const key = newKeyPair();
const rim = (change: Partial<WrittenRim> = {}) =>
  writeRim({ measurements: [{ index: 2, values: [value] }], certificates: [Uint8Array.of(1)], by: key, ...change });

describe('parseXml', () => {
  it('reads elements, namespaces, attributes and the five references', () => {
    const root = parseXml(
      bytes(
        '<?xml version="1.0" encoding="UTF-8"?>\n<a xmlns="u:d" x="&lt;&quot;"><p:b xmlns:p="u:p" p:y=\'2\'/>&amp;é</a>\n',
      ),
    );
    expect([root.name, root.namespace, root.attributes]).toEqual([
      'a',
      'u:d',
      [{ prefix: '', name: 'x', namespace: '', value: '<"' }],
    ]);
    const [child, text] = root.children as [XmlElement, string];
    expect([child.prefix, child.name, child.namespace, text]).toEqual(['p', 'b', 'u:p', '&é']);
    expect(child.attributes[0]).toEqual({ prefix: 'p', name: 'y', namespace: 'u:p', value: '2' });
  });

  it.each([
    ['nothing', '', /begin with an element/],
    ['text', 'x', /begin with an element/],
    ['a document type', '<!DOCTYPE a><a/>', /no plain name/],
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', /no plain name/],
    ['a reference to an entity', '<a>&e;</a>', /other than the five/],
    ['a character reference', '<a>&#65;</a>', /other than the five/],
    ['a bare ampersand', '<a>a & b</a>', /other than the five/],
    ['a comment', '<a><!-- x --></a>', /no plain name/],
    ['a comment before it', '<!-- x --><a/>', /no plain name/],
    ['a processing instruction', '<a><?x y?></a>', /no plain name/],
    ['CDATA', '<a><![CDATA[x]]></a>', /no plain name/],
    ['the end of CDATA', '<a>]]></a>', /"]]>"/],
    ['another version', '<?xml version="1.1"?><a/>', /no plain name/],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>', /no plain name/],
    ['a byte order mark', '\ufeff<a/>', /begin with an element/],
    ['a control character', '<a>\u0001</a>', /control character/],
    ['two roots', '<a/><b/>', /after its root/],
    ['text after the root', '<a/>x', /after its root/],
    ['an element that is not closed', '<a><b></a>', /has no <\/b/],
    ['an element that never ends', '<a>x', /ends inside a/],
    ['a closing tag with a longer name', '<a></ab>', /has no >/],
    ['attributes without space between them', '<a x="1"y="2"/>', /has no >/],
    ['an attribute without quotes', '<a x=1/>', /has no '/],
    ['an attribute that never ends', '<a x="1', /ends inside an attribute/],
    ['"<" in an attribute', '<a x="<"/>', /line end, a tab or "<"/],
    ['a line end in an attribute', '<a x="1\n2"/>', /line end, a tab or "<"/],
    ['an attribute twice', '<a x="1" x="2"/>', /attribute x twice/],
    ['an attribute twice by two prefixes', '<a xmlns:p="u:u" xmlns:q="u:u" p:x="1" q:x="2"/>', /attribute x twice/],
    ['a namespace twice', '<a xmlns:p="u:u" xmlns:p="u:v"/>', /declares the namespace "p"/],
    ['a prefix without a namespace', '<a xmlns:p=""/>', /declares the namespace "p"/],
    ['no default namespace any more', '<a xmlns="u:u"><b xmlns=""/></a>', /declares the namespace ""/],
    ['a relative namespace', '<a xmlns:p="u"/>', /declares the namespace "p"/],
    ['a namespace that must be escaped', '<a xmlns:p="u:&amp;"/>', /declares the namespace "p"/],
    ['a prefix that is not declared', '<p:a/>', /undeclared prefix p/],
    ['an attribute of XML itself', '<a xml:lang="en"/>', /undeclared prefix xml/],
    ['XML as a prefix', '<a xmlns:xml="http://www.w3.org/XML/1998/namespace"/>', /declares the namespace "xml"/],
    ['a name of three parts', '<a:b:c/>', /has no >/],
    ['a name beyond ASCII', '<é/>', /no plain name/],
    [
      '70 namespaces',
      `<a ${Array.from({ length: 70 }, (_, i) => `xmlns:x${i}="u:u"`).join(' ')}/>`,
      /over 64 namespaces/,
    ],
    ['17 elements inside one another', `${'<a>'.repeat(17)}${'</a>'.repeat(17)}`, /16 inside one another/],
    ['5000 elements', `<a>${'<b/>'.repeat(5000)}</a>`, /over 4096 elements/],
    ['600 attributes', `<a ${Array.from({ length: 600 }, (_, i) => `x${i}=""`).join(' ')}/>`, /over 512 attributes/],
  ])('refuses %s', (_, text, reason) => {
    expect(() => parseXml(bytes(text))).toThrow(reason);
    expect(() => parseXml(bytes(text))).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });

  it('refuses what is not UTF-8, and too many bytes', () => {
    expect(() => parseXml(Uint8Array.of(0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e))).toThrow(/not UTF-8/);
    expect(() => parseXml(new Uint8Array(xmlBytesMax + 1))).toThrow(/at most/);
  });

  it('takes long runs of anything in time that grows with their length', () => {
    const start = performance.now();
    for (const run of ['<', '<a ', '&', '<a>', 'a', ' ', '<a x="', ']', '&lt', '<a:']) {
      expect(() => parseXml(bytes(run.repeat(200_000 / run.length)))).toThrow(AttestationError);
    }
    expect(performance.now() - start).toBeLessThan(2000);
  });
});

describe('canonicalXml', () => {
  it.each([
    ['closes empty elements and sorts attributes', '<a y="2" x="1"/>', '<a x="1" y="2"></a>'],
    ['drops the declaration and what surrounds the root', '<?xml version="1.0"?>\n <a> </a>\n', '<a> </a>'],
    [
      'puts namespaces first, by prefix',
      '<a q="1" xmlns:b="u:b" xmlns="u:a"/>',
      '<a xmlns="u:a" xmlns:b="u:b" q="1"></a>',
    ],
    [
      'sorts attributes by namespace before their names, those without one first',
      '<a xmlns:p="u:z" xmlns:q="u:a" p:a="1" q:b="2" c="3"/>',
      '<a xmlns:p="u:z" xmlns:q="u:a" c="3" q:b="2" p:a="1"></a>',
    ],
    [
      'does not repeat a namespace, but one that changes',
      '<a xmlns="u:1"><b xmlns="u:1"><c xmlns="u:2"/></b></a>',
      '<a xmlns="u:1"><b><c xmlns="u:2"></c></b></a>',
    ],
    ['keeps namespaces that nobody uses', '<a xmlns:p="u:p"><b/></a>', '<a xmlns:p="u:p"><b></b></a>'],
    [
      'writes references where it must',
      '<a x="&gt;&amp;&quot;&apos;">&gt;&lt;"&apos;</a>',
      '<a x=">&amp;&quot;\'">&gt;&lt;"\'</a>',
    ],
    ['has line ends of one kind', '<a>\r\n1\r2\n</a>', '<a>\n1\n2\n</a>'],
  ])('%s', (_, text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('leaves an element out, and begins a part with every namespace in scope', () => {
    const root = parseXml(bytes('<a xmlns="u:a" xmlns:p="u:p">1<p:b>2</p:b>3</a>'));
    const inner = root.children[1] as XmlElement;
    expect(new TextDecoder().decode(canonicalXml(root, inner))).toBe('<a xmlns="u:a" xmlns:p="u:p">13</a>');
    expect(new TextDecoder().decode(canonicalXml(inner))).toBe('<p:b xmlns="u:a" xmlns:p="u:p">2</p:b>');
  });

  it('is its own canonical form', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', '&', '<', '>', '"', "'", 'é', ' ', '\n'), maxLength: 8 });
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
    fc.assert(
      fc.property(letters, letters, (inside, attribute) => {
        const text = `<a b="${escaped(attribute.replaceAll('\n', ''))}"><c/>${escaped(inside)}</a>`;
        const once = canonical(text);
        expect(canonical(once)).toBe(once);
        expect(parseXml(bytes(once)).attributes).toEqual(parseXml(bytes(text)).attributes);
      }),
    );
  });
});

describe('parseReferenceManifest', () => {
  it('reads version, chip, what counts, and what was signed', () => {
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
    ['a reference to a part', /something else than the whole/, inSignature('URI=""', 'URI="#x"')],
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
    ['another root', /is no SWID tag/, { tamper: (text) => text.replaceAll('SoftwareIdentity', 'Software') }],
    ['no measurements', /has no measurement that counts/, { measurements: [] }],
    [
      'none that counts',
      /has no measurement that counts/,
      { measurements: [{ index: 1, values: [value], active: false }] },
    ],
    [
      'one index twice',
      /two measurements with one index/,
      { measurements: [1, 1].map((index) => ({ index, values: [value] })) },
    ],
    ['a short value', /is no SHA-384/, { measurements: [{ index: 1, values: [value.subarray(1)] }] }],
    [
      'more values than it says',
      /has 2 values of measurement 1, it says 1/,
      { measurements: [{ index: 1, values: [value, value], alternatives: 1 }] },
    ],
    ['fewer values than it says', /without Hash1/, { measurements: [{ index: 1, values: [value], alternatives: 2 }] }],
    ['no values', /has 0 values/, { measurements: [{ index: 1, values: [] }] }],
    ['an index beyond SPDM', /index must be at most 238/, { measurements: [{ index: 239, values: [value] }] }],
    [
      'a resource of another kind',
      /no measurement/,
      { edit: (text) => text.replace('type="Measurement"', 'type="File"') },
    ],
    ['an unknown flag', /says "Yes"/, { edit: (text) => text.replace('"True"', '"Yes"') }],
    ['another size', /no 48 bytes/, { edit: (text) => text.replace('size="48"', 'size="32"') }],
    ['no version', /Meta without colloquialVersion/, { edit: (text) => text.replace('colloquialVersion', 'v') }],
    [
      'two payloads',
      /must have one Payload/,
      { edit: (text) => text.replace('<ns0:Payload>', '<ns0:Payload></ns0:Payload><ns0:Payload>') },
    ],
  ])('refuses a manifest with %s', (_, reason, change) => {
    expect(() => parseReferenceManifest(rim(change))).toThrow(reason);
    expect(() => parseReferenceManifest(rim(change))).toThrow(AttestationError);
  });

  it('returns or refuses hostile bytes with a code', () => {
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
