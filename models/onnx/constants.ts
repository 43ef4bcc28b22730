/** Constants of a graph: its tensors, and values that its nodes compute from tensors only. */
import type { OnnxGraph, OnnxNode } from './graph.ts';
import type { OnnxTensor, OnnxValues } from './tensor.ts';

export interface Constant {
  readonly type: OnnxTensor['type'];
  readonly shape: readonly number[];
  /** Reads and computes the values at each call. @throws {RangeError} if the file does not contain them */
  read(): OnnxValues;
}

/** Maximum chain of aliases of a value, and of nodes that compute a constant; far more than in any real graph. */
const depthMax = 16;
/** Maximum tensors read and nodes computed for one constant; an input that is used twice counts twice. */
const costMax = 64;
/** @see onnx.proto3, TensorProto.DataType */
const float = 1;

interface Known {
  readonly constant: Constant;
  readonly cost: number;
  readonly isDequantized: boolean;
}

/** The nodes of a graph by output, and its constants. */
export class OnnxValuesByName {
  readonly #tensors: ReadonlyMap<string, OnnxTensor>;
  readonly #producers = new Map<string, OnnxNode>();
  readonly #known = new Map<string, Known | undefined>();

  constructor({ tensors, nodes }: OnnxGraph) {
    this.#tensors = tensors;
    for (const node of nodes) for (const output of node.outputs) this.#producers.set(output, node);
  }

  /** The node that computes a value; undefined for inputs and tensors. */
  producer(name: string | undefined): OnnxNode | undefined {
    return this.#producers.get(this.origin(name));
  }

  /** The original name of a value, without aliases; '' if there is none. */
  origin(of: string | undefined): string {
    let name = of ?? '';
    for (let depth = 0; depth < depthMax; depth++) {
      const node = this.#producers.get(name);
      // Dropout is the identity outside of training.
      if (node === undefined || !(node.op === 'Identity' || (node.op === 'Dropout' && node.outputs[0] === name))) break;
      name = node.inputs[0] ?? '';
    }
    return name;
  }

  /** Undefined if the value depends on inputs of the graph or on unsupported nodes. */
  constant(name: string | undefined): Constant | undefined {
    return this.#lookUp(name, 0)?.constant;
  }

  /** Whether a constant is dequantized by a node: ONNX Runtime may compute with the quantized values instead. */
  isDequantized(name: string | undefined): boolean {
    return this.#lookUp(name, 0)?.isDequantized ?? false;
  }

  /** The value of a constant with one element. */
  scalar(name: string | undefined): number | undefined {
    const constant = this.constant(name);
    return constant !== undefined && isScalar(constant) ? constant.read()[0] : undefined;
  }

  #lookUp(name: string | undefined, depth: number): Known | undefined {
    if (depth > depthMax) return undefined;
    const at = this.origin(name);
    if (!this.#known.has(at)) {
      const tensor = this.#tensors.get(at);
      this.#known.set(at, tensor ? { constant: tensor, cost: 1, isDequantized: false } : this.#computed(at, depth));
    }
    return this.#known.get(at);
  }

  #computed(at: string, depth: number): Known | undefined {
    const node = this.#producers.get(at);
    if (node === undefined || node.domain !== '' || !folded.has(node.op)) return undefined;
    const inputs = node.inputs.map((input) => this.#lookUp(input, depth + 1));
    const cost = inputs.reduce((sum, input) => sum + (input?.cost ?? 0), 1);
    if (cost > costMax) return undefined;
    const constant = fold(
      node,
      inputs.map((input) => input?.constant),
    );
    const isDequantized = node.op === 'DequantizeLinear' || inputs.some((input) => input?.isDequantized);
    return constant && { constant, cost, isDequantized };
  }
}

const folded = new Set(['Constant', 'Transpose', 'Cast', 'Mul', 'DequantizeLinear']);

function fold(node: OnnxNode, inputs: readonly (Constant | undefined)[]): Constant | undefined {
  switch (node.op) {
    case 'Constant':
      return ofAttribute(node);
    case 'Transpose':
      return turned(inputs[0], node);
    case 'Cast':
      return node.attributes.get('to')?.number === float ? widened(inputs[0]) : undefined;
    case 'Mul':
      return multiplied(inputs);
    default:
      return dequantized(inputs, node);
  }
}

