/** Keeps all temporary files of a test run in one folder, which is deleted when the run ends. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @returns what vitest calls at the end */
export default function useTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-suite-'));
  // PostgreSQL runs as its own user and passes through.
  chmodSync(folder, 0o711);
  // Read by `tmpdir()` in this process's children: every test file, every server that one starts.
  process.env.TMPDIR = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
