import { afterEach, describe, expect, it } from 'vitest';
import { BertEncoder } from '../../native/bert-encoder.ts';
import type { BertWeights, Dense } from '../../native/bert-weights.ts';
import { plainHidden, randomBertWeights } from '../support/models/plain-bert.ts';
import { type BertShape, bertValues } from '../support/models/random-bert.ts';

const isSupported = BertEncoder.isSupported();
if (!isSupported) console.log('skipped: our own encoder needs AVX2');

const seed = 11;
const smallShape: BertShape = { vocabulary: 40, layers: 2, width: 96, heads: 3, feedForward: 160, context: 150 };
const encoders: BertEncoder[] = [];
afterEach(() => {
  for (const encoder of encoders.splice(0)) encoder.close();
});

function create(weights: BertWeights, { threads = 2 } = {}): BertEncoder {
  const encoder = BertEncoder.create(weights, { threads });
  encoders.push(encoder);
  return encoder;
}

/** Tokens of so many texts, none of which is another's beginning. */
function texts(lengths: readonly number[], { vocabulary } = smallShape): Int32Array[] {
  return lengths.map((length, text) => Int32Array.from({ length }, (_, at) => (at * 7 + text * 13 + 3) % vocabulary));
}

function encode(encoder: BertEncoder, sequences: readonly Int32Array[]): Float32Array[] {
  const lengths = Int32Array.from(sequences, ({ length }) => length);
  const rows = encoder.encode(Int32Array.from(sequences.flatMap((sequence) => [...sequence])), lengths);
  let end = 0;
  return sequences.map(({ length }) => {
    end += length;
    return rows.slice((end - length) * encoder.width, end * encoder.width);
  });
}

function worstCosine(weights: BertWeights, tokens: Int32Array, rows: Float32Array): number {
  const cosines = plainHidden(weights, tokens).map((expected, row) => {
    let [product, own, other] = [0, 0, 0];
    for (const [column, value] of expected.entries()) {
      const found = rows[row * weights.width + column]!;
      product += found * value;
      own += found ** 2;
      other += value ** 2;
    }
    return product / Math.sqrt(own * other);
  });
  return Math.min(...cosines);
}

/**
 * Weights are bytes whose zero points cover the whole range; there are few weights, so that sums stay in the range of a real model.
 */
function inBytes(weights: BertWeights): BertWeights {
  const bytes = ({ weights: values, bias }: Dense, name: string): Dense => {
    const scales = new Float32Array(bias.length).fill(0.06 / Math.sqrt(values.length / bias.length));
    const random = bertValues(seed, `${name}.bytes`, { length: values.length, deviation: 20 });
    const zeroPoints = Int32Array.from(bias, (_, output) => ((output * 37) % 81) - 40);
    return {
      weights: Int8Array.from(random, (value, at) => value + zeroPoints[at % bias.length]!),
      scales,
      zeroPoints,
      bias,
    };
  };
  const layers = weights.layers.map((layer, index) => ({
    ...layer,
    query: bytes(layer.query, `${index}.query`),
    key: bytes(layer.key, `${index}.key`),
    attended: bytes(layer.attended, `${index}.attended`),
    up: bytes(layer.up, `${index}.up`),
    down: bytes(layer.down, `${index}.down`),
  }));
  return { ...weights, layers };
}

