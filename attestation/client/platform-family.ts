/** Which collateral a quote needs. Pure. */
import { toHex } from '../bytes.ts';
import { parsePckPlatform } from '../collateral/pck-extension.ts';
import { AttestationError } from '../errors.ts';
import { parseQuote } from '../quote/quote.ts';
import { parseCertificate } from '../x509/certificate.ts';
import { parsePemChain } from '../x509/pem.ts';

export interface PlatformFamily {
  /** 12 hexadecimal digits. */
  readonly fmspc: string;
  /** Which of Intel's two authorities issued the platform's certificate. */
  readonly ca: 'platform' | 'processor';
}

/** @throws {AttestationError} where the quote or its certificates cannot be read */
export function platformFamilyOf(quoteBytes: Uint8Array): PlatformFamily {
  const [pck, ca] = parsePemChain(parseQuote(quoteBytes).pckChainPem, 'PCK chain').map(parseCertificate);
  if (pck === undefined || ca === undefined) {
    throw new AttestationError('ERR_EVIDENCE_MALFORMED', "the quote's certificate chain has no issuer");
  }
  return {
    fmspc: toHex(parsePckPlatform(pck).fmspc),
    ca: /\bProcessor\b/.test(ca.commonName) ? 'processor' : 'platform',
  };
}
