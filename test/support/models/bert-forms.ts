/** The forms in which exporters and quantizers write the parts of a text encoder. */
import type { OnnxGraph } from './onnx-writer.ts';

/** In `int8` and `uint8`, activations are quantized at run time; the other forms compute the product in fp32. */
export const denseForms = [
  'plain',
  'bias first',
  'identity',
  'transposed',
  'gemm',
  'typed fields',
  'cast and scaled',
  'dequantized',
  'dequantized columns',
  'int8',
  'int8 columns',
  'uint8',
  'uint8 columns',
  'fused product',
  'fused quantizer',
] as const;
/** `half`: weights in fp16 with activations in fp32, which no engine supports. */
export type DenseForm = (typeof denseForms)[number] | 'half';

export interface DenseValues {
  readonly name: string;
  /** [texts, length, inputs] */
  readonly input: string;
  /** [inputs, outputs] */
  readonly weights: Float32Array;
  readonly inputs: number;
  readonly outputs: number;
  /** Name of a tensor. */
  readonly bias: string;
}

/** Writes x · weights + bias. @returns the name of [texts, length, outputs] */
export function writeDense(graph: OnnxGraph, form: DenseForm, values: DenseValues): string {
  if (form === 'gemm') return gemm(graph, values);
  if (form === 'fused product' || form === 'fused quantizer') return fused(graph, form, values);
  const product = productIn(graph, form, values);
  return graph.node('Add', form === 'bias first' ? [values.bias, product] : [product, values.bias]);
}

/** Writes a layer norm as separate nodes. */
export function writeNorm(
  graph: OnnxGraph,
  { input, scale, shift, epsilon }: { input: string; scale: string; shift: string; epsilon: number },
): string {
  const axes = { axes: { ints: [-1] } };
  const centred = graph.node('Sub', [input, graph.node('ReduceMean', [input], axes)]);
  const variance = graph.node('ReduceMean', [graph.node('Pow', [centred, graph.scalar(2)])], axes);
  const deviation = graph.node('Sqrt', [graph.node('Add', [variance, graph.scalar(epsilon)])]);
  const normal = graph.node('Div', [centred, deviation]);
  return graph.node('Add', [graph.node('Mul', [normal, scale]), shift]);
}

/** Writes a lookup in a table in eight bits. @returns the name of the result */
export function writePackedLookup(
  graph: OnnxGraph,
  { name, ids, values, shape }: { name: string; ids: string; values: Float32Array; shape: readonly number[] },
): string {
  const { integers, scales, zeros } = packed(values, { columns: 1, isSigned: false });
  const table = graph.tensor(`${name}_quantized`, 'uint8', shape, integers);
  const scale = graph.tensor(`${name}_scale`, 'float32', [], scales, { isTyped: true });
  const zero = graph.tensor(`${name}_zero_point`, 'uint8', [], zeros, { isTyped: true });
  return graph.node('DequantizeLinear', [graph.node('Gather', [table, ids]), scale, zero]);
}

function productIn(graph: OnnxGraph, form: DenseForm, { name, input, weights, inputs, outputs }: DenseValues): string {
  const matrix = (options = {}) => graph.tensor(`${name}.weight`, 'float32', [inputs, outputs], weights, options);
  switch (form) {
    case 'identity':
      return graph.node('MatMul', [input, graph.node('Identity', [graph.node('Identity', [matrix()])])]);
    case 'typed fields':
      return graph.node('MatMul', [input, matrix({ isTyped: true })]);
    case 'half': {
      const half = graph.tensor(`${name}.weight`, 'float16', [inputs, outputs], new Uint16Array(weights.length));
      return graph.node('MatMul', [input, half]);
    }
    case 'transposed': {
      const turned = graph.tensor(`${name}.weight`, 'float32', [outputs, inputs], turn(weights, inputs, outputs));
      return graph.node('MatMul', [input, graph.node('Transpose', [turned], { perm: { ints: [1, 0] } })]);
    }
    case 'cast and scaled': {
      const { table, scale } = packedMatrix(
        graph,
        { name, weights, inputs, outputs },
        { isSigned: true, perColumn: true },
      );
      const numbers = graph.node('Cast', [table], { to: { int: 1 } });
      return graph.node('MatMul', [input, graph.node('Mul', [numbers, scale])]);
    }
    case 'dequantized':
    case 'dequantized columns': {
      const perColumn = form !== 'dequantized';
      const { table, scale, zero } = packedMatrix(
        graph,
        { name, weights, inputs, outputs },
        { isSigned: false, perColumn },
      );
      return graph.node('MatMul', [input, graph.node('DequantizeLinear', [table, scale, zero], { axis: { int: 1 } })]);
    }
    case 'int8':
    case 'int8 columns':
    case 'uint8':
    case 'uint8 columns':
      return integerProduct(graph, form, { name, input, weights, inputs, outputs });
    default:
      return graph.node('MatMul', [input, matrix()]);
  }
}

