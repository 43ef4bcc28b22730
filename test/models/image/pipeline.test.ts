/** The pipeline on tiny linear graphs, compared with plain arithmetic: inputs, shapes and outputs of each graph. */
import { describe, expect, it } from 'vitest';
import { NoiseSource } from '../../../models/image/noise.ts';
import { loadImagePipeline } from '../../../models/image/pipeline.ts';
import type { ImageJob, ImagePreview } from '../../../models/interface/image-model.ts';
import {
  latentChannels,
  latentSide,
  pooledWidth,
  type TinyOptions,
  type TinyPipeline,
  timeCondition,
  tokens,
  tokensOf,
  writeTinyPipeline,
} from '../../support/models/tiny-diffusers.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const scheduler = {
  ...{ _class_name: 'DDIMScheduler', num_train_timesteps: 1000, beta_start: 0.001, beta_end: 0.01 },
  ...{ beta_schedule: 'linear', timestep_spacing: 'trailing', set_alpha_to_one: true, clip_sample: false },
};
const cells = latentSide * latentSide;
const steps = 3;

const job: ImageJob = {
  ...{ prompt: 'red dot', negativePrompt: '', count: 1, size: { width: 512, height: 512 }, steps: steps },
  ...{ guidanceScale: 3, seed: 11, previews: 0 },
};

/** Halves: negative prompt and prompt. */
const prompts = [
  ['red dot', ''],
  ['red dot', 'dot'],
  ['red dot', ''],
  ['', ''],
  ['dot', 'dot'],
] as const;

async function draw(options: Partial<TinyOptions>, fields: Partial<ImageJob> = {}, batchRowsMax = 8) {
  await using folder = await scratchFolder();
  const tiny = writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler, ...options });
  const progress: number[] = [];
  const pipeline = await loadImagePipeline(
    { indexPath: tiny.indexPath, batchRowsMax, threads: 1, gpu: 'off' },
    { onProgress: (fraction) => progress.push(fraction) },
  );
  const seen: { readonly preview: ImagePreview; readonly afterSteps: number }[] = [];
  const told: number[] = [];
  const images = await pipeline.draw(
    { ...job, ...fields },
    {
      onStep: (step) => told.push(step),
      onPreview: (preview) => seen.push({ preview, afterSteps: told.length }),
      isCancelled: () => false,
    },
  );
  await pipeline.close();
  return { tiny, images, progress, told, seen, info: pipeline.info };
}

type Words = readonly ('red' | 'dot')[];

interface Half {
  readonly words: Words;
  /** The negative prompt counts as absent and is encoded as zeros. */
  readonly isZero?: boolean;
}

/** The value that the UNet adds to every cell of each channel for one prompt, without the timestep. */
function additionOf({ encoders, weights }: TinyPipeline, { words, isZero = false }: Half, guidance?: number): number[] {
  const ids = encoders.map((_, index) => tokensOf(words, index));
  const rowOf = (index: number, token: number) => {
    const { table, width } = encoders[index]!;
    return [...table.subarray(ids[index]![token]! * width, (ids[index]![token]! + 1) * width)];
  };
  const hidden = range(tokens).flatMap((token) => encoders.flatMap((_, index) => rowOf(index, token)));
  let addition = times(hidden, weights.words, isZero ? 0 : 1);
  if (encoders.length === 2) {
    const { width, projection } = encoders[1]!;
    const mean = range(width).map((at) => sum(range(tokens).map((token) => rowOf(1, token)[at]!)) / tokens);
    const pooled = range(pooledWidth).map((to) =>
      sum(mean.map((value, at) => value * projection[at * pooledWidth + to]!)),
    );
    const side = latentSide * 2;
    addition = plus(addition, times(pooled, weights.text_embeds, isZero ? 0 : 1));
    addition = plus(addition, times([side, side, 0, 0, side, side], weights.time_ids));
  }
  if (guidance === undefined) return addition;
  const half = timeCondition / 2;
  const angles = range(half).map((at) => (1000 * (guidance - 1)) / 10_000 ** (at / (half - 1)));
  return plus(addition, times([...angles.map(Math.sin), ...angles.map(Math.cos)], weights.timestep_cond));
}

