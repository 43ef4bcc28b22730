/**
 * Text to picture with a latent diffusion model in diffusers' ONNX folder layout, Stable Diffusion 1.5's shape: one text
 * encoder, a UNet, a VAE decoder, `scheduler_config.json`. All pictures of a job and both halves of the guidance share
 * one batch per step, as far as `batchRowsMax` allows.
 */
import { dirname, join } from 'node:path';
import { ModelError } from '../errors.ts';
import type { ImageJob, ImageModel, ImageModelInfo, RawImage } from '../image-model.ts';
import type { SessionOptions } from '../onnx-session.ts';
import { Component, readJson } from './component.ts';
import { latentShape } from './latent-shape.ts';
import { NoiseSource } from './noise.ts';
import type { SchedulerConfig } from './noise-schedule.ts';
import { PromptTokenizer } from './prompt-tokens.ts';
import { createScheduler } from './schedulers.ts';

export interface ImagePipelineOptions extends SessionOptions {
  /** Path of `model_index.json`; everything else lies beside it. */
  readonly indexPath: string;
  /** Rows of one UNet batch; a picture takes two with guidance, one without. */
  readonly batchRowsMax: number;
}

interface Parts {
  readonly textEncoder: Component;
  readonly unet: Component;
  readonly decoder: Component;
  readonly tokenizer: PromptTokenizer;
  readonly scheduler: SchedulerConfig;
  readonly batchRowsMax: number;
  readonly name: string;
}

/** @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING, ERR_GPU_UNAVAILABLE */
export async function loadImagePipeline(
  { indexPath, batchRowsMax, ...session }: ImagePipelineOptions,
  { onProgress }: { onProgress: (fraction: number) => void },
): Promise<ImageModel> {
  const folder = dirname(indexPath);
  const index = readJson(indexPath);
  if ('text_encoder_2' in index) {
    throw new ModelError('ERR_MODEL_LOAD', `${indexPath}: pipelines with two text encoders cannot be served yet`);
  }
  const opened: Component[] = [];
  for (const name of ['text_encoder', 'unet', 'vae_decoder']) {
    opened.push(await Component.open(join(folder, name), session));
    onProgress(opened.length / 3);
  }
  const [textEncoder, unet, decoder] = opened as [Component, Component, Component];
  const scheduler = readJson(join(folder, 'scheduler', 'scheduler_config.json')) as unknown as SchedulerConfig;
  createScheduler(scheduler, 10); // Refuses at the start what it could not draw with.
  const tokenizer = new PromptTokenizer(join(folder, 'tokenizer'), {
    length: textEncoder.integer('max_position_embeddings'),
    padToken: textEncoder.integer('pad_token_id'),
  });
  return new ImagePipeline({
    ...{ textEncoder, unet, decoder, tokenizer, scheduler, batchRowsMax },
    name: String(index._class_name),
  });
}

class ImagePipeline implements ImageModel {
  readonly info: ImageModelInfo;
  readonly #parts: Parts;
  /** Pixels per latent cell. */
  readonly #scale: number;
  readonly #channels: number;

  constructor(parts: Parts) {
    const { unet, decoder, scheduler } = parts;
    this.#parts = parts;
    this.#channels = unet.integer('in_channels');
    this.#scale = 2 ** (stages(decoder) - 1);
    const side = unet.integer('sample_size') * this.#scale;
    this.info = {
      description: `${parts.name}, ${scheduler._class_name}, native ${side}×${side}`,
      device: unet.device,
      nativeSizes: [{ width: side, height: side }],
    };
  }

