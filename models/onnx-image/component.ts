/** One graph of a diffusers folder: its session, its `config.json`, and tensors of the types it asks for. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from '../errors.ts';
import { openSession, type SessionOptions } from '../onnx-session.ts';

export class Component {
  readonly config: Readonly<Record<string, unknown>>;
  readonly device: string;
  readonly #session: InferenceSession;
  readonly #types: ReadonlyMap<string, string>;

  private constructor(config: Readonly<Record<string, unknown>>, session: InferenceSession, device: string) {
    this.config = config;
    this.device = device;
    this.#session = session;
    this.#types = new Map(session.inputMetadata.map((input) => [input.name, input.isTensor ? input.type : '']));
  }

  /** @param folder that holds `config.json` and `model.onnx` · @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING */
  static async open(folder: string, options: SessionOptions): Promise<Component> {
    const { session, device } = await openSession(requireFile(join(folder, 'model.onnx')), options);
    return new Component(readJson(join(folder, 'config.json')), session, device);
  }

  hasInput(name: string): boolean {
    return this.#types.has(name);
  }

  /** A whole number of the configuration. @throws {ModelError} ERR_MODEL_LOAD */
  integer(field: string): number {
    const value = this.config[field];
    if (Number.isInteger(value)) return Number(value);
    throw new ModelError('ERR_MODEL_LOAD', `config.json: ${field} must be an integer, got ${JSON.stringify(value)}`);
  }

  /**
   * @param inputs numbers and shapes by name; converted to the type that the graph declares
   * @returns the first output, in 32 bit
   */
  async run(inputs: Readonly<Record<string, Numbers>>): Promise<{ data: Float32Array; dims: readonly number[] }> {
    const feeds = Object.fromEntries(
      Object.entries(inputs).map(([name, { data, dims }]) => [name, this.#tensor(name, data, dims)]),
    );
    const outputs = await this.#session.run(feeds);
    const { data, dims } = outputs[this.#session.outputNames[0]!]!;
    return { data: data instanceof Float32Array ? data : Float32Array.from(data as ArrayLike<number>), dims };
  }

  async close(): Promise<void> {
    await this.#session.release();
  }

  #tensor(name: string, data: ArrayLike<number>, dims: readonly number[]): Tensor {
    const type = this.#types.get(name);
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
        return new Tensor('float16', Float16Array.from(data) as never, dims);
      default:
        throw new ModelError('ERR_MODEL_LOAD', `the graph has no input ${name} of a known type, but ${type}`);
    }
  }
}

/** What goes into a graph. */
export interface Numbers {
  readonly data: ArrayLike<number>;
  readonly dims: readonly number[];
}

/** @throws {ModelError} ERR_FILE_MISSING, ERR_MODEL_LOAD */
export function readJson(path: string): Record<string, unknown> {
  const text = readFileSync(requireFile(path), 'utf8');
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', `${path} is not JSON`, { cause });
  }
}

function requireFile(path: string): string {
  if (existsSync(path)) return path;
  throw new ModelError('ERR_FILE_MISSING', `${path} is missing: pull the model again`);
}