type Matrix = Omit<DenseValues, 'bias'>;

function integerProduct(graph: OnnxGraph, form: DenseForm, values: Matrix): string {
  const isSigned = form.startsWith('int8');
  const { table, scale, zero } = packedMatrix(graph, values, { isSigned, perColumn: form.endsWith('columns') });
  const [numbers, factor, offset] = graph.nodeOf('DynamicQuantizeLinear', [values.input], 3);
  // The zero point is optional.
  const inputs = [numbers!, table, offset!, ...(form === 'int8 columns' ? [] : [zero])];
  const product = graph.node('Cast', [graph.node('MatMulInteger', inputs)], { to: { int: 1 } });
  return graph.node('Mul', [product, graph.node('Mul', [factor!, scale])]);
}

/** Writes the fused nodes of an optimized graph of ONNX Runtime. */
function fused(graph: OnnxGraph, form: 'fused product' | 'fused quantizer', values: DenseValues): string {
  const { table, scale, zero } = packedMatrix(graph, values, { isSigned: true, perColumn: true });
  const { input, bias } = values;
  if (form === 'fused quantizer') {
    return graph.node('com.microsoft.DynamicQuantizeMatMul', [input, table, scale, zero, bias]);
  }
  const [numbers, factor, offset] = graph.nodeOf('DynamicQuantizeLinear', [input], 3);
  const parts = [numbers!, table, factor!, scale, offset!, zero];
  return graph.node('Add', [graph.node('com.microsoft.MatMulIntegerToFloat', parts), bias]);
}

/** Flattens the rows of all texts, for nodes that accept two-dimensional matrices only. */
function gemm(graph: OnnxGraph, { name, input, weights, inputs, outputs, bias }: DenseValues): string {
  const turned = graph.tensor(`${name}.weight`, 'float32', [outputs, inputs], turn(weights, inputs, outputs));
  const rows = graph.node('Reshape', [input, graph.integers([-1, inputs])]);
  const result = graph.node('Gemm', [rows, turned, bias], { transB: { int: 1 } });
  const texts = graph.node('Slice', [graph.node('Shape', [input]), graph.integers([0]), graph.integers([2])]);
  const shape = graph.node('Concat', [texts, graph.integers([outputs])], { axis: { int: 0 } });
  return graph.node('Reshape', [result, shape]);
}

function packedMatrix(
  graph: OnnxGraph,
  { name, weights, inputs, outputs }: Omit<Matrix, 'input'>,
  { isSigned, perColumn }: { readonly isSigned: boolean; readonly perColumn: boolean },
): { readonly table: string; readonly scale: string; readonly zero: string } {
  const type = isSigned ? 'int8' : 'uint8';
  const { integers, scales, zeros } = packed(weights, { columns: perColumn ? outputs : 1, isSigned });
  const shape = perColumn ? [outputs] : [];
  return {
    table: graph.tensor(`${name}.weight_quantized`, type, [inputs, outputs], integers),
    scale: graph.tensor(`${name}.weight_scale`, 'float32', shape, scales),
    zero: graph.tensor(`${name}.weight_zero_point`, type, shape, zeros, { isTyped: true }),
  };
}

/** Quantizes signed values around zero, and unsigned values over their range, with one scale in total or per column. */
function packed(values: Float32Array, { columns, isSigned }: { readonly columns: number; readonly isSigned: boolean }) {
  const integers = isSigned ? new Int8Array(values.length) : new Uint8Array(values.length);
  const scales = new Float32Array(columns);
  const zeros = isSigned ? new Int8Array(columns) : new Uint8Array(columns);
  for (let column = 0; column < columns; column++) {
    let [least, greatest] = [0, 0];
    for (let at = column; at < values.length; at += columns) {
      least = Math.min(least, values[at]!);
      greatest = Math.max(greatest, values[at]!);
    }
    scales[column] = isSigned ? Math.max(-least, greatest) / 127 : (greatest - least) / 255;
    zeros[column] = isSigned ? 0 : Math.round(-least / scales[column]!);
    for (let at = column; at < values.length; at += columns) {
      const rounded = Math.round(values[at]! / scales[column]!) + zeros[column]!;
      integers[at] = isSigned ? rounded : Math.min(255, Math.max(0, rounded));
    }
  }
  return { integers, scales, zeros };
}

function turn(values: Float32Array, rows: number, columns: number): Float32Array {
  return Float32Array.from(values, (_, at) => values[(at % rows) * columns + Math.floor(at / rows)]!);
}
