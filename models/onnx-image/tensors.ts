/** Tensors from plain arrays, of the types that graphs of a diffusers folder ask for. */
import { Tensor } from 'onnxruntime-node';

/** What goes into a graph. */
export interface Numbers {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

/** What comes out of one. */
export interface Output extends Numbers {
  readonly data: Float32Array;
}

/** A tensor as it goes to another thread: `data` holds numbers as `type` has them, 16-bit ones as their bits. */
export interface PlainTensor {
  readonly type: string;
  readonly data: TensorData;
  readonly dims: readonly number[];
}

type TensorData = Float32Array | Uint16Array | Int32Array | BigInt64Array;

/** @returns undefined where no graph of a known pipeline has inputs of that type */
export function toTensor(type: string | undefined, { data, dims }: Numbers): Tensor | undefined {
  switch (type) {
    case 'int64': {
      const whole = new BigInt64Array(data.length);
      for (let i = 0; i < data.length; i++) whole[i] = BigInt(Math.round(data[i]!));
      return new Tensor('int64', whole, dims);
    }
    case 'int32':
      return new Tensor('int32', Int32Array.from(data), dims);
    case 'float32':
      return new Tensor('float32', data instanceof Float32Array ? data : Float32Array.from(data), dims);
    case 'float16': {
      const { buffer, length } = Float16Array.from(data);
      return halfTensor(new Uint16Array(buffer, 0, length), dims);
    }
  }
  return undefined;
}

/** Of numbers that already are what the type says. */
export function fromPlain({ type, data, dims }: PlainTensor): Tensor {
  return type === 'float16'
    ? halfTensor(data as Uint16Array, dims)
    : new Tensor(type as 'float32', data as never, dims);
}

/** In the same memory. */
export function toPlain({ type, data, dims }: Tensor): PlainTensor {
  return { type, data: data as TensorData, dims };
}

/** @returns rows `from` up to `to` of the first dimension, in the same memory */
export function rowsOf(tensor: Tensor, from: number, to: number): PlainTensor {
  const { type, data, dims } = toPlain(tensor);
  const [count, ...row] = dims;
  const size = data.length / count!;
  return { type, data: data.subarray(from * size, to * size), dims: [to - from, ...row] };
}

/** One after another. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The native binding takes the bits of 16-bit numbers, and reads a Float16Array as empty (onnxruntime-node 1.30). */
function halfTensor(bits: Uint16Array, dims: readonly number[]): Tensor {
  return Object.defineProperty(new Tensor('float16', bits, dims), 'data', { value: bits });
}
