/**
 * Writes GGUF files, version 3. Tensors generate their values in pieces, which are streamed to disk,
 * so a model of any size needs a few megabytes of memory. It does not read GGUF.
 * @see llama.cpp ggml/include/gguf.h
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { type TensorType, tensorEncodings } from './tensor-types.ts';

export type { TensorType };

export type MetadataValue =
  | string
  | boolean
  | { readonly u16: number }
  | { readonly u32: number }
  | { readonly i32: number }
  | { readonly f32: number }
  | { readonly strings: readonly string[] }
  | { readonly i32s: readonly number[] }
  | { readonly f32s: readonly number[] };

export interface Tensor {
  readonly name: string;
  /** Innermost dimension first, as ggml counts: a matrix is [columns, rows]. */
  readonly shape: readonly number[];
  readonly type: TensorType;
  /** Fills `values` with the tensor's values from index `start` on. Called once per piece, in order. */
  fill(values: Float32Array, start: number): void;
}

export interface GgufFile {
  readonly metadata: Readonly<Record<string, MetadataValue>>;
  readonly tensors: readonly Tensor[];
}

const alignmentBytes = 32;
/** A multiple of every block size. */
const pieceValues = 1 << 18;
const valueTypes = { u16: 2, u32: 4, i32: 5, f32: 6, boolean: 7, string: 8, array: 9 };

/** @throws {RangeError} if a tensor's rows are not whole blocks of its type */
export function writeGguf(path: string, { metadata, tensors }: GgufFile): void {
  for (const tensor of tensors) requireWholeBlocks(tensor);
  const file = openSync(path, 'w');
  try {
    const header = encodeHeader(metadata, tensors);
    writeWhole(file, header);
    writeWhole(file, new Uint8Array(padding(header.length)));
    const values = new Float32Array(pieceValues);
    const bytes = new Uint8Array(pieceValues * 4);
    for (const tensor of tensors) writeTensor(file, tensor, values, bytes);
  } finally {
    closeSync(file);
  }
}

function writeTensor(file: number, tensor: Tensor, values: Float32Array, bytes: Uint8Array): void {
  const encoding = tensorEncodings[tensor.type];
  const count = valueCount(tensor);
  for (let start = 0; start < count; start += pieceValues) {
    const piece = values.subarray(0, Math.min(pieceValues, count - start));
    tensor.fill(piece, start);
    const encoded = bytes.subarray(0, (piece.length / encoding.blockValues) * encoding.blockBytes);
    encoding.encode(piece, encoded);
    writeWhole(file, encoded);
  }
  writeWhole(file, new Uint8Array(padding(tensorBytes(tensor))));
}

function encodeHeader(metadata: GgufFile['metadata'], tensors: readonly Tensor[]): Uint8Array {
  const writer = new HeaderWriter();
  writer.raw(Buffer.from('GGUF'));
  writer.u32(3);
  writer.u64(tensors.length);
  writer.u64(Object.keys(metadata).length);
  for (const [key, value] of Object.entries(metadata)) {
    writer.string(key);
    writer.value(value);
  }
  let offset = 0;
  for (const tensor of tensors) {
    writer.string(tensor.name);
    writer.u32(tensor.shape.length);
    for (const size of tensor.shape) writer.u64(size);
    writer.u32(tensorEncodings[tensor.type].id);
    writer.u64(offset);
    const bytes = tensorBytes(tensor);
    offset += bytes + padding(bytes);
  }
  return writer.finish();
}

/** Little-endian, in one growing buffer: a vocabulary of 150,000 tokens is a few megabytes. */
class HeaderWriter {
  #buffer = Buffer.alloc(1 << 16);
  #length = 0;

  value(value: MetadataValue): void {
    if (typeof value === 'string') this.#typed(valueTypes.string, () => this.string(value));
    else if (typeof value === 'boolean') this.#typed(valueTypes.boolean, () => this.raw(Buffer.from([value ? 1 : 0])));
    else if ('u16' in value) this.#typed(valueTypes.u16, () => this.#u16(value.u16));
    else if ('u32' in value) this.#typed(valueTypes.u32, () => this.u32(value.u32));
    else if ('i32' in value) this.#typed(valueTypes.i32, () => this.u32(value.i32 >>> 0));
    else if ('f32' in value) this.#typed(valueTypes.f32, () => this.#f32(value.f32));
    else if ('strings' in value) this.#array(valueTypes.string, value.strings, (each) => this.string(each));
    else if ('i32s' in value) this.#array(valueTypes.i32, value.i32s, (each) => this.u32(each >>> 0));
    else this.#array(valueTypes.f32, value.f32s, (each) => this.#f32(each));
  }

  string(text: string): void {
    const bytes = Buffer.from(text);
    this.u64(bytes.length);
    this.raw(bytes);
  }

  u32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32LE(value, this.#length);
  }

  u64(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeBigUInt64LE(BigInt(value), this.#length);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  #u16(value: number): void {
    this.#reserve(2);
    this.#length = this.#buffer.writeUInt16LE(value, this.#length);
  }

  #f32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeFloatLE(value, this.#length);
  }

  #typed(type: number, write: () => void): void {
    this.u32(type);
    write();
  }

  #array<T>(type: number, items: readonly T[], write: (item: T) => void): void {
    this.u32(valueTypes.array);
    this.u32(type);
    this.u64(items.length);
    for (const item of items) write(item);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const grown = Buffer.alloc(Math.max(this.#buffer.length * 2, this.#length + bytes));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

function requireWholeBlocks(tensor: Tensor): void {
  const { blockValues } = tensorEncodings[tensor.type];
  const columns = tensor.shape[0] ?? 0;
  if (columns % blockValues === 0) return;
  throw new RangeError(
    `${tensor.name}: ${tensor.type} needs rows of a multiple of ${blockValues} values, got ${columns}`,
  );
}

function valueCount(tensor: Tensor): number {
  return tensor.shape.reduce((product, size) => product * size, 1);
}

function tensorBytes(tensor: Tensor): number {
  const { blockValues, blockBytes } = tensorEncodings[tensor.type];
  return (valueCount(tensor) / blockValues) * blockBytes;
}

function padding(bytes: number): number {
  return (alignmentBytes - (bytes % alignmentBytes)) % alignmentBytes;
}

/** A write may accept fewer bytes than given. */
function writeWhole(file: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(file, bytes, from);
}
