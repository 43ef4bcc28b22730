/**
 * Temporary files for virsh, which cannot read standard input; a seed contains public keys and a password's hash. Only this user
 * can read them, and they exist only while virsh runs. A later pass removes the files of a killed process.
 */
import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'cloister-seed-';
const ours = /^cloister-seed-[A-Za-z0-9]{6}$/;

/** Folders in use by this process, which are never removed as abandoned, even if the clock is set forward. */
const inUse = new Set<string>();

/** Writes the files, calls `use`, and removes them. @param parent folder in which the temporary folder is created */
export async function withFiles<Result>(
  files: Readonly<Record<string, string | Buffer>>,
  use: (path: (name: string) => string) => Promise<Result>,
  { parent = tmpdir() }: { parent?: string | undefined } = {},
): Promise<Result> {
  const folder = await mkdtemp(join(parent, prefix));
  inUse.add(folder);
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content, { mode: 0o600 });
    return await use((name) => join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
    inUse.delete(folder);
  }
}

/**
 * Removes abandoned folders of this user. Checks name, owner and age, and follows no links, since other users can write to the
 * parent folder.
 * @param usedMs longest use of a folder, milliseconds · @param now milliseconds since 1970
 * @returns the number of removed folders
 */
export async function removeAbandonedFiles({
  usedMs,
  now,
  parent = tmpdir(),
}: {
  usedMs: number;
  now: number;
  parent?: string | undefined;
}): Promise<number> {
  let removed = 0;
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    if (!ours.test(name) || inUse.has(folder)) continue;
    // A folder that disappears meanwhile, or cannot be removed, is left to the next pass.
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.() || now - found.mtimeMs <= usedMs) continue;
    removed += await rm(folder, { recursive: true, force: true }).then(
      () => 1,
      () => 0,
    );
  }
  return removed;
}
