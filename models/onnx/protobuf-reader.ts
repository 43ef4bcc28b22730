/** Reads protobuf messages out of files that may be larger than memory: heads of fields first, contents where asked for. */
import { fstatSync, readSync } from 'node:fs';

/** Bytes at places of their own: a file, or what was read of one. */
export interface ByteSource {
  readonly bytes: number;
  /** Fills the buffer with what lies from `at` on. @returns how many bytes there were */
  readonly read: (buffer: Buffer, at: number) => number;
}

export interface ProtobufField {
  readonly number: number;
  /** 0: a number, 1: eight bytes, 2: bytes of a length, 5: four bytes. */
  readonly wire: number;
  /** Where the content begins, past its length where it has one. */
  readonly start: number;
  readonly end: number;
}

const windowBytes = 64 * 1024;
/** One call takes less than 2 GiB. */
const readBytesMax = 2 ** 30;

/** @param file a descriptor, which stays open and its owner's */
export function fileSource(file: number): ByteSource {
  return { bytes: fstatSync(file).size, read: (buffer, at) => readSync(file, buffer, 0, buffer.length, at) };
}

export function bufferSource(content: Buffer): ByteSource {
  return { bytes: content.length, read: (buffer, at) => content.copy(buffer, 0, at) };
}

/** Every method throws a RangeError where the bytes are no protobuf. */
export class ProtobufReader {
  readonly #source: ByteSource;
  readonly #window = Buffer.alloc(windowBytes);
  #from = 0;
  #bytes = 0;
  #fieldsLeft: number;

  /** @param options.fieldsMax that it gives before it throws: whoever keeps something of each bounds memory with it. Default: any number */
  constructor(source: ByteSource, { fieldsMax = Number.POSITIVE_INFINITY } = {}) {
    this.#source = source;
    this.#fieldsLeft = fieldsMax;
  }

  /** The fields of the message that lies there, one after the other. */
  *fields(start: number, end: number): Generator<ProtobufField> {
    for (let at = start; at < end; ) {
      this.#fieldsLeft -= 1;
      if (this.#fieldsLeft < 0) throw new RangeError('it has too many parts');
      const field = this.#field(at);
      if (field.end > end) throw new RangeError('a field goes past its message');
      at = field.end;
      yield field;
    }
  }

  text({ start, end }: Pick<ProtobufField, 'start' | 'end'>): string {
    if (end - start > windowBytes) throw new RangeError('a name that long is none');
    if (start < this.#from || end > this.#from + this.#bytes) this.#load(start);
    if (end > this.#from + this.#bytes) throw new RangeError('the file ends in mid-field');
    return this.#window.toString('utf8', start - this.#from, end - this.#from);
  }

  /** A number of 64 bits with its sign. @returns rounded beyond 2^53 */
  integer(at: number): { readonly value: number; readonly end: number } {
    let value = 0n;
    for (let index = 0; index < 10; index++) {
      const byte = this.#byte(at + index);
      value |= BigInt(byte & 127) << BigInt(7 * index);
      if (byte < 128) return { value: Number(BigInt.asIntN(64, value)), end: at + index + 1 };
    }
    throw new RangeError('a number without an end');
  }

  /** Into memory of its own, from its beginning on, so that a view of any number type fits. */
  bytes({ start, end }: Pick<ProtobufField, 'start' | 'end'>): Buffer<ArrayBuffer> {
    if (start < 0 || end > this.#source.bytes || start > end) throw new RangeError('the file ends in mid-field');
    const bytes = Buffer.from(new ArrayBuffer(end - start));
    for (let done = 0; done < bytes.length; ) {
      const count = this.#source.read(bytes.subarray(done, done + readBytesMax), start + done);
      if (count === 0) throw new RangeError('the file ends in mid-field');
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
        throw new RangeError('no such wire type');
    }
  }

  /** Exact to 2^53, which is beyond any file; longer ones are other numbers than lengths. */
  #varint(at: number): { value: number; end: number } {
    let value = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.#byte(at + index);
      value += (byte & 127) * 2 ** (7 * index);
      if (byte < 128) return { value, end: at + index + 1 };
    }
    throw new RangeError('a number without an end');
  }

  #byte(at: number): number {
    if (at < this.#from || at >= this.#from + this.#bytes) this.#load(at);
    const byte = this.#bytes === 0 ? undefined : this.#window[at - this.#from];
    if (byte === undefined) throw new RangeError('the file ends in mid-field');
    return byte;
  }

  #load(at: number): void {
    this.#from = at;
    this.#bytes = this.#source.read(this.#window, at);
  }
}
