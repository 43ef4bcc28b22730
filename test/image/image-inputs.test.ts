/** The bench's report of the files in the image's root. */
import { describe, expect, it } from 'vitest';
import { sharesOfInputs } from '../../bench/image-inputs.ts';
import { layOutErofs } from '../../image/erofs.ts';

const block = 4096;
const files = [
  { path: 'usr/bin/node', bytes: 10 * block },
  { path: 'usr/lib/x86_64-linux-gnu/libc.so.6', bytes: 5000 },
  { path: 'app/node_modules/sharp/index.js', bytes: 100 },
  { path: 'app/node_modules/@huggingface/tokenizers/index.js', bytes: 200 },
  { path: 'app/models/demo/chat/demo.gguf', bytes: 3 * block },
  { path: 'app/models/catalogue.ts', bytes: 300 },
  { path: 'etc/passwd', bytes: 40 },
];

describe('the inputs of a root', () => {
  it('are listed by path, with their bytes and blocks', () => {
    const { head } = layOutErofs(files);
    expect(sharesOfInputs(head)).toEqual([
      { input: 'Node', bytes: 10 * block, storedBytes: 10 * block },
      { input: 'npm packages', bytes: 300, storedBytes: 2 * block },
      { input: 'demo models', bytes: 3 * block, storedBytes: 3 * block },
      { input: 'C and C++ libraries', bytes: 5000, storedBytes: 2 * block },
      { input: 'Cloister', bytes: 300, storedBytes: block },
      { input: 'the rest', bytes: 40, storedBytes: block },
    ]);
  });

  it('count the blocks of a compressed file by its inode', () => {
    const { head } = layOutErofs([{ path: 'usr/bin/node', bytes: 10 * block }]);
    const node = inodeOf(head, 10 * block);
    head.writeUInt16LE((head.readUInt16LE(node) & 1) | (1 << 1), node);
    head.writeUInt32LE(4, node + 16);
    expect(sharesOfInputs(head)).toEqual([{ input: 'Node', bytes: 10 * block, storedBytes: 4 * block }]);
  });

  it('are rejected for another file system', () => {
    expect(() => sharesOfInputs(Buffer.alloc(8192))).toThrow('the image is not EROFS');
  });
});

/** Finds the offset of the extended inode of the file of this size. */
function inodeOf(head: Buffer, bytes: number): number {
  for (let at = 1024 + 128; ; at += 64) if (Number(head.readBigUInt64LE(at + 8)) === bytes) return at;
}
