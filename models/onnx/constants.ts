/** Numbers of a graph that are known before it runs: its tensors, and what its nodes make of those alone. */
import type { OnnxGraph, OnnxNode } from './graph.ts';
import type { OnnxTensor, OnnxValues } from './tensor.ts';

export interface Constant {
  readonly type: OnnxTensor['type'];
  readonly shape: readonly number[];
  /** Reads and computes anew each time. @throws {RangeError} where the file does not hold them */
  read(): OnnxValues;
}

/** Names that a value has, and nodes that a weight is unfolded in, one after the other: far more than in any graph. */
const depthMax = 16;
/** Tensors read and nodes computed for one constant, each as often as it is: one that goes into a node twice counts twice. */
const costMax = 64;
/** @see onnx.proto3, TensorProto.DataType */
const float = 1;

interface Known {
  readonly constant: Constant;
  readonly cost: number;
  readonly isDequantised: boolean;
}

/** A graph's nodes by what they compute, and its constants. */
export class OnnxValuesByName {
  readonly #tensors: ReadonlyMap<string, OnnxTensor>;
  readonly #producers = new Map<string, OnnxNode>();
  readonly #known = new Map<string, Known | undefined>();

  constructor({ tensors, nodes }: OnnxGraph) {
    this.#tensors = tensors;
    for (const node of nodes) for (const output of node.outputs) this.#producers.set(output, node);
  }

  /** The node that computes it; undefined for inputs and tensors. */
  producer(name: string | undefined): OnnxNode | undefined {
    return this.#producers.get(this.origin(name));
  }

  /** The first of all names that a value has; '' where there is none. */
  origin(of: string | undefined): string {
    let name = of ?? '';
    for (let depth = 0; depth < depthMax; depth++) {
      const node = this.#producers.get(name);
      // Dropout does nothing where nobody trains.
      if (node === undefined || !(node.op === 'Identity' || (node.op === 'Dropout' && node.outputs[0] === name))) break;
      name = node.inputs[0] ?? '';
    }
    return name;
  }

  /** Undefined where it depends on what goes in, or comes about in a way that is not known here. */
  constant(name: string | undefined): Constant | undefined {
    return this.#knownAs(name, 0)?.constant;
  }

  /** Whether a constant comes out of a node that unpacks quantised numbers: ONNX Runtime may compute with these instead. */
  isDequantised(name: string | undefined): boolean {
    return this.#knownAs(name, 0)?.isDequantised ?? false;
  }

  /** The number of a constant that holds but one. */
  scalar(name: string | undefined): number | undefined {
    const constant = this.constant(name);
    return constant !== undefined && isScalar(constant) ? constant.read()[0] : undefined;
  }

  #knownAs(name: string | undefined, depth: number): Known | undefined {
    if (depth > depthMax) return undefined;
    const at = this.origin(name);
    if (!this.#known.has(at)) {
      const tensor = this.#tensors.get(at);
      this.#known.set(at, tensor ? { constant: tensor, cost: 1, isDequantised: false } : this.#computed(at, depth));
    }
    return this.#known.get(at);
  }

  #computed(at: string, depth: number): Known | undefined {
    const node = this.#producers.get(at);
    if (node === undefined || node.domain !== '' || !folded.has(node.op)) return undefined;
    const inputs = node.inputs.map((input) => this.#knownAs(input, depth + 1));
    const cost = inputs.reduce((sum, input) => sum + (input?.cost ?? 0), 1);
    if (cost > costMax) return undefined;
    const constant = fold(
      node,
      inputs.map((input) => input?.constant),
    );
    const isDequantised = node.op === 'DequantizeLinear' || inputs.some((input) => input?.isDequantised);
    return constant && { constant, cost, isDequantised };
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
      return dequantised(inputs, node);
  }
}

/** The two inputs of a node, the constant one first; where none or both are, there is no first. */
export function constantFirst(values: OnnxValuesByName, { inputs }: OnnxNode): [Constant | undefined, string] {
  const [first, second] = inputs as [string, string];
  const [ofFirst, ofSecond] = [values.constant(first), values.constant(second)];
  if (ofFirst !== undefined) return [ofSecond === undefined ? ofFirst : undefined, second];
  return [ofSecond, first];
}

/** Of a constant whose type is known to be that. */
export function floatsOf(constant: Constant): Float32Array {
  return constant.read() as Float32Array;
}

/** Of two dimensions; undefined where it has others. */
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

/** A matrix by one number, one per column, or one per row. */
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

/** @returns which of the factors goes with a place in the matrix */
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

/** (value − zero point) · scale, with one scale for all, for each column or for each row. */
function dequantised(
  [of, scale, zero]: readonly (Constant | undefined)[],
  { attributes, inputs }: OnnxNode,
): Constant | undefined {
  if (of === undefined || of.type === 'other' || of.type === 'float32' || scale?.type !== 'float32') return undefined;
  const zeroIsGiven = (inputs[2] ?? '') !== '';
  if (zeroIsGiven && (zero === undefined || zero.type !== of.type || countOf(zero.shape) !== countOf(scale.shape)))
    return undefined;
  if (attributes.get('block_size')?.number) return undefined;
  const axis = attributes.get('axis')?.number ?? 1;
  const count = countOf(scale.shape);
  const isFirst = of.shape.length === 2 && (axis === 0 || axis === -2);
  const spread = spreadOf(of.shape, isFirst ? [count, 1] : [count]);
  if (spread === undefined) return undefined;
  const read = () => {
    const [values, scales, zeros] = [of.read(), scale.read(), zeroIsGiven ? zero?.read() : undefined];
    const result = new Float32Array(values.length);
    for (let at = 0; at < result.length; at++) {
      const one = spread(at);
      result[at] = (values[at]! - (zeros?.[one] ?? 0)) * scales[one]!;
    }
    return result;
  };
  return { type: 'float32', shape: of.shape, read };
}