/** DDIM by its formula (Song et al. 2021, eq. 12, without noise) for a model that predicts the noise. */
function expectedPixels(tiny: TinyPipeline, halves: readonly number[][], { seed = 11, scale = 3 } = {}): number[] {
  const kept: number[] = [];
  for (let step = 0; step < 1000; step++) {
    kept.push((kept.at(-1) ?? 1) * (1 - (0.001 + ((0.01 - 0.001) * step) / 999)));
  }
  let latent = [...new NoiseSource(seed).draw(latentChannels * cells)];
  for (let step = 0; step < steps; step++) {
    const time = Math.round(1000 - (step * 1000) / steps) - 1;
    const [now, next] = [kept[time]!, step === steps - 1 ? 1 : kept[time - Math.floor(1000 / steps)]!];
    latent = latent.map((value, at) => {
      const channel = Math.floor(at / cells);
      const answers = halves.map((addition) => {
        return value * tiny.sampleShare + addition[channel]! + time * tiny.weights.timestep[channel]!;
      });
      const noise = answers.length === 1 ? answers[0]! : answers[0]! + scale * (answers[1]! - answers[0]!);
      return Math.sqrt(next / now) * (value - Math.sqrt(1 - now) * noise) + Math.sqrt(1 - next) * noise;
    });
  }
  const side = latentSide * 2;
  return range(side * side * 3).map((at) => {
    const [y, x, colour] = [Math.floor(at / (side * 3)), Math.floor(at / 3) % side, at % 3];
    const cell = Math.floor(y / 2) * latentSide + Math.floor(x / 2);
    const value = sum(
      range(latentChannels).map((channel) => {
        const weight = tiny.decoder[channel * 12 + colour * 4 + (y % 2) * 2 + (x % 2)]!;
        return (weight * latent[channel * cells + cell]!) / tiny.scalingFactor;
      }),
    );
    return Math.min(255, Math.max(0, (value + 1) * 127.5));
  });
}

function times(row: readonly number[], weights: Float32Array, factor = 1): number[] {
  return range(latentChannels).map((channel) => {
    return factor * sum(row.map((value, at) => value * weights[at * latentChannels + channel]!));
  });
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const plus = (left: readonly number[], right: readonly number[]) => left.map((value, at) => value + right[at]!);

function expectSame(pixels: Uint8Array, expected: readonly number[], within = 0.51): void {
  expect(pixels).toHaveLength(expected.length);
  // Images of one colour would make the comparison meaningless.
  expect(new Set(pixels).size).toBeGreaterThan(20);
  const worst = Math.max(...expected.map((value, at) => Math.abs(value - pixels[at]!)));
  expect(worst).toBeLessThan(within);
}

describe('a pipeline with one text encoder', () => {
  it('computes the image from its graphs, its scheduler and its guidance', async () => {
    const { tiny, images, info } = await draw({});
    expect(info.nativeSizes).toEqual([{ width: 8, height: 8 }]);
    expectSame(
      images[0]!.pixels,
      expectedPixels(
        tiny,
        [[], ['red', 'dot'] as const].map((w) => additionOf(tiny, { words: w as Words })),
      ),
    );
  });

  it('applies a negative prompt', async () => {
    const { tiny, images } = await draw({}, { negativePrompt: 'dot' });
    const halves = [['dot'], ['red', 'dot']].map((words) => additionOf(tiny, { words: words as Words }));
    expectSame(images[0]!.pixels, expectedPixels(tiny, halves));
  });

  it('draws the same without a negative prompt before and after a job with one', async () => {
    await using folder = await scratchFolder();
    const { indexPath } = writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler });
    const options = { indexPath, batchRowsMax: 8, threads: 1, gpu: 'off' } as const;
    const pipeline = await loadImagePipeline(options, { onProgress: () => undefined });
    const ignore = { onStep: () => undefined, onPreview: () => undefined, isCancelled: () => false };
    const drawn: Uint8Array[] = [];
    for (const [prompt, negativePrompt] of prompts) {
      const [image] = await pipeline.draw({ ...job, prompt, negativePrompt }, ignore);
      drawn.push(image!.pixels);
    }
    await pipeline.close();
    const [first, other, again, empty, same] = drawn;
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    // Guidance from a prompt to itself has no effect, so the image is the same if the prompt was encoded for one half or for both.
    expect(empty).not.toEqual(first);
    expect(same).toEqual((await draw({}, { prompt: 'dot', negativePrompt: 'dot' })).images[0]!.pixels);
  });

  it('uses one UNet row per image without guidance', async () => {
    const { tiny, images } = await draw({}, { guidanceScale: 0, count: 3 }, 2);
    const halves = [additionOf(tiny, { words: ['red', 'dot'] })];
    for (const [index, { pixels }] of images.entries()) {
      expectSame(pixels, expectedPixels(tiny, halves, { seed: 11 + index }));
    }
  });

  it.each([
    { type: 'float32', shape: [] },
    { type: 'int64', shape: [1] },
    { type: 'float32', shape: ['steps'] },
  ] as const)('passes the timestep as $type $shape', async (timestep) => {
    const { tiny, images } = await draw({ timestep });
    const halves = [[], ['red', 'dot']].map((words) => additionOf(tiny, { words: words as Words }));
    expectSame(images[0]!.pixels, expectedPixels(tiny, halves));
  });
});

