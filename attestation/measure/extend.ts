/** Extends measurement registers. With WebCrypto. */
import { concatBytes } from '../base/bytes.ts';
import { sha384Bytes } from '../eventlog/event-log.ts';

/** @param digests 48 bytes each · @returns the register, 48 bytes, extended from zeros */
export async function extendAll(digests: readonly Uint8Array[]): Promise<Uint8Array> {
  let register: Uint8Array = new Uint8Array(sha384Bytes);
  for (const digest of digests) register = await sha384(concatBytes(register, digest));
  return register;
}

export async function sha384(bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-384', bytes as Uint8Array<ArrayBuffer>));
}

/** UTF-8. */
export function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}
