/** Reads protobuf messages from files that may exceed memory: headers of fields first, contents on demand. */
import { fstatSync, readSync } from 'node:fs';

/** Random access to bytes: a file or a buffer. */
export interface ByteSource {
  readonly bytes: number;
  /** Fills the buffer from offset `at`. @returns the number of bytes read */
  readonly read: (buffer: Buffer, at: number) => number;
}

export interface ProtobufField {
  readonly number: number;
  /** 0: varint, 1: eight bytes, 2: length-delimited, 5: four bytes. */
  readonly wire: number;
  /** Offset of the content, after the length prefix if any. */
  readonly start: number;
  readonly end: number;
}

const windowBytes = 64 * 1024;
/** A read call is limited to 2 GiB. */
const readBytesMax = 2 ** 30;

/** @param file a descriptor; the caller closes it */
export function fileSource(file: number): ByteSource {
  return { bytes: fstatSync(file).size, read: (buffer, at) => readSync(file, buffer, 0, buffer.length, at) };
}

export function bufferSource(content: Buffer): ByteSource {
  return { bytes: content.length, read: (buffer, at) => content.copy(buffer, 0, at) };
}

/** All methods throw a RangeError if the bytes are not valid protobuf. */
export class ProtobufReader {
  readonly #source: ByteSource;
  readonly #window = Buffer.alloc(windowBytes);
  #from = 0;
  #bytes = 0;
  #fieldsLeft: number;

  /** @param options.fieldsMax maximum number of fields before it throws, which bounds the memory of the caller. Default: no limit */
  constructor(source: ByteSource, { fieldsMax = Number.POSITIVE_INFINITY } = {}) {
    this.#source = source;
    this.#fieldsLeft = fieldsMax;
  }

  /** Yields the fields of the message at this range. */
  *fields(start: number, end: number): Generator<ProtobufField> {
    for (let at = start; at < end; ) {
      this.#fieldsLeft -= 1;
      if (this.#fieldsLeft < 0) throw new RangeError('it has too many fields');
      const field = this.#field(at);
      if (field.end > end) throw new RangeError('a field exceeds its message');
      at = field.end;
      yield field;
    }
  }

  text({ start, end }: Pick<ProtobufField, 'start' | 'end'>): string {
    if (end - start > windowBytes) throw new RangeError('a name is too long');
    if (start < this.#from || end > this.#from + this.#bytes) this.#load(start);
    if (end > this.#from + this.#bytes) throw new RangeError('the file ends inside a field');
    return this.#window.toString('utf8', start - this.#from, end - this.#from);
  }

  /** Reads a signed 64-bit varint. @returns the value, rounded beyond 2^53 */
  integer(at: number): { readonly value: number; readonly end: number } {
    let value = 0n;
    for (let index = 0; index < 10; index++) {
      const byte = this.#byte(at + index);
      value |= BigInt(byte & 127) << BigInt(7 * index);
      if (byte < 128) return { value: Number(BigInt.asIntN(64, value)), end: at + index + 1 };
    }
    throw new RangeError('a number has no end');
  }

  /** Reads bytes into a separate buffer with offset 0, so that it is aligned for any typed array. */
  bytes({ start, end }: Pick<ProtobufField, 'start' | 'end'>): Buffer<ArrayBuffer> {
    if (start < 0 || end > this.#source.bytes || start > end) throw new RangeError('the file ends inside a field');
    const bytes = Buffer.from(new ArrayBuffer(end - start));
    for (let done = 0; done < bytes.length; ) {
      const count = this.#source.read(bytes.subarray(done, done + readBytesMax), start + done);
      if (count === 0) throw new RangeError('the file ends inside a field');
      done += count;
    }
    return bytes;
  }

  #field(at: number): ProtobufField {
    const tag = this.#varint(at);
    const [number, wire] = [Math.floor(tag.value / 8), tag.value % 8];
    switch (wire) {
      case 0:
        return { number, wire, start: tag.end, end: this.#varint(tag.end).end };
      case 1:
        return { number, wire, start: tag.end, end: tag.end + 8 };
      case 2: {
        const length = this.#varint(tag.end);
        return { number, wire, start: length.end, end: length.end + length.value };
      }
      case 5:
        return { number, wire, start: tag.end, end: tag.end + 4 };
      default:
        throw new RangeError('unknown wire type');
    }
  }

  /** Reads a varint, exact up to 2^53, which exceeds the size of any file; larger values are not lengths. */
  #varint(at: number): { value: number; end: number } {
    let value = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.#byte(at + index);
      value += (byte & 127) * 2 ** (7 * index);
      if (byte < 128) return { value, end: at + index + 1 };
    }
    throw new RangeError('a number has no end');
  }

  #byte(at: number): number {
    if (at < this.#from || at >= this.#from + this.#bytes) this.#load(at);
    const byte = this.#bytes === 0 ? undefined : this.#window[at - this.#from];
    if (byte === undefined) throw new RangeError('the file ends inside a field');
    return byte;
  }

  #load(at: number): void {
    this.#from = at;
    this.#bytes = this.#source.read(this.#window, at);
  }
}
