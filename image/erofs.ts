/**
 * Lays out the read-only EROFS file system of a model disk, without compression, since weights do not compress. Implemented
 * here so that the bytes do not depend on installed tools. Pure: the caller copies the files' contents.
 * @see Linux fs/erofs/erofs_fs.h and Documentation/filesystems/erofs.rst
 */

export const erofsBlockBytes = 4096;
const superblockAt = 1024;
const superblockBytes = 128;
const inodeBytes = 64;
const nidBytes = 32;
const direntBytes = 12;
const magic = 0xe0f5e1e2;
/** Extended inode, plain blocks. */
const inodeFormat = 1;
const fileMode = 0o100444;
const folderMode = 0o40555;
const typeFile = 1;
const typeFolder = 2;
const nameBytesMax = 255;

export interface ErofsFile {
  /** Relative path with `/`, without `.` and `..`. */
  readonly path: string;
  readonly bytes: number;
}

export interface ErofsLayout {
  /** The first blocks of the disk: superblock, inodes and directories. */
  readonly head: Buffer;
  /** First block of each file, in disk order. The rest of a file's last block is zeros. */
  readonly files: readonly (ErofsFile & { readonly block: number })[];
  /** Number of blocks of the whole file system. */
  readonly blocks: number;
}

/** @throws {RangeError} for an invalid or repeated path */
export function layOutErofs(files: readonly ErofsFile[]): ErofsLayout {
  const root = buildTree(files);
  const nodes = [...walk(root)];
  const inodesEnd = superblockAt + superblockBytes + nodes.length * inodeBytes;
  for (const [index, node] of nodes.entries()) {
    node.nid = (superblockAt + superblockBytes + index * inodeBytes) / nidBytes;
  }
  let block = Math.ceil(inodesEnd / erofsBlockBytes);
  const folders = nodes.filter((node) => node.children !== undefined);
  for (const folder of folders) {
    folder.content = writeFolder(folder);
    folder.bytes = folder.content.length;
    folder.block = block;
    block += blocksOf(folder.bytes);
  }
  const headBlocks = block;
  const plain = nodes.filter((node) => node.children === undefined);
  for (const file of plain) {
    file.block = block;
    block += blocksOf(file.bytes);
  }
  const head = Buffer.alloc(headBlocks * erofsBlockBytes);
  writeSuperblock(head, { root, inodes: nodes.length, blocks: block });
  for (const [index, node] of nodes.entries()) writeInode(head, node, index + 1);
  for (const { content, block: at } of folders) content!.copy(head, at * erofsBlockBytes);
  return { head, blocks: block, files: plain.map(({ path, bytes, block: at }) => ({ path, bytes, block: at })) };
}

interface Node {
  readonly path: string;
  readonly name: string;
  readonly parent: Node | undefined;
  /** Entries by name; undefined for a file. */
  readonly children: Map<string, Node> | undefined;
  bytes: number;
  nid: number;
  block: number;
  content: Buffer | undefined;
}

function buildTree(files: readonly ErofsFile[]): Node {
  const root = makeNode({ path: '', name: '', parent: undefined, children: new Map() });
  for (const { path, bytes } of files) {
    if (!Number.isSafeInteger(bytes) || bytes < 0) throw new RangeError(`${path} has ${bytes} bytes`);
    const names = path.split('/');
    let folder = root;
    for (const [index, name] of names.entries()) {
      const isBad = name === '' || name === '.' || name === '..' || name.includes('\0');
      if (isBad || Buffer.byteLength(name) > nameBytesMax)
        throw new RangeError(`${path} is not a valid path for a disk`);
      const isLast = index === names.length - 1;
      const found = folder.children!.get(name);
      if (found !== undefined && (isLast || found.children === undefined)) throw new RangeError(`${path} occurs twice`);
      const children = isLast ? undefined : new Map<string, Node>();
      const node = found ?? makeNode({ path: names.slice(0, index + 1).join('/'), name, parent: folder, children });
      if (isLast) node.bytes = bytes;
      folder.children!.set(name, node);
      folder = node;
    }
  }
  return root;
}

function makeNode(node: Pick<Node, 'path' | 'name' | 'parent' | 'children'>): Node {
  return { ...node, bytes: 0, nid: 0, block: 0, content: undefined };
}

/** Yields each folder before its children, which are sorted by the bytes of their names. */
function* walk(node: Node): Generator<Node> {
  yield node;
  for (const child of sorted(node.children)) yield* walk(child);
}

function sorted(children: Map<string, Node> | undefined): Node[] {
  return [...(children?.values() ?? [])].sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

/** Builds a directory: blocks of entries followed by their names, sorted by name over the directory, including `.` and `..`. */
function writeFolder(folder: Node): Buffer {
  const entries = [
    { name: Buffer.from('.'), node: folder },
    { name: Buffer.from('..'), node: folder.parent ?? folder },
    ...sorted(folder.children).map((node) => ({ name: Buffer.from(node.name), node })),
  ].sort((a, b) => Buffer.compare(a.name, b.name));
  const blocks: Buffer[] = [];
  while (entries.length > 0) {
    let used = 0;
    const fitting = entries.findIndex(({ name }) => {
      used += direntBytes + name.length;
      return used > erofsBlockBytes;
    });
    const taken = entries.splice(0, fitting < 0 ? entries.length : fitting);
    const block = writeEntries(taken);
    blocks.push(entries.length === 0 ? block : Buffer.concat([block, Buffer.alloc(erofsBlockBytes - block.length)]));
  }
  return Buffer.concat(blocks);
}

function writeEntries(entries: readonly { name: Buffer; node: Node }[]): Buffer {
  const heads = Buffer.alloc(entries.length * direntBytes);
  let nameAt = heads.length;
  for (const [index, { name, node }] of entries.entries()) {
    heads.writeBigUInt64LE(BigInt(node.nid), index * direntBytes);
    heads.writeUInt16LE(nameAt, index * direntBytes + 8);
    heads.writeUInt8(node.children === undefined ? typeFile : typeFolder, index * direntBytes + 10);
    nameAt += name.length;
  }
  return Buffer.concat([heads, ...entries.map(({ name }) => name)]);
}

function writeSuperblock(head: Buffer, { root, inodes, blocks }: { root: Node; inodes: number; blocks: number }): void {
  head.writeUInt32LE(magic, superblockAt);
  head.writeUInt8(Math.log2(erofsBlockBytes), superblockAt + 12);
  head.writeUInt16LE(root.nid, superblockAt + 14);
  head.writeBigUInt64LE(BigInt(inodes), superblockAt + 16);
  head.writeUInt32LE(blocks, superblockAt + 36);
}

function writeInode(head: Buffer, node: Node, number: number): void {
  const at = node.nid * nidBytes;
  const subfolders = [...(node.children?.values() ?? [])].filter(({ children }) => children !== undefined).length;
  head.writeUInt16LE(inodeFormat, at);
  head.writeUInt16LE(node.children === undefined ? fileMode : folderMode, at + 4);
  head.writeBigUInt64LE(BigInt(node.bytes), at + 8);
  head.writeUInt32LE(node.block, at + 16);
  head.writeUInt32LE(number, at + 20);
  head.writeUInt32LE(node.children === undefined ? 1 : 2 + subfolders, at + 44);
}

function blocksOf(bytes: number): number {
  return Math.ceil(bytes / erofsBlockBytes);
}
