/** The subset of XML in which reference manifests are written: strict, bounded, and canonical as specified by the W3C. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AttestationError } from '../../attestation/base/errors.ts';
import { parseXml, type XmlElement, xmlBytesMax } from '../../attestation/gpu/xml.ts';
import { canonicalXml } from '../../attestation/gpu/xml-canonical.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const canonical = (text: string) => new TextDecoder().decode(canonicalXml(parseXml(bytes(text))));

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
    ['a document type', '<!DOCTYPE a><a/>', /invalid name/],
    ['a custom entity', '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', /invalid name/],
    ['a reference to an entity', '<a>&e;</a>', /XML does not predefine/],
    ['a character reference', '<a>&#65;</a>', /XML does not predefine/],
    ['a bare ampersand', '<a>a & b</a>', /XML does not predefine/],
    ['a comment', '<a><!-- x --></a>', /invalid name/],
    ['a comment before it', '<!-- x --><a/>', /invalid name/],
    ['a processing instruction', '<a><?x y?></a>', /invalid name/],
    ['CDATA', '<a><![CDATA[x]]></a>', /invalid name/],
    ['the end of CDATA', '<a>]]></a>', /"]]>"/],
    ['another version', '<?xml version="1.1"?><a/>', /invalid name/],
    ['another encoding', '<?xml version="1.0" encoding="UTF-16"?><a/>', /invalid name/],
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
    ['a name beyond ASCII', '<é/>', /invalid name/],
    [
      '70 namespaces',
      `<a ${Array.from({ length: 70 }, (_, i) => `xmlns:x${i}="u:u"`).join(' ')}/>`,
      /over 64 namespaces/,
    ],
    ['17 elements deep', `${'<a>'.repeat(17)}${'</a>'.repeat(17)}`, /16 deep/],
    ['5000 elements', `<a>${'<b/>'.repeat(5000)}</a>`, /over 4096 elements/],
    ['600 attributes', `<a ${Array.from({ length: 600 }, (_, i) => `x${i}=""`).join(' ')}/>`, /over 512 attributes/],
  ])('rejects %s', (_, text, reason) => {
    expect(() => parseXml(bytes(text))).toThrow(reason);
    expect(() => parseXml(bytes(text))).toThrow(expect.objectContaining({ code: 'ERR_EVIDENCE_MALFORMED' }));
  });

  it('rejects invalid UTF-8 and too many bytes', () => {
    expect(() => parseXml(Uint8Array.of(0x3c, 0x61, 0x3e, 0xff, 0x3c, 0x2f, 0x61, 0x3e))).toThrow(/not UTF-8/);
    expect(() => parseXml(new Uint8Array(xmlBytesMax + 1))).toThrow(/at most/);
  });

  it('parses long runs in linear time', () => {
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
    ['keeps unused namespaces', '<a xmlns:p="u:p"><b/></a>', '<a xmlns:p="u:p"><b></b></a>'],
    [
      'writes character references where required',
      '<a x="&gt;&amp;&quot;&apos;">&gt;&lt;"&apos;</a>',
      '<a x=">&amp;&quot;\'">&gt;&lt;"\'</a>',
    ],
    ['has line ends of one kind', '<a>\r\n1\r2\n</a>', '<a>\n1\n2\n</a>'],
  ])('%s', (_, text, expected) => {
    expect(canonical(text)).toBe(expected);
  });

  it('omits an element, and declares every namespace in scope at the beginning of a part', () => {
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
