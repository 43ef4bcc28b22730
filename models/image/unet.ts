/** The UNet, which runs once per step, and its inputs in Stable Diffusion, SDXL and LCM. */
import type { Component, Numbers, PreparedInputs } from './component.ts';
import type { EncodedPrompt } from './prompt-encoder.ts';

export interface Shape {
  readonly height: number;
  readonly width: number;
}

/** The inputs that are the same in every step. Classifier-free guidance has two halves. */
export interface Conditions {
  /** The negative prompt and the prompt; without guidance, only the prompt. */
  readonly prompts: readonly EncodedPrompt[];
  /** Images per half. */
  readonly count: number;
  readonly guidanceScale: number;
  /** Size of the drawn image in pixels. */
  readonly size: Shape;
}

const neededInputs = ['sample', 'timestep', 'encoder_hidden_states'];
/** The first two are inputs of SDXL, the last one of latent consistency models. */
const optionalInputs = ['text_embeds', 'time_ids', 'timestep_cond'];
/** Height and width before cropping, offset of the crop, height and width of the image (Podell et al. 2023, 2.2). */
const timeIds = 6;

export class Unet {
  readonly channels: number;
  /** Side of the square latent that the model was trained on. */
  readonly side: number;
  /** Latent sides must be a multiple of this. */
  readonly multiple: number;
  readonly place: Component['place'];
  readonly #component: Component;
  readonly #isTimestepPerRow: boolean;

  /** @param isPooled whether prompts have `pooled` · @throws {ModelError} ERR_MODEL_LOAD if the graph needs an unsupported input */
  constructor(component: Component, { isPooled }: { isPooled: boolean }) {
    this.#component = component;
    this.channels = component.integer('in_channels');
    this.side = component.integer('sample_size');
    this.multiple = 2 ** (component.stages - 1);
    this.place = component.place;
    component.requireInputs(neededInputs, optionalInputs);
    const [rows] = component.inputDims('timestep')!;
    this.#isTimestepPerRow = rows !== undefined && rows !== 1;
    if (this.#wants('text_embeds') && !isPooled) {
      throw component.refusal('the graph needs text_embeds, but the pipeline has no text_encoder_2');
    }
    if (this.#wants('time_ids')) requireTimeIds(component);
    if (this.#wants('timestep_cond')) component.integer('time_cond_proj_dim');
  }

  /** Whether the model was distilled with guidance as an input, so that one row per image suffices (Luo et al. 2023, 4.2). */
  get isGuidedByInput(): boolean {
    return this.#wants('timestep_cond');
  }

  /** @returns the constant inputs for {@link predict} */
  condition({ prompts, count, guidanceScale, size: { height, width } }: Conditions): PreparedInputs {
    const rows = prompts.length * count;
    const hidden = joined(prompts.flatMap((prompt) => new Array<Float32Array>(count).fill(prompt.hidden)));
    const inputs: Record<string, Numbers> = {
      encoder_hidden_states: { data: hidden, dims: [rows, ...prompts[0]!.dims] },
    };
    if (this.#wants('text_embeds')) {
      const pooled = prompts.flatMap((prompt) => new Array<Float32Array>(count).fill(prompt.pooled!));
      inputs.text_embeds = { data: joined(pooled), dims: [rows, pooled[0]!.length] };
    }
    if (this.#wants('time_ids')) {
      const ids = [height, width, 0, 0, height, width];
      inputs.time_ids = { data: new Array(rows).fill(ids).flat(), dims: [rows, timeIds] };
    }
    if (this.#wants('timestep_cond')) {
      const dims = this.#component.integer('time_cond_proj_dim');
      const embedding = guidanceEmbedding(guidanceScale, dims);
      inputs.timestep_cond = { data: joined(new Array<Float32Array>(rows).fill(embedding)), dims: [rows, dims] };
    }
    // Converted once for all steps: converting 77 × 768 numbers for two rows to 16 bit takes 0.3 ms.
    return this.#component.prepare(inputs);
  }

  /**
   * @param sample [rows, channels, height, width], scaled by the scheduler's `inputScale`
   * @param timestep a training step
   * @returns the model's output, same shape
   */
  async predict(
    sample: Numbers,
    { timestep, conditions }: { timestep: number; conditions: PreparedInputs },
  ): Promise<Float32Array> {
    const rows = this.#isTimestepPerRow ? sample.dims[0]! : 1;
    const dims = this.#component.inputDims('timestep')!.length === 0 ? [] : [rows];
    const times = { data: new Array<number>(rows).fill(timestep), dims };
    const [output] = await this.#component.run({ sample, timestep: times }, { prepared: conditions });
    return output!.data;
  }

  async close(): Promise<void> {
    await this.#component.close();
  }

  #wants(input: string): boolean {
    return this.#component.inputNames.includes(input);
  }
}

/** Refuses SDXL's refiner, which has five time ids: an aesthetic score replaces the size. */
function requireTimeIds(component: Component): void {
  const [, ids] = component.inputDims('time_ids')!;
  const { addition_time_embed_dim: each, projection_class_embeddings_input_dim: all } = component.config;
  const [, pooled] = component.inputDims('text_embeds') ?? [];
  const isKnown = [each, all, pooled].every(Number.isInteger);
  const expected = isKnown ? (Number(all) - Number(pooled)) / Number(each) : ids;
  if (typeof expected !== 'number' || expected === timeIds) return;
  throw component.refusal(`the graph has ${expected} time ids; only ${timeIds} are supported`);
}

/**
 * Sinusoidal embedding of the guidance scale, sines then cosines, for a UNet with `timestep_cond`
 * (Luo et al. 2023, 4.2; the same form as the positions of Vaswani et al. 2017, of 1000 × (scale − 1)).
 * @returns [dims]
 */
export function guidanceEmbedding(guidanceScale: number, dims: number): Float32Array {
  const half = Math.floor(dims / 2);
  const embedding = new Float32Array(dims);
  for (let i = 0; i < half; i++) {
    const angle = (guidanceScale - 1) * 1000 * Math.exp((-Math.log(10_000) * i) / (half - 1));
    embedding[i] = Math.sin(angle);
    embedding[half + i] = Math.cos(angle);
  }
  return embedding;
}

/** Concatenates arrays. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
