/** Reads uncompressed EROFS images, to check the writer independently. */

export interface ReadFile {
  readonly path: string;
  readonly content: Buffer;
  readonly mode: number;
}

/** Lists every file by walking the folders as the kernel does. @throws if a folder is unsorted or lacks `.` and `..` */
export function readErofs(image: Buffer): ReadFile[] {
  if (image.readUInt32LE(1024) !== 0xe0f5e1e2) throw new Error('the image is not EROFS');
  const found: ReadFile[] = [];
  walk(image, { nid: image.readUInt16LE(1024 + 14), parent: image.readUInt16LE(1024 + 14), path: '' }, found);
  return found;
}

function walk(image: Buffer, { nid, parent, path }: { nid: number; parent: number; path: string }, found: ReadFile[]) {
  const at = nid * 32;
  const mode = image.readUInt16LE(at + 4);
  const bytes = Number(image.readBigUInt64LE(at + 8));
  const start = image.readUInt32LE(at + 16) * 4096;
  const content = image.subarray(start, start + bytes);
  if ((mode & 0o170000) === 0o100000) return void found.push({ path, content, mode });
  const entries = readEntries(content);
  const names = entries.map(({ name }) => name);
  if (names.join('\0') !== names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).join('\0')) {
    throw new Error(`${path || '/'} is not sorted`);
  }
  const byName = new Map(entries.map(({ name, nid: one }) => [name, one]));
  if (byName.get('.') !== nid || byName.get('..') !== parent) throw new Error(`${path || '/'} lacks . or ..`);
  for (const entry of entries) {
    if (entry.name === '.' || entry.name === '..') continue;
    walk(image, { nid: entry.nid, parent: nid, path: path === '' ? entry.name : `${path}/${entry.name}` }, found);
  }
}

function readEntries(content: Buffer): { name: string; nid: number }[] {
  const entries: { name: string; nid: number }[] = [];
  for (let at = 0; at < content.length; at += 4096) {
    const block = content.subarray(at, at + 4096);
    const count = block.readUInt16LE(8) / 12;
    for (let index = 0; index < count; index++) {
      const start = block.readUInt16LE(index * 12 + 8);
      const end = index + 1 < count ? block.readUInt16LE((index + 1) * 12 + 8) : block.length;
      const name = block.toString('utf8', start, end).replace(/\0.*$/s, '');
      entries.push({ name, nid: Number(block.readBigUInt64LE(index * 12)) });
    }
  }
  return entries;
}