describe('steps', () => {
  it('are reported once each, even if the sampler runs one more', async () => {
    const scheduler = { _class_name: 'PNDMScheduler', skip_prk_steps: true };
    const { told } = await draw({ scheduler }, { steps: 5 });
    expect(told).toEqual([1, 2, 3, 4, 5]);
  });

  it('end with the running one when the job is cancelled, even between batches', async () => {
    await using folder = await scratchFolder();
    const { indexPath } = writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler });
    const options = { indexPath, batchRowsMax: 2, threads: 1, gpu: 'off' } as const;
    const pipeline = await loadImagePipeline(options, { onProgress: () => undefined });
    const told: number[] = [];
    // Two images are two batches here; cancellation is polled before each run. The sixth poll is the third of the second batch.
    let asked = 0;
    const drawn = pipeline.draw(
      { ...job, count: 2, steps: 50 },
      { onStep: (step) => told.push(step), onPreview: () => undefined, isCancelled: () => ++asked === 6 },
    );
    await expect(drawn).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await pipeline.close();
    expect([asked, told]).toEqual([6, [1, 2]]);
  });
});

describe('decoding', () => {
  it('ends before the next image when the job is cancelled', async () => {
    await using folder = await scratchFolder();
    const { indexPath } = writeTinyPipeline(folder.path, { encoders: 1, scheduler: scheduler });
    const options = { indexPath, batchRowsMax: 2, threads: 1, gpu: 'off' } as const;
    const pipeline = await loadImagePipeline(options, { onProgress: () => undefined });
    // Three batches of one image: cancellation is polled per batch and step, then before each decoding.
    let asked = 0;
    const isCancelled = () => ++asked === 3 * steps + 2;
    const told: number[] = [];
    const drawn = pipeline.draw(
      { ...job, count: 3 },
      { onStep: (step) => told.push(step), onPreview: () => undefined, isCancelled },
    );
    await expect(drawn).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await pipeline.close();
    expect([asked, told.length]).toEqual([3 * steps + 2, steps]);
  });
});

describe('previews', () => {
  it('are sent at evenly spaced steps, and show the predicted image', async () => {
    const { images, seen } = await draw({}, { steps: 8, previews: 3, count: 3, guidanceScale: 0 }, 2);
    expect(seen.map(({ preview, afterSteps }) => [preview.index, afterSteps])).toEqual([
      [0, 1],
      [1, 3],
      [2, 5],
    ]);
    expect(seen[0]!.preview.images).toHaveLength(3);
    const distances = seen.map(({ preview }) => distance(preview.images[2]!.pixels, images[2]!.pixels));
    // Each preview is closer to the result than the one before, unlike views of the noisy latent.
    expect(distances).toEqual([...distances].sort((one, other) => other - one));
    expect(distances[2]).toBeLessThan(distances[0]! / 2);
  });

  it('are omitted if there is no step for them', async () => {
    const { seen } = await draw({}, { steps: 2, previews: 3 });
    expect(seen.map(({ afterSteps }) => afterSteps)).toEqual([0]);
    expect((await draw({}, { steps: 1, previews: 3 })).seen).toEqual([]);
  });
});

function distance(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, value, at) => sum + Math.abs(value - other[at]!), 0);
}

describe('a pipeline with two text encoders', () => {
  it('concatenates their states, and passes the pooled prompt and the size to the UNet', async () => {
    const { tiny, images, progress, info } = await draw({ encoders: 2 });
    expect(info.description).toContain('StableDiffusionXLPipeline');
    expect(progress).toEqual([0.25, 0.5, 0.75, 1]);
    const halves = [[], ['red', 'dot']].map((words) => additionOf(tiny, { words: words as Words }));
    expectSame(images[0]!.pixels, expectedPixels(tiny, halves));
  });

  it('encodes an empty negative prompt as zeros if its index requires it', async () => {
    const index = { force_zeros_for_empty_prompt: true };
    const { tiny, images } = await draw({ encoders: 2, index });
    const halves = [{ words: [], isZero: true }, { words: ['red', 'dot'] as const }].map((h) => additionOf(tiny, h));
    expectSame(images[0]!.pixels, expectedPixels(tiny, halves));
    const said = await draw({ encoders: 2, index }, { negativePrompt: 'dot' });
    const both = [['dot'], ['red', 'dot']].map((words) => additionOf(tiny, { words: words as Words }));
    expectSame(said.images[0]!.pixels, expectedPixels(tiny, both));
  });

  it('converts inputs to 16 bit for a UNet in 16 bit', async () => {
    const { tiny, images } = await draw({ encoders: 2, half: true });
    const halves = [[], ['red', 'dot']].map((words) => additionOf(tiny, { words: words as Words }));
    expectSame(images[0]!.pixels, expectedPixels(tiny, halves), 3);
  });
});

describe('a latent-consistency pipeline', () => {
  it('passes the guidance scale to the UNet and runs one row per image', async () => {
    const { tiny, images } = await draw({ guidanceInput: true }, { guidanceScale: 8, negativePrompt: 'dot' });
    const halves = [additionOf(tiny, { words: ['red', 'dot'] }, 8)];
    expectSame(images[0]!.pixels, expectedPixels(tiny, halves));
  });
});
