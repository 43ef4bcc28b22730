import { open } from 'node:fs/promises';
import { type GgufFacts, ggufHeadBytes, parseGgufHead } from './gguf-header.ts';

/**
 * What a GGUF file on this machine says about itself.
 * @throws {ModelError} ERR_REFERENCE_INVALID where it is none; or the system's error where it cannot be read
 */
export async function readGgufFacts(path: string): Promise<GgufFacts> {
  await using file = await open(path);
  const head = Buffer.alloc(ggufHeadBytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return parseGgufHead(head.subarray(0, bytesRead), path);
}
