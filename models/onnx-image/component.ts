/** One graph of a diffusers folder: its session, its `config.json`, and tensors of the types it asks for. */
import { basename, join } from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-node';
import { ModelError } from '../errors.ts';
import { requireGraph } from '../onnx-file/external.ts';
import { type OpenedSession, openSession, type SessionOptions } from '../onnx-session.ts';
import type { PinnedFiles } from '../pinned-files.ts';
import { runGraph } from './run-graph.ts';
import { type Numbers, type Output, toTensor } from './tensors.ts';
import type { Twin } from './twin.ts';

export class Component {
  readonly config: Readonly<Record<string, unknown>>;
  readonly place: OpenedSession['place'];
  readonly #name: string;
  readonly #session: InferenceSession;
  readonly #twin: Twin | undefined;
  readonly #inputs: ReadonlyMap<string, DeclaredInput>;

  private constructor(name: string, config: Component['config'], { session, place, twin }: Opened) {
    this.#name = name;
    this.config = config;
    this.place = place;
    this.#session = session;
    this.#twin = twin;
    this.#inputs = new Map(
      session.inputMetadata.map((input) => [
        input.name,
        input.isTensor ? { type: input.type, dims: input.shape } : { type: 'not a tensor', dims: [] },
      ]),
    );
  }

  /**
   * @param folder that holds `config.json` and `model.onnx`
   * @param open how the graph is opened; default as one session
   * @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING, ERR_GPU_UNAVAILABLE
   */
  static async open(
    folder: string,
    options: SessionOptions,
    files: PinnedFiles,
    open: (path: string, options: SessionOptions) => Promise<Opened> = openSession,
  ): Promise<Component> {
    const config = files.readJson(join(folder, 'config.json'));
    const graph = requireGraph(join(folder, 'model.onnx'), files);
    return new Component(basename(folder), config, await open(graph, options));
  }

  /** @throws {ModelError} ERR_MODEL_LOAD where the graph wants other inputs than are known, or lacks one that is needed */
  requireInputs(needed: readonly string[], optional: readonly string[] = []): void {
    const missing = needed.find((name) => !this.#inputs.has(name));
    if (missing !== undefined) throw this.refusal(`the graph has no input ${missing}`);
    const unknown = this.inputNames.find((name) => !needed.includes(name) && !optional.includes(name));
    if (unknown !== undefined) throw this.refusal(`the graph wants ${unknown}, which is not known`);
  }

  get inputNames(): readonly string[] {
    return [...this.#inputs.keys()];
  }

  get outputNames(): readonly string[] {
    return this.#session.outputNames;
  }

  /** @returns sizes that the graph declares, a name where one is known only when it runs · undefined without such an input */
  inputDims(name: string): readonly (number | string)[] | undefined {
    return this.#inputs.get(name)?.dims;
  }

  /** A whole number of the configuration. @throws {ModelError} ERR_MODEL_LOAD */
  integer(field: string): number {
    const value = this.config[field];
    if (Number.isInteger(value)) return Number(value);
    throw this.refusal(`config.json: ${field} must be an integer, got ${JSON.stringify(value)}`);
  }

  /** Halvings inside a UNet or decoder, plus one. @throws {ModelError} ERR_MODEL_LOAD */
  get stages(): number {
    const { block_out_channels: channels } = this.config;
    if (Array.isArray(channels) && channels.length > 0) return channels.length;
    throw this.refusal('config.json: block_out_channels must be a list of at least one');
  }

  refusal(reason: string): ModelError {
    return new ModelError('ERR_MODEL_LOAD', `${this.#name}: ${reason}`);
  }

  /** Inputs that several runs share, converted once. @throws {ModelError} ERR_MODEL_LOAD where the graph has no such input */
  prepare(inputs: Readonly<Record<string, Numbers>>): PreparedInputs {
    return Object.fromEntries(Object.entries(inputs).map(([name, numbers]) => [name, this.#tensor(name, numbers)]));
  }

  /**
   * @param inputs numbers and shapes by name; converted to the type that the graph declares
   * @returns the outputs wanted, in their order, in 32 bit
   */
  async run(
    inputs: Readonly<Record<string, Numbers>>,
    { outputs: names = this.outputNames.slice(0, 1), prepared }: RunOptions = {},
  ): Promise<readonly Output[]> {
    const feeds = { ...prepared, ...this.prepare(inputs) };
    if (this.#twin !== undefined) return await this.#twin.run(feeds, names);
    return await runGraph(this.#session, feeds, names);
  }

  async close(): Promise<void> {
    await this.#twin?.close();
    await this.#session.release();
  }

  #tensor(name: string, numbers: Numbers): Tensor {
    const type = this.#inputs.get(name)?.type;
    const tensor = toTensor(type, numbers);
    if (tensor !== undefined) return tensor;
    throw this.refusal(`the graph has no input ${name} of a known type, but ${type}`);
  }
}

type Opened = OpenedSession & { readonly twin?: Twin };

interface DeclaredInput {
  readonly type: string;
  readonly dims: readonly (number | string)[];
}

export interface RunOptions {
  /** Names of those wanted; default the first alone. */
  readonly outputs?: readonly string[];
  /** Further inputs, from {@link Component.prepare}. */
  readonly prepared?: PreparedInputs;
}

/** Of one component: opaque to others. */
export type PreparedInputs = Readonly<Record<string, Tensor>>;
