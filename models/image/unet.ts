/** The network that is asked once per step, and what it wants besides the latents: SD's, SDXL's and LCM's inputs. */
import type { Component, Numbers, PreparedInputs } from './component.ts';
import type { EncodedPrompt } from './prompt-encoder.ts';

export interface Shape {
  readonly height: number;
  readonly width: number;
}

/** What is the same in every step of a drawing. Half is one of the two of classifier-free guidance. */
export interface Conditions {
  /** The negative prompt and the prompt; without guidance the prompt alone. */
  readonly prompts: readonly EncodedPrompt[];
  /** Pictures per half. */
  readonly count: number;
  readonly guidanceScale: number;
  /** In pixels, as drawn. */
  readonly size: Shape;
}

const neededInputs = ['sample', 'timestep', 'encoder_hidden_states'];
/** Of SDXL, the first two; of latent-consistency models, the last. */
const optionalInputs = ['text_embeds', 'time_ids', 'timestep_cond'];
/** Height and width before cropping, where the crop began, height and width drawn (Podell et al. 2023, 2.2). */
const timeIds = 6;

export class Unet {
  readonly channels: number;
  /** Side of the square latent it was trained on. */
  readonly side: number;
  /** Latent sides must be a multiple of this. */
  readonly multiple: number;
  readonly place: Component['place'];
  readonly #component: Component;
  readonly #isTimestepPerRow: boolean;

  /** @param isPooled whether prompts come with `pooled` · @throws {ModelError} ERR_MODEL_LOAD where it wants what no pipeline here gives */
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
      throw component.refusal('the graph wants text_embeds, and there is no text_encoder_2 to give them');
    }
    if (this.#wants('time_ids')) requireTimeIds(component);
    if (this.#wants('timestep_cond')) component.integer('time_cond_proj_dim');
  }

  /** It was distilled with guidance as an input: one row per picture does (Luo et al. 2023, 4.2). */
  get isGuidedByInput(): boolean {
    return this.#wants('timestep_cond');
  }

  /** @returns the inputs that stay, for {@link predict} */
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
    // Every step takes the same: 77 × 768 numbers for two rows are 0.3 ms to turn into 16 bit.
    return this.#component.prepare(inputs);
  }

  /**
   * @param sample [rows, channels, height, width], scaled as the scheduler says
   * @param timestep of the training
   * @returns what it makes of them, same shape
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

/** SDXL's refiner takes five: it scores pictures instead of telling their size. */
function requireTimeIds(component: Component): void {
  const [, ids] = component.inputDims('time_ids')!;
  const { addition_time_embed_dim: each, projection_class_embeddings_input_dim: all } = component.config;
  const [, pooled] = component.inputDims('text_embeds') ?? [];
  const isKnown = [each, all, pooled].every(Number.isInteger);
  const expected = isKnown ? (Number(all) - Number(pooled)) / Number(each) : ids;
  if (typeof expected !== 'number' || expected === timeIds) return;
  throw component.refusal(`the graph takes ${expected} time ids, and only pipelines with ${timeIds} are known`);
}

/**
 * Guidance as waves of rising length, sines then cosines, as a UNet with `timestep_cond` was trained to read it
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

/** One after another. */
export function joined(parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
