/** Client certificates, made with openssl. */
import { execFileSync } from 'node:child_process';

/** Makes an authority `NAME-ca.pem` and its client certificate `NAME.pem` with the key `NAME.key` in a folder. */
export function makeClientCertificate(cwd: string, name: string): void {
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const [ca, caKey, request] = [`${name}-ca.pem`, `${name}-ca.key`, `${name}.csr`];
  openssl('req', '-x509', ...key, '-subj', `/CN=${name} authority`, '-keyout', caKey, '-out', ca);
  openssl('req', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', request);
  openssl('x509', '-req', '-in', request, '-CA', ca, '-CAkey', caKey, '-out', `${name}.pem`);
}
