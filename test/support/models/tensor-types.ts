/// <reference lib="esnext.float16" />
/**
 * Encodings of GGUF tensors: F32, F16, Q8_0 and Q4_K, in the layout that ggml's reference code
 * reads. Q4_K uses the minimum and maximum of each block and does not search for a better fit.
 * @see llama.cpp ggml/src/ggml-common.h (block_q8_0, block_q4_K), ggml-quants.c
 */

export type TensorType = 'F32' | 'F16' | 'Q8_0' | 'Q4_K';

export interface TensorEncoding {
  /** `ggml_type` */
  readonly id: number;
  /** Values per block; a row consists of whole blocks. */
  readonly blockValues: number;
  readonly blockBytes: number;
  /** @param values whole blocks · @param bytes the output, with room for all encoded blocks */
  encode(values: Float32Array, bytes: Uint8Array): void;
}

export const tensorEncodings: Readonly<Record<TensorType, TensorEncoding>> = {
  F32: { id: 0, blockValues: 1, blockBytes: 4, encode: encodeF32 },
  F16: { id: 1, blockValues: 1, blockBytes: 2, encode: encodeF16 },
  Q8_0: { id: 8, blockValues: 32, blockBytes: 34, encode: encodeQ8 },
  Q4_K: { id: 12, blockValues: 256, blockBytes: 144, encode: encodeQ4K },
};

function encodeF32(values: Float32Array, bytes: Uint8Array): void {
  new Float32Array(bytes.buffer, bytes.byteOffset, values.length).set(values);
}

function encodeF16(values: Float32Array, bytes: Uint8Array): void {
  new Float16Array(bytes.buffer, bytes.byteOffset, values.length).set(values);
}

/** Per block of 32: an f16 scale, then 32 signed bytes. */
function encodeQ8(values: Float32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let block = 0; block * 32 < values.length; block++) {
    const from = block * 32;
    let largest = 0;
    for (let i = 0; i < 32; i++) largest = Math.max(largest, Math.abs(values[from + i]!));
    const scale = largest / 127;
    const inverse = scale > 0 ? 1 / scale : 0;
    view.setFloat16(block * 34, scale, true);
    const quants = block * 34 + 2;
    for (let i = 0; i < 32; i++) bytes[quants + i] = Math.round(values[from + i]! * inverse) & 0xff;
  }
}

const lows = new Float32Array(8);
const steps = new Float32Array(8);

/** Per block of 256: f16 scale of scales, f16 scale of minima, 8 × (6-bit scale, 6-bit minimum), 256 × 4 bits. */
function encodeQ4K(values: Float32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let block = 0; block * 256 < values.length; block++) {
    encodeQ4KBlock(values.subarray(block * 256, block * 256 + 256), bytes, view, block * 144);
  }
}

function encodeQ4KBlock(values: Float32Array, bytes: Uint8Array, view: DataView, at: number): void {
  for (let part = 0; part < 8; part++) {
    let low = 0;
    let high = 0;
    for (let i = part * 32; i < part * 32 + 32; i++) {
      low = Math.min(low, values[i]!);
      high = Math.max(high, values[i]!);
    }
    lows[part] = -low;
    steps[part] = (high - low) / 15;
  }
  const scale = Math.f16round(Math.max(...steps) / 63);
  const lowScale = Math.f16round(Math.max(...lows) / 63);
  view.setFloat16(at, scale, true);
  view.setFloat16(at + 2, lowScale, true);
  bytes.fill(0, at + 4, at + 144);
  for (let part = 0; part < 8; part++) {
    const step = scale > 0 ? Math.min(63, Math.round(steps[part]! / scale)) : 0;
    const low = lowScale > 0 ? Math.min(63, Math.round(lows[part]! / lowScale)) : 0;
    packScale(bytes, at + 4, part, step, low);
    packQuants(values, bytes, at + 16, { part, step: step * scale, low: low * lowScale });
  }
}

/** The first four values have six contiguous bits; the upper two bits of the last four are in spare bits of the first four. */
function packScale(bytes: Uint8Array, at: number, part: number, step: number, low: number): void {
  if (part < 4) {
    bytes[at + part]! |= step;
    bytes[at + part + 4]! |= low;
    return;
  }
  bytes[at + part + 4]! = (step & 15) | ((low & 15) << 4);
  bytes[at + part - 4]! |= (step >> 4) << 6;
  bytes[at + part]! |= (low >> 4) << 6;
}

function packQuants(
  values: Float32Array,
  bytes: Uint8Array,
  at: number,
  { part, step, low }: { part: number; step: number; low: number },
): void {
  const target = at + (part >> 1) * 32;
  const shift = (part & 1) * 4;
  for (let i = 0; i < 32; i++) {
    const quant = step > 0 ? Math.round((values[part * 32 + i]! + low) / step) : 0;
    bytes[target + i]! |= Math.max(0, Math.min(15, quant)) << shift;
  }
}
