/** Hash trees compared with those of veritysetup 2.7.5 for the same data. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { VerityTree, verityBlockBytes } from '../../image/verity.ts';

const salt = Buffer.from('43ccc3bdb088546f403aa5017eb22bf1057eac6a03b5318b071b1519aa1ee25d', 'hex');

/** Builds blocks with their little-endian index and zeros. */
function numbered(count: number): Buffer {
  const data = Buffer.alloc(count * verityBlockBytes);
  for (let index = 0; index < count; index++) data.writeUInt32LE(index, index * verityBlockBytes);
  return data;
}

function treeOf(data: Buffer) {
  const written = new Map<number, Buffer>();
  const tree = new VerityTree({
    dataBlocks: data.length / verityBlockBytes,
    salt,
    write: (index, block) => void written.set(index, Buffer.from(block)),
  });
  tree.add(data);
  return { root: tree.finish(), blocks: tree.blocks, written };
}

describe('VerityTree', () => {
  it.each([
    [2, 1, '056fe2c5f7c5d24816863ede52ffdbb3af233ad1aebd6351be743e8ae52a6ab7'],
    [128, 1, 'afc45fbccc2962b434da74b5524a7a59c70c8e42933af389d69162997f859faf'],
    [129, 3, '79cbba170fc48c704f8bb03f059a963bca6d8e5500bd56e34db3a597d918cc42'],
    [16385, 132, 'd5543be2561bcd38d373b53a8fae5decf4071cf9a0eb0ad0b519869d6b14a6c9'],
  ])('of %i data blocks has %i blocks and the root of veritysetup', (count, blocks, root) => {
    const tree = treeOf(numbered(count));
    expect([tree.root, tree.blocks, tree.written.size]).toEqual([root, blocks, blocks]);
  });

  it('follows the data with the top level first, and the root is the digest of its first block', () => {
    const { root, written } = treeOf(numbered(129));
    expect([...written.keys()].sort((a, b) => a - b)).toEqual([129, 130, 131]);
    expect(createHash('sha256').update(salt).update(written.get(129)!).digest('hex')).toBe(root);
  });

  it('changes its root with any bit of the data', () => {
    const data = numbered(129);
    data[129 * verityBlockBytes - 1]! ^= 1;
    expect(treeOf(data).root).not.toBe(treeOf(numbered(129)).root);
  });

  it('rejects partial blocks, a single block, and a wrong number of blocks', () => {
    const options = { dataBlocks: 2, salt, write: () => undefined };
    expect(() => new VerityTree(options).add(Buffer.alloc(100))).toThrow(/whole blocks/);
    expect(() => new VerityTree({ ...options, dataBlocks: 1 })).toThrow(/2 or more/);
    expect(() => new VerityTree(options).finish()).toThrow(/for 2 blocks, got 0/);
  });
});
