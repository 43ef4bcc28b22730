/**
 * Parses NVIDIA's reference integrity manifests (RIM), which list the expected measurements of a GPU's firmware or driver: a signed SWID tag
 * in XML with TCG members. Pure; verifies no signature.
 */
import { fromHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { parseXml, type XmlElement } from './xml.ts';
import { parseXmlSignature, type XmlSignature } from './xml-signature.ts';

export interface GoldenMeasurement {
  /** Index from 0: one less than the index in the GPU's report. */
  readonly index: number;
  /** The accepted values, 48 bytes each. */
  readonly values: readonly Uint8Array[];
}

export interface ReferenceManifest {
  /** The version of the driver, `550.144.03`, or of the VBIOS, `96.00.5E.00.01`. */
  readonly version: string;
  /** The chip, `GH100`. */
  readonly product: string;
  /** The measurements to compare, by ascending index; never empty. */
  readonly measurements: readonly GoldenMeasurement[];
  readonly root: XmlElement;
  readonly signature: XmlSignature;
}

const swid = 'http://standards.iso.org/iso/19770/-2/2015/schema.xsd';
const sha384 = 'http://www.w3.org/2001/04/xmlenc#sha384';
const sha384Bytes = 48;
/** SPDM numbers measurements from 1 to 239. */
const indexMax = 238;
const alternativesMax = 256;

/**
 * @param bytes the XML file
 * @throws {AttestationError} ERR_EVIDENCE_MALFORMED, ERR_CERTIFICATE_MALFORMED
 * @see TCG Reference Integrity Manifest Information Model 1.01 · ISO/IEC 19770-2:2015
 */
export function parseReferenceManifest(bytes: Uint8Array): ReferenceManifest {
  const root = parseXml(bytes);
  if (root.name !== 'SoftwareIdentity' || root.namespace !== swid) throw malformed('is not a SWID tag');
  const signature = parseXmlSignature(root);
  const meta = onlyChild(root, 'Meta');
  const measurements = childrenOf(onlyChild(root, 'Payload'), 'Resource').map(parseResource);
  const indices = new Set(measurements.map(({ index }) => index));
  if (indices.size !== measurements.length) throw malformed('has two measurements with one index');
  const active = measurements.filter(({ isActive }) => isActive).sort((a, b) => a.index - b.index);
  if (active.length === 0) throw malformed('has no active measurement');
  return {
    version: attribute(meta, 'colloquialVersion'),
    product: attribute(meta, 'product'),
    measurements: active.map(({ index, values }) => ({ index, values })),
    root,
    signature,
  };
}

function parseResource(resource: XmlElement): GoldenMeasurement & { isActive: boolean } {
  if (attribute(resource, 'type') !== 'Measurement') throw malformed('has a resource that is not a measurement');
  const index = integer(resource, 'index', indexMax);
  const active = attribute(resource, 'active');
  if (active !== 'True' && active !== 'False') throw malformed(`says "${active}" of measurement ${index}`);
  if (integer(resource, 'size', sha384Bytes) !== sha384Bytes)
    throw malformed(`does not have 48 bytes for measurement ${index}`);
  const alternatives = integer(resource, 'alternatives', alternativesMax);
  const values = Array.from({ length: alternatives }, (_, number) => {
    const digits = fromHex(attribute(resource, `Hash${number}`, sha384));
    if (digits?.length !== sha384Bytes)
      throw malformed(`has a value of measurement ${index} that is not a SHA-384 digest`);
    return digits;
  });
  const listed = resource.attributes.filter(({ namespace }) => namespace === sha384).length;
  if (values.length === 0 || listed !== values.length) {
    throw malformed(`has ${listed} values of measurement ${index}, but declares ${alternatives}`);
  }
  return { index, values, isActive: active === 'True' };
}

function onlyChild(parent: XmlElement, name: string): XmlElement {
  const [child, ...more] = childrenOf(parent, name);
  if (child === undefined || more.length > 0) throw malformed(`must have one ${name}`);
  return child;
}

function childrenOf(parent: XmlElement, name: string): XmlElement[] {
  return parent.children
    .filter((child) => typeof child !== 'string')
    .filter((child) => child.name === name && child.namespace === swid);
}

function attribute(element: XmlElement, name: string, namespace = ''): string {
  const found = element.attributes.find((one) => one.name === name && one.namespace === namespace);
  if (found === undefined) throw malformed(`has a ${element.name} without ${name}`);
  return found.value;
}

function integer(element: XmlElement, name: string, max: number): number {
  const text = attribute(element, name);
  if (!/^(0|[1-9]\d{0,3})$/.test(text) || Number(text) > max) throw malformed(`${name} must be at most ${max}`);
  return Number(text);
}

function malformed(why: string): AttestationError {
  return new AttestationError('ERR_EVIDENCE_MALFORMED', `the reference manifest ${why}`);
}
