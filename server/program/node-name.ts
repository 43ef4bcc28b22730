/** What a node is called among the servers on one database: the same after a restart, and never that of another. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * The host's name keeps apart machines whose state folder is a copy.
 * @param path of a file in the locked state folder; made at the first start
 */
export function readNodeName(path: string): string {
  return `${readId(path)}@${hostname()}`;
}

function readId(path: string): string {
  try {
    const id = readFileSync(path, 'utf8').trim();
    if (/^[\w-]{16}$/.test(id)) return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const id = randomBytes(12).toString('base64url');
  writeFileSync(path, `${id}\n`, { mode: 0o600 });
  return id;
}