/** The two inputs of a node, the constant first; undefined if none or both are constant. */
export function constantFirst(values: OnnxValuesByName, { inputs }: OnnxNode): [Constant | undefined, string] {
  const [first, second] = inputs as [string, string];
  const [ofFirst, ofSecond] = [values.constant(first), values.constant(second)];
  if (ofFirst !== undefined) return [ofSecond === undefined ? ofFirst : undefined, second];
  return [ofSecond, first];
}

/** Reads a constant of type float32. */
export function floatsOf(constant: Constant): Float32Array {
  return constant.read() as Float32Array;
}

/** Transposes a matrix; undefined if there are not two dimensions. */
export function transposed(of: Constant): Constant | undefined {
  if (of.shape.length !== 2) return undefined;
  const [rows, columns] = of.shape as [number, number];
  return { type: of.type, shape: [columns, rows], read: () => turnedValues(of.read(), rows, columns) };
}

export function isScalar({ shape, type }: Constant): boolean {
  return type !== 'other' && countOf(shape) === 1;
}

export function countOf(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}

function ofAttribute({ attributes }: OnnxNode): Constant | undefined {
  const number = attributes.get('value_float')?.number;
  if (number !== undefined) return { type: 'float32', shape: [], read: () => Float32Array.of(number) };
  return attributes.get('value')?.tensor;
}

function turned(of: Constant | undefined, { attributes }: OnnxNode): Constant | undefined {
  const [first, second] = attributes.get('perm')?.numbers ?? [1, 0];
  return of !== undefined && first === 1 && second === 0 ? transposed(of) : undefined;
}

function turnedValues(values: OnnxValues, rows: number, columns: number): OnnxValues {
  const result = values.slice();
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) result[column * rows + row] = values[row * columns + column]!;
  }
  return result;
}

function widened(of: Constant | undefined): Constant | undefined {
  if (of === undefined || of.type === 'other') return undefined;
  return { type: 'float32', shape: of.shape, read: () => new Float32Array(of.read()) };
}

/** Multiplies a matrix by one factor, one per column, or one per row. */
function multiplied([first, second]: readonly (Constant | undefined)[]): Constant | undefined {
  if (first?.type !== 'float32' || second?.type !== 'float32') return undefined;
  const [matrix, factors] = countOf(first.shape) >= countOf(second.shape) ? [first, second] : [second, first];
  const spread = spreadOf(matrix.shape, factors.shape);
  if (spread === undefined) return undefined;
  const read = () => {
    const [values, by] = [matrix.read(), factors.read()];
    for (let at = 0; at < values.length; at++) values[at]! *= by[spread(at)]!;
    return values;
  };
  return { type: 'float32', shape: matrix.shape, read };
}

/** @returns a function from an index in the matrix to the index of its factor */
function spreadOf(
  [rows, columns, ...more]: readonly number[],
  by: readonly number[],
): ((at: number) => number) | undefined {
  if (countOf(by) === 1) return () => 0;
  if (rows === undefined || columns === undefined || more.length > 0 || by.length > 2) return undefined;
  const [down, across] = by.length === 2 ? (by as [number, number]) : [1, by[0]];
  if (down === 1 && across === columns) return (at) => at % columns;
  if (down === rows && across === 1) return (at) => Math.floor(at / columns);
  return undefined;
}

/** (value − zero point) · scale, with one scale in total, per column or per row. */
function dequantized(
  [of, scale, zero]: readonly (Constant | undefined)[],
  { attributes, inputs }: OnnxNode,
): Constant | undefined {
  if (of === undefined || of.type === 'other' || of.type === 'float32' || scale?.type !== 'float32') return undefined;
  const hasZero = (inputs[2] ?? '') !== '';
  if (hasZero && (zero === undefined || zero.type !== of.type || countOf(zero.shape) !== countOf(scale.shape)))
    return undefined;
  if (attributes.get('block_size')?.number) return undefined;
  const axis = attributes.get('axis')?.number ?? 1;
  const count = countOf(scale.shape);
  const isFirst = of.shape.length === 2 && (axis === 0 || axis === -2);
  const spread = spreadOf(of.shape, isFirst ? [count, 1] : [count]);
  if (spread === undefined) return undefined;
  const read = () => {
    const [values, scales, zeros] = [of.read(), scale.read(), hasZero ? zero?.read() : undefined];
    const result = new Float32Array(values.length);
    for (let at = 0; at < result.length; at++) {
      const one = spread(at);
      result[at] = (values[at]! - (zeros?.[one] ?? 0)) * scales[one]!;
    }
    return result;
  };
  return { type: 'float32', shape: of.shape, read };
}
