/**
 * Files for virsh, which reads nothing else: a seed holds public keys and a password's hash. They lie where no one else can
 * read them, only as long as they are read; what a killed process left behind is removed by whoever comes next.
 */
import { lstat, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const prefix = 'cloister-seed-';
const ours = /^cloister-seed-[A-Za-z0-9]{6}$/;

/** Folders of this process: a clock that is set forward makes none of them look abandoned. */
const inUse = new Set<string>();

/** @param parent of the folder that they lie in */
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
 * Removes folders of this user that nobody can be using any more. It goes by name, owner and age, and follows no link: the
 * place is one that others write to as well.
 * @param usedMs the longest that anybody uses one, milliseconds · @param now milliseconds since 1970
 * @returns how many were removed
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
    // One that its user removes meanwhile, or that cannot be removed, is left to the next pass.
    const found = await lstat(folder).catch(() => undefined);
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.() || now - found.mtimeMs <= usedMs) continue;
    removed += await rm(folder, { recursive: true, force: true }).then(
      () => 1,
      () => 0,
    );
  }
  return removed;
}
