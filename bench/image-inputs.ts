/**
 * Reports the files in the root of the confidential VM's image from its EROFS metadata: folders and inodes are not compressed,
 * and an inode has the number of blocks of its file. @see Linux fs/erofs/erofs_fs.h
 */

export interface InputShare {
  readonly input: string;
  /** Sizes in bytes of the files, and in blocks of the file system. */
  readonly bytes: number;
  readonly storedBytes: number;
}

const superblockAt = 1024;
const magic = 0xe0f5e1e2;
const blockBytes = 4096;
const nidBytes = 32;
const direntBytes = 12;
const layout = { plain: 0, compressed: 1, inline: 2, compressedCompact: 3 } as const;
const typeMask = 0o170000;
const folderType = 0o040000;

/** Groups files by the first matching path. */
const inputs = [
  ['Node', /^usr\/bin\//],
  ['npm packages', /^app\/node_modules\//],
  ['demo models', /^app\/models\/demo\//],
  ['C and C++ libraries', /^usr\/lib(64)?\//],
  ['Cloister', /^app\//],
  ['the rest', /^/],
] as const;

/** @param image an EROFS image, as `mkfs.erofs -x-1` writes it · @throws {Error} if it is not one, or is laid out in another way */
export function sharesOfInputs(image: Buffer): InputShare[] {
  const totals = new Map<string, { bytes: number; storedBytes: number }>(
    inputs.map(([input]) => [input, { bytes: 0, storedBytes: 0 }]),
  );
  for (const { path, bytes, storedBytes } of readFiles(image)) {
    const [input] = inputs.find(([, pattern]) => pattern.test(path))!;
    const total = totals.get(input)!;
    total.bytes += bytes;
    total.storedBytes += storedBytes;
  }
  return [...totals].map(([input, total]) => ({ input, ...total })).filter(({ bytes }) => bytes > 0);
}

interface StoredFile {
  readonly path: string;
  readonly bytes: number;
  readonly storedBytes: number;
}

/** Lists every file once, regardless of its number of names. */
function* readFiles(image: Buffer): Generator<StoredFile> {
  if (image.readUInt32LE(superblockAt) !== magic) throw new Error('the image is not EROFS');
  if (2 ** image.readUInt8(superblockAt + 12) !== blockBytes) throw new Error('unsupported block size');
  const metadataAt = image.readUInt32LE(superblockAt + 40) * blockBytes;
  const seen = new Set<number>();
  const waiting = [{ nid: image.readUInt16LE(superblockAt + 14), path: '' }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { nid, path } = next;
    if (seen.has(nid)) continue;
    seen.add(nid);
    const inode = readInode(image, metadataAt + nid * nidBytes);
    if ((inode.mode & typeMask) !== folderType) {
      yield { path, bytes: inode.bytes, storedBytes: inode.storedBytes };
      continue;
    }
    for (const entry of readEntries(inode.content())) {
      if (entry.name !== '.' && entry.name !== '..') {
        waiting.push({ nid: entry.nid, path: path === '' ? entry.name : `${path}/${entry.name}` });
      }
    }
  }
}

function readInode(image: Buffer, at: number) {
  const format = image.readUInt16LE(at);
  const isExtended = (format & 1) === 1;
  const kind = (format >> 1) & 7;
  const bytes = isExtended ? Number(image.readBigUInt64LE(at + 8)) : image.readUInt32LE(at + 8);
  if (image.readUInt16LE(at + 2) !== 0) throw new Error('extended attributes are not supported');
  const startOrBlocks = image.readUInt32LE(at + 16);
  const tailAt = at + (isExtended ? 64 : 32);
  const wholeBytes = kind === layout.inline ? bytes - (bytes % blockBytes) : bytes;
  return {
    mode: image.readUInt16LE(at + 4),
    bytes,
    storedBytes: storedBytesOf(kind, { bytes, startOrBlocks }),
    /** Of a folder. */
    content(): Buffer {
      if (kind !== layout.plain && kind !== layout.inline) throw new Error('compressed folders are not supported');
      const start = startOrBlocks * blockBytes;
      const whole = image.subarray(start, start + wholeBytes);
      return Buffer.concat([whole, image.subarray(tailAt, tailAt + bytes - wholeBytes)]);
    },
  };
}

/** For data stored in the inode's own block, the size in bytes counts. */
function storedBytesOf(kind: number, { bytes, startOrBlocks }: { bytes: number; startOrBlocks: number }): number {
  if (kind === layout.compressed || kind === layout.compressedCompact) return startOrBlocks * blockBytes;
  if (kind === layout.inline) return bytes;
  if (kind === layout.plain) return Math.ceil(bytes / blockBytes) * blockBytes;
  throw new Error(`unsupported file layout ${kind}`);
}

function readEntries(content: Buffer): { name: string; nid: number }[] {
  const entries: { name: string; nid: number }[] = [];
  for (let at = 0; at < content.length; at += blockBytes) {
    const block = content.subarray(at, at + blockBytes);
    const count = block.readUInt16LE(8) / direntBytes;
    const nameAt = (index: number) => (index < count ? block.readUInt16LE(index * direntBytes + 8) : block.length);
    for (let index = 0; index < count; index++) {
      const name = block.toString('utf8', nameAt(index), nameAt(index + 1)).replace(/\0.*$/s, '');
      entries.push({ name, nid: Number(block.readBigUInt64LE(index * direntBytes)) });
    }
  }
  return entries;
}