  async draw(
    job: ImageJob,
    { onStep, isCancelled }: { onStep: (step: number) => void; isCancelled: () => boolean },
  ): Promise<readonly RawImage[]> {
    const { unet, batchRowsMax } = this.#parts;
    const isGuided = job.guidanceScale > 1;
    const picturesPerBatch = Math.max(1, Math.floor(batchRowsMax / (isGuided ? 2 : 1)));
    const shape = latentShape(job.size, { side: unet.integer('sample_size'), multiple: 2 ** (stages(unet) - 1) });
    const words = await this.#encode(isGuided ? [job.negativePrompt, job.prompt] : [job.prompt]);
    const batches: Batch[] = [];
    for (let first = 0; first < job.count; first += picturesPerBatch) {
      const count = Math.min(picturesPerBatch, job.count - first);
      batches.push(this.#beginBatch({ job, first, count, shape }));
    }
    for (let step = 0; step < job.steps; step++) {
      for (const batch of batches) {
        if (isCancelled()) throw new ModelError('ERR_ABORTED', 'the drawing was given up');
        await this.#step(batch, { step, words, guidanceScale: job.guidanceScale, shape });
      }
      onStep(step + 1);
    }
    const pictures: RawImage[] = [];
    for (const batch of batches) pictures.push(...(await this.#decode(batch, shape)));
    return pictures;
  }

  async close(): Promise<void> {
    const { textEncoder, unet, decoder } = this.#parts;
    await Promise.all([textEncoder, unet, decoder].map((part) => part.close()));
  }

  /** @returns one hidden state per text */
  async #encode(texts: readonly string[]) {
    const { textEncoder, tokenizer } = this.#parts;
    const ids = texts.map((text) => tokenizer.encode(text));
    const { data, dims } = await textEncoder.run({
      input_ids: { data: ids.flat(), dims: [ids.length, ids[0]!.length] },
    });
    const size = data.length / ids.length;
    return { rows: ids.map((_, row) => data.subarray(row * size, (row + 1) * size)), dims: dims.slice(1) };
  }

  #beginBatch({ job, first, count, shape }: { job: ImageJob; first: number; count: number; shape: Shape }): Batch {
    const scheduler = createScheduler(this.#parts.scheduler, job.steps);
    const size = this.#channels * shape.height * shape.width;
    // Each picture has its own stream of noise, so that it does not change with its neighbours.
    const noises = Array.from({ length: count }, (_, k) => new NoiseSource((job.seed + first + k) >>> 0));
    const latent = joined(noises.map((noise) => noise.draw(size)));
    for (let i = 0; i < latent.length; i++) latent[i]! *= scheduler.initialScale;
    return { scheduler, latent, count, fresh: () => joined(noises.map((noise) => noise.draw(size))) };
  }

  async #step(
    { scheduler, latent, count, fresh }: Batch,
    { step, words, guidanceScale, shape }: { step: number; words: Words; guidanceScale: number; shape: Shape },
  ): Promise<void> {
    const halves = words.rows.length;
    const scale = scheduler.inputScale(step);
    const input = scale === 1 ? latent : latent.map((value) => value * scale);
    const { data } = await this.#parts.unet.run({
      sample: {
        data: halves === 1 ? input : joined([input, input]),
        dims: [halves * count, this.#channels, shape.height, shape.width],
      },
      timestep: { data: new Array<number>(halves * count).fill(scheduler.timesteps[step]!), dims: [halves * count] },
      encoder_hidden_states: {
        data: joined(words.rows.flatMap((row) => new Array<Float32Array>(count).fill(row))),
        dims: [halves * count, ...words.dims],
      },
    });
    scheduler.step(step, latent, guided(data, { halves, guidanceScale }), fresh);
  }

  async #decode({ latent, count }: Batch, shape: Shape): Promise<RawImage[]> {
    const { decoder } = this.#parts;
    const factor = Number(decoder.config.scaling_factor ?? 1);
    const shift = Number(decoder.config.shift_factor ?? 0);
    const { data, dims } = await decoder.run({
      latent_sample: {
        data: latent.map((value) => value / factor + shift),
        dims: [count, this.#channels, shape.height, shape.width],
      },
    });
    const [, , height, width] = dims as [number, number, number, number];
    return Array.from({ length: count }, (_, index) => ({
      width,
      height,
      pixels: toPixels(data, { index, height, width }),
    }));
  }
}

interface Shape {
  readonly height: number;
  readonly width: number;
}

interface Batch {
  readonly scheduler: ReturnType<typeof createScheduler>;
  /** [count, channels, height, width] */
  readonly latent: Float32Array;
  readonly count: number;
  readonly fresh: () => Float32Array;
}

interface Words {
  readonly rows: readonly Float32Array[];
  readonly dims: readonly number[];
}

/** The first half answers the negative prompt, the second the prompt (Ho, Salimans 2022). */
function guided(
  output: Float32Array,
  { halves, guidanceScale }: { halves: number; guidanceScale: number },
): Float32Array {
  if (halves === 1) return output;
  const size = output.length / 2;
  const result = new Float32Array(size);
  for (let i = 0; i < size; i++) result[i] = output[i]! + guidanceScale * (output[size + i]! - output[i]!);
  return result;
}

/** Channels −1…1 of picture `index` to [height, width, 3] bytes. */
function toPixels(data: Float32Array, { index, height, width }: { index: number } & Shape): Uint8Array {
  const plane = height * width;
  const pixels = new Uint8Array(plane * 3);
  for (let channel = 0; channel < 3; channel++) {
    const from = (index * 3 + channel) * plane;
    for (let i = 0; i < plane; i++) {
      pixels[i * 3 + channel] = Math.min(255, Math.max(0, Math.round((data[from + i]! + 1) * 127.5)));
    }
  }
  return pixels;
}

function stages(component: Component): number {
  const { block_out_channels } = component.config;
  if (Array.isArray(block_out_channels) && block_out_channels.length > 0) return block_out_channels.length;
  throw new ModelError('ERR_MODEL_LOAD', 'config.json: block_out_channels must be a list of at least one');
}

function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
