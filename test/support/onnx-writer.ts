/**
 * Writes ONNX files: just enough of the protobuf form for graphs built in code.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 for the field numbers
 */

export type OnnxType = 'float32' | 'uint8' | 'int8' | 'int32' | 'int64' | 'float16';

/** @see onnx.proto3, TensorProto.DataType */
const TYPES: Readonly<Record<OnnxType, number>> = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 };

export interface OnnxTensor {
  readonly name: string;
  readonly type: OnnxType;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
  /** The name of the file beside the graph that holds the bytes instead. */
  readonly location?: string;
}

export interface OnnxValue {
  readonly name: string;
  readonly type: OnnxType;
  /** A name stands for a size that is known only when it runs. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes?: Readonly<Record<string, OnnxAttribute>>;
}

export type OnnxAttribute =
  | { readonly float: number }
  | { readonly int: number }
  | { readonly ints: readonly number[] };

/** Builds a graph node by node; every method returns the name of what it computes. */
export class OnnxGraph {
  readonly #nodes: OnnxNode[] = [];
  readonly #tensors: OnnxTensor[] = [];
  readonly #inputs: OnnxValue[] = [];
  readonly #outputs: OnnxValue[] = [];

  input(value: OnnxValue): string {
    this.#inputs.push(value);
    return value.name;
  }

  /** Names a result and gives it out. */
  output(value: OnnxValue, from: string): void {
    this.#nodes.push({ op: 'Identity', inputs: [from], outputs: [value.name] });
    this.#outputs.push(value);
  }

  tensor(name: string, type: OnnxType, shape: readonly number[], values: ArrayBufferView): string {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    this.#tensors.push({ name, type, shape, bytes });
    return name;
  }

  /** A tensor whose bytes are the whole of another file. */
  external(name: string, type: OnnxType, shape: readonly number[], location: string): string {
    this.#tensors.push({ name, type, shape, bytes: new Uint8Array(), location });
    return name;
  }

  /** A constant of whole numbers, such as a shape or a list of axes. */
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
    const name = `${op}_${this.#nodes.length}`;
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
    return message(varintField(1, 8), field(2, text('cloister tests')), field(7, graph), field(8, opset));
  }
}

function encodeNode({ op, inputs, outputs, attributes = {} }: OnnxNode, index: number): Uint8Array {
  return message(
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(3, text(`${op}_${index}`)),
    field(4, text(op)),
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

function encodeTensor({ name, type, shape, bytes, location }: OnnxTensor): Uint8Array {
  const entry = (key: string, value: string) => field(13, message(field(1, text(key)), field(2, text(value))));
  // @see onnx.proto3, TensorProto.DataLocation: 1 is external
  const data = location === undefined ? [field(9, bytes)] : [entry('location', location), varintField(14, 1)];
  return message(
    ...shape.map((size) => varintField(1, size)),
    varintField(2, TYPES[type]),
    field(8, text(name)),
    ...data,
  );
}

function encodeValue({ name, type, shape }: OnnxValue): Uint8Array {
  const sizes = shape.map((size) =>
    field(1, message(typeof size === 'number' ? varintField(1, size) : field(2, text(size)))),
  );
  const tensorType = message(varintField(1, TYPES[type]), field(2, message(...sizes)));
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

/** Negative numbers as 64-bit two's complement, as protobuf has it. */
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
