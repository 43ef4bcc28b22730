/**
 * SHA-256 digests of files already hashed, so that a start does not read 40 GB again.
 *
 * It saves time against an honest disk. It is no defence: who can write the state folder can write this file, and a disk below the
 * file system can change bytes and leave the times alone. Where the disk is not trusted, verify without a cache.
 */
import { readFile } from 'node:fs/promises';
import { writeFileAtomically } from '../files/atomic-file.ts';

/** What tells one state of a file from another, as decimal text: inodes and nanoseconds exceed 2^53. */
export interface FileIdentity {
  readonly device: string;
  readonly inode: string;
  readonly bytes: number;
  readonly mtimeNs: string;
}

/** Most files remembered; the one unused for longest goes first. */
const rememberedFilesMax = 4096;

/**
 * A file written less than this ago could be written again within the same tick of the file system's clock, unseen:
 * it is not remembered. Two seconds is the coarsest clock in use (FAT).
 */
const settledMs = 2000;

export class DigestCache {
  readonly #path: string;
  readonly #now: () => number;
  /** In order of use, oldest first. */
  readonly #digests: Map<string, string>;
  #changed = false;

  private constructor(path: string, now: () => number, digests: Map<string, string>) {
    this.#path = path;
    this.#now = now;
    this.#digests = digests;
  }

  /** Reads the cache; one that is missing or damaged starts empty. */
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

  /** Call after the file was hashed and seen unchanged. */
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

  /** Writes what was remembered since `open`; two processes at once: the last one's list stays. */
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
