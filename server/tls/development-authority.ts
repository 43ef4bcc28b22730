/**
 * The development authority of a state folder, for machines that are not TDX guests. Clients that trust its certificate still trust the
 * server after a restart, although each start creates a new server key. The authority is restricted to this machine's names.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { replaceFile } from '@cloister/models/files/atomic-file';
import { authorityCertificate, type CertificateIssuer, type CertificateNames } from './certificate.ts';

const dayMs = 86_400_000;
const validDays = 397;
/** An authority that expires sooner is replaced at a start. */
const leftDaysMin = 30;

export interface AuthorityFiles {
  /** For clients. */
  readonly certificate: string;
  /** For its owner alone. */
  readonly key: string;
}

/** The stored authority, or a new one if it is missing, expires soon, or the machine's names have changed. */
export function openAuthority(
  files: AuthorityFiles,
  { names, now }: { names: CertificateNames; now: number },
): CertificateIssuer {
  const commonName = `Cloister development ${hash('sha256', JSON.stringify(names)).slice(0, 16)}`;
  const kept = readKept(files);
  if (kept !== undefined && isUsable(kept, { commonName, now })) return { ...kept, commonName };
  const keys = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const [notBefore, notAfter] = [new Date(now - dayMs), new Date(now + validDays * dayMs)];
  const certificate = authorityCertificate({ ...keys, ...names, commonName, notBefore, notAfter });
  // The key is written first, since a certificate without its key is not used.
  replaceFile(files.key, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), { mode: 0o600 });
  replaceFile(files.certificate, certificate, { mode: 0o644 });
  return { ...keys, commonName, certificate };
}

type KeptAuthority = Omit<CertificateIssuer, 'commonName'>;

/** Undefined if the files are missing or invalid. */
function readKept(files: AuthorityFiles): KeptAuthority | undefined {
  try {
    const privateKey = createPrivateKey(readFileSync(files.key, 'utf8'));
    const certificate = readFileSync(files.certificate, 'utf8');
    if (!new X509Certificate(certificate).checkPrivateKey(privateKey)) return undefined;
    return { privateKey, publicKey: createPublicKey(privateKey), certificate };
  } catch {
    return undefined;
  }
}

function isUsable({ certificate }: KeptAuthority, { commonName, now }: { commonName: string; now: number }): boolean {
  const { ca, subject, validFrom, validTo } = new X509Certificate(certificate);
  const isInTime = Date.parse(validFrom) <= now && Date.parse(validTo) >= now + leftDaysMin * dayMs;
  return ca && subject === `CN=${commonName}` && isInTime;
}
