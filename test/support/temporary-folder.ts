/** Keeps all temporary files of a test run in one folder, which is deleted when the run ends. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns the function that vitest calls at the end of the run */
export default function useTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-suite-'));
  // PostgreSQL runs as a different user, which needs access to the folder.
  chmodSync(folder, 0o711);
  // Read by `tmpdir()` in this process's children: every test file, and every server that a test file starts.
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
