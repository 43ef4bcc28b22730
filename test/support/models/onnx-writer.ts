/**
 * Writes ONNX files: the part of the protobuf format that graphs built in code need.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 for the field numbers
 */

export type OnnxType = 'float32' | 'uint8' | 'int8' | 'int32' | 'int64' | 'float16';

/** @see onnx.proto3, TensorProto.DataType */
const types: Readonly<Record<OnnxType, number>> = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 };

/** Minimum values of a tensor that counts as weights, not as a scalar or a shape. */
const movedBytesMin = 64;

export interface OnnxTensor {
  readonly name: string;
  readonly type: OnnxType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** The external file that contains the bytes. */
  readonly external?: OnnxPlace;
  /** Whether values are in typed fields, not in raw bytes. Never for int64. */
  readonly isTyped?: boolean;
}

/** Location of an external tensor; without an offset, the tensor is the whole file. */
export interface OnnxPlace {
  readonly location: string;
  readonly offset?: number;
  readonly length?: number;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: OnnxType;
  /** A name is a dynamic size. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxNode {
  /** Operator, prefixed with its domain and a dot unless it is an ONNX operator. */
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
}

export type OnnxAttribute =
  | { readonly float: number }
  | { readonly int: number }
  | { readonly ints: readonly number[] };

/** Builds a graph node by node; every method returns the name of its result. */
export class OnnxGraph {
  readonly #nodes: OnnxNode[] = [];
  readonly #tensors: OnnxTensor[] = [];
  readonly #inputs: OnnxValue[] = [];
  readonly #outputs: OnnxValue[] = [];

  input(value: OnnxValue): string {
    this.#inputs.push(value);
    return value.name;
  }

  /** Names a result and makes it an output. */
  output(value: OnnxValue, from: string): void {
    this.#nodes.push({ op: 'Identity', inputs: [from], outputs: [value.name] });
    this.#outputs.push(value);
  }

  /** Adds an input once. */
  tensor(
    name: string,
    type: OnnxType,
    shape: readonly number[],
    values: ArrayBufferView,
    { isTyped = false } = {},
  ): string {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    if (!this.#tensors.some((one) => one.name === name)) this.#tensors.push({ name, type, shape, bytes, isTyped });
    return name;
  }

  /** Adds a tensor whose bytes are in an external file. */
  external(name: string, type: OnnxType, shape: readonly number[], place: string | OnnxPlace): string {
    const external = typeof place === 'string' ? { location: place } : place;
    this.#tensors.push({ name, type, shape, bytes: new Uint8Array(), external });
    return name;
  }

  /** Moves the larger tensors to an external file. @returns its bytes */
  moveTensors(location: string): Uint8Array {
    const parts: Uint8Array[] = [];
    let offset = 0;
    for (const [index, tensor] of this.#tensors.entries()) {
      const { length } = tensor.bytes;
      if (length < movedBytesMin) continue;
      this.#tensors[index] = { ...tensor, bytes: new Uint8Array(0), external: { location, offset, length } };
      parts.push(tensor.bytes);
      offset += length;
    }
    return message(...parts);
  }

  /** Adds an integer constant, such as a shape or a list of axes. */
  integers(values: readonly number[], { scalar = false } = {}): string {
    const name = `integers_${this.#tensors.length}`;
    return this.tensor(name, 'int64', scalar ? [] : [values.length], BigInt64Array.from(values, BigInt));
  }

  scalar(value: number): string {
    return this.tensor(`scalar_${this.#tensors.length}`, 'float32', [], Float32Array.of(value));
  }

  node(op: string, inputs: readonly string[], attributes: OnnxNode['attributes'] = {}): string {
    return this.nodeOf(op, inputs, 1, attributes)[0]!;
  }

  nodeOf(
    op: string,
    inputs: readonly string[],
    outputCount: number,
    attributes: OnnxNode['attributes'] = {},
  ): string[] {
    const name = `${op.replaceAll('.', '_')}_${this.#nodes.length}`;
    const outputs = Array.from({ length: outputCount }, (_, index) => `${name}_${index}`);
    this.#nodes.push({ op, inputs, outputs, attributes });
    return outputs;
  }

  encode(): Uint8Array {
    const graph = message(
      ...this.#nodes.map((node, index) => field(1, encodeNode(node, index))),
      field(2, text('tiny')),
      ...this.#tensors.map((tensor) => field(5, encodeTensor(tensor))),
      ...this.#inputs.map((value) => field(11, encodeValue(value))),
      ...this.#outputs.map((value) => field(12, encodeValue(value))),
    );
    const opset = message(field(1, text('')), varintField(2, 17));
    const ofRuntime = message(field(1, text('com.microsoft')), varintField(2, 1));
    const opsets = message(field(8, opset), field(8, ofRuntime));
    return message(varintField(1, 8), field(2, text('cloister tests')), field(7, graph), opsets);
  }
}

function encodeNode({ op, inputs, outputs, attributes = {} }: OnnxNode, index: number): Uint8Array {
  return message(
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(3, text(`${op}_${index}`)),
    field(4, text(op.slice(op.lastIndexOf('.') + 1))),
    field(7, text(op.slice(0, Math.max(0, op.lastIndexOf('.'))))),
    ...Object.entries(attributes).map(([name, value]) => field(5, encodeAttribute(name, value))),
  );
}

/** @see onnx.proto3, AttributeProto.AttributeType */
function encodeAttribute(name: string, value: OnnxAttribute): Uint8Array {
  const head = field(1, text(name));
  if ('float' in value) {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value.float);
    return message(head, Buffer.concat([varint((2 << 3) | 5), bytes]), varintField(20, 1));
  }
  if ('int' in value) return message(head, varintField(3, value.int), varintField(20, 2));
  return message(head, ...value.ints.map((one) => varintField(8, one)), varintField(20, 7));
}

