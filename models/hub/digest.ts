/** Verifies that the files on disk match their pinned digests, before they are loaded. */
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { type CatalogueEntry, locateFile, type ModelFile, type ModelFolders } from '../catalogue/catalogue.ts';
import { ModelError } from '../interface/errors.ts';
import type { DigestCache, FileIdentity } from './digest-cache.ts';
import { requireRunning } from './retry.ts';

/** Bytes of one read: large enough for full speed, small enough (about 1 ms of hashing) not to block the event loop. */
const chunkBytes = 1024 * 1024;

export interface Progress {
  /** Path of the file in the catalogue. */
  readonly file: string;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface VerifyOptions {
  readonly folders: ModelFolders;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** If undefined, every byte is read, which is required if the disk is not trusted. */
  readonly digestCache?: DigestCache;
}

export interface VerifiedFile {
  /** Absolute path. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly identity: FileIdentity;
  /** Whether the digest came from the cache. */
  readonly cached: boolean;
}

export interface FileDigest {
  readonly sha256: string;
  readonly identity: FileIdentity;
}

/**
 * Hashes every file of a model and compares it with its pinned digest.
 *
 * A file can still change before it is loaded. Call {@link requireUnchanged} after the model is loaded: it detects every change
 * of inode, size or mtime. It cannot detect writes through a mapping that does not update mtime, or a malicious disk. Make the
 * models folder writable for Cloister only, and load without mmap if later writes matter.
 *
 * @returns in the order of the entry's files
 * @throws {ModelError} ERR_FILE_MISSING, ERR_DIGEST_MISMATCH, ERR_FILE_CHANGED, ERR_ABORTED
 */
export async function verifyFiles(entry: CatalogueEntry, options: VerifyOptions): Promise<VerifiedFile[]> {
  const verified: VerifiedFile[] = [];
  for (const file of entry.files) verified.push(await verifyFile(entry, file, options));
  await options.digestCache?.save();
  return verified;
}

/** Verifies one of the entry's files, like {@link verifyFiles}. Does not save the cache. */
export async function verifyFile(
  entry: CatalogueEntry,
  file: ModelFile,
  options: VerifyOptions,
): Promise<VerifiedFile> {
  const { folders, signal, onProgress, digestCache } = options;
  const path = locateFile(entry, file, folders);
  requireRunning(signal);
  const identity = await readIdentity(path).catch((error) => {
    throw missingFile(entry, path, error);
  });
  if (identity.bytes !== file.bytes) {
    throw mismatch(entry, path, `${file.bytes} bytes with SHA-256 ${file.sha256}`, `${identity.bytes} bytes`);
  }
  const known = digestCache?.find(identity);
  const report = (bytesDone: number): void => onProgress?.({ file: file.path, bytesDone, bytesTotal: file.bytes });
  const found = known === undefined ? await hashFile(path, { signal, onBytes: report }) : { sha256: known, identity };
  if (known === undefined) digestCache?.remember(found.identity, found.sha256);
  else report(file.bytes);
  if (found.sha256 !== file.sha256) {
    throw mismatch(entry, path, `SHA-256 ${file.sha256}`, found.sha256);
  }
  return { path, bytes: file.bytes, cached: known !== undefined, ...found };
}

/** @throws {ModelError} ERR_FILE_CHANGED if a file has changed since it was verified */
export async function requireUnchanged(files: readonly VerifiedFile[]): Promise<void> {
  for (const { path, identity } of files) {
    const now = await readIdentity(path).catch(() => undefined);
    if (now === undefined || !sameIdentity(now, identity)) throw changedFile(path);
  }
}

/**
 * Hashes a file in one pass through one open descriptor.
 * @throws {ModelError} ERR_FILE_CHANGED if it changed meanwhile; ERR_ABORTED; or the system's error if it cannot be read
 */
export async function hashFile(
  path: string,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: (bytesDone: number) => void },
): Promise<FileDigest> {
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const identity = await identityOf(file);
    const sha256 = await hashHandle(file, { signal, onBytes });
    const after = await identityOf(file);
    const atPath = await readIdentity(path).catch(() => undefined);
    if (!sameIdentity(identity, after) || atPath === undefined || !sameIdentity(identity, atPath)) {
      throw changedFile(path);
    }
    return { sha256, identity };
  } finally {
    await file.close();
  }
}

/** Uses two buffers: while this thread hashes one, another thread reads the next. */
async function hashHandle(
  file: FileHandle,
  { signal, onBytes }: { signal: AbortSignal; onBytes?: ((bytesDone: number) => void) | undefined },
): Promise<string> {
  const hash = createHash('sha256');
  let [current, next] = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)];
  let bytesDone = 0;
  let { bytesRead } = await file.read(current, 0, chunkBytes, 0);
  while (bytesRead > 0) {
    requireRunning(signal);
    bytesDone += bytesRead;
    const reading = file.read(next, 0, chunkBytes, bytesDone);
    hash.update(current.subarray(0, bytesRead));
    onBytes?.(bytesDone);
    ({ bytesRead } = await reading);
    [current, next] = [next, current];
  }
  return hash.digest('hex');
}

async function identityOf(file: FileHandle): Promise<FileIdentity> {
  return toIdentity(await file.stat({ bigint: true }));
}

async function readIdentity(path: string): Promise<FileIdentity> {
  return toIdentity(await stat(path, { bigint: true }));
}

function toIdentity(facts: BigIntStats): FileIdentity {
  if (!facts.isFile()) throw Object.assign(new Error('not a regular file'), { code: 'ENOTFILE' });
  const { dev, ino, size, mtimeNs } = facts;
  return { device: String(dev), inode: String(ino), bytes: Number(size), mtimeNs: String(mtimeNs) };
}

function sameIdentity(a: FileIdentity, b: FileIdentity): boolean {
  return a.device === b.device && a.inode === b.inode && a.bytes === b.bytes && a.mtimeNs === b.mtimeNs;
}

function missingFile(entry: CatalogueEntry, path: string, error: NodeJS.ErrnoException): ModelError {
  const reason = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.message})`;
  const remedy =
    entry.source.kind === 'path' ? 'restore the file, or add the model again' : `run: cloister models pull ${entry.id}`;
  return new ModelError('ERR_FILE_MISSING', `model ${entry.id}: ${path} ${reason}; ${remedy}`, { cause: error });
}

function mismatch(entry: CatalogueEntry, path: string, expected: string, found: string): ModelError {
  const remedy =
    entry.source.kind === 'path'
      ? `if the new file is intended, pin it: cloister models add ${path} --id ${entry.id}`
      : `download the pinned file: cloister models pull ${entry.id}`;
  const what = `model ${entry.id}: ${path} is not the pinned file: expected ${expected}, found ${found}`;
  return new ModelError('ERR_DIGEST_MISMATCH', `${what}; ${remedy}`);
}

function changedFile(path: string): ModelError {
  return new ModelError(
    'ERR_FILE_CHANGED',
    `${path} changed while it was read; stop the process that writes it, then try again`,
  );
}
