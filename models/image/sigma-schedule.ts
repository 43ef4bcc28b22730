/** Noise levels (sigmas) per step, for the Euler samplers and DPM-Solver++. Pure. */
import { keptVariance, roundEven, visitedSteps } from './noise-schedule.ts';
import type { SchedulerConfig } from './scheduler-config.ts';

export interface SigmaSchedule {
  /** [steps] The training step passed to the model in each step; may be fractional. */
  readonly timesteps: Float64Array;
  /** [steps + 1] Decreasing; the last is the final noise level. */
  readonly sigmas: Float64Array;
}

/** Replaces 0 (pure noise), whose sigma is infinite. */
const leastKept = 2 ** -24;
/** Exponent of the spacing: larger values put more steps at low noise (Karras et al. 2022, eq. 5). */
const karrasRho = 7;

export function sigmaSchedule(config: SchedulerConfig, steps: number): SigmaSchedule {
  const multistep = config.className === 'DPMSolverMultistepScheduler';
  const known = keptVariance(config).map((kept) => {
    const share = kept || leastKept;
    return Math.sqrt((1 - share) / share);
  });
  const timesteps = visitedSteps(config, { steps, multistep, fractional: !multistep });
  const sigmas = timesteps.map((step) => between(known, step));
  const last = config.finalSigma === 'zero' ? 0 : known[0]!;
  if (!config.usesKarrasSigmas) return { timesteps, sigmas: Float64Array.of(...sigmas, last) };

  // DPM-Solver++ spans the whole trained range, Euler the range of its visited steps.
  const most = config.sigmaMax ?? (multistep ? known.at(-1)! : sigmas[0]!);
  const least = config.sigmaMin ?? (multistep ? known[0]! : sigmas.at(-1)!);
  const spaced = karrasSigmas({ most, least, steps });
  const visited = spaced.map((sigma) => stepOf(known, sigma));
  return {
    timesteps: multistep ? visited.map(roundEven) : visited,
    sigmas: Float64Array.of(...spaced, last),
  };
}

function karrasSigmas({ most, least, steps }: { most: number; least: number; steps: number }): Float64Array {
  const [top, bottom] = [most ** (1 / karrasRho), least ** (1 / karrasRho)];
  return Float64Array.from({ length: steps }, (_, index) => {
    return (top + (index / Math.max(steps - 1, 1)) * (bottom - top)) ** karrasRho;
  });
}

/** Interpolates linearly between two training steps. */
function between(known: Float64Array, step: number): number {
  const floor = Math.min(Math.floor(step), known.length - 1);
  const rest = Math.min(step, known.length - 1) - floor;
  return rest === 0 ? known[floor]! : known[floor]! * (1 - rest) + known[floor + 1]! * rest;
}

/** Returns the training step with this sigma, interpolated between logarithms. */
function stepOf(known: Float64Array, sigma: number): number {
  const above = known.findIndex((one) => one > sigma);
  const low = Math.min(Math.max((above < 0 ? known.length : above) - 1, 0), known.length - 2);
  const [from, to] = [Math.log(known[low]!), Math.log(known[low + 1]!)];
  return low + Math.min(1, Math.max(0, (Math.log(sigma) - from) / (to - from)));
}
