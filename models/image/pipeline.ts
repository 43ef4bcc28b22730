/**
 * Text-to-image pipeline for latent diffusion models in diffusers' ONNX folder layout: one or two text encoders, a UNet, a
 * VAE decoder, `scheduler_config.json`. All images of a job and both halves of the guidance share one batch per step, as
 * far as `batchRowsMax` allows.
 */
import { dirname, join } from 'node:path';
import { PinnedFiles } from '../files/pinned-files.ts';
import { ModelError } from '../interface/errors.ts';
import type { ImageJob, ImageModel, ImageModelInfo, RawImage } from '../interface/image-model.ts';
import { firstLine } from '../onnx/onnx-provider.ts';
import type { SessionOptions } from '../onnx/onnx-session.ts';
import { Component, type PreparedInputs } from './component.ts';
import { latentShape } from './latent-shape.ts';
import { NoiseSource } from './noise.ts';
import { hasComponent, PromptEncoder } from './prompt-encoder.ts';
import { parseSchedulerConfig, type SchedulerConfig } from './scheduler-config.ts';
import { createScheduler, type Scheduler } from './schedulers.ts';
import { joined, type Shape, Unet } from './unet.ts';
import { VaeDecoder } from './vae-decoder.ts';

export interface ImagePipelineOptions extends SessionOptions {
  /** Path of `model_index.json`; the other files are in the same folder. */
  readonly indexPath: string;
  /** Absolute paths of all files that may be opened; undefined: any file. */
  readonly pinnedPaths?: readonly string[] | undefined;
  /** Maximum rows of a UNet batch. An image takes two rows with guidance and one without; latents above 64×64 count more. */
  readonly batchRowsMax: number;
}

/** A thread that sleeps at the end of every small node slows the decoder by a tenth; spinning longer gains nothing more. */
const spinUs = 50;

interface Parts {
  readonly encoder: PromptEncoder;
  readonly unet: Unet;
  readonly decoder: VaeDecoder;
  readonly scheduler: SchedulerConfig;
  readonly batchRowsMax: number;
  readonly name: string;
}

/** @throws {ModelError} ERR_MODEL_LOAD, ERR_FILE_MISSING, ERR_GPU_UNAVAILABLE */
export async function loadImagePipeline(
  { indexPath, pinnedPaths, batchRowsMax, ...options }: ImagePipelineOptions,
  { onProgress }: { onProgress: (fraction: number) => void },
): Promise<ImageModel> {
  const session = { spinUs: spinUs, ...options };
  const folder = dirname(indexPath);
  const files = new PinnedFiles(pinnedPaths);
  const index = files.readJson(indexPath);
  const isPooled = hasComponent(index, 'text_encoder_2');
  const graphs = isPooled ? 4 : 3;
  let opened = 0;
  const onOpened = () => onProgress(++opened / graphs);
  const open = async (name: string) => {
    const component = await Component.open(join(folder, name), session, files);
    onOpened();
    return component;
  };
  const encoder = await PromptEncoder.open({ folder, index, session, files, onOpened });
  const unet = new Unet(await open('unet'), { isPooled });
  const decoder = new VaeDecoder(await open('vae_decoder'));
  const scheduler = parseSchedulerConfig(files.readText(join(folder, 'scheduler', 'scheduler_config.json')));
  const pipeline = new ImagePipeline({
    ...{ encoder, unet, decoder, scheduler, batchRowsMax },
    name: String(index._class_name),
  });
  await pipeline.warmUp();
  return pipeline;
}

/** Latent cells of one batch row, as in Stable Diffusion 1. Memory grows at least linearly with them. */
const rowCells = 64 * 64;

