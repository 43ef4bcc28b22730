/** Checks the writer of the test models: its encodings are decoded as ggml does. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type GgufFile, writeGguf } from '../../support/models/gguf.ts';
import { randomFiller } from '../../support/models/random-transformer.ts';
import { scriptPieces } from '../../support/models/scripted-transformer.ts';
import { type TensorType, tensorEncodings } from '../../support/models/tensor-types.ts';
import { tinyModel } from '../../support/models/tiny-models.ts';

const folder = mkdtempSync(join(tmpdir(), 'gguf-writer-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(file: GgufFile): Buffer {
  const path = join(folder, 'file.gguf');
  writeGguf(path, file);
  return readFileSync(path);
}

function encoded(type: TensorType, values: Float32Array): DataView {
  const { blockValues, blockBytes, encode } = tensorEncodings[type];
  const bytes = new Uint8Array((values.length / blockValues) * blockBytes);
  encode(values, bytes);
  return new DataView(bytes.buffer);
}

/** @see llama.cpp ggml-quants.c, dequantize_row_q8_0 */
function decodeQ8(view: DataView): number[] {
  return Array.from({ length: (view.byteLength / 34) * 32 }, (_, i) => {
    const block = Math.floor(i / 32) * 34;
    return view.getFloat16(block, true) * view.getInt8(block + 2 + (i % 32));
  });
}

/** @see llama.cpp ggml-quants.c, dequantize_row_q4_K and get_scale_min_k4 */
function decodeQ4K(view: DataView): number[] {
  return Array.from({ length: (view.byteLength / 144) * 256 }, (_, index) => {
    const block = Math.floor(index / 256) * 144;
    const part = Math.floor((index % 256) / 32);
    const scales = (i: number) => view.getUint8(block + 4 + i);
    const step = part < 4 ? scales(part) & 63 : (scales(part + 4) & 15) | ((scales(part - 4) >> 6) << 4);
    const low = part < 4 ? scales(part + 4) & 63 : (scales(part + 4) >> 4) | ((scales(part) >> 6) << 4);
    const packed = view.getUint8(block + 16 + (part >> 1) * 32 + (index % 32));
    const quant = part % 2 === 0 ? packed & 15 : packed >> 4;
    return view.getFloat16(block, true) * step * quant - view.getFloat16(block + 2, true) * low;
  });
}

function randomValues(count: number): Float32Array {
  const values = new Float32Array(count);
  randomFiller(1, 'test', 1)(values, 0);
  return values;
}

describe('tensor encodings', () => {
  const values = randomValues(512);

  it('keep Q8_0 within half a step of 1/127 of the largest value', () => {
    const decoded = decodeQ8(encoded('Q8_0', values));
    for (const [i, value] of values.entries()) expect(Math.abs(decoded[i]! - value)).toBeLessThan(0.6 * (1.74 / 127));
  });

  it('keep Q4_K within about half a step of 1/15 of the range', () => {
    const decoded = decodeQ4K(encoded('Q4_K', values));
    for (const [i, value] of values.entries()) expect(Math.abs(decoded[i]! - value)).toBeLessThan(0.75 * (3.47 / 15));
  });

  it('keep F16 to eleven bits and F32 exactly', () => {
    expect(encoded('F16', values).getFloat16(20, true)).toBe(Math.f16round(values[10]!));
    expect(encoded('F32', values).getFloat32(40, true)).toBe(values[10]);
  });

  it('encode zeros', () => {
    expect(decodeQ8(encoded('Q8_0', new Float32Array(32)))).toEqual(new Array(32).fill(0));
    expect(decodeQ4K(encoded('Q4_K', new Float32Array(256))).map(Math.abs)).toEqual(new Array(256).fill(0));
  });
});

describe('writeGguf', () => {
  it('writes magic, version, counts and aligned tensors', () => {
    const tensor = (name: string) => ({
      name,
      shape: [3],
      type: 'F32' as const,
      fill: (values: Float32Array) => void values.fill(1.5),
    });
    const bytes = write({ metadata: { 'general.architecture': 'x' }, tensors: [tensor('a'), tensor('b')] });
    expect(bytes.toString('latin1', 0, 4)).toBe('GGUF');
    expect(bytes.readUInt32LE(4)).toBe(3);
    expect(bytes.readBigUInt64LE(8)).toBe(2n);
    expect(bytes.readBigUInt64LE(16)).toBe(1n);
    expect(bytes.length % 32).toBe(0);
    expect(bytes.readFloatLE(bytes.length - 64)).toBe(1.5);
    expect(bytes.readFloatLE(bytes.length - 32)).toBe(1.5);
  });

  it('refuses rows that are not whole blocks', () => {
    const tensor = { name: 'a', shape: [33, 2], type: 'Q8_0' as const, fill: () => {} };
    expect(() => write({ metadata: {}, tensors: [tensor] })).toThrow('a: Q8_0 needs rows of a multiple of 32');
  });

  it('writes the same bytes for the same options', () => {
    expect(write(tinyModel()).equals(write(tinyModel()))).toBe(true);
    expect(write(tinyModel()).equals(write(tinyModel({ seed: 2 })))).toBe(false);
  });
});

describe('scriptPieces', () => {
  it('splits a text into unique pieces and keeps marks whole', () => {
    const pieces = scriptPieces('<think>a b c d</think>e f g', ['<think>', '</think>'], new Set());
    const texts = pieces.map((piece) => Buffer.from(piece).toString());
    expect(texts.join('')).toBe('<think>a b c d</think>e f g');
    expect(texts).toContain('</think>');
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('uses longer pieces if short ones repeat', () => {
    const texts = scriptPieces('abcabcabd', [], new Set()).map((piece) => Buffer.from(piece).toString());
    expect(texts).toEqual(['abc', 'abca', 'bd']);
  });

  it('refuses a script with indistinguishable pieces', () => {
    expect(() => scriptPieces('abcabc', [], new Set())).toThrow('comes twice');
  });
});
