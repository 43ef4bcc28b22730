/**
 * Parses the nodes, tensors, inputs and outputs of an ONNX file. The values of tensors are read on demand. Subgraphs of
 * branches and loops are not parsed.
 * @see https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3 for the field numbers
 */
import { closeSync, openSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { PinnedFiles } from '../files/pinned-files.ts';
import { ModelError } from '../interface/errors.ts';
import { fileSource, type ProtobufField, ProtobufReader } from './protobuf-reader.ts';
import { type OnnxTensor, parseTensor } from './tensor.ts';

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  /** Tensors by name. */
  readonly tensors: ReadonlyMap<string, OnnxTensor>;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

export interface OnnxNode {
  readonly op: string;
  /** '' is the ONNX domain. */
  readonly domain: string;
  /** '' is an omitted input. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly attributes: ReadonlyMap<string, OnnxAttribute>;
  /** Whether the node has subgraphs (branches or a loop). */
  readonly hasGraphs: boolean;
}

export interface OnnxAttribute {
  readonly number?: number;
  readonly numbers?: readonly number[];
  readonly tensor?: OnnxTensor;
}

/** Maximum fields of all nodes and tensors; a large encoder has some ten thousand. */
const fieldsMax = 1_000_000;
/** Maximum size of a list in an attribute; longer lists are not needed and ignored. */
const listBytesMax = 1024;
const listMax = 1024;

/**
 * @param files the files that may be opened, including external weights
 * @param use called with the graph; tensors can be read until it returns
 * @throws {ModelError} ERR_MODEL_LOAD if it is not an ONNX file, ERR_FILE_MISSING
 */
export function withOnnxGraph<Result>(path: string, files: PinnedFiles, use: (graph: OnnxGraph) => Result): Result {
  const file = openSync(files.require(path), 'r');
  try {
    const source = fileSource(file);
    const external = (location: string) => externalPath(path, location, files);
    return use(new GraphParser(new ProtobufReader(source, { fieldsMax: fieldsMax }), external).model(source.bytes));
  } catch (cause) {
    if (!(cause instanceof RangeError) && !isSystemError(cause)) throw cause;
    throw new ModelError('ERR_MODEL_LOAD', `${path} is not an ONNX file: ${cause.message}`, { cause });
  } finally {
    closeSync(file);
  }
}

/** Whether this is a system error, for example because a weight file is a folder. */
function isSystemError(cause: unknown): cause is Error {
  return cause instanceof Error && 'syscall' in cause;
}

function externalPath(path: string, location: string, files: PinnedFiles): string {
  if (isAbsolute(location) || location.split('/').includes('..'))
    throw new RangeError('external weights must be in the folder of the graph');
  return files.require(join(dirname(path), location));
}

class GraphParser {
  readonly #reader: ProtobufReader;
  readonly #external: (location: string) => string;

  constructor(reader: ProtobufReader, external: (location: string) => string) {
    this.#reader = reader;
    this.#external = external;
  }

  model(bytes: number): OnnxGraph {
    let graph: OnnxGraph | undefined;
    for (const field of this.#reader.fields(0, bytes)) {
      if (field.number === 7 && field.wire === 2) {
        if (graph !== undefined) throw new RangeError('it has two graphs');
        graph = this.#graph(field);
      }
    }
    if (graph === undefined) throw new RangeError('it has no graph');
    return graph;
  }

  #graph({ start, end }: ProtobufField): OnnxGraph {
    const nodes: OnnxNode[] = [];
    const tensors = new Map<string, OnnxTensor>();
    const [inputs, outputs]: [string[], string[]] = [[], []];
    for (const field of this.#reader.fields(start, end)) {
      if (field.wire !== 2) continue;
      if (field.number === 1) nodes.push(this.#node(field));
      else if (field.number === 11) inputs.push(this.#name(field));
      else if (field.number === 12) outputs.push(this.#name(field));
      else if (field.number === 5) {
        const tensor = this.#tensor(field);
        if (tensors.has(tensor.name)) throw new RangeError('two tensors have one name');
        tensors.set(tensor.name, tensor);
      }
    }
    return { nodes, tensors, inputs, outputs };
  }

  #node({ start, end }: ProtobufField): OnnxNode {
    const [inputs, outputs]: [string[], string[]] = [[], []];
    const attributes = new Map<string, OnnxAttribute>();
    let [op, domain, hasGraphs] = ['', '', false];
    for (const field of this.#reader.fields(start, end)) {
      if (field.wire !== 2) continue;
      if (field.number === 1) inputs.push(this.#reader.text(field));
      else if (field.number === 2) outputs.push(this.#reader.text(field));
      else if (field.number === 4) op = this.#reader.text(field);
      else if (field.number === 7) domain = this.#reader.text(field);
      else if (field.number === 5) {
        const { name, attribute, isGraph } = this.#attribute(field);
        attributes.set(name, attribute);
        hasGraphs ||= isGraph;
      }
    }
    return { op, domain: domain === 'ai.onnx' ? '' : domain, inputs, outputs, attributes, hasGraphs };
  }

  #attribute({ start, end }: ProtobufField): { name: string; attribute: OnnxAttribute; isGraph: boolean } {
    let [name, isGraph] = ['', false];
    let attribute: OnnxAttribute = {};
    const numbers: number[] = [];
    for (const field of this.#reader.fields(start, end)) {
      if (field.number === 1 && field.wire === 2) name = this.#reader.text(field);
      else if (field.number === 2 && field.wire === 5) attribute = { number: this.#reader.bytes(field).readFloatLE() };
      else if (field.number === 3 && field.wire === 0) attribute = { number: this.#reader.integer(field.start).value };
      else if (field.number === 5 && field.wire === 2) attribute = { tensor: this.#tensor(field) };
      else if (field.number === 8) this.#list(field, numbers);
      else if (field.number === 6 || field.number === 11) isGraph = true;
    }
    return { name, attribute: numbers.length > 0 ? { ...attribute, numbers } : attribute, isGraph };
  }

  /** Repeated numbers are encoded one by one or packed; those beyond the limit are ignored. */
  #list({ wire, start, end }: ProtobufField, numbers: number[]): void {
    if (end - start > listBytesMax || (wire !== 0 && wire !== 2)) return;
    for (let at = start; at < end && numbers.length < listMax; ) {
      const one = this.#reader.integer(at);
      numbers.push(one.value);
      at = one.end;
    }
  }

  #tensor(field: ProtobufField): OnnxTensor {
    return parseTensor(this.#reader, field, this.#external);
  }

  /** Reads the name of a ValueInfoProto. */
  #name({ start, end }: ProtobufField): string {
    let name = '';
    for (const field of this.#reader.fields(start, end)) {
      if (field.number === 1 && field.wire === 2) name = this.#reader.text(field);
    }
    return name;
  }
}
