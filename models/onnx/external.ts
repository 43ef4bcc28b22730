/**
 * Finds the external weight files of an ONNX file. ONNX Runtime opens them itself, so they must be verified with the model.
 * Reads only the headers of fields and skips their contents, so the size of the file does not matter.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 for the field numbers
 */
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PinnedFiles } from '../files/pinned-files.ts';
import { ModelError } from '../interface/errors.ts';
import { type ByteSource, bufferSource, fileSource, ProtobufReader } from './protobuf-reader.ts';

type Message = 'model' | 'graph' | 'node' | 'attribute' | 'function' | 'training' | 'sparse' | 'tensor' | 'entry';

/** Fields that may lead to a tensor. */
const children: Readonly<Record<Message, Readonly<Record<number, Message>>>> = {
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
/** Far more than the nesting of any real graph. */
const depthMax = 64;

/** @returns unique names relative to the file's folder · @throws {ModelError} ERR_MODEL_LOAD if it is not an ONNX file */
export function readExternalFiles(path: string): readonly string[] {
  const file = openSync(path, 'r');
  try {
    return externalFiles(fileSource(file), path);
  } finally {
    closeSync(file);
  }
}

/** Like `readExternalFiles`, from the content of a file. @param name name of the file, for messages */
export function parseExternalFiles(content: Buffer, name: string): readonly string[] {
  return externalFiles(bufferSource(content), name);
}

/**
 * Requires that a graph, and every external file that ONNX Runtime would open with it, may be opened.
 * @returns `path` · @throws {ModelError} ERR_FILE_MISSING, ERR_MODEL_LOAD
 */
export function requireGraph(path: string, files: PinnedFiles): string {
  files.require(path);
  for (const name of readExternalFiles(path)) files.require(join(dirname(path), name));
  return path;
}

function externalFiles(source: ByteSource, name: string): readonly string[] {
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
  if (depth > depthMax) throw new RangeError('it is nested too deeply');
  const texts: string[] = [];
  for (const field of reader.fields(start, end)) {
    if (field.wire !== 2) continue;
    const child = children[message][field.number];
    const { start, end } = field;
    if (child !== undefined) collect(reader, { message: child, start, end, depth: depth + 1 }, names);
    if (message === 'entry') texts[field.number] = reader.text(field);
  }
  if (message === 'entry' && texts[1] === 'location' && texts[2] !== undefined) names.add(texts[2]);
}
