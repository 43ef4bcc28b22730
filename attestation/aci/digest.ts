/** SHA-256 in the format of ACI. */
import { toHex } from '../base/bytes.ts';

/** @returns `sha256:` and 64 lowercase hexadecimal digits */
export async function sha256Digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256:${toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))}`;
}
