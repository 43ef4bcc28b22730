/**
 * Which other files an ONNX file keeps weights in: ONNX Runtime opens them by itself, so whoever proves a model has to
 * know them. Reads heads of fields and skips what is in them, so that size does not matter.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 for the field numbers
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ModelError } from './errors.ts';
import type { PinnedFiles } from './pinned-files.ts';

type Message = 'model' | 'graph' | 'node' | 'attribute' | 'function' | 'training' | 'sparse' | 'tensor' | 'entry';

/** Fields that may lead to a tensor. */
const CHILDREN: Readonly<Record<Message, Readonly<Record<number, Message>>>> = {
  model: { 7: 'graph', 20: 'training', 25: 'function' },
  graph: { 1: 'node', 5: 'tensor', 15: 'sparse' },
  node: { 5: 'attribute' },
  attribute: { 5: 'tensor', 6: 'graph', 10: 'tensor', 11: 'graph', 22: 'sparse', 23: 'sparse' },
  function: { 7: 'node', 11: 'attribute' },
  training: { 1: 'graph', 2: 'graph' },
  sparse: { 1: 'tensor', 2: 'tensor' },
  tensor: { 13: 'entry' },
  entry: {},
};
/** Far more than any graph nests its branches and loops. */
const DEPTH_MAX = 64;
const WINDOW_BYTES = 64 * 1024;

/** @returns names relative to the file's folder, each once · @throws {ModelError} ERR_MODEL_LOAD where it is no ONNX file */
export function readExternalFiles(path: string): readonly string[] {
  const file = openSync(path, 'r');
  try {
    const read = (buffer: Buffer, at: number) => readSync(file, buffer, 0, buffer.length, at);
    return externalFiles({ bytes: fstatSync(file).size, read }, path);
  } finally {
    closeSync(file);
  }
}

/** The same of a file's content. @param name for messages */
export function parseExternalFiles(content: Buffer, name: string): readonly string[] {
  return externalFiles({ bytes: content.length, read: (buffer, at) => content.copy(buffer, 0, at) }, name);
}

/**
 * That neither a graph nor a file that ONNX Runtime would open with it, without asking, is another than its model's.
 * @returns `path` · @throws {ModelError} ERR_FILE_MISSING, ERR_MODEL_LOAD
 */
export function requireGraph(path: string, files: PinnedFiles): string {
  files.require(path);
  for (const name of readExternalFiles(path)) files.require(join(dirname(path), name));
  return path;
}

interface Source {
  readonly bytes: number;
  /** Fills the buffer with what lies from `at` on. @returns how many bytes there were */
  readonly read: (buffer: Buffer, at: number) => number;
}

function externalFiles(source: Source, name: string): readonly string[] {
  const names = new Set<string>();
  try {
    collect(new ProtobufReader(source), { message: 'model', start: 0, end: source.bytes, depth: 0 }, names);
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', `${name} is not an ONNX file`, { cause });
  }
  return [...names];
}

interface Range {
  readonly message: Message;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

function collect(reader: ProtobufReader, { message, start, end, depth }: Range, names: Set<string>): void {
  if (depth > DEPTH_MAX) throw new RangeError('nested too deep');
  const texts: string[] = [];
  for (let at = start; at < end; ) {
    const field = reader.field(at);
    if (field.end > end) throw new RangeError('a field goes past its message');
    at = field.end;
    if (field.wire !== 2) continue;
    const child = CHILDREN[message][field.number];
    if (child !== undefined) collect(reader, { message: child, start: field.start, end: at, depth: depth + 1 }, names);
    if (message === 'entry') texts[field.number] = reader.text(field.start, field.end);
  }
  if (message === 'entry' && texts[1] === 'location' && texts[2] !== undefined) names.add(texts[2]);
}

class ProtobufReader {
  readonly #source: Source;
  readonly #window = Buffer.alloc(WINDOW_BYTES);
  #from = 0;
  #bytes = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** @returns where the field's content lies; `start` is past its length where it has one */
  field(at: number): { number: number; wire: number; start: number; end: number } {
    const tag = this.#varint(at);
    const [number, wire] = [Math.floor(tag.value / 8), tag.value % 8];
    switch (wire) {
      case 0:
        return { number, wire, start: tag.end, end: this.#varint(tag.end).end };
      case 1:
        return { number, wire, start: tag.end, end: tag.end + 8 };
      case 2: {
        const length = this.#varint(tag.end);
        return { number, wire, start: length.end, end: length.end + length.value };
      }
      case 5:
        return { number, wire, start: tag.end, end: tag.end + 4 };
      default:
        throw new RangeError('no such wire type');
    }
  }

  text(start: number, end: number): string {
    if (end - start > WINDOW_BYTES) throw new RangeError('a name that long is none');
    const bytes = Buffer.alloc(end - start);
    this.#source.read(bytes, start);
    return bytes.toString('utf8');
  }

  /** Exact to 2^53, which is beyond any file; longer ones are other numbers than lengths. */
  #varint(at: number): { value: number; end: number } {
    let value = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.#byte(at + index);
      value += (byte & 127) * 2 ** (7 * index);
      if (byte < 128) return { value, end: at + index + 1 };
    }
    throw new RangeError('a number without an end');
  }

  #byte(at: number): number {
    if (at < this.#from || at >= this.#from + this.#bytes) {
      this.#from = at;
      this.#bytes = this.#source.read(this.#window, at);
    }
    const byte = this.#bytes === 0 ? undefined : this.#window[at - this.#from];
    if (byte === undefined) throw new RangeError('the file ends in mid-field');
    return byte;
  }
}
