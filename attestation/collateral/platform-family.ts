/** Determines which collateral a quote requires, from the certificates in the quote. Pure. */
import { toHex } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { parsePemChain } from '../x509/pem.ts';
import { parsePckPlatform } from './pck-extension.ts';

export interface PlatformFamily {
  /** 12 hexadecimal digits. */
  readonly fmspc: string;
  /** The Intel CA that issued the platform's certificate. */
  readonly ca: 'platform' | 'processor';
}

/**
 * @param quote from `parseQuote`, or only its certificate chain: PEM, leaf first
 * @throws {AttestationError} ERR_CERTIFICATE_MALFORMED, ERR_COLLATERAL_REFUSED if neither CA issued it, so that Intel has no collateral
 *   for it
 */
export function platformFamilyOfChain(quote: { readonly pckChainPem: Uint8Array }): PlatformFamily {
  const [pck, issuer] = parsePemChain(quote.pckChainPem, 'PCK chain').map(parseCertificate);
  const name = issuer?.commonName ?? '';
  const ca = /\bPCK (Platform|Processor) CA$/.exec(name)?.[1]?.toLowerCase();
  if (ca !== 'platform' && ca !== 'processor') {
    throw new AttestationError(
      'ERR_COLLATERAL_REFUSED',
      `the platform's certificate was issued by "${name}", not by Intel`,
    );
  }
  return { fmspc: toHex(parsePckPlatform(pck!).fmspc), ca };
}
