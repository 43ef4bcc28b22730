/**
 * Matches the parts of a BERT by what their nodes compute, because exporters choose names, fold constants and merge equal
 * nodes. Matching reads no weights; the `read` function of a part does.
 */
import type { Dense, Norm } from '@cloister/native/bert-weights';
import { type Constant, constantFirst, floatsOf, type OnnxValuesByName, transposed } from '../onnx/constants.ts';
import type { OnnxNode } from '../onnx/graph.ts';
import { fail } from './not-bert.ts';
import { fusedOf, type Product, quantizedOf } from './quantized.ts';

export interface DensePart {
  /** Name of the input value. */
  readonly input: string;
  readonly inputs: number;
  readonly outputs: number;
  /** @see Product */
  readonly isQuantized: boolean;
  read(): Dense;
}

export interface NormPart {
  readonly input: string;
  readonly width: number;
  readonly epsilon: number;
  read(): Norm;
}

const layerNormEpsilonDefault = 1e-5;

/** Matches x · weights + bias in the forms that exporters and quantizers produce; undefined if the value is not a dense part. */
export function denseOf(values: OnnxValuesByName, name: string): DensePart | undefined {
  const node = withoutReshape(values, name);
  if (node === undefined) return undefined;
  if (node.op === 'Gemm') return gemmOf(values, node);
  const fused = fusedOf(values, node);
  if (fused !== undefined && (node.inputs[fused.biasAt] ?? '') !== '') {
    return withBias(fused, values.constant(node.inputs[fused.biasAt]!));
  }
  if (node.op !== 'Add') return undefined;
  const [first, second] = node.inputs as [string, string];
  const bias = values.constant(first) ?? values.constant(second);
  const product = productOf(values, values.constant(first) === undefined ? first : second);
  return product && withBias(product, bias);
}

/** Matches a layer norm with scale and shift, as one node or decomposed. */
export function normOf(values: OnnxValuesByName, name: string): NormPart | undefined {
  const node = values.producer(name);
  if (node?.op === 'LayerNormalization') {
    if ((node.attributes.get('axis')?.number ?? -1) !== -1 && node.attributes.get('axis')?.number !== 2)
      return undefined;
    const [input, scale, shift] = node.inputs as [string, string, string];
    const epsilon = node.attributes.get('epsilon')?.number ?? layerNormEpsilonDefault;
    return normPart({ input: values.origin(input), epsilon }, values.constant(scale), values.constant(shift ?? ''));
  }
  if (node?.op !== 'Add') return undefined;
  const [shift, scaled] = constantFirst(values, node);
  const multiply = values.producer(scaled);
  if (shift === undefined || multiply?.op !== 'Mul') return undefined;
  const [scale, centred] = constantFirst(values, multiply);
  const normalized = scale && normalizedOf(values, centred);
  return normalized && normPart(normalized, scale, shift);
}

function normPart(
  { input, epsilon }: Pick<NormPart, 'input' | 'epsilon'>,
  scale: Constant | undefined,
  shift: Constant | undefined,
): NormPart | undefined {
  if (scale?.type !== 'float32' || shift?.type !== 'float32' || scale.shape.length !== 1) return undefined;
  const width = scale.shape[0]!;
  if (shift.shape.length !== 1 || shift.shape[0] !== width) return undefined;
  return { input, width, epsilon, read: () => ({ scale: floatsOf(scale), shift: floatsOf(shift) }) };
}

/** (x − mean(x)) / √(mean((x − mean(x))²) + ε) */
function normalizedOf(values: OnnxValuesByName, name: string): Pick<NormPart, 'input' | 'epsilon'> | undefined {
  const divide = values.producer(name);
  if (divide?.op !== 'Div') return undefined;
  const [above, below] = divide.inputs as [string, string];
  const centre = values.producer(above);
  const root = values.producer(below);
  if (centre?.op !== 'Sub' || root?.op !== 'Sqrt') return undefined;
  const input = values.origin(centre.inputs[0]!);
  const mean = values.producer(centre.inputs[1]!);
  const sum = values.producer(root.inputs[0]!);
  if (mean?.op !== 'ReduceMean' || values.origin(mean.inputs[0]!) !== input || sum?.op !== 'Add') return undefined;
  const epsilon = values.scalar(sum.inputs[0]!) ?? values.scalar(sum.inputs[1]!);
  return epsilon === undefined ? undefined : { input, epsilon };
}

/** Skips a reshape: some exporters flatten the texts of a batch before a product, and unflatten them afterwards. */
function withoutReshape(values: OnnxValuesByName, name: string): OnnxNode | undefined {
  const node = values.producer(name);
  if (node?.op !== 'Reshape') return node;
  const inner = values.producer(node.inputs[0]!);
  return inner?.op === 'Gemm' ? inner : node;
}

function gemmOf(values: OnnxValuesByName, { inputs, attributes }: OnnxNode): DensePart | undefined {
  const is = (name: string, expected: number) => (attributes.get(name)?.number ?? expected) === expected;
  const [data, weights, bias] = inputs as [string, string, string?];
  const matrix = values.constant(weights);
  if (!is('alpha', 1) || !is('beta', 1) || !is('transA', 0) || matrix === undefined) return undefined;
  const isTurned = attributes.get('transB')?.number === 1;
  const rows = values.producer(data);
  const input = values.origin(rows?.op === 'Reshape' ? rows.inputs[0]! : data);
  const isQuantized = values.isDequantized(weights);
  const product = productWith({ input, isQuantized }, isTurned ? transposed(matrix) : matrix);
  return product && bias !== undefined ? withBias(product, values.constant(bias)) : undefined;
}

function productOf(values: OnnxValuesByName, name: string): Product | undefined {
  const node = values.producer(name);
  if (node?.op === 'Mul') return quantizedOf(values, node);
  if (node?.op !== 'MatMul') return node && fusedOf(values, node);
  const [data, weights] = node.inputs as [string, string];
  const isQuantized = values.isDequantized(weights);
  return productWith({ input: values.origin(data), isQuantized }, values.constant(weights));
}

function productWith(of: Pick<Product, 'input' | 'isQuantized'>, matrix: Constant | undefined): Product | undefined {
  if (matrix?.shape.length !== 2) return undefined;
  if (matrix.type !== 'float32') fail('the weights are neither fp32 nor in a supported quantization');
  const [inputs, outputs] = matrix.shape as [number, number];
  return { ...of, inputs, outputs, read: () => ({ weights: floatsOf(matrix) }) };
}

function withBias(product: Product, bias: Constant | undefined): DensePart | undefined {
  const { input, inputs, outputs, isQuantized } = product;
  if (bias?.type !== 'float32' || bias.shape.length !== 1 || bias.shape[0] !== outputs) return undefined;
  return { input, inputs, outputs, isQuantized, read: () => ({ ...product.read(), bias: floatsOf(bias) }) };
}