function encodeTensor({ name, type, shape, bytes, external, isTyped }: OnnxTensor): Uint8Array {
  const entry = (key: string, value: string) => field(13, message(field(1, text(key)), field(2, text(value))));
  const entries = Object.entries(external ?? {}).map(([key, value]) => entry(key, String(value)));
  // @see onnx.proto3, TensorProto.DataLocation: 1 is external
  const outside = message(...entries, varintField(14, 1));
  const data = external ? outside : isTyped ? typedData(type, bytes) : field(9, bytes);
  return message(...shape.map((size) => varintField(1, size)), varintField(2, types[type]), field(8, text(name)), data);
}

/** @see onnx.proto3, TensorProto: float_data, int32_data */
function typedData(type: OnnxType, bytes: Uint8Array): Uint8Array {
  if (type === 'float32') return field(4, bytes);
  const own = bytes.slice();
  const numbers = type === 'int8' ? new Int8Array(own.buffer) : type === 'uint8' ? own : new Int32Array(own.buffer);
  return field(5, message(...Array.from(numbers, varint)));
}

function encodeValue({ name, type, shape }: OnnxValue): Uint8Array {
  const sizes = shape.map((size) =>
    field(1, message(typeof size === 'number' ? varintField(1, size) : field(2, text(size)))),
  );
  const tensorType = message(varintField(1, types[type]), field(2, message(...sizes)));
  return message(field(1, text(name)), field(2, message(field(1, tensorType))));
}

function message(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

function field(number: number, bytes: Uint8Array): Uint8Array {
  return Buffer.concat([varint((number << 3) | 2), varint(bytes.length), bytes]);
}

function varintField(number: number, value: number): Uint8Array {
  return Buffer.concat([varint(number << 3), varint(value)]);
}

/** Encodes negative numbers as 64-bit two's complement, as protobuf requires. */
function varint(value: number): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

function text(value: string): Uint8Array {
  return Buffer.from(value);
}
