/**
 * Reference manifests in NVIDIA's format, signed with test keys. They are written in canonical form, so that the signed bytes
 * are known without the code under test: every tag closed, names in order, namespaces at the root.
 */
import { createHash, sign } from 'node:crypto';
import type { KeyPair } from './p384-hierarchy.ts';

export interface WrittenRim {
  version?: string;
  product?: string;
  /** Values by index, from 0. */
  measurements: readonly { index: number; values: readonly Uint8Array[]; active?: boolean; alternatives?: number }[];
  /** DER, leaf first. */
  certificates: readonly Uint8Array[];
  by: KeyPair;
  /** Changes the document before it is signed. */
  edit?: (text: string) => string;
  /** Changes the signature's own text before it is signed. */
  editSignature?: (text: string) => string;
  /** Changes the whole file afterwards. */
  tamper?: (text: string) => string;
}

const swid = 'http://standards.iso.org/iso/19770/-2/2015/schema.xsd';
const namespaces = `xmlns="${swid}" xmlns:ns0="${swid}" xmlns:ns2="http://www.w3.org/2001/04/xmlenc#sha384"`;
const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const canonical = 'http://www.w3.org/2006/12/xml-c14n11';
const end = '</SoftwareIdentity>';
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

export function writeRim(rim: WrittenRim): Uint8Array {
  const { edit = same, editSignature = same, tamper = same } = rim;
  const text = edit(documentOf(rim));
  const digest = createHash('sha384').update(text).digest();
  const signedInfo = editSignature(signedInfoOf(base64(digest)));
  // Canonical form repeats the namespaces that are in scope where the output begins, `ds` between the others.
  const scope = namespaces.replace(' xmlns:ns0', ` xmlns:ds="${dsig}" xmlns:ns0`);
  const canonical = signedInfo.replace('<ds:SignedInfo>', `<ds:SignedInfo ${scope}>`);
  const value = sign('sha384', Buffer.from(canonical), { key: rim.by.privateKey, dsaEncoding: 'ieee-p1363' });
  const certificates = rim.certificates.map((der) => `<ds:X509Certificate>${base64(der)}\n</ds:X509Certificate>`);
  const signature =
    `<ds:Signature xmlns:ds="${dsig}">${signedInfo}<ds:SignatureValue>${base64(value)}</ds:SignatureValue>` +
    `<ds:KeyInfo><ds:X509Data>${certificates.join('')}</ds:X509Data></ds:KeyInfo></ds:Signature>`;
  return new TextEncoder().encode(tamper(text.replace(end, `${signature}${end}`)));
}

function documentOf({ version = '570.1.2', product = 'GH100', measurements }: WrittenRim): string {
  const resources = measurements.map(({ index, values, active = true, alternatives = values.length }) => {
    const hashes = values.map((value, number) => ` ns2:Hash${number}="${Buffer.from(value).toString('hex')}"`).join('');
    return (
      `<ns0:Resource active="${active ? 'True' : 'False'}" alternatives="${alternatives}" index="${index}"` +
      ` name="Measurement_${index}" size="48" type="Measurement"${hashes}></ns0:Resource>`
    );
  });
  return (
    `<SoftwareIdentity ${namespaces} name="${product}" tagId="test" version="1.0">\n` +
    `<ns0:Entity name="Test" role="tagCreator"></ns0:Entity>\n` +
    `<ns0:Meta colloquialVersion="${version}" edition="GPU" product="${product}"></ns0:Meta>\n` +
    `<ns0:Payload>\n${resources.join('\n')}\n</ns0:Payload>\n${end}`
  );
}

function signedInfoOf(digest: string): string {
  const algorithm = (name: string, uri: string) => `<ds:${name} Algorithm="${uri}"></ds:${name}>`;
  return (
    `<ds:SignedInfo>${algorithm('CanonicalizationMethod', canonical)}` +
    `${algorithm('SignatureMethod', `${more}ecdsa-sha384`)}<ds:Reference URI=""><ds:Transforms>` +
    `${algorithm('Transform', `${dsig}enveloped-signature`)}${algorithm('Transform', canonical)}</ds:Transforms>` +
    `${algorithm('DigestMethod', `${more}sha384`)}<ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`
  );
}

function same(text: string): string {
  return text;
}
