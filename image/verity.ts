/**
 * Builds a dm-verity hash tree in the format of `veritysetup format --no-superblock`: version 1, SHA-256, blocks of 4,096
 * bytes, the top level first. Pure: the caller writes the blocks.
 * @see Linux Documentation/admin-guide/device-mapper/verity.rst
 */
import { createHash } from 'node:crypto';

export const verityBlockBytes = 4096;
const digestBytes = 32;
const digestsPerBlock = verityBlockBytes / digestBytes;

export interface VerityTreeOptions {
  /** Number of data blocks, at least 2; the tree follows them. */
  readonly dataBlocks: number;
  /** 32 bytes. */
  readonly salt: Uint8Array;
  /** Writes one block of the tree. @param index block index on the disk */
  readonly write: (index: number, block: Uint8Array) => void;
}

interface Level {
  /** Index of its first block. */
  readonly start: number;
  readonly blocks: number;
  written: number;
  digests: number;
  readonly pending: Buffer;
}

/** Call `add` with every data block in order, then `finish` for the root hash. */
export class VerityTree {
  readonly #options: VerityTreeOptions;
  /** Levels from the bottom up. */
  readonly #levels: readonly Level[];
  #added = 0;

  constructor(options: VerityTreeOptions) {
    if (!Number.isSafeInteger(options.dataBlocks) || options.dataBlocks < 2) {
      throw new RangeError(`dataBlocks must be 2 or more, got ${options.dataBlocks}`);
    }
    this.#options = options;
    this.#levels = levelsOf(options.dataBlocks);
  }

  /** Number of the tree's blocks. */
  get blocks(): number {
    return this.#levels.reduce((sum, { blocks }) => sum + blocks, 0);
  }

  /** @param data whole blocks */
  add(data: Uint8Array): void {
    if (data.length % verityBlockBytes !== 0)
      throw new RangeError(`data must be whole blocks, got ${data.length} bytes`);
    for (let at = 0; at < data.length; at += verityBlockBytes) {
      this.#added += 1;
      this.#put(0, this.#digest(data.subarray(at, at + verityBlockBytes)));
    }
  }

  /** Writes the remaining blocks of the tree. @returns the root hash, 64 lowercase hexadecimal digits */
  finish(): string {
    if (this.#added !== this.#options.dataBlocks) {
      throw new RangeError(`the tree is for ${this.#options.dataBlocks} blocks, got ${this.#added}`);
    }
    let root = Buffer.alloc(digestBytes);
    for (const [index, level] of this.#levels.entries()) {
      if (level.digests === 0) continue;
      root = this.#flush(index);
    }
    return root.toString('hex');
  }

  #put(index: number, digest: Buffer): void {
    const level = this.#levels[index]!;
    digest.copy(level.pending, level.digests * digestBytes);
    level.digests += 1;
    // `finish` flushes the last block of the top level, whose digest is the root.
    if (level.digests === digestsPerBlock && index < this.#levels.length - 1) this.#flush(index);
  }

  /** Writes the level's pending block and adds its digest to the level above. */
  #flush(index: number): Buffer<ArrayBuffer> {
    const level = this.#levels[index]!;
    level.pending.fill(0, level.digests * digestBytes);
    this.#options.write(level.start + level.written, level.pending);
    level.written += 1;
    level.digests = 0;
    const digest = this.#digest(level.pending);
    if (index < this.#levels.length - 1) this.#put(index + 1, digest);
    return digest;
  }

  #digest(block: Uint8Array): Buffer<ArrayBuffer> {
    return Buffer.from(createHash('sha256').update(this.#options.salt).update(block).digest());
  }
}

function levelsOf(dataBlocks: number): Level[] {
  const counts: number[] = [];
  for (let below = dataBlocks; below > 1; ) {
    below = Math.ceil(below / digestsPerBlock);
    counts.push(below);
  }
  let start = dataBlocks;
  const starts = counts.toReversed().map((blocks) => {
    start += blocks;
    return start - blocks;
  });
  return counts.map((blocks, index) => ({
    start: starts[counts.length - 1 - index]!,
    blocks,
    written: 0,
    digests: 0,
    pending: Buffer.alloc(verityBlockBytes),
  }));
}
