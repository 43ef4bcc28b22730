/** The name of a node among the servers on one database: stable across restarts, unique among nodes. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Includes the host's name, which distinguishes machines with a copied state folder.
 * @param path of a file in the locked state folder, created at the first start
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
