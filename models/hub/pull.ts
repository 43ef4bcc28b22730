/** Downloads and verifies a model's files, or leaves parts that the next run resumes. */
import { mkdir, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type CatalogueEntry, locateFile, type ModelFile, type ModelFolders } from '../catalogue/catalogue.ts';
import { showUrl } from '../files/safe-url.ts';
import { ModelError } from '../interface/errors.ts';
import { hashFile, type Progress, verifyFile } from './digest.ts';
import type { DigestCache } from './digest-cache.ts';
import { hubFileUrl } from './hub.ts';
import { PartFile } from './part-file.ts';
import { type PinnedDownload, type PullOptions, Transfer } from './transfer.ts';

export type { PinnedDownload, PullOptions, PullProgress } from './transfer.ts';

export interface PulledFile {
  readonly path: string;
  readonly bytes: number;
  readonly outcome: 'present' | 'pulled';
}

const segmentBytesDefault = 16 * 1024 * 1024;
/** Bytes left free on the disk for other uses. */
const spareBytes = 64 * 1024 * 1024;

/**
 * Downloads the files of a model that are missing or do not match their digest.
 * @param hub base URL for `hub` sources
 * @throws {ModelError} ERR_FILE_MISSING for source `path`, which cannot be downloaded; else see {@link pullFile}
 */
export async function pullModel(
  entry: CatalogueEntry,
  {
    folders,
    hub,
    token,
    digestCache,
    ...options
  }: PullOptions & {
    readonly folders: ModelFolders;
    readonly hub: string;
    readonly token?: string | undefined;
    readonly digestCache?: DigestCache;
  },
): Promise<PulledFile[]> {
  const pulled: PulledFile[] = [];
  const { signal, onProgress } = options;
  const report = (progress: Progress): void => onProgress?.({ phase: 'verify', ...progress });
  const verify = { folders, signal, onProgress: report, ...(digestCache === undefined ? {} : { digestCache }) };
  for (const [index, file] of entry.files.entries()) {
    const path = locateFile(entry, file, folders);
    const present = await isPinnedFile(() => verifyFile(entry, file, verify), entry);
    if (!present) {
      const download = { ...addressOf(entry, index, { hub, token }), file: file.path, target: path };
      await pullFile({ ...download, bytes: file.bytes, sha256: file.sha256 }, options);
    }
    pulled.push({ path, bytes: file.bytes, outcome: present ? 'present' : 'pulled' });
  }
  await digestCache?.save();
  return pulled;
}

/**
 * Downloads one file in parallel ranges to `<target>.part`, hashes it, and renames it to `target`.
 * @throws {ModelError} ERR_DISK_FULL, ERR_PULL_RUNNING; ERR_DOWNLOAD_FAILED and ERR_ABORTED, which leave a resumable part;
 *   ERR_DIGEST_MISMATCH, which deletes it; ERR_REMOTE_REFUSED, ERR_REMOTE_CHANGED, ERR_URL_REFUSED
 */
export async function pullFile(download: PinnedDownload, options: PullOptions): Promise<void> {
  const { segmentBytes = segmentBytesDefault, signal, onProgress } = options;
  const { file, target, bytes, sha256 } = download;
  await requireSpace(dirname(target), bytes - (await bytesOnDisk(`${target}.part`)));
  const part = await PartFile.open({ target, bytes, sha256, segmentBytes });
  let found: string;
  try {
    await new Transfer(part, download, options).run();
    const report = (bytesDone: number): void => onProgress?.({ phase: 'verify', file, bytesDone, bytesTotal: bytes });
    ({ sha256: found } = await hashFile(part.path, { signal, onBytes: report }));
    if (found === sha256) return await part.commit();
  } catch (error) {
    // The original error matters more than a failure to save the state.
    await part.suspend().catch(() => {});
    throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskFull(dirname(target), error as Error) : error;
  }
  await part.discard();
  const what = `${showUrl(download.url)} does not match the pinned digest: expected SHA-256 ${sha256}, found ${found}`;
  throw new ModelError('ERR_DIGEST_MISMATCH', `${what}; the download was deleted and no other file was changed`);
}

async function isPinnedFile(verify: () => Promise<unknown>, entry: CatalogueEntry): Promise<boolean> {
  try {
    await verify();
    return true;
  } catch (error) {
    const pullable = error instanceof ModelError && ['ERR_FILE_MISSING', 'ERR_DIGEST_MISMATCH'].includes(error.code);
    if (pullable && entry.source.kind !== 'path') return false;
    throw error;
  }
}

function addressOf(
  { source, id }: CatalogueEntry,
  index: number,
  { hub, token }: { hub: string; token: string | undefined },
): { url: string; token: string | undefined } {
  switch (source.kind) {
    case 'hub': {
      const { repository, revision, files } = source;
      return { url: hubFileUrl(hub, { repository, revision, file: files[index]! }), token };
    }
    case 'url':
      return { url: source.urls[index]!, token: undefined };
    case 'path':
      throw new ModelError('ERR_FILE_MISSING', `model ${id} was added by path and cannot be pulled`);
  }
}

async function requireSpace(folder: string, bytesNeeded: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const { bavail, bsize } = await statfs(folder);
  const bytesFree = bavail * bsize;
  if (bytesNeeded + spareBytes <= bytesFree) return;
  const short = bytesNeeded + spareBytes - bytesFree;
  throw new ModelError(
    'ERR_DISK_FULL',
    `${folder} has ${bytesFree} bytes free; the download needs ${bytesNeeded} more, and ${spareBytes} must stay free: free ${short} bytes`,
    { details: { bytesFree, bytesNeeded } },
  );
}

/** A part has the length of the complete file from the start, but only the written blocks take space. */
async function bytesOnDisk(path: string): Promise<number> {
  const facts = await stat(path).catch(() => undefined);
  return facts === undefined ? 0 : facts.blocks * 512;
}

function diskFull(folder: string, cause: Error): ModelError {
  return new ModelError(
    'ERR_DISK_FULL',
    `${folder}: the disk is full; free some space and try again, the download resumes`,
    {
      cause,
    },
  );
}

/** @returns total bytes of all files */
export function sumBytes(files: readonly Pick<ModelFile, 'bytes'>[]): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
