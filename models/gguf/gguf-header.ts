/** Reads the metadata at the beginning of a GGUF file. Pure. Malformed input gives fewer facts; allocations are bounded by the input. */
import { ModelError } from '../interface/errors.ts';

export interface GgufFacts {
  readonly architecture: string | undefined;
  readonly name: string | undefined;
  /** Tokens the model was trained for. */
  readonly contextLength: number | undefined;
  /** Whether the model is an embedding model. */
  readonly embeds: boolean;
  /** Whether the model is a cross-encoder. */
  readonly ranks: boolean;
}

/** In all known files these facts precede the long lists of the tokenizer, well within this size. */
export const ggufHeadBytes = 1024 * 1024;

/**
 * @param head the first bytes of the file; reading ends at a value that exceeds them
 * @throws {ModelError} ERR_REFERENCE_INVALID if this is not a GGUF file
 * @see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export function parseGgufHead(head: Buffer, place: string): GgufFacts {
  if (head.length < 24 || head.toString('latin1', 0, 4) !== 'GGUF') {
    throw new ModelError('ERR_REFERENCE_INVALID', `${place} is not a GGUF file: it must begin with the letters GGUF`);
  }
  const values = readValues(head);
  const text = (key: string): string | undefined => {
    const value = values.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const architecture = text('general.architecture');
  const contextLength = values.get(`${architecture}.context_length`);
  const isEncoder = encoderPattern.test(architecture ?? '');
  const pooling = Number(values.get(`${architecture}.pooling_type`));
  const ranks = isEncoder && pooling === rankPooling;
  return {
    architecture,
    name: text('general.name'),
    contextLength: typeof contextLength === 'number' && contextLength >= 1 ? contextLength : undefined,
    embeds: !ranks && (isEncoder || poolingTypes.has(pooling)),
    ranks,
  };
}

/** Architectures that llama.cpp supports only as text encoders; some of their files do not state a pooling type. */
const encoderPattern = /(^|-)bert(-|$)|^eurobert$|^gemma-embedding$/;
/** Mean, first token, last token. @see llama.cpp include/llama.h, llama_pooling_type */
const poolingTypes = new Set([1, 2, 3]);
/** A classification head instead of a vector. */
const rankPooling = 4;

/** Reads numbers and texts; ends at the first value that exceeds the input. */
function readValues(head: Buffer): Map<string, string | number> {
  const reader = { head, at: 24 };
  const values = new Map<string, string | number>();
  const count = head.readBigUInt64LE(16);
  try {
    for (let index = 0n; index < count; index++) {
      const key = readText(reader);
      const value = readValue(reader, readUint32(reader));
      if (value !== undefined) values.set(key, value);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return values;
}

interface Reader {
  readonly head: Buffer;
  at: number;
}

const textType = 8;
const listType = 9;
/** Bytes of the GGUF value types that have a fixed size. */
const typeBytes: Readonly<Record<number, number>> = {
  0: 1,
  1: 1,
  2: 2,
  3: 2,
  4: 4,
  5: 4,
  6: 4,
  7: 1,
  10: 8,
  11: 8,
  12: 8,
};

function readValue(reader: Reader, type: number): string | number | undefined {
  if (type === textType) return readText(reader);
  if (type === listType) return skipList(reader);
  const start = reader.at;
  skip(reader, typeBytes[type] ?? Number.POSITIVE_INFINITY);
  if (type === 4) return reader.head.readUInt32LE(start);
  return type === 10 ? Number(reader.head.readBigUInt64LE(start)) : undefined;
}

function skipList(reader: Reader): undefined {
  const type = readUint32(reader);
  const count = readLength(reader);
  if (type === textType) {
    for (let index = 0; index < count; index++) skip(reader, readLength(reader));
  } else {
    skip(reader, count * (typeBytes[type] ?? Number.POSITIVE_INFINITY));
  }
}

function readText(reader: Reader): string {
  const bytes = readLength(reader);
  const start = reader.at;
  skip(reader, bytes);
  return reader.head.toString('utf8', start, reader.at);
}

function readUint32(reader: Reader): number {
  const start = reader.at;
  skip(reader, 4);
  return reader.head.readUInt32LE(start);
}

function readLength(reader: Reader): number {
  const start = reader.at;
  skip(reader, 8);
  return Number(reader.head.readBigUInt64LE(start));
}

/** @throws {RangeError} if there are fewer bytes left */
function skip(reader: Reader, bytes: number): void {
  if (!(bytes <= reader.head.length - reader.at)) throw new RangeError('past the end of the header');
  reader.at += bytes;
}
