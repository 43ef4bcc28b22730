/** Reads the body of a response up to a limit. Opens no connection. */
import { concatBytes } from '../base/bytes.ts';
import { AttestationError } from '../base/errors.ts';

/**
 * @param limit what the body is, for errors, and its maximum size
 * @throws {AttestationError} ERR_EVIDENCE_UNAVAILABLE if the body is longer; the rest is not read
 */
export async function boundedBody(
  response: Response,
  { what, bytesMax }: { what: string; bytesMax: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length;
    if (length > bytesMax) {
      await reader.cancel();
      throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', `${what} exceeds ${bytesMax} bytes`);
    }
    parts.push(part.value);
  }
  return concatBytes(...parts);
}
