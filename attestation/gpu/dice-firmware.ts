/** Reads the firmware digests in a device certificate: TCG's DICE extension, in either of its forms. Pure. */
import { isAllZero } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import type { Certificate } from '../x509/certificate.ts';
import { type DerValue, derChildren, derTag, parseDer, requireTag } from '../x509/der.ts';

/** Hopper certificates have the first, Blackwell certificates the second. */
const dice: readonly string[] = ['2.23.133.5.4.1', '2.23.133.5.4.1.1'];
const fwids = 0xa6;

/**
 * The firmware digests in the certificate, or an empty list. Hopper certificates have the older form (version, device key, firmware). The
 * newer form, DiceTcbInfo, has a list of digests, in which zeros mean no digest.
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED
 * @see Microsoft RIoT Core, CompositeDeviceID · TCG DICE Attestation Architecture 1.1, §6.1.1
 */
export function firmwareIdsOf(certificate: Certificate): Uint8Array[] {
  const extension = dice.map((oid) => certificate.extensions.get(oid)).find((found) => found !== undefined);
  if (extension === undefined) return [];
  const info = derChildren(parseDer(extension.value, derTag.sequence, 'DICE extension'), 'DICE extension');
  const list = info.find((field) => field.tag === fwids);
  if (list !== undefined) {
    return derChildren(list, 'firmware list')
      .map(firmwareDigest)
      .filter((digest) => !isAllZero(digest));
  }
  const [, , firmware] = info;
  return firmware?.tag === derTag.sequence ? [firmwareDigest(firmware)] : [];
}

function firmwareDigest(entry: DerValue): Uint8Array {
  const parts = derChildren(requireTag(entry, derTag.sequence, 'firmware'), 'firmware');
  if (parts.length !== 2) {
    throw new AttestationError(
      'ERR_CERTIFICATE_MALFORMED',
      'a firmware entry must have exactly an algorithm and a digest',
    );
  }
  requireTag(parts[0], derTag.objectIdentifier, 'firmware digest algorithm');
  return requireTag(parts[1], derTag.octetString, 'firmware digest').content;
}
