/**
 * A tiny diffusers folder: real graphs in the real shapes, all of them linear. Their weights
 * are available as arrays, so that a test can compute the results without ONNX Runtime.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OnnxGraph, type OnnxType } from './onnx-writer.ts';

export const tokens = 5;
export const latentChannels = 4;
export const latentSide = 4;
export const timeCondition = 8;
const vocabulary = ['!', '<|startoftext|>', '<|endoftext|>', 'red</w>', 'dot</w>', 're', 'do'];
const letters = [...'redot', ...[...'redot'].map((letter) => `${letter}</w>`)];

export interface TinyEncoder {
  readonly width: number;
  /** [vocabulary, width] */
  readonly table: Float32Array;
  /** [width, pooled] */
  readonly projection: Float32Array;
}

export interface TinyOptions {
  readonly encoders: 1 | 2;
  readonly scheduler: Readonly<Record<string, unknown>>;
  /** Whether the UNet has guidance as an input. */
  readonly guidanceInput?: boolean;
  /** Whether inputs and outputs of the UNet have 16 bit. */
  readonly half?: boolean;
  readonly timestep?: { readonly type: OnnxType; readonly shape: readonly (number | string)[] };
  readonly index?: Readonly<Record<string, unknown>>;
}

export interface TinyPipeline {
  readonly indexPath: string;
  readonly encoders: readonly TinyEncoder[];
  /** Each [size of the input per row, latentChannels]: the value added to every cell of a channel. */
  readonly weights: Readonly<Record<'words' | 'text_embeds' | 'time_ids' | 'timestep_cond' | 'timestep', Float32Array>>;
  /** Factor of the sample. */
  readonly sampleShare: number;
  readonly scalingFactor: number;
  /** [latentChannels, 3, 2, 2] */
  readonly decoder: Float32Array;
}

export const pooledWidth = 3;

/** Writes the folder. @returns its weights */
export function writeTinyPipeline(folder: string, options: TinyOptions): TinyPipeline {
  const random = randomNumbers(7);
  const encoders = [4, 6].slice(0, options.encoders).map((width) => ({
    width,
    table: random((vocabulary.length + letters.length) * width, 1),
    projection: random(width * pooledWidth, 1),
  }));
  const width = encoders.reduce((sum, encoder) => sum + encoder.width, 0);
  const weights = {
    words: random(tokens * width * latentChannels, 0.3),
    text_embeds: random(pooledWidth * latentChannels, 0.3),
    time_ids: random(6 * latentChannels, 0.02),
    timestep_cond: random(timeCondition * latentChannels, 0.3),
    timestep: random(latentChannels, 0.0005),
  };
  const pipeline: TinyPipeline = {
    indexPath: join(folder, 'model_index.json'),
    ...{ encoders, weights, sampleShare: 0.6, scalingFactor: 0.5, decoder: random(latentChannels * 12, 0.2) },
  };
  for (const [index, encoder] of encoders.entries()) writeEncoder(folder, encoder, { index, of: encoders.length });
  writeUnet(folder, pipeline, options);
  writeDecoder(folder, pipeline);
  writeJson(folder, 'scheduler/scheduler_config.json', options.scheduler);
  writeJson(folder, 'model_index.json', {
    _class_name: options.encoders === 2 ? 'StableDiffusionXLPipeline' : 'StableDiffusionPipeline',
    text_encoder: ['diffusers', 'OnnxRuntimeModel'],
    text_encoder_2: options.encoders === 2 ? ['diffusers', 'OnnxRuntimeModel'] : [null, null],
    ...options.index,
  });
  return pipeline;
}

/** The ids of `<start> red dot <end>` and padding, which differs between the two tokenizers as in SDXL. */
export function tokensOf(words: readonly ('red' | 'dot')[], encoder: number): number[] {
  const ids = [1, ...words.map((word) => vocabulary.indexOf(`${word}</w>`)), 2];
  return [...ids, ...new Array<number>(tokens - ids.length).fill(encoder === 0 ? 2 : 0)];
}

/** Writes CLIP's two tokenizer files, without a tokenizer.json. */
function writeTokenizer(folder: string, { index }: { index: number }): void {
  const name = index === 0 ? 'tokenizer' : 'tokenizer_2';
  const tokens = [...vocabulary, ...letters];
  writeJson(folder, `${name}/vocab.json`, Object.fromEntries(tokens.map((token, id) => [token, id])));
  write(folder, `${name}/merges.txt`, '#version: 0.2\nr e\nre d</w>\nd o\ndo t</w>\n');
  const pad = index === 0 ? { content: '<|endoftext|>' } : '!';
  writeJson(folder, `${name}/tokenizer_config.json`, { model_max_length: 1e30, pad_token: pad });
}

