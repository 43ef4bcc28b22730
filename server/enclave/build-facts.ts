/** Identifies the program by digests: its source files, and every file with code that the process has mapped. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { version } from '../program/version.ts';

export interface SourceFacts {
  readonly repositoryUrl?: string | undefined;
  readonly commit?: string | undefined;
  readonly imageDigest?: string | undefined;
}

export interface BuildFacts {
  readonly version: string;
  /** `v24.…` */
  readonly node: string;
  readonly lockFileSha256: string;
  /** SHA-256 of lines `<sha256>  <path>\n`, as `sha256sum` writes them, over the program's files by path. */
  readonly programSha256: string;
  readonly programFiles: number;
  /** Facts of the measured image; unknown members are null. */
  readonly source: Readonly<Record<keyof SourceFacts, string | null>>;
}

export interface MappedLibrary {
  /** Relative to the program's folder if it is below it, otherwise absolute. */
  readonly path: string;
  /** `changed` if the file is no longer the mapped one. */
  readonly sha256: string;
}

/** The repository's root. */
export const programFolder = join(import.meta.dirname, '../..');

const folders = ['accounts', 'agents', 'attestation', 'cli', 'image', 'models', 'native', 'runtime', 'server', 'web'];
/** The installed package has the lock file under another name, because npm never packs `package-lock.json`. */
const lockFiles = ['package-lock.json', 'lock.json'];
/** Every file type that Node or a page may load. Weights are measured with their models. */
const loadable = /\.(ts|mts|js|mjs|cjs|json|node|so|html|css|svg)$/;
/** Only the addon and the preloaded heap library are outputs; the other files are intermediate. */
const built = /^(native\/build\/(?!(cloister\.node|zeroing-heap\.so)$)|models\/demo\/[^/]+\/build\/)/;

const readBytes = 1024 * 1024;

/** @param source from the builder of the image */
export async function readBuildFacts(source: SourceFacts = {}, root: string = programFolder): Promise<BuildFacts> {
  const lockFile = lockFiles.find((name) => existsSync(join(root, name))) ?? lockFiles[0]!;
  const paths = await programPaths(root, ['package.json', lockFile]);
  const buffer = Buffer.allocUnsafe(readBytes);
  const lines: string[] = [];
  for (const path of paths) lines.push(`${await sha256OfFile(join(root, path), buffer)}  ${path}\n`);
  return {
    version,
    node: process.version,
    lockFileSha256: await sha256OfFile(join(root, lockFile), buffer),
    programSha256: createHash('sha256').update(lines.join('')).digest('hex'),
    programFiles: paths.length,
    source: {
      repositoryUrl: source.repositoryUrl ?? null,
      commit: source.commit ?? null,
      imageDigest: source.imageDigest ?? null,
    },
  };
}

/** Files with executable pages in this process now: Node itself, the addons, and the system's libraries. */
export async function readMappedLibraries(
  root: string = programFolder,
  maps: string = '/proc/self/maps',
): Promise<readonly MappedLibrary[]> {
  const inodes = new Map<string, string>();
  for (const line of (await readFile(maps, 'utf8')).split('\n')) {
    // address permissions offset device inode path
    const match = /^\S+ (..x.) \S+ \S+ (\d+)\s+(\/.*)$/.exec(line);
    if (match !== null) inodes.set(match[3]!, match[2]!);
  }
  const buffer = Buffer.allocUnsafe(readBytes);
  const libraries: MappedLibrary[] = [];
  for (const [path, inode] of inodes) {
    const fromRoot = relative(root, path);
    const isInside = !fromRoot.startsWith('..');
    libraries.push({ path: isInside ? fromRoot : path, sha256: await sha256OfMapped(path, inode, buffer) });
  }
  return libraries.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function sha256OfMapped(path: string, inode: string, buffer: Buffer): Promise<string> {
  const facts = await stat(path, { bigint: true }).catch(() => undefined);
  return facts === undefined || String(facts.ino) !== inode ? 'changed' : sha256OfFile(path, buffer);
}

async function programPaths(root: string, files: readonly string[]): Promise<string[]> {
  const found = [...files];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
      if (entry.isDirectory() || !loadable.test(path) || built.test(path) || path.includes('node_modules/')) continue;
      found.push(path);
    }
  }
  // Sorted by UTF-16 code units. Paths are ASCII, so the order equals that of `LC_ALL=C sort`.
  return found.sort();
}

/** @param buffer for the contents: a stream would allocate and zero its own for each of a thousand files */
async function sha256OfFile(path: string, buffer: Buffer): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(path);
  try {
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return hash.digest('hex');
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
