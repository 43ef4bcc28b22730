/** Real evidence in a folder next to some checkouts. Tests that need it are skipped with a printed reason if it is absent. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../../shared/vectors');

export const hasVectors = existsSync(folder);

/** For the title of a `describe.skipIf(!hasVectors)`. */
export const vectorsNote = hasVectors ? '' : ' (skipped: ../shared/vectors is not there)';

export function vectorPath(path: string): string {
  return join(folder, path);
}

/** For evidence that only some of these checkouts have. */
export function hasVectorFile(path: string): boolean {
  return existsSync(join(folder, path));
}

export function vectorBytes(path: string): Uint8Array {
  return new Uint8Array(readFileSync(vectorPath(path)));
}

export function vectorText(path: string): string {
  return readFileSync(join(folder, path), 'utf8');
}
