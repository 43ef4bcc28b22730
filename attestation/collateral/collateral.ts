/**
 * Intel's collateral for the verification of quotes, and its JSON format for evidence, bundles and caches. The format is that of Phala's
 * dcap-qvl. Pure.
 */
import { fromHex, toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { parseJsonObject, textAt } from './json-fields.ts';

export interface Collateral {
  /** PEM: the issuer of the PCK CRL, then the root. */
  readonly pckCrlIssuerChain: string;
  /** DER. */
  readonly rootCaCrl: Uint8Array;
  readonly pckCrl: Uint8Array;
  readonly tcbInfoIssuerChain: string;
  /** The exact signed text, never parsed and serialized again. */
  readonly tcbInfo: string;
  /** r ‖ s */
  readonly tcbInfoSignature: Uint8Array;
  readonly qeIdentityIssuerChain: string;
  readonly qeIdentity: string;
  readonly qeIdentitySignature: Uint8Array;
}

/** Above any real collateral: about 20 KB each in 2026. */
export const collateralBytesMax = 1024 * 1024;

/**
 * @param text JSON with the nine members, bytes in hexadecimal. `pck_certificate_chain` is accepted and ignored, because the quote has its
 *   own; other members are refused
 * @throws {AttestationError} ERR_COLLATERAL_MALFORMED
 */
export function parseCollateral(text: string): Collateral {
  if (text.length > collateralBytesMax) throw malformed(`collateral has at most ${collateralBytesMax} bytes`);
  const json = parseJsonObject(text, 'collateral');
  const unknown = Object.keys(json).find((name) => !members.includes(name));
  if (unknown !== undefined) throw malformed(`collateral has no member ${unknown}`);
  const bytes = (name: string) => {
    const value = fromHex(textAt(json, name));
    if (value === undefined) throw malformed(`${name} must be hexadecimal`);
    return value;
  };
  return {
    pckCrlIssuerChain: textAt(json, 'pck_crl_issuer_chain'),
    rootCaCrl: bytes('root_ca_crl'),
    pckCrl: bytes('pck_crl'),
    tcbInfoIssuerChain: textAt(json, 'tcb_info_issuer_chain'),
    tcbInfo: textAt(json, 'tcb_info'),
    tcbInfoSignature: bytes('tcb_info_signature'),
    qeIdentityIssuerChain: textAt(json, 'qe_identity_issuer_chain'),
    qeIdentity: textAt(json, 'qe_identity'),
    qeIdentitySignature: bytes('qe_identity_signature'),
  };
}

/** Formats collateral for `parseCollateral`. */
export function formatCollateral(collateral: Collateral): string {
  return JSON.stringify({
    pck_crl_issuer_chain: collateral.pckCrlIssuerChain,
    root_ca_crl: toHex(collateral.rootCaCrl),
    pck_crl: toHex(collateral.pckCrl),
    tcb_info_issuer_chain: collateral.tcbInfoIssuerChain,
    tcb_info: collateral.tcbInfo,
    tcb_info_signature: toHex(collateral.tcbInfoSignature),
    qe_identity_issuer_chain: collateral.qeIdentityIssuerChain,
    qe_identity: collateral.qeIdentity,
    qe_identity_signature: toHex(collateral.qeIdentitySignature),
  });
}

const members: readonly string[] = [
  'pck_crl_issuer_chain',
  'root_ca_crl',
  'pck_crl',
  'tcb_info_issuer_chain',
  'tcb_info',
  'tcb_info_signature',
  'qe_identity_issuer_chain',
  'qe_identity',
  'qe_identity_signature',
  'pck_certificate_chain',
];

/**
 * Splits a response of Intel, `{"tcbInfo":{…},"signature":"…"}`, without changing a byte of the signed text.
 * @param member `tcbInfo` or `enclaveIdentity`
 * @throws {AttestationError} ERR_COLLATERAL_MALFORMED
 */
export function splitSignedAnswer(answer: string, member: string): { body: string; signature: Uint8Array } {
  const start = `{"${member}":`;
  const match = /,"signature":"([0-9a-fA-F]{128})"\}\s*$/.exec(answer.slice(-256));
  const signature = fromHex(match?.[1] ?? '');
  if (!answer.startsWith(start) || match === null || signature === undefined) {
    throw malformed(`the answer is not {"${member}":…,"signature":"…"}`);
  }
  const body = answer.slice(start.length, Math.max(0, answer.length - 256) + match.index);
  parseJsonObject(body, member);
  return { body, signature };
}

function malformed(message: string): AttestationError {
  return new AttestationError('ERR_COLLATERAL_MALFORMED', message);
}
