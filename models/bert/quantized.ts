/** Products with matrices in eight bits whose other operand is quantized at run time. */
import type { Dense } from '@cloister/native/bert-weights';
import { type Constant, constantFirst, countOf, isScalar, type OnnxValuesByName } from '../onnx/constants.ts';
import type { OnnxNode } from '../onnx/graph.ts';
import { fail } from './not-bert.ts';

/** A product of the input and a constant matrix. */
export interface Product {
  /** Name of the input value. */
  readonly input: string;
  readonly inputs: number;
  readonly outputs: number;
  /** Whether the weights have eight bits, or ONNX Runtime may compute with eight bits. */
  readonly isQuantized: boolean;
  read(): Omit<Dense, 'bias'>;
}

/** Matches Cast(quantized(x) · weights) · (scale of x · scales of the weights), the form of ONNX Runtime's dynamic quantization. */
export function quantizedOf(values: OnnxValuesByName, { inputs }: OnnxNode): Product | undefined {
  for (const [product, factor] of [inputs, [...inputs].reverse()] as [string, string][]) {
    const cast = values.producer(product);
    const multiply = cast?.op === 'Cast' ? values.producer(cast.inputs[0]!) : undefined;
    const scale = values.producer(factor);
    if (multiply?.op !== 'MatMulInteger' || scale?.op !== 'Mul') continue;
    const [data, weights, zero, weightZero] = multiply.inputs as [string, string, string?, string?];
    const [scales, dataScale] = constantFirst(values, scale);
    return integersOf(values, { data, dataScale, zero, weights, scales, weightZero });
  }
  return undefined;
}

/** Matches the same product as one node, which ONNX Runtime writes after it has fused nodes. */
export function fusedOf(
  values: OnnxValuesByName,
  { op, inputs }: OnnxNode,
): (Product & { readonly biasAt: number }) | undefined {
  if (op === 'MatMulIntegerToFloat') {
    const [data, weights, dataScale, scales, zero, weightZero] = inputs as string[];
    const parts = {
      data: data!,
      weights: weights!,
      dataScale: dataScale!,
      scales: values.constant(scales!),
      zero,
      weightZero,
    };
    const product = integersOf(values, parts);
    return product && { ...product, biasAt: 6 };
  }
  if (op !== 'DynamicQuantizeMatMul') return undefined;
  const [data, weights, scales, weightZero] = inputs as [string, string, string, string?];
  const product = integerProduct(values, { input: data, weights, scales: values.constant(scales), weightZero });
  return product && { ...product, biasAt: 4 };
}

interface IntegerParts {
  readonly weights: string;
  readonly scales: Constant | undefined;
  readonly weightZero: string | undefined;
}

function integersOf(
  values: OnnxValuesByName,
  parts: IntegerParts & { readonly data: string; readonly dataScale: string; readonly zero: string | undefined },
): Product | undefined {
  const quantizer = values.producer(parts.data);
  if (quantizer?.op !== 'DynamicQuantizeLinear') return undefined;
  const [data, scale, zero] = quantizer.outputs;
  const given = [parts.data, parts.dataScale, parts.zero ?? ''].map((name) => values.origin(name));
  if (given[0] !== data || given[1] !== scale || given[2] !== zero) return undefined;
  return integerProduct(values, { ...parts, input: quantizer.inputs[0]! });
}

function integerProduct(
  values: OnnxValuesByName,
  { input, weights, scales, weightZero }: IntegerParts & { readonly input: string },
): Product | undefined {
  const matrix = values.constant(weights);
  const zero = weightZero === undefined || weightZero === '' ? undefined : values.constant(weightZero);
  if (matrix?.shape.length !== 2) return undefined;
  const [rows, outputs] = matrix.shape as [number, number];
  const isPerColumn = (one: Constant) =>
    isScalar(one) || (countOf(one.shape) === outputs && one.shape.at(-1) === outputs);
  if (matrix.type !== 'int8' && matrix.type !== 'uint8') fail('quantized weights must have eight bits');
  if (scales?.type !== 'float32' || !isPerColumn(scales)) fail('there must be one scale, or one per column');
  if (weightZero && (zero?.type !== matrix.type || !isPerColumn(zero)))
    fail('there must be one zero point, or one per column');
  const read = () => {
    // The kernels multiply unsigned by signed bytes: weights and zero points are converted to signed.
    const { bytes, lowered } = signedBytes(matrix);
    const zeros = spread(zero?.read() ?? [0], outputs, Int32Array).map((value) => value - lowered);
    return { weights: bytes, scales: spread(scales.read(), outputs, Float32Array), zeroPoints: zeros };
  };
  return { input: values.origin(input), inputs: rows, outputs, isQuantized: true, read };
}

/** Converts bytes to signed bytes. @returns the bytes, and the value subtracted from each */
export function signedBytes(of: Constant): { readonly bytes: Int8Array; readonly lowered: number } {
  const integers = of.read();
  if (of.type === 'int8') return { bytes: integers as Int8Array, lowered: 0 };
  const bytes = new Int8Array(integers.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = integers[at]! ^ 0x80;
  return { bytes, lowered: 128 };
}

function spread<Values extends Float32Array | Int32Array>(
  numbers: ArrayLike<number>,
  count: number,
  Kind: { new (length: number): Values },
): Values {
  const result = new Kind(count);
  for (let index = 0; index < count; index++) result[index] = numbers[numbers.length === 1 ? 0 : index]!;
  return result;
}
