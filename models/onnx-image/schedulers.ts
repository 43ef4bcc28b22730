/**
 * From noise to picture, step by step: the samplers of diffusers' `scheduler_config.json`. Pure: the noise is given.
 * Sources: DDIM (Song et al. 2021, eq. 12), Euler and Euler ancestral (Karras et al. 2022, alg. 2; k-diffusion),
 * DPM-Solver++ 2M (Lu et al. 2022, alg. 2), LCM (Luo et al. 2023, alg. 3).
 */
import { keptVariance, type SchedulerConfig, unsupported, visitedSteps } from './noise-schedule.ts';

/** One drawing. Latents are flat arrays of any length; steps are numbered from 0. */
export interface Scheduler {
  /** [steps]: the training step that each step tells the model. */
  readonly timesteps: Float64Array;
  /** What standard noise is multiplied by at the start. */
  readonly initialScale: number;
  /** What the model sees of `latent` at step `index`: multiplied by this. */
  inputScale(index: number): number;
  /**
   * Moves `latent` on in place.
   * @param output of the model for this latent, same length
   * @param noise fills an array of the same length with fresh standard noise; asked only by samplers that need it
   */
  step(index: number, latent: Float32Array, output: Float32Array, noise: (length: number) => Float32Array): void;
}

/** Reads a model output as the clean picture and the noise in it. `kept` is the share of variance that is picture. */
type Reader = (output: number, latent: number, kept: number) => number;

/** @throws {ModelError} ERR_CATALOGUE_INVALID for a class or a setting that is not known */
export function createScheduler(config: SchedulerConfig, steps: number): Scheduler {
  if (config.use_karras_sigmas) throw unsupported('use_karras_sigmas', true);
  const readClean = cleanReader(config);
  switch (config._class_name) {
    case 'DDIMScheduler':
    case 'PNDMScheduler': // Its files are the same; DDIM draws the same pictures without its warm-up steps.
      return ddim(config, steps, readClean);
    case 'EulerDiscreteScheduler':
      return euler(config, steps, { readClean, ancestral: false });
    case 'EulerAncestralDiscreteScheduler':
      return euler(config, steps, { readClean, ancestral: true });
    case 'DPMSolverMultistepScheduler':
      return dpmSolver(config, steps, readClean);
    case 'LCMScheduler':
      return latentConsistency(config, steps, readClean);
    default:
      throw unsupported('_class_name', config._class_name);
  }
}

function cleanReader({ prediction_type = 'epsilon' }: SchedulerConfig): Reader {
  switch (prediction_type) {
    case 'epsilon':
      return (output, latent, kept) => (latent - Math.sqrt(1 - kept) * output) / Math.sqrt(kept);
    case 'v_prediction':
      return (output, latent, kept) => Math.sqrt(kept) * latent - Math.sqrt(1 - kept) * output;
    case 'sample':
      return (output) => output;
    default:
      throw unsupported('prediction_type', prediction_type);
  }
}

function ddim(config: SchedulerConfig, steps: number, readClean: Reader): Scheduler {
  const kept = keptVariance(config);
  const timesteps = visitedSteps(config, { steps, multistep: false, fractional: false });
  const stride = Math.floor(config.num_train_timesteps / steps);
  const last = (config.set_alpha_to_one ?? true) ? 1 : kept[0]!;
  return {
    timesteps,
    initialScale: 1,
    inputScale: () => 1,
    step(index, latent, output) {
      const now = kept[timesteps[index]!]!;
      const next = kept[timesteps[index]! - stride] ?? last;
      for (let i = 0; i < latent.length; i++) {
        const clean = readClean(output[i]!, latent[i]!, now);
        const noise = (latent[i]! - Math.sqrt(now) * clean) / Math.sqrt(1 - now);
        latent[i] = Math.sqrt(next) * clean + Math.sqrt(1 - next) * noise;
      }
    },
  };
}

