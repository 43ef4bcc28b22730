/** Constant tensors of ONNX files, in all storage forms. */
import { closeSync, openSync } from 'node:fs';
import { fileSource, type ProtobufField, ProtobufReader } from './protobuf-reader.ts';

/** Supported element types; `other` is any other type. */
export type OnnxTensorType = 'float32' | 'int8' | 'uint8' | 'int32' | 'other';
export type OnnxValues = Float32Array | Int8Array | Uint8Array | Int32Array;

export interface OnnxTensor {
  readonly name: string;
  readonly type: OnnxTensorType;
  readonly shape: readonly number[];
  /** Reads all values, row by row, into new memory. @throws {RangeError} if the file does not contain them */
  read(): OnnxValues;
}

/** @see onnx.proto3, TensorProto.DataType */
const types: Readonly<Record<number, OnnxTensorType>> = { 1: 'float32', 2: 'uint8', 3: 'int8', 6: 'int32' };
const arrays = { float32: Float32Array, uint8: Uint8Array, int8: Int8Array, int32: Int32Array } as const;
/** More dimensions than any tensor has. */
const dimensionsMax = 16;

/** Locations of the values. */
interface Contents {
  raw?: ProtobufField;
  /** Fields of `float_data` and `int32_data`. */
  readonly floats: ProtobufField[];
  readonly integers: ProtobufField[];
  /** External data by key: location, offset, length. */
  readonly external: Map<string, string>;
  isExternal: boolean;
}

/** @param external returns the path of an external file · @throws {RangeError} if it is not a tensor */
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
    if (size.value < 0 || shape.length === dimensionsMax) throw new RangeError('a tensor has an invalid shape');
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
  if (type === 'other') throw new RangeError(`the tensor ${name} has an unsupported element type`);
  const count = shape.reduce((product, size) => product * size, 1);
  const bytes = count * arrays[type].BYTES_PER_ELEMENT;
  if (!Number.isSafeInteger(bytes)) throw new RangeError(`the tensor ${name} is larger than any file`);
  if (contents.isExternal) return viewed(type, readExternal(contents.external, { bytes, external }), name, bytes);
  if (contents.raw !== undefined) {
    const { start, end } = contents.raw;
    if (end - start !== bytes) throw new RangeError(`the tensor ${name} must have ${bytes} bytes`);
    return viewed(type, reader.bytes(contents.raw), name, bytes);
  }
  if (type === 'float32')
    return viewed(type, Buffer.concat(contents.floats.map((piece) => reader.bytes(piece))), name, bytes);
  return readIntegers(reader, { type, count, name, pieces: contents.integers });
}

function viewed(type: Exclude<OnnxTensorType, 'other'>, content: Buffer, name: string, bytes: number): OnnxValues {
  if (content.length !== bytes) throw new RangeError(`the tensor ${name} must have ${bytes} bytes`);
  // A concatenated buffer may be part of a larger one with an unaligned offset.
  const isAlone = content.buffer.byteLength === bytes;
  return new arrays[type](isAlone ? (content.buffer as ArrayBuffer) : new Uint8Array(content).buffer);
}

function readExternal(
  entries: ReadonlyMap<string, string>,
  { bytes, external }: { bytes: number; external: (location: string) => string },
): Buffer {
  const [offset, length] = [Number(entries.get('offset') ?? 0), Number(entries.get('length') ?? bytes)];
  if (!Number.isSafeInteger(offset) || offset < 0 || length !== bytes)
    throw new RangeError('external weights have an invalid offset or length');
  const file = openSync(external(entries.get('location') ?? ''), 'r');
  try {
    return new ProtobufReader(fileSource(file)).bytes({ start: offset, end: offset + bytes });
  } finally {
    closeSync(file);
  }
}

/** Reads values encoded as varints. */
function readIntegers(
  reader: ProtobufReader,
  {
    type,
    count,
    name,
    pieces,
  }: { type: 'int8' | 'uint8' | 'int32'; count: number; name: string; pieces: readonly ProtobufField[] },
): OnnxValues {
  // Each value takes at least a byte, so the size of the file bounds the allocation.
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
