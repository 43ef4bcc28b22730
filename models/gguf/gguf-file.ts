import { open } from 'node:fs/promises';
import { type GgufFacts, ggufHeadBytes, parseGgufHead } from './gguf-header.ts';

/**
 * Reads the header of a local GGUF file.
 * @throws {ModelError} ERR_REFERENCE_INVALID if it is not a GGUF file; or the system's error if it cannot be read
 */
export async function readGgufFacts(path: string): Promise<GgufFacts> {
  await using file = await open(path);
  const head = Buffer.alloc(ggufHeadBytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return parseGgufHead(head.subarray(0, bytesRead), path);
}
