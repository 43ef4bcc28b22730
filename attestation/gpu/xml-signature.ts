/**
 * XML signatures in the one profile that NVIDIA's reference manifests use: enveloped, over the whole document, ECDSA P-384 with SHA-384,
 * Canonical XML 1.1. Any other profile is refused, so that the signature covers everything that is parsed. Pure.
 */
import { sameBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { type EcdsaKey, isSignatureValid } from '../x509/ecdsa.ts';
import { chainCertificatesMax, decodeBase64 } from '../x509/pem.ts';
import type { XmlElement } from './xml.ts';
import { canonicalXml } from './xml-canonical.ts';

export interface XmlSignature {
  /** The signature element. The signed document excludes it. */
  readonly element: XmlElement;
  /** The SHA-384 of the document in the signature. */
  readonly digest: Uint8Array;
  /** The canonical form of SignedInfo, which the key signed. */
  readonly signedBytes: Uint8Array;
  /** r ‖ s on P-384. */
  readonly signature: Uint8Array;
  /** DER, in document order. */
  readonly certificates: readonly Uint8Array[];
}

const dsig = 'http://www.w3.org/2000/09/xmldsig#';
const algorithm = {
  canonical: 'http://www.w3.org/2006/12/xml-c14n11',
  signature: 'http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384',
  enveloped: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  digest: 'http://www.w3.org/2001/04/xmldsig-more#sha384',
} as const;

/**
 * @param root of a document with exactly one signature, as its last element
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED
 * @see W3C, XML Signature Syntax and Processing Version 1.1
 */
export function parseXmlSignature(root: XmlElement): XmlSignature {
  const element = root.children.filter((child) => typeof child !== 'string').at(-1);
  if (element === undefined || !isSignature(element)) throw malformed('does not end with a signature');
  if (countSignatures(root) !== 1) throw malformed('has more than one signature');
  const [signedInfo, value, keyInfo] = partsOf(element, ['SignedInfo', 'SignatureValue', 'KeyInfo']);
  const [canonicalization, method, reference] = partsOf(signedInfo!, [
    'CanonicalizationMethod',
    'SignatureMethod',
    'Reference',
  ]);
  requireAlgorithm(canonicalization!, algorithm.canonical);
  requireAlgorithm(method!, algorithm.signature);
  return {
    element,
    digest: digestOf(reference!),
    signedBytes: canonicalXml(signedInfo!),
    signature: base64(value!),
    certificates: certificatesOf(keyInfo!),
  };
}

/** @throws {AttestationError} ERR_NOT_VERIFIED */
export async function verifyXmlSignature(root: XmlElement, signature: XmlSignature, key: EcdsaKey): Promise<void> {
  const document = canonicalXml(root, signature.element);
  const digest = await crypto.subtle.digest('SHA-384', document as Uint8Array<ArrayBuffer>);
  if (!sameBytes(new Uint8Array(digest), signature.digest))
    throw refused('the document is not the one that was signed');
  if (!(await isSignatureValid(key, signature.signature, signature.signedBytes))) {
    throw refused('the signature is invalid');
  }
}

function isSignature(element: XmlElement): boolean {
  return element.namespace === dsig && element.name === 'Signature';
}

function countSignatures(element: XmlElement): number {
  let count = isSignature(element) ? 1 : 0;
  for (const child of element.children) if (typeof child !== 'string') count += countSignatures(child);
  return count;
}

/** The only reference: the whole document without its signature, in canonical form. */
function digestOf(reference: XmlElement): Uint8Array {
  const [attribute, ...more] = reference.attributes;
  if (attribute?.name !== 'URI' || attribute.namespace !== '' || attribute.value !== '' || more.length > 0) {
    throw malformed('has a signature that does not cover the whole document');
  }
  const [transforms, method, value] = partsOf(reference, ['Transforms', 'DigestMethod', 'DigestValue']);
  const [enveloped, canonical] = partsOf(transforms!, ['Transform', 'Transform']);
  requireAlgorithm(enveloped!, algorithm.enveloped);
  requireAlgorithm(canonical!, algorithm.canonical);
  requireAlgorithm(method!, algorithm.digest);
  return base64(value!);
}

function certificatesOf(keyInfo: XmlElement): Uint8Array[] {
  const [data] = partsOf(keyInfo, ['X509Data']);
  const count = elementsOf(data!).length;
  if (count === 0 || count > chainCertificatesMax) throw malformed(`has ${count} certificates, expected 1 to 8`);
  return partsOf(data!, new Array<string>(count).fill('X509Certificate')).map(base64);
}

/** The children of an element, which must have these names, with only white space between them. */
function partsOf(parent: XmlElement, names: readonly string[]): XmlElement[] {
  const elements = elementsOf(parent);
  const found = elements.map(({ name, namespace }) => (namespace === dsig ? name : `{${namespace}}${name}`));
  if (found.join() !== names.join()) throw malformed(`has ${found.join(', ')} in ${parent.name}, expected ${names}`);
  return elements;
}

function elementsOf(parent: XmlElement): XmlElement[] {
  if (parent.children.some((child) => typeof child === 'string' && child.trim() !== '')) {
    throw malformed(`has text in ${parent.name}`);
  }
  return parent.children.filter((child) => typeof child !== 'string');
}

function requireAlgorithm(element: XmlElement, expected: string): void {
  const [attribute, ...more] = element.attributes;
  const isExpected = attribute?.name === 'Algorithm' && attribute.namespace === '' && attribute.value === expected;
  if (!isExpected || more.length > 0 || element.children.length > 0) {
    throw malformed(`names an algorithm for ${element.name} other than ${expected}`);
  }
}

function base64(element: XmlElement): Uint8Array {
  if (element.children.some((child) => typeof child !== 'string')) throw malformed(`has elements in ${element.name}`);
  return decodeBase64(element.children.join(''), element.name);
}

function malformed(why: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the signed XML ${why}`);
}

function refused(why: string): AttestationError {
  return new AttestationError('ERR_NOT_VERIFIED', why);
}
