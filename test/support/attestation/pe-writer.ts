/** Writes small PE images, like a Linux kernel with an EFI stub, or systemd's stub. */

export interface PeOptions {
  /** Contents; a section's name is the beginning of its content. */
  readonly sections?: readonly string[];
  readonly checksum?: number;
  /** Bytes of signatures at the end. */
  readonly signature?: string;
  readonly trailer?: string;
  /** The Linux boot protocol's header at 0x1f1; the PE header then begins after it. */
  readonly isKernel?: boolean;
}

const peAt = 0x400;
const headersEnd = 0x800;

export function writePe(options: PeOptions = {}): Uint8Array<ArrayBuffer> {
  const { sections = ['code', 'data'], checksum = 0x1234, signature = '', trailer = '', isKernel = true } = options;
  const contents = sections.map((one) => Buffer.from(one.padEnd(0x200, '.')));
  const head = Buffer.alloc(headersEnd);
  head.write('MZ');
  head.writeUInt32LE(peAt, 0x3c);
  if (isKernel) {
    head.writeUInt32LE(0x53726448, 0x202);
    head.writeUInt16LE(0x20f, 0x206);
    head.writeUInt32LE(0x7fffffff, 0x22c);
    head.writeUInt16LE(2, 0x236);
  }
  head.write('PE\0\0', peAt);
  head.writeUInt16LE(sections.length, peAt + 6);
  head.writeUInt16LE(240, peAt + 20);
  const optional = peAt + 24;
  head.writeUInt16LE(0x20b, optional);
  head.writeUInt32LE(0x1000, optional + 32);
  head.writeUInt32LE(0x200, optional + 36);
  head.writeUInt32LE(headersEnd, optional + 60);
  head.writeUInt32LE(checksum, optional + 64);
  head.writeUInt32LE(16, optional + 108);
  const end = headersEnd + contents.length * 0x200 + trailer.length;
  head.writeUInt32LE(signature === '' ? 0 : end, optional + 112 + 32);
  head.writeUInt32LE(signature.length, optional + 112 + 36);
  for (const [index, content] of contents.entries()) {
    const at = optional + 240 + 40 * index;
    head.write(sections[index]!.slice(0, 8), at, 'latin1');
    head.writeUInt32LE(content.length, at + 8);
    head.writeUInt32LE(0x1000 * (index + 1), at + 12);
    head.writeUInt32LE(content.length, at + 16);
    head.writeUInt32LE(headersEnd + index * 0x200, at + 20);
  }
  return new Uint8Array(Buffer.concat([head, ...contents, Buffer.from(trailer), Buffer.from(signature)]));
}

/** Offsets of the checksum and of the certificate table entry. */
export const peOffsets = { checksum: peAt + 24 + 64, certificates: peAt + 24 + 112 + 32, headersEnd };
