/** One graph of a diffusers folder: its session, its `config.json`, and conversion to the types of its inputs. */
import { basename, join } from 'node:path';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import type { PinnedFiles } from '../files/pinned-files.ts';
import { ModelError } from '../interface/errors.ts';
import { requireGraph } from '../onnx/external.ts';
import { type OpenedSession, openSession, type SessionOptions } from '../onnx/onnx-session.ts';

export class Component {
  readonly config: Readonly<Record<string, unknown>>;
  readonly place: OpenedSession['place'];
  readonly #name: string;
  readonly #session: InferenceSession;
  readonly #inputs: ReadonlyMap<string, DeclaredInput>;

  private constructor(name: string, config: Component['config'], { session, place }: OpenedSession) {
    this.#name = name;
    this.config = config;
    this.place = place;
    this.#session = session;
    this.#inputs = new Map(
      session.inputMetadata.map((input) => [
        input.name,
        input.isTensor ? { type: input.type, dims: input.shape } : { type: 'not a tensor', dims: [] },
      ]),
    );
  }

  /** @param folder contains `config.json` and `model.onnx` · @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING */
  static async open(folder: string, options: SessionOptions, files: PinnedFiles): Promise<Component> {
    const config = files.readJson(join(folder, 'config.json'));
    const graph = requireGraph(join(folder, 'model.onnx'), files);
    return new Component(basename(folder), config, await openSession(graph, options));
  }

  /** @throws {ModelError} ERR_MODEL_LOAD if the graph lacks a needed input or has an unsupported one */
  requireInputs(needed: readonly string[], optional: readonly string[] = []): void {
    const missing = needed.find((name) => !this.#inputs.has(name));
    if (missing !== undefined) throw this.refusal(`the graph has no input ${missing}`);
    const unknown = this.inputNames.find((name) => !needed.includes(name) && !optional.includes(name));
    if (unknown !== undefined) throw this.refusal(`the graph has an unsupported input ${unknown}`);
  }

  get inputNames(): readonly string[] {
    return [...this.#inputs.keys()];
  }

  get outputNames(): readonly string[] {
    return this.#session.outputNames;
  }

  /** @returns the declared sizes, with a name for each dynamic size; undefined if there is no such input */
  inputDims(name: string): readonly (number | string)[] | undefined {
    return this.#inputs.get(name)?.dims;
  }

  /** Returns an integer of `config.json`. @throws {ModelError} ERR_MODEL_LOAD */
  integer(field: string): number {
    const value = this.config[field];
    if (Number.isInteger(value)) return Number(value);
    throw this.refusal(`config.json: ${field} must be an integer, got ${JSON.stringify(value)}`);
  }

  /** Number of resolutions inside a UNet or decoder. @throws {ModelError} ERR_MODEL_LOAD */
  get stages(): number {
    const { block_out_channels: channels } = this.config;
    if (Array.isArray(channels) && channels.length > 0) return channels.length;
    throw this.refusal('config.json: block_out_channels must be a list of at least one');
  }

  refusal(reason: string): ModelError {
    return new ModelError('ERR_MODEL_LOAD', `${this.#name}: ${reason}`);
  }

  /** Converts inputs that several runs share. @throws {ModelError} ERR_MODEL_LOAD if the graph has no such input */
  prepare(inputs: Readonly<Record<string, Numbers>>): PreparedInputs {
    return Object.fromEntries(
      Object.entries(inputs).map(([name, { data, dims }]) => [name, this.#tensor(name, data, dims)]),
    );
  }

  /**
   * @param inputs data and shapes by name; converted to the declared type
   * @returns the requested outputs in order, as float32
   */
  async run(
    inputs: Readonly<Record<string, Numbers>>,
    { outputs: names = this.outputNames.slice(0, 1), prepared }: RunOptions = {},
  ): Promise<readonly Output[]> {
    const outputs = await this.#session.run({ ...prepared, ...this.prepare(inputs) }, names);
    return names.map((name) => {
      const { data, dims } = outputs[name]!;
      return { data: data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number>), dims };
    });
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  #tensor(name: string, data: ArrayLike<number>, dims: readonly number[]): Tensor {
    const type = this.#inputs.get(name)?.type;
    switch (type) {
      case 'int64':
        return new Tensor(
          'int64',
          BigInt64Array.from(Array.from(data), (value) => BigInt(Math.round(value))),
          dims,
        );
      case 'int32':
        return new Tensor('int32', Int32Array.from(data), dims);
      case 'float32':
        return new Tensor('float32', data instanceof Float32Array ? data : Float32Array.from(data), dims);
      case 'float16':
        return halfTensor(data, dims);
      default:
        throw this.refusal(`the graph's input ${name} has the unsupported type ${type}`);
    }
  }
}

/** The native binding expects the bits of 16-bit numbers, and reads a Float16Array as empty (onnxruntime-node 1.30). */
function halfTensor(data: ArrayLike<number>, dims: readonly number[]): Tensor {
  const { buffer, length } = Float16Array.from(data);
  const bits = new Uint16Array(buffer, 0, length);
  return Object.defineProperty(new Tensor('float16', bits, dims), 'data', { value: bits });
}

interface DeclaredInput {
  readonly type: string;
  readonly dims: readonly (number | string)[];
}

export interface RunOptions {
  /** Names of the requested outputs; default: the first one. */
  readonly outputs?: readonly string[];
  /** Further inputs, from {@link Component.prepare}. */
  readonly prepared?: PreparedInputs;
}

/** Converted inputs of one component; opaque to others. */
export type PreparedInputs = Readonly<Record<string, Tensor>>;

/** Input data of a graph. */
export interface Numbers {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

export interface Output extends Numbers {
  readonly data: Float32Array;
}
