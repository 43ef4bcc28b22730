/**
 * An authority of this state folder's own, for machines that are no TDX guest: clients that were given its certificate go on
 * trusting the server after a restart, whose own key is born in memory as ever. It can vouch for this machine's names alone.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, X509Certificate } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { authorityCertificate, type CertificateIssuer, type CertificateNames } from './certificate.ts';

const dayMs = 86_400_000;
const validDays = 397;
/** One that ends sooner is replaced at a start. */
const leftDaysMin = 30;

export interface AuthorityFiles {
  /** For clients. */
  readonly certificate: string;
  /** For its owner alone. */
  readonly key: string;
}

/** The kept authority, or a new one where there is none, it ends soon, or the machine's names have changed. */
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
  // The key first: a certificate without its key is not taken.
  write(files.key, keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o600);
  write(files.certificate, certificate, 0o644);
  return { ...keys, commonName, certificate };
}

type KeptAuthority = Omit<CertificateIssuer, 'commonName'>;

/** Undefined where there is none, or its files are not what they should be. */
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

function write(path: string, text: string, mode: number): void {
  writeFileSync(`${path}.new`, text, { mode });
  renameSync(`${path}.new`, path);
}