describe.skipIf(!isSupported)('BertEncoder', () => {
  const shapes: [string, Partial<BertShape>][] = [
    ['heads of 16 numbers', { width: 48, heads: 3 }],
    ['heads of 32 numbers', {}],
    ['heads of 48 numbers', { width: 96, heads: 2 }],
    ['heads of 64 numbers', { width: 128, heads: 2 }],
    ['outputs that fill no panel', { width: 16, heads: 1, feedForward: 16 }],
    ['outputs that fill several panels', { width: 192, heads: 6, feedForward: 304 }],
  ];
  it.each(shapes)('equals a double-precision reference, with %s', (_, changes) => {
    const shape = { ...smallShape, ...changes };
    const weights = randomBertWeights(shape, seed);
    const sequences = texts([1, 2, 7, 16, 49, 130]);
    for (const [index, rows] of encode(create(weights), sequences).entries()) {
      expect(worstCosine(weights, sequences[index]!, rows)).toBeGreaterThan(0.999_999);
    }
  });

  it('computes byte weights as ONNX defines them, next to layers in single precision', () => {
    const weights = inBytes(randomBertWeights(smallShape, seed));
    const sequences = texts([1, 5, 16, 40]);
    for (const [index, rows] of encode(create(weights), sequences).entries()) {
      expect(worstCosine(weights, sequences[index]!, rows)).toBeGreaterThan(0.9995);
    }
  });

  it('reads word embeddings from a table of bytes', () => {
    const weights = randomBertWeights(smallShape, seed);
    const bytes = Int8Array.from(weights.words, (value) => Math.max(-128, Math.min(127, Math.round(value / 0.03) - 9)));
    const packed = { ...weights, words: { bytes, scale: 0.03, zeroPoint: -9 } };
    const [tokens] = texts([20]);
    expect(worstCosine(packed, tokens!, encode(create(packed), [tokens!])[0]!)).toBeGreaterThan(0.999_999);
  });

  it('starts at the first position that the model defines', () => {
    const weights = { ...randomBertWeights(smallShape, seed), firstPosition: 2 };
    const [tokens] = texts([9]);
    expect(worstCosine(weights, tokens!, encode(create(weights), [tokens!])[0]!)).toBeGreaterThan(0.999_999);
  });

  it('gives padding within a text the position before the first, and does not count it', () => {
    const weights = { ...randomBertWeights(smallShape, seed), firstPosition: 2, paddingToken: 1 };
    const tokens = Int32Array.of(1, 7, 1, 1, 9, 30);
    expect(worstCosine(weights, tokens, encode(create(weights), [tokens])[0]!)).toBeGreaterThan(0.999_999);
  });

  it.each([
    ['single precision', randomBertWeights(smallShape, seed)],
    ['bytes', inBytes(randomBertWeights(smallShape, seed))],
  ])('gives a text the same bits regardless of the other texts and of the number of threads, in %s', (_, weights) => {
    const sequences = texts([3, 16, 1, 133, 8]);
    const alone = create(weights, { threads: 1 });
    const expected = sequences.map((sequence) => encode(alone, [sequence])[0]!);
    for (const threads of [1, 2, 5]) expect(encode(create(weights, { threads }), sequences)).toEqual(expected);
  });

  it('returns non-finite values for a text whose weights are non-finite, and computes the other texts', () => {
    const weights = randomBertWeights(smallShape, seed);
    weights.words.fill(Number.NaN, 0, smallShape.width);
    const [lost, kept] = encode(create(weights), [Int32Array.of(0, 1), Int32Array.of(1, 2)]);
    expect(lost!.every(Number.isNaN)).toBe(true);
    expect(kept!.every(Number.isFinite)).toBe(true);
  });

  it('rejects input that does not fit the model, and stays usable', () => {
    const encoder = create(randomBertWeights(smallShape, seed));
    const refused = (tokens: number[], lengths: number[]) =>
      expect(() => encoder.encode(Int32Array.from(tokens), Int32Array.from(lengths))).toThrow(RangeError);
    refused([40], [1]);
    refused([-1], [1]);
    refused([1, 2], [1]);
    refused([1], [2]);
    refused([1, 2], [3, -1]);
    refused([1], [1, 0]);
    refused([], []);
    refused(new Array(151).fill(1), [151]);
    expect(() => encoder.encode([1] as never, Int32Array.of(1))).toThrow(TypeError);
    expect(encoder.encode(Int32Array.of(1), Int32Array.of(1))).toHaveLength(smallShape.width);
  });

  it('rejects weights whose sizes differ from their declaration or are unsupported by the kernels', () => {
    const weights = randomBertWeights(smallShape, seed);
    const [layer] = weights.layers;
    const refused = (changes: object) =>
      expect(() => create({ ...weights, ...changes } as BertWeights)).toThrow(RangeError);
    refused({ width: 88 });
    refused({ heads: 4 });
    refused({ heads: 12 });
    refused({ feedForward: 161 });
    refused({ vocabulary: 41 });
    refused({ positions: 151 });
    refused({ firstPosition: 150 });
    refused({ paddingToken: 1 });
    refused({ words: { bytes: new Int8Array(95), scale: 1, zeroPoint: 0 } });
    refused({ layers: [] });
    refused({ norm: { ...weights.norm, shift: new Float32Array(95) } });
    refused({ layers: [{ ...layer, up: layer!.down }] });
    refused({ layers: [{ ...layer, up: { ...layer!.up, weights: new Int8Array(96 * 160) } }] });
    expect(() => create(weights, { threads: 0 })).toThrow(RangeError);
  });

  it('cannot be used after close', () => {
    const encoder = BertEncoder.create(randomBertWeights(smallShape, seed), { threads: 2 });
    encoder.close();
    encoder.close();
    expect(() => encoder.encode(Int32Array.of(1), Int32Array.of(1))).toThrow('closed');
  });
});
