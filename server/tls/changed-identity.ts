/** Certificates that are replaced while a service runs. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { readIdentity, type TlsIdentity } from './tls.ts';

/** Reads the files again. @returns undefined if nothing changed · @throws if a file is invalid, or the two do not belong together */
export function readChangedIdentity(
  paths: { readonly certificatePath: string; readonly keyPath: string },
  current: TlsIdentity,
): TlsIdentity | undefined {
  const next = readIdentity(paths);
  if (isDeepStrictEqual(next, current)) return undefined;
  const { certificate, key } = next;
  if (new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))) return next;
  throw new TypeError('the key is of another certificate');
}

/** OpenSSL's messages do not say what to do. */
export function identityFault(error: unknown): string {
  const { name, message } = error as Error;
  return name === 'ServerError' ? message : 'the certificate and its key are not valid, or do not belong together';
}
