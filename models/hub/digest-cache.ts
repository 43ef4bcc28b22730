/**
 * Caches SHA-256 digests of hashed files, so that a start does not read 40 GB again.
 *
 * The cache assumes a trusted disk. Anyone who can write the state folder can write this file, and a malicious disk can
 * change bytes without changing times. If the disk is not trusted, verify without a cache.
 */
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../files/atomic-file.ts';

/** Identifies one state of a file, as decimal text, because inodes and nanoseconds exceed 2^53. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
  readonly bytes: number;
  readonly mtimeNs: string;
}

/** Maximum number of entries; the least recently used is evicted first. */
const rememberedFilesMax = 4096;

/**
 * A file modified less than this ago is not cached: it could be written again within the same tick of the file system's
 * clock. Two seconds is the coarsest clock in use (FAT).
 */
const settledMs = 2000;

export class DigestCache {
  readonly #path: string;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #digests: Map<string, string>;
  #changed = false;

  private constructor(path: string, now: () => number, digests: Map<string, string>) {
    this.#path = path;
    this.#now = now;
    this.#digests = digests;
  }

  /** Reads the cache; a missing or damaged cache is treated as empty. */
  static async open(path: string, { now = Date.now }: { now?: () => number } = {}): Promise<DigestCache> {
    const text = await readFile(path, 'utf8').catch(() => '');
    return new DigestCache(path, now, parseDigests(text));
  }

  find(identity: FileIdentity): string | undefined {
    const key = keyOf(identity);
    const sha256 = this.#digests.get(key);
    if (sha256 === undefined) return undefined;
    this.#digests.delete(key);
    this.#digests.set(key, sha256);
    return sha256;
  }

  /** Adds a digest. Call after the file was hashed and its identity was the same before and after. */
  remember(identity: FileIdentity, sha256: string): void {
    if (this.#now() - Number(BigInt(identity.mtimeNs) / 1_000_000n) < settledMs) return;
    this.#digests.delete(keyOf(identity));
    this.#digests.set(keyOf(identity), sha256);
    for (const oldest of this.#digests.keys()) {
      if (this.#digests.size <= rememberedFilesMax) break;
      this.#digests.delete(oldest);
    }
    this.#changed = true;
  }

  /** Writes the cache if it changed since `open`. If two processes write, the last one wins. */
  async save(): Promise<void> {
    if (!this.#changed) return;
    this.#changed = false;
    await writeFileAtomically(this.#path, formatDigests(this.#digests));
  }
}

function keyOf({ device, inode, bytes, mtimeNs }: FileIdentity): string {
  return `${device} ${inode} ${bytes} ${mtimeNs}`;
}

/** One line per file: `"device inode bytes mtimeNs": "sha256"`. */
function formatDigests(digests: ReadonlyMap<string, string>): string {
  return `${JSON.stringify({ version: 1, digests: Object.fromEntries(digests) }, null, 2)}\n`;
}

function parseDigests(text: string): Map<string, string> {
  try {
    const { version, digests } = JSON.parse(text) as { version?: unknown; digests?: unknown };
    if (version !== 1 || typeof digests !== 'object' || digests === null) return new Map();
    const entries = Object.entries(digests).filter(
      ([key, sha256]) => /^\d+ \d+ \d+ \d+$/.test(key) && typeof sha256 === 'string' && /^[0-9a-f]{64}$/.test(sha256),
    );
    return new Map(entries.slice(-rememberedFilesMax) as [string, string][]);
  } catch {
    return new Map();
  }
}
