/** What every test file and every program that a test starts inherits from the run. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns the function that vitest calls at the end of the run */
export default function setUpEnvironment(): () => void {
  // The cache of `cli/cloister.mjs`. Threads that a test starts then neither load the type stripper nor compile.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../../native/build/compile-cache');

  // `tmpdir()` reads the variable. All temporary files of a run lie in one folder, which is deleted when the run ends.
  const folder = mkdtempSync(join(tmpdir(), 'cloister-suite-'));
  // PostgreSQL runs as a different user, which needs access to the folder.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
