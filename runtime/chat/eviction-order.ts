/**
 * The order in which saved blocks are dropped. Blocks that were never used again go first, then the least recently used ones,
 * so a burst of prompts that are not continued does not displace prefixes that many prompts share (segmented LRU). Pure.
 */
import type { Block } from './block-tree.ts';

/** Share of the budget for blocks that were used again; beyond it, the least recently used of them count as new. */
const provenShareMax = 0.9;

/** Callers use a block before its parent, so a block always comes before its parent in the order. */
export class EvictionOrder {
  readonly #fresh = new Set<Block>();
  readonly #proven = new Set<Block>();
  #bytes = 0;
  #provenBytes = 0;

  /** Size of all blocks in the order. */
  get bytes(): number {
    return this.#bytes;
  }

  has(block: Block): boolean {
    return this.#fresh.has(block) || this.#proven.has(block);
  }

  add(block: Block): void {
    this.#fresh.add(block);
    this.#bytes += block.bytes;
  }

  /** Records that a block is used again. Blocks that are not in the order are ignored. */
  use(block: Block): void {
    if (this.#fresh.delete(block)) this.#provenBytes += block.bytes;
    else if (!this.#proven.delete(block)) return;
    this.#proven.add(block);
  }

  /** @param bytesMax budget for all blocks */
  limitProven(bytesMax: number): void {
    for (const block of this.#proven) {
      if (this.#provenBytes <= bytesMax * provenShareMax) return;
      this.#proven.delete(block);
      this.#provenBytes -= block.bytes;
      this.#fresh.add(block);
    }
  }

  /** @returns whether the block was in the order */
  delete(block: Block): boolean {
    const wasProven = this.#proven.delete(block);
    if (!wasProven && !this.#fresh.delete(block)) return false;
    if (wasProven) this.#provenBytes -= block.bytes;
    this.#bytes -= block.bytes;
    return true;
  }

  /** Blocks may be deleted during the iteration. */
  *[Symbol.iterator](): Generator<Block, void, undefined> {
    yield* this.#fresh;
    yield* this.#proven;
  }
}
