/**
 * The samplers of diffusers' `scheduler_config.json`. Pure: the noise is an argument.
 * Sources: DDIM (Song et al. 2021, eq. 12), PNDM without its Runge-Kutta steps (Liu et al. 2022, eq. 9 and 12), Euler and Euler ancestral (Karras et al. 2022, alg. 2; k-diffusion),
 * DPM-Solver++ 2M (Lu et al. 2022, alg. 2), LCM (Luo et al. 2023, alg. 3).
 */
import { keptVariance, visitedSteps } from './noise-schedule.ts';
import type { SchedulerConfig } from './scheduler-config.ts';
import { sigmaSchedule } from './sigma-schedule.ts';

/** The sampler of one batch. Latents are flat arrays of any length; steps are numbered from 0. */
export interface Scheduler {
  /** [steps] The training step passed to the model in each step. PNDM has one more, which corrects the first. */
  readonly timesteps: Float64Array;
  /** Factor of the initial standard noise. */
  readonly initialScale: number;
  /** Factor of the latent that is passed to the model in step `index`. */
  inputScale(index: number): number;
  step(index: number, buffers: StepBuffers): void;
}

/** All of the same length. */
export interface StepBuffers {
  /** Updated in place. */
  readonly latent: Float32Array;
  /** Output of the model for this latent. */
  readonly output: Float32Array;
  /** Returns new standard noise; called only by samplers that need it. */
  readonly noise: (length: number) => Float32Array;
  /** Receives this step's prediction of the finished image. */
  readonly clean?: Float32Array | undefined;
}

/** Computes the predicted image from a model output. `kept` is the image's share of the variance. */
type Reader = (output: number, latent: number, kept: number) => number;

export function createScheduler(config: SchedulerConfig, steps: number): Scheduler {
  const readClean = cleanReader(config);
  switch (config.className) {
    case 'DDIMScheduler':
      return ddim(config, steps, readClean);
    case 'PNDMScheduler':
      return pndm(config, steps, readClean);
    case 'EulerDiscreteScheduler':
      return euler(config, steps, { readClean, ancestral: false });
    case 'EulerAncestralDiscreteScheduler':
      return euler(config, steps, { readClean, ancestral: true });
    case 'DPMSolverMultistepScheduler':
      return dpmSolver(config, steps, readClean);
    case 'LCMScheduler':
      return latentConsistency(config, steps, readClean);
  }
}

function cleanReader({ predictionType }: SchedulerConfig): Reader {
  switch (predictionType) {
    case 'epsilon':
      return (output, latent, kept) => (latent - Math.sqrt(1 - kept) * output) / Math.sqrt(kept);
    case 'v_prediction':
      return (output, latent, kept) => Math.sqrt(kept) * latent - Math.sqrt(1 - kept) * output;
    case 'sample':
      return (output) => output;
  }
}

function ddim(config: SchedulerConfig, steps: number, readClean: Reader): Scheduler {
  const kept = keptVariance(config);
  const timesteps = visitedSteps(config, { steps, multistep: false, fractional: false });
  const stride = Math.floor(config.trainingSteps / steps);
  const last = config.endsClean ? 1 : kept[0]!;
  const clip = clipper(config);
  return {
    timesteps,
    initialScale: 1,
    inputScale: () => 1,
    step(index, { latent, output, clean }) {
      const now = kept[timesteps[index]!]!;
      const next = kept[timesteps[index]! - stride] ?? last;
      for (let i = 0; i < latent.length; i++) {
        const picture = readClean(output[i]!, latent[i]!, now);
        const noise = (latent[i]! - Math.sqrt(now) * picture) / Math.sqrt(1 - now);
        latent[i] = Math.sqrt(next) * clip(picture) + Math.sqrt(1 - next) * noise;
        if (clean) clean[i] = clip(picture);
      }
    },
  };
}

/** Adams-Bashforth weights of the last outputs, newest first, by number of outputs. */
const multistep = [[1], [3 / 2, -1 / 2], [23 / 12, -16 / 12, 5 / 12], [55 / 24, -59 / 24, 37 / 24, -9 / 24]];

function pndm(config: SchedulerConfig, steps: number, readClean: Reader): Scheduler {
  const kept = keptVariance(config);
  const [first, ...others] = visitedSteps(config, { steps, multistep: false, fractional: false });
  const timesteps = Float64Array.of(first!, ...others.slice(0, 1), ...others);
  const stride = Math.floor(config.trainingSteps / steps);
  const last = config.endsClean ? 1 : kept[0]!;
  let outputs: Float64Array[] = [];
  let begin: Float32Array | undefined;
  return {
    timesteps,
    initialScale: 1,
    inputScale: () => 1,
    step(index, { latent, output, clean }) {
      // The first step runs twice: the second time with the mean of the outputs at its start and end.
      const isCorrection = index === 1;
      const time = timesteps[index]! + (isCorrection ? stride : 0);
      const [now, next] = [kept[time]!, kept[time - stride] ?? last];
      if (!isCorrection) outputs = [new Float64Array(output), ...outputs.slice(0, 3)];
      if (index === 0) begin = latent.slice();
      if (isCorrection) latent.set(begin!);
      const weights = multistep[outputs.length - 1]!;
      for (let i = 0; i < latent.length; i++) {
        let before = 0;
        for (let age = 0; age < weights.length; age++) before += weights[age]! * outputs[age]![i]!;
        const picture = readClean(isCorrection ? (output[i]! + outputs[0]![i]!) / 2 : before, latent[i]!, now);
        const noise = (latent[i]! - Math.sqrt(now) * picture) / Math.sqrt(1 - now);
        latent[i] = Math.sqrt(next) * picture + Math.sqrt(1 - next) * noise;
        if (clean) clean[i] = picture;
      }
    },
  };
}

