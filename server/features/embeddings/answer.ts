/** Writes vectors as the body of an answer, in pieces, so that a large answer does not block the event loop. */
import { setImmediate } from 'node:timers/promises';
import type { EmbeddingFormat } from './schema.ts';

export interface EmbeddingUsage {
  readonly prompt_tokens: number;
  /** Always 0; I-026 requires it in every answer. */
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export interface EmbeddingAnswer {
  readonly model: string;
  /** [vectors, dimensions], in the order of the input */
  readonly vectors: Float32Array;
  readonly dimensions: number;
  readonly format: EmbeddingFormat;
  readonly usage: EmbeddingUsage;
}

/** Vectors per piece, which take about a millisecond. */
const numbersPerTurn = 8192;

/** @returns JSON in UTF-8, in OpenAI's form */
export async function encodeEmbeddings({
  model,
  vectors,
  dimensions,
  format,
  usage,
}: EmbeddingAnswer): Promise<Buffer> {
  const pieces: Buffer[] = [Buffer.from('{"object":"list","data":[')];
  const rowsPerTurn = Math.max(1, Math.floor(numbersPerTurn / dimensions));
  const count = vectors.length / dimensions;
  for (let first = 0; first < count; first += rowsPerTurn) {
    if (first > 0) await setImmediate();
    let text = '';
    for (let index = first; index < Math.min(count, first + rowsPerTurn); index++) {
      const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
      const comma = index === 0 ? '' : ',';
      text += `${comma}{"object":"embedding","index":${index},"embedding":${encodeVector(vector, format)}}`;
    }
    pieces.push(Buffer.from(text));
  }
  pieces.push(Buffer.from(`],"model":${JSON.stringify(model)},"usage":${JSON.stringify(usage)}}`));
  return Buffer.concat(pieces);
}

/** Truncates each vector to its first `dimensions` and normalizes it. */
export function shortenVectors(vectors: Float32Array, from: number, dimensions: number): Float32Array {
  const count = vectors.length / from;
  const shortened = new Float32Array(count * dimensions);
  for (let row = 0; row < count; row++) {
    const vector = vectors.subarray(row * from, row * from + dimensions);
    let sum = 0;
    for (let index = 0; index < dimensions; index++) sum += vector[index]! * vector[index]!;
    const scale = sum === 0 ? 0 : 1 / Math.sqrt(sum);
    for (let index = 0; index < dimensions; index++) shortened[row * dimensions + index] = vector[index]! * scale;
  }
  return shortened;
}

/** Base64 encodes little-endian 32-bit floats, the native order of all supported machines. */
function encodeVector(vector: Float32Array, format: EmbeddingFormat): string {
  if (format === 'float') return `[${vector.join(',')}]`;
  return `"${Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')}"`;
}
