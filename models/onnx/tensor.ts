/** Constant tensors of ONNX files, wherever and in whatever form their numbers lie. */
import { closeSync, openSync } from 'node:fs';
import { fileSource, type ProtobufField, ProtobufReader } from './protobuf-reader.ts';

/** Those that can be read; every other is `other`. */
export type OnnxTensorType = 'float32' | 'int8' | 'uint8' | 'int32' | 'other';
export type OnnxValues = Float32Array | Int8Array | Uint8Array | Int32Array;

export interface OnnxTensor {
  readonly name: string;
  readonly type: OnnxTensorType;
  readonly shape: readonly number[];
  /** All numbers, row after row, into memory of their own. @throws {RangeError} where they are not there */
  read(): OnnxValues;
}

/** @see onnx.proto3, TensorProto.DataType */
const types: Readonly<Record<number, OnnxTensorType>> = { 1: 'float32', 2: 'uint8', 3: 'int8', 6: 'int32' };
const arrays = { float32: Float32Array, uint8: Uint8Array, int8: Int8Array, int32: Int32Array } as const;
/** More than any tensor has. */
const dimensionsMax = 16;

/** Where the numbers are. */
interface Contents {
  raw?: ProtobufField;
  /** Pieces of `float_data` and of `int32_data`. */
  readonly floats: ProtobufField[];
  readonly integers: ProtobufField[];
  /** By key: location, offset, length. */
  readonly external: Map<string, string>;
  isExternal: boolean;
}

/** @param external finds the file that a tensor names · @throws {RangeError} where it is none */
export function parseTensor(
  reader: ProtobufReader,
  { start, end }: ProtobufField,
  external: (location: string) => string,
): OnnxTensor {
  const contents: Contents = { floats: [], integers: [], external: new Map(), isExternal: false };
  const shape: number[] = [];
  let [name, type]: [string, OnnxTensorType] = ['', 'other'];
  for (const field of reader.fields(start, end)) {
    if (field.number === 1) readShape(reader, field, shape);
    else if (field.number === 2 && field.wire === 0) type = types[reader.integer(field.start).value] ?? 'other';
    else if (field.number === 4) contents.floats.push(field);
    else if (field.number === 5) contents.integers.push(field);
    else if (field.number === 8 && field.wire === 2) name = reader.text(field);
    else if (field.number === 9 && field.wire === 2) contents.raw = field;
    else if (field.number === 13 && field.wire === 2) readEntry(reader, field, contents.external);
    else if (field.number === 14 && field.wire === 0) contents.isExternal = reader.integer(field.start).value === 1;
  }
  return {
    name,
    type,
    shape,
    read: () => readValues(reader, { name, type, shape, contents, external }),
  };
}

function readShape(reader: ProtobufReader, { start, end }: ProtobufField, shape: number[]): void {
  for (let at = start; at < end; ) {
    const size = reader.integer(at);
    if (size.value < 0 || shape.length === dimensionsMax) throw new RangeError('a tensor of no shape');
    shape.push(size.value);
    at = size.end;
  }
}

function readEntry(reader: ProtobufReader, { start, end }: ProtobufField, entries: Map<string, string>): void {
  const texts: string[] = [];
  for (const field of reader.fields(start, end)) {
    if (field.wire === 2 && field.number <= 2) texts[field.number] = reader.text(field);
  }
  entries.set(texts[1] ?? '', texts[2] ?? '');
}

interface Described extends Omit<OnnxTensor, 'read'> {
  readonly contents: Contents;
  readonly external: (location: string) => string;
}

function readValues(reader: ProtobufReader, { name, type, shape, contents, external }: Described): OnnxValues {
  if (type === 'other') throw new RangeError(`the tensor ${name} holds numbers of another type`);
  const count = shape.reduce((product, size) => product * size, 1);
  const bytes = count * arrays[type].BYTES_PER_ELEMENT;
  if (!Number.isSafeInteger(bytes)) throw new RangeError(`the tensor ${name} is larger than any file`);
  if (contents.isExternal) return viewed(type, readExternal(contents.external, { bytes, external }), name, bytes);
  if (contents.raw !== undefined) {
    const { start, end } = contents.raw;
    if (end - start !== bytes) throw new RangeError(`the tensor ${name} has other than ${bytes} bytes`);
    return viewed(type, reader.bytes(contents.raw), name, bytes);
  }
  if (type === 'float32')
    return viewed(type, Buffer.concat(contents.floats.map((piece) => reader.bytes(piece))), name, bytes);
  return readIntegers(reader, { type, count, name, pieces: contents.integers });
}

function viewed(type: Exclude<OnnxTensorType, 'other'>, content: Buffer, name: string, bytes: number): OnnxValues {
  if (content.length !== bytes) throw new RangeError(`the tensor ${name} has other than ${bytes} bytes`);
  // What was put together may lie among other things, where no number of four bytes can begin.
  const isAlone = content.buffer.byteLength === bytes;
  return new arrays[type](isAlone ? (content.buffer as ArrayBuffer) : new Uint8Array(content).buffer);
}

function readExternal(
  entries: ReadonlyMap<string, string>,
  { bytes, external }: { bytes: number; external: (location: string) => string },
): Buffer {
  const [offset, length] = [Number(entries.get('offset') ?? 0), Number(entries.get('length') ?? bytes)];
  if (!Number.isSafeInteger(offset) || offset < 0 || length !== bytes) throw new RangeError('weights of no place');
  const file = openSync(external(entries.get('location') ?? ''), 'r');
  try {
    return new ProtobufReader(fileSource(file)).bytes({ start: offset, end: offset + bytes });
  } finally {
    closeSync(file);
  }
}

/** One number after the other, of as many bytes as it needs. */
function readIntegers(
  reader: ProtobufReader,
  {
    type,
    count,
    name,
    pieces,
  }: { type: 'int8' | 'uint8' | 'int32'; count: number; name: string; pieces: readonly ProtobufField[] },
): OnnxValues {
  // Each takes a byte at least, so that the file bounds what is set aside.
  const available = pieces.reduce((sum, { start, end }) => sum + end - start, 0);
  if (count > available) throw new RangeError(`the tensor ${name} has fewer than ${count} numbers`);
  const values = new arrays[type](count);
  let filled = 0;
  for (const { start, end } of pieces) {
    for (let at = start; at < end; filled++) {
      const one = reader.integer(at);
      values[filled] = one.value;
      at = one.end;
    }
  }
  if (filled !== count) throw new RangeError(`the tensor ${name} has ${filled} numbers, not ${count}`);
  return values;
}