function euler(
  config: SchedulerConfig,
  steps: number,
  { readClean, ancestral }: { readClean: Reader; ancestral: boolean },
): Scheduler {
  const timesteps = visitedSteps(config, { steps, multistep: false, fractional: true });
  const sigmas = [...sigmasAt(config, timesteps), 0];
  const most = sigmas[0]!;
  const isLeading = (config.timestep_spacing ?? 'leading') === 'leading';
  return {
    timesteps,
    initialScale: isLeading ? Math.sqrt(most ** 2 + 1) : most,
    inputScale: (index) => 1 / Math.sqrt(sigmas[index]! ** 2 + 1),
    step(index, latent, output, noise) {
      const [now, next] = [sigmas[index]!, sigmas[index + 1]!];
      const up = ancestral ? Math.sqrt((next ** 2 * (now ** 2 - next ** 2)) / now ** 2) : 0;
      const down = Math.sqrt(next ** 2 - up ** 2);
      const scale = 1 / Math.sqrt(now ** 2 + 1);
      const fresh = up > 0 ? noise(latent.length) : undefined;
      for (let i = 0; i < latent.length; i++) {
        const clean = readClean(output[i]!, latent[i]! * scale, scale ** 2);
        latent[i]! += ((latent[i]! - clean) / now) * (down - now);
        if (fresh) latent[i]! += fresh[i]! * up;
      }
    },
  };
}

function dpmSolver(config: SchedulerConfig, steps: number, readClean: Reader): Scheduler {
  const timesteps = visitedSteps(config, { steps, multistep: true, fractional: false });
  const sigmas = [...sigmasAt(config, timesteps), 0];
  const alpha = (sigma: number) => 1 / Math.sqrt(sigma ** 2 + 1);
  let before: Float64Array | undefined;
  return {
    timesteps,
    initialScale: 1,
    inputScale: () => 1,
    step(index, latent, output) {
      const [now, next] = [sigmas[index]!, sigmas[index + 1]!];
      const clean = Float64Array.from(output, (one, i) => readClean(one, latent[i]!, alpha(now) ** 2));
      // log(alpha / noise) falls by the same amount as log(sigma) rises.
      const shrink = next / now; // exp(−h)
      const carry = (next * alpha(next)) / (now * alpha(now));
      const pull = alpha(next) * (1 - shrink);
      // The first and the last step have no neighbour to learn a slope from.
      const isSecondOrder = before !== undefined && next > 0;
      const ratio = isSecondOrder ? Math.log(sigmas[index - 1]! / now) / Math.log(now / next) : 1;
      for (let i = 0; i < latent.length; i++) {
        const slope = isSecondOrder ? (clean[i]! - before![i]!) / ratio : 0;
        latent[i] = carry * latent[i]! + pull * (clean[i]! + slope / 2);
      }
      before = clean;
    },
  };
}

/** Where the boundary condition of a consistency model bends, in units of ten training steps. */
const consistencyScale = 10;
const consistencyDeviation = 0.5;

function latentConsistency(config: SchedulerConfig, steps: number, readClean: Reader): Scheduler {
  const kept = keptVariance(config);
  const timesteps = consistencySteps(config, steps);
  const last = (config.set_alpha_to_one ?? true) ? 1 : kept[0]!;
  return {
    timesteps,
    initialScale: 1,
    inputScale: () => 1,
    step(index, latent, output, noise) {
      const now = kept[timesteps[index]!]!;
      const isLast = index === steps - 1;
      const next = isLast ? last : kept[timesteps[index + 1]!]!;
      const bend = (timesteps[index]! * consistencyScale) ** 2 + consistencyDeviation ** 2;
      const skip = consistencyDeviation ** 2 / bend;
      const out = (timesteps[index]! * consistencyScale) / Math.sqrt(bend);
      const fresh = isLast ? undefined : noise(latent.length);
      for (let i = 0; i < latent.length; i++) {
        const clean = out * readClean(output[i]!, latent[i]!, now) + skip * latent[i]!;
        latent[i] = fresh ? Math.sqrt(next) * clean + Math.sqrt(1 - next) * fresh[i]! : clean;
      }
    },
  };
}

/** Evenly among the steps the model was distilled on, noisiest first. */
function consistencySteps(config: SchedulerConfig, steps: number): Float64Array {
  const { num_train_timesteps: count, original_inference_steps: original = 50 } = config;
  const known = Math.max(original, steps);
  const stride = Math.floor(count / known);
  const origin = Array.from({ length: known }, (_, index) => (index + 1) * stride - 1).reverse();
  return Float64Array.from({ length: steps }, (_, index) => origin[Math.floor((index * known) / steps)]!);
}

/** @returns noise relative to the picture at each training step, between steps on a straight line */
function sigmasAt(config: SchedulerConfig, timesteps: Float64Array): Float64Array {
  const kept = keptVariance(config);
  const sigma = (step: number) => Math.sqrt((1 - kept[step]!) / kept[step]!);
  return timesteps.map((step) => {
    const floor = Math.floor(step);
    const rest = step - floor;
    return rest === 0 ? sigma(floor) : sigma(floor) * (1 - rest) + sigma(floor + 1) * rest;
  });
}
