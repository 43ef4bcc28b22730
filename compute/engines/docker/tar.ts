/** Builds a small tar archive (POSIX ustar) in memory. */

export interface TarEntry {
  /** Relative, at most 99 bytes; a directory ends with a slash. */
  readonly path: string;
  readonly mode: number;
  readonly content?: string | Uint8Array;
}

const blockBytes = 512;

/** @returns the archive; entries belong to root and have no date, so the same entries give the same bytes */
export function buildTar(entries: readonly TarEntry[]): Buffer {
  const blocks = entries.flatMap((entry) => {
    const content = Buffer.from(entry.content ?? '');
    const padding = Buffer.alloc((blockBytes - (content.length % blockBytes)) % blockBytes);
    return [header(entry, content.length), content, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)]);
}

function header({ path, mode }: TarEntry, bytes: number): Buffer {
  if (Buffer.byteLength(path) > 99) throw new RangeError('a path in an archive must be at most 99 bytes');
  const block = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(path, 0);
  block.write(octal(mode, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(bytes, 11), 124);
  block.write(octal(0, 11), 136);
  block.write(' '.repeat(8), 148);
  block.write(path.endsWith('/') ? '5' : '0', 156);
  block.write('ustar\x0000', 257, 'latin1');
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}