function writeEncoder(
  folder: string,
  { width, table, projection }: TinyEncoder,
  { index, of }: { index: number; of: number },
): void {
  writeTokenizer(folder, { index });
  const name = index === 0 ? 'text_encoder' : 'text_encoder_2';
  const graph = new OnnxGraph();
  const ids = graph.input({ name: 'input_ids', type: 'int64', shape: ['batch', tokens] });
  const words = graph.tensor('table', 'float32', [vocabulary.length + letters.length, width], table);
  const states = graph.node('Gather', [words, ids]);
  const dims = ['batch', tokens, width];
  // As in exported files, the first output is not the one needed with two encoders.
  const last = of === 1 ? states : graph.node('Mul', [states, graph.scalar(-9)]);
  graph.output({ name: 'last_hidden_state', type: 'float32', shape: dims }, last);
  if (index === 1) {
    const mean = graph.node('ReduceMean', [states], { axes: { ints: [1] }, keepdims: { int: 0 } });
    const whole = graph.node('MatMul', [mean, graph.tensor('projection', 'float32', [width, pooledWidth], projection)]);
    graph.output({ name: 'text_embeds', type: 'float32', shape: ['batch', pooledWidth] }, whole);
  }
  for (const [layer, factor] of [0.1, 1, 7].entries()) {
    const state = graph.node('Mul', [states, graph.scalar(factor)]);
    graph.output({ name: `hidden_states.${layer}`, type: 'float32', shape: dims }, state);
  }
  write(folder, `${name}/model.onnx`, graph.encode());
  writeJson(folder, `${name}/config.json`, {
    ...{ max_position_embeddings: tokens, num_hidden_layers: 2, pad_token_id: 1 },
  });
}

function writeUnet(folder: string, { encoders, weights, sampleShare }: TinyPipeline, options: TinyOptions): void {
  const graph = new OnnxGraph();
  const width = encoders.reduce((sum, encoder) => sum + encoder.width, 0);
  const type = options.half ? 'float16' : 'float32';
  const input = (name: string, shape: readonly (number | string)[], given: OnnxType = type) =>
    graph.node('Cast', [graph.input({ name, type: given, shape })], { to: { int: 1 } });
  const times = (value: string, name: keyof typeof weights) => {
    const size = weights[name].length / latentChannels;
    const flat = graph.node('Reshape', [value, graph.integers([-1, size])]);
    return graph.node('MatMul', [
      flat,
      graph.tensor(`${name}_weights`, 'float32', [size, latentChannels], weights[name]),
    ]);
  };
  const latent = ['rows', latentChannels, 'height', 'width'];
  const sample = input('sample', latent);
  const { type: timeType, shape } = options.timestep ?? { type: 'int64', shape: ['rows'] };
  const parts = [
    times(input('timestep', shape, timeType), 'timestep'),
    times(input('encoder_hidden_states', ['rows', tokens, width]), 'words'),
  ];
  if (options.encoders === 2) {
    parts.push(times(input('text_embeds', ['rows', pooledWidth]), 'text_embeds'));
    parts.push(times(input('time_ids', ['rows', 6]), 'time_ids'));
  }
  if (options.guidanceInput) parts.push(times(input('timestep_cond', ['rows', timeCondition]), 'timestep_cond'));
  const sum = parts.reduce((left, right) => graph.node('Add', [left, right]));
  const perChannel = graph.node('Unsqueeze', [sum, graph.integers([2, 3])]);
  const all = graph.node('Add', [graph.node('Mul', [sample, graph.scalar(sampleShare)]), perChannel]);
  const out = graph.node('Cast', [all], { to: { int: options.half ? 10 : 1 } });
  graph.output({ name: 'out_sample', type, shape: latent }, out);
  write(folder, 'unet/model.onnx', graph.encode());
  writeJson(folder, 'unet/config.json', {
    ...{ in_channels: latentChannels, sample_size: latentSide, block_out_channels: [8, 8] },
    ...(options.guidanceInput ? { time_cond_proj_dim: timeCondition } : {}),
    ...(options.encoders === 2
      ? { addition_time_embed_dim: 2, projection_class_embeddings_input_dim: 12 + pooledWidth }
      : {}),
  });
}

function writeDecoder(folder: string, { decoder, scalingFactor }: TinyPipeline): void {
  const graph = new OnnxGraph();
  const shape = ['rows', latentChannels, 'height', 'width'];
  const latent = graph.input({ name: 'latent_sample', type: 'float32', shape });
  const weights = graph.tensor('pixels', 'float32', [latentChannels, 3, 2, 2], decoder);
  const pixels = graph.node('ConvTranspose', [latent, weights], { strides: { ints: [2, 2] } });
  graph.output({ name: 'sample', type: 'float32', shape: ['rows', 3, 'tall', 'wide'] }, pixels);
  write(folder, 'vae_decoder/model.onnx', graph.encode());
  writeJson(folder, 'vae_decoder/config.json', { scaling_factor: scalingFactor, block_out_channels: [8, 8] });
}

function write(folder: string, path: string, content: Uint8Array | string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

function writeJson(folder: string, path: string, content: object): void {
  write(folder, path, JSON.stringify(content));
}

/** @returns a deterministic source of uniform numbers around 0 */
function randomNumbers(seed: number) {
  let state = seed;
  return (count: number, most: number): Float32Array =>
    Float32Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state / 2 ** 31 - 1) * most;
    });
}