class ImagePipeline implements ImageModel {
  readonly info: ImageModelInfo;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const { unet, decoder, scheduler } = parts;
    this.#parts = parts;
    const side = unet.side * decoder.scale;
    this.info = {
      description: `${parts.name}, ${scheduler.className}, native ${side}×${side}`,
      ...unet.place,
      nativeSizes: [{ width: side, height: side }],
    };
  }

  async draw(
    job: ImageJob,
    { onStep, onPreview, isCancelled }: Parameters<ImageModel['draw']>[1],
  ): Promise<readonly RawImage[]> {
    const throwIfCancelled = () => {
      if (isCancelled()) throw new ModelError('ERR_ABORTED', 'the image job was cancelled');
    };
    const batches = await this.#beginBatches(job);
    const previewSteps = stepsToShow(job);
    const runs = batches[0]!.scheduler.timesteps.length;
    for (let run = 0; run < runs; run++) {
      // A sampler that corrects its first step needs one run more than steps.
      const step = run + 1 - (runs - job.steps);
      const index = previewSteps.indexOf(step);
      for (const batch of batches) {
        throwIfCancelled();
        if (index >= 0) batch.clean ??= new Float32Array(batch.latent.length);
        await this.#run(batch, { run, guidanceScale: job.guidanceScale });
      }
      if (index >= 0)
        onPreview({ index, images: await this.#decode(batches, ({ clean }) => clean!, throwIfCancelled) });
      if (step > 0) onStep(step);
    }
    return await this.#decode(batches, ({ latent }) => latent, throwIfCancelled);
  }

  async close(): Promise<void> {
    const { encoder, unet, decoder } = this.#parts;
    await Promise.all([encoder, unet, decoder].map((part) => part.close()));
  }

  /** Runs one step, so that incompatible parts are detected at load. @throws {ModelError} ERR_MODEL_LOAD */
  async warmUp(): Promise<void> {
    const [size] = this.info.nativeSizes;
    const job = {
      prompt: '',
      negativePrompt: '',
      count: 1,
      size: size!,
      steps: 1,
      guidanceScale: 2,
      seed: 0,
      previews: 0,
    };
    try {
      await this.draw(job, { onStep: () => undefined, onPreview: () => undefined, isCancelled: () => false });
    } catch (cause) {
      const reason = firstLine(cause);
      throw new ModelError('ERR_MODEL_LOAD', `the parts of the pipeline do not fit together: ${reason}`, { cause });
    }
  }

  async #decode(
    batches: readonly Batch[],
    latentOf: (batch: Batch) => Float32Array,
    throwIfCancelled: () => void,
  ): Promise<readonly RawImage[]> {
    const pictures: RawImage[] = [];
    for (const batch of batches) {
      const latents = { data: latentOf(batch), dims: batch.dims };
      pictures.push(...(await this.#parts.decoder.decode(latents, { throwIfCancelled })));
    }
    return pictures;
  }

  async #beginBatches(job: ImageJob): Promise<readonly Batch[]> {
    const { encoder, unet, decoder, batchRowsMax } = this.#parts;
    const { guidanceScale } = job;
    const isGuided = guidanceScale > 1 && !unet.isGuidedByInput;
    const prompts = await encoder.encode(isGuided ? [job.negativePrompt, job.prompt] : [job.prompt]);
    const shape = latentShape(job.size, unet);
    const size = { height: shape.height * decoder.scale, width: shape.width * decoder.scale };
    const rowsPerPicture = prompts.length * Math.max(1, (shape.height * shape.width) / rowCells);
    const picturesPerBatch = Math.max(1, Math.floor(batchRowsMax / rowsPerPicture));
    return Array.from({ length: Math.ceil(job.count / picturesPerBatch) }, (_, batch) => {
      const first = batch * picturesPerBatch;
      const count = Math.min(picturesPerBatch, job.count - first);
      const conditions = unet.condition({ prompts, count, guidanceScale, size });
      return { ...this.#beginLatents(job, { first, count, shape }), conditions, halves: prompts.length };
    });
  }

  #beginLatents({ seed, steps }: ImageJob, { first, count, shape }: { first: number; count: number; shape: Shape }) {
    const scheduler = createScheduler(this.#parts.scheduler, steps);
    const { channels } = this.#parts.unet;
    const size = channels * shape.height * shape.width;
    // Each image has its own noise stream, so that it does not depend on other images of the batch.
    const noises = Array.from({ length: count }, (_, k) => new NoiseSource((seed + first + k) >>> 0));
    const fresh = () => joined(noises.map((noise) => noise.draw(size)));
    const latent = fresh().map((value) => value * scheduler.initialScale);
    return { scheduler, latent, dims: [count, channels, shape.height, shape.width] as const, fresh };
  }

  async #run(
    { scheduler, latent, dims: [count, ...picture], fresh, conditions, halves, clean }: Batch,
    { run, guidanceScale }: { run: number; guidanceScale: number },
  ): Promise<void> {
    const scale = scheduler.inputScale(run);
    const input = scale === 1 ? latent : latent.map((value) => value * scale);
    const output = await this.#parts.unet.predict(
      { data: halves === 1 ? input : joined([input, input]), dims: [halves * count, ...picture] },
      { timestep: scheduler.timesteps[run]!, conditions },
    );
    scheduler.step(run, { latent, output: guided(output, { halves, guidanceScale }), noise: fresh, clean });
  }
}

/** Images that go through the UNet together. */
interface Batch {
  readonly scheduler: Scheduler;
  /** Shape: `dims`. */
  readonly latent: Float32Array;
  readonly dims: readonly [count: number, channels: number, height: number, width: number];
  readonly fresh: () => Float32Array;
  readonly conditions: PreparedInputs;
  readonly halves: number;
  /** The last step's prediction of the finished latent; set if previews are requested. */
  clean?: Float32Array;
}

/** Steps with previews: evenly spaced, and before the last step. */
function stepsToShow({ previews, steps }: ImageJob): readonly number[] {
  const spaced = Array.from({ length: previews }, (_, index) => Math.round(((index + 1) * steps) / (previews + 1)));
  return [...new Set(spaced)].filter((step) => step > 0 && step < steps);
}

/** Classifier-free guidance: the first half is for the negative prompt, the second for the prompt (Ho, Salimans 2022). */
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
