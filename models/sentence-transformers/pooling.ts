/** Pools token vectors to one vector per text. Pure. */
import type { Pooling } from './embedding-folder.ts';

export interface PoolingInput {
  /** [texts, length, width], padding at the end of each text */
  readonly hidden: Float32Array;
  /** Tokens of each text, 1…length. */
  readonly lengths: Int32Array;
  readonly length: number;
  readonly width: number;
}

/** Writes [texts, width] to `vectors` from `at` on. */
export function poolTokens(
  { hidden, lengths, length, width }: PoolingInput,
  pooling: Pooling,
  vectors: Float32Array,
  at: number,
): void {
  for (let text = 0; text < lengths.length; text++) {
    const first = text * length * width;
    const count = lengths[text]!;
    const target = at + text * width;
    switch (pooling) {
      case 'cls':
        vectors.set(hidden.subarray(first, first + width), target);
        break;
      case 'last':
        vectors.set(hidden.subarray(first + (count - 1) * width, first + count * width), target);
        break;
      case 'mean':
        mean(hidden, { first, count, width }, vectors, target);
        break;
      case 'max':
        greatest(hidden, { first, count, width }, vectors, target);
        break;
    }
  }
}

/** Normalizes each row of [rows, width] to length 1. A row of zeros is not changed. */
export function normalizeRows(vectors: Float32Array, width: number): void {
  for (let start = 0; start + width <= vectors.length; start += width) {
    let sum = 0;
    for (let index = start; index < start + width; index++) sum += vectors[index]! * vectors[index]!;
    if (sum === 0) continue;
    const scale = 1 / Math.sqrt(sum);
    for (let index = start; index < start + width; index++) vectors[index]! *= scale;
  }
}

interface Rows {
  readonly first: number;
  readonly count: number;
  readonly width: number;
}

function mean(hidden: Float32Array, { first, count, width }: Rows, vectors: Float32Array, target: number): void {
  vectors.fill(0, target, target + width);
  for (let token = 0, from = first; token < count; token++, from += width) {
    for (let index = 0; index < width; index++) vectors[target + index]! += hidden[from + index]!;
  }
  for (let index = target; index < target + width; index++) vectors[index]! /= count;
}

function greatest(hidden: Float32Array, { first, count, width }: Rows, vectors: Float32Array, target: number): void {
  vectors.set(hidden.subarray(first, first + width), target);
  for (let token = 1, from = first + width; token < count; token++, from += width) {
    for (let index = 0; index < width; index++) {
      const value = hidden[from + index]!;
      if (value > vectors[target + index]!) vectors[target + index] = value;
    }
  }
}