function euler(
  config: SchedulerConfig,
  steps: number,
  { readClean, ancestral }: { readClean: Reader; ancestral: boolean },
): Scheduler {
  const { timesteps, sigmas } = sigmaSchedule(config, steps);
  const most = sigmas[0]!;
  return {
    timesteps,
    initialScale: config.spacing === 'leading' ? Math.sqrt(most ** 2 + 1) : most,
    inputScale: (index) => 1 / Math.sqrt(sigmas[index]! ** 2 + 1),
    step(index, { latent, output, noise, clean }) {
      const [now, next] = [sigmas[index]!, sigmas[index + 1]!];
      const up = ancestral ? Math.sqrt((next ** 2 * (now ** 2 - next ** 2)) / now ** 2) : 0;
      const down = Math.sqrt(next ** 2 - up ** 2);
      const scale = 1 / Math.sqrt(now ** 2 + 1);
      const fresh = up > 0 ? noise(latent.length) : undefined;
      for (let i = 0; i < latent.length; i++) {
        const picture = readClean(output[i]!, latent[i]! * scale, scale ** 2);
        latent[i]! += ((latent[i]! - picture) / now) * (down - now);
        if (fresh) latent[i]! += fresh[i]! * up;
        if (clean) clean[i] = picture;
      }
    },
  };
}

/** With fewer steps than this, the last step is of first order, because its slope would be inaccurate. */
const shortSteps = 15;

function dpmSolver(config: SchedulerConfig, steps: number, readClean: Reader): Scheduler {
  const { timesteps, sigmas } = sigmaSchedule(config, steps);
  const alpha = (sigma: number) => 1 / Math.sqrt(sigma ** 2 + 1);
  const isLastSimple =
    config.endsWithEuler || (config.lowersFinalOrder && steps < shortSteps) || config.finalSigma === 'zero';
  let before: Float64Array | undefined;
  return {
    timesteps,
    initialScale: 1,
    inputScale: () => 1,
    step(index, { latent, output, clean }) {
      const [now, next] = [sigmas[index]!, sigmas[index + 1]!];
      const kept = alpha(now) ** 2;
      // `Float64Array.from` with a function takes 20 times as long, 3 % of a small model's step.
      const picture = new Float64Array(latent.length);
      for (let i = 0; i < picture.length; i++) picture[i] = readClean(output[i]!, latent[i]!, kept);
      // log(alpha / noise) decreases by the amount that log(sigma) increases.
      const shrink = next / now; // exp(−h)
      const carry = (next * alpha(next)) / (now * alpha(now));
      const pull = alpha(next) * (1 - shrink);
      // The first step has no previous output to compute a slope from.
      const isSimple = before === undefined || config.solverOrder === 1 || (index === steps - 1 && isLastSimple);
      const ratio = isSimple ? 1 : Math.log(sigmas[index - 1]! / now) / Math.log(now / next);
      const lean =
        config.solverType === 'midpoint' ? pull / 2 : alpha(next) * ((shrink - 1) / Math.log(now / next) + 1);
      for (let i = 0; i < latent.length; i++) {
        const slope = isSimple ? 0 : (lean * (picture[i]! - before![i]!)) / ratio;
        latent[i] = carry * latent[i]! + pull * picture[i]! + slope;
      }
      clean?.set(picture);
      before = picture;
    },
  };
}

/** The sigma_data of the boundary condition of consistency models. */
const consistencyDeviation = 0.5;

function latentConsistency(config: SchedulerConfig, steps: number, readClean: Reader): Scheduler {
  const kept = keptVariance(config);
  const timesteps = consistencySteps(config, steps);
  const clip = clipper(config);
  return {
    timesteps,
    initialScale: 1,
    inputScale: () => 1,
    step(index, { latent, output, noise, clean }) {
      const now = kept[timesteps[index]!]!;
      const next = index === steps - 1 ? undefined : kept[timesteps[index + 1]!]!;
      const time = timesteps[index]! * config.timestepScaling;
      const bend = time ** 2 + consistencyDeviation ** 2;
      const [skip, out] = [consistencyDeviation ** 2 / bend, time / Math.sqrt(bend)];
      const fresh = next === undefined ? undefined : noise(latent.length);
      for (let i = 0; i < latent.length; i++) {
        const picture = out * clip(readClean(output[i]!, latent[i]!, now)) + skip * latent[i]!;
        latent[i] = fresh ? Math.sqrt(next!) * picture + Math.sqrt(1 - next!) * fresh[i]! : picture;
        if (clean) clean[i] = picture;
      }
    },
  };
}

/** Chooses steps evenly from those that the model was distilled on, noisiest first; if `steps` exceeds their number, the spacing is finer. */
function consistencySteps({ trainingSteps, originalSteps }: SchedulerConfig, steps: number): Float64Array {
  const known = Math.max(originalSteps, steps);
  const stride = Math.floor(trainingSteps / known);
  const origin = Array.from({ length: known }, (_, index) => (index + 1) * stride - 1).reverse();
  return Float64Array.from({ length: steps }, (_, index) => origin[Math.floor((index * known) / steps)]!);
}

function clipper({ clipRange }: SchedulerConfig): (value: number) => number {
  return clipRange === undefined ? (value) => value : (value) => Math.max(-clipRange, Math.min(clipRange, value));
}
