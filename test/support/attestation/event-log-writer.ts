/** Writes event logs in TCG's crypto-agile format, including invalid ones. */
import { createHash } from 'node:crypto';

export interface WrittenEvent {
  mrIndex: number;
  type?: number;
  data: string;
  /** Default: SHA-384 of the data. */
  digest?: Uint8Array;
  /** Algorithms of the digests, default [12]. */
  algorithms?: readonly number[];
}

export interface LogOptions {
  signature?: string;
  headerType?: number;
  /** Algorithm and digest length. */
  algorithms?: readonly (readonly [number, number])[];
  vendorInformation?: string;
  /** Bytes after the last event; default: the end mark and filler. */
  tail?: Uint8Array;
}

const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer);
const u16 = (value: number) => Buffer.from(Uint16Array.of(value).buffer);

export function sha384(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha384');
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

export function writeEventLog(events: readonly WrittenEvent[], options: LogOptions = {}): Uint8Array {
  const { signature = 'Spec ID Event03\0', headerType = 3, algorithms = [[12, 48]], vendorInformation = '' } = options;
  const header = Buffer.concat([
    Buffer.from(signature),
    u32(0),
    Buffer.from([0, 2, 0, 2]),
    u32(algorithms.length),
    ...algorithms.flatMap(([id, length]) => [u16(id), u16(length)]),
    Buffer.from([vendorInformation.length]),
    Buffer.from(vendorInformation),
  ]);
  const first = Buffer.concat([u32(0), u32(headerType), Buffer.alloc(20), u32(header.length), header]);
  const tail = options.tail ?? new Uint8Array(64).fill(0xff);
  return new Uint8Array(Buffer.concat([first, ...events.map(writeEvent), tail]));
}

function writeEvent({ mrIndex, type = 13, data, digest, algorithms = [12] }: WrittenEvent): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([
    u32(mrIndex),
    u32(type),
    u32(algorithms.length),
    ...algorithms.flatMap((id) => [u16(id), id === 12 ? (digest ?? sha384(bytes)) : Buffer.alloc(32)]),
    u32(bytes.length),
    bytes,
  ]);
}
