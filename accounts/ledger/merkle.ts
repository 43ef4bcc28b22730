/** The Merkle tree of RFC 6962 §2.1 over SHA-256: roots and inclusion proofs. Pure. */
import { hash } from 'node:crypto';

const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);

/** @returns 32 bytes; for no entries, the hash of the empty string */
export function merkleRoot(entries: readonly Uint8Array[]): Buffer {
  return rootOf(entries.map(leafHash));
}

/** @returns the siblings from entry `index` up to the root, nearest first (§2.1.1) · @throws {RangeError} */
export function merkleProof(entries: readonly Uint8Array[], index: number): Buffer[] {
  if (!(Number.isInteger(index) && index >= 0 && index < entries.length)) {
    throw new RangeError(`index must be 0…${entries.length - 1}, got ${index}`);
  }
  return pathTo(entries.map(leafHash), index);
}

/** Computes the root from an entry and its proof, to compare with the signed root. @throws {RangeError} for a proof of the wrong length */
export function rootFromProof(
  entry: Uint8Array,
  { index, size, proof }: { index: number; size: number; proof: readonly Uint8Array[] },
): Buffer {
  const siblings = [...proof];
  const climb = (position: number, width: number): Buffer => {
    if (width <= 1) return leafHash(entry);
    const split = splitOf(width);
    const isLeft = position < split;
    const below = isLeft ? climb(position, split) : climb(position - split, width - split);
    const sibling = siblings.shift();
    if (sibling === undefined) throw new RangeError('the proof is too short');
    return isLeft ? nodeHash(below, sibling) : nodeHash(sibling, below);
  };
  if (!(index >= 0 && index < size)) throw new RangeError(`index must be 0…${size - 1}, got ${index}`);
  const root = climb(index, size);
  if (siblings.length > 0) throw new RangeError('the proof is too long');
  return root;
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 0) return hash('sha256', '', 'buffer');
  let level = leaves;
  // Pair nodes from the left and move an unpaired last one up: the same tree as RFC 6962's splits at powers of two.
  while (level.length > 1) {
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
      const [left, right] = [level[2 * index]!, level[2 * index + 1]];
      return right === undefined ? left : nodeHash(left, right);
    });
  }
  return level[0]!;
}

function pathTo(leaves: readonly Buffer[], index: number): Buffer[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split ? [...pathTo(left, index), rootOf(right)] : [...pathTo(right, index - split), rootOf(left)];
}

/** The largest power of two below `size`. */
function splitOf(size: number): number {
  return 2 ** (Math.ceil(Math.log2(size)) - 1);
}

function leafHash(entry: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([leafPrefix, entry]), 'buffer');
}

function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([nodePrefix, left, right]), 'buffer');
}
