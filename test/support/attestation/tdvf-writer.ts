/** Writes small firmware files with TDX metadata, like OVMF's. */

export interface WrittenSection {
  readonly fileOffset?: number;
  readonly fileBytes?: number;
  readonly address: bigint;
  readonly memoryBytes: number;
  readonly type: number;
  readonly attributes?: number;
}

export interface FirmwareOptions {
  readonly sections: readonly WrittenSection[];
  readonly bytes?: number;
  readonly signature?: string;
  readonly version?: number;
  /** Written instead of the offset of the metadata. */
  readonly metadataFromEnd?: number;
  readonly footer?: string;
}

/** The code at the end of the address space, as OVMF describes it. */
export const codeSection = {
  fileOffset: 0x2000,
  fileBytes: 0x2000,
  address: 0xfffc2000n,
  memoryBytes: 0x2000,
  type: 0,
  attributes: 1,
} satisfies WrittenSection;

const footerGuid = 'de82b596b21ff745baeaa366c55a082d';
const metadataGuid = '35657ae44a989847865e4685a7bf8ec2';
const otherGuid = '00112233445566778899aabbccddeeff';

/** Contents are a counter, so that every chunk differs. Metadata lie 1,024 bytes before the end. */
export function writeFirmware({
  sections,
  bytes = 64 * 1024,
  signature = 'TDVF',
  version = 1,
  metadataFromEnd = 1024,
  footer = footerGuid,
}: FirmwareOptions): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(bytes);
  for (let at = 0; at < bytes; at += 4) file.writeUInt32LE(at, at);
  const metadata = Buffer.alloc(16 + 32 * sections.length);
  metadata.write(signature);
  metadata.writeUInt32LE(metadata.length, 4);
  metadata.writeUInt32LE(version, 8);
  metadata.writeUInt32LE(sections.length, 12);
  for (const [index, one] of sections.entries()) {
    const at = 16 + 32 * index;
    metadata.writeUInt32LE(one.fileOffset ?? 0, at);
    metadata.writeUInt32LE(one.fileBytes ?? 0, at + 4);
    metadata.writeBigUInt64LE(one.address, at + 8);
    metadata.writeBigUInt64LE(BigInt(one.memoryBytes), at + 16);
    metadata.writeUInt32LE(one.type, at + 24);
    metadata.writeUInt32LE(one.attributes ?? 0, at + 28);
  }
  metadata.copy(file, bytes - 1024);
  const offset = Buffer.alloc(4);
  offset.writeUInt32LE(metadataFromEnd);
  const entries = [entry(offset, metadataGuid), entry(Buffer.alloc(8), otherGuid)];
  const length = entries.reduce((sum, { length: one }) => sum + one, 18);
  const end = Buffer.alloc(2);
  end.writeUInt16LE(length);
  const table = Buffer.concat([...entries, end, Buffer.from(footer, 'hex')]);
  table.copy(file, bytes - 32 - table.length);
  return new Uint8Array(file);
}

function entry(content: Buffer, guid: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16LE(content.length + 18);
  return Buffer.concat([content, length, Buffer.from(guid, 'hex')]);
}
