/** Noise relative to the picture, step by step, for the samplers that think in it: Euler's and DPM-Solver++'s. Pure. */
import { keptVariance, roundEven, visitedSteps } from './noise-schedule.ts';
import type { SchedulerConfig } from './scheduler-config.ts';

export interface SigmaSchedule {
  /** [steps]: the training step that each step tells the model; may lie between two. */
  readonly timesteps: Float64Array;
  /** [steps + 1], falling; the last is what is left at the end. */
  readonly sigmas: Float64Array;
}

/** Stands for 0, nothing but noise, whose true sigma is infinite. */
const leastKept = 2 ** -24;
/** How much the steps crowd where there is little noise (Karras et al. 2022, eq. 5). */
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

  // DPM-Solver++ spans all that was trained, Euler what its steps would have visited.
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

/** On a straight line between two training steps. */
function between(known: Float64Array, step: number): number {
  const floor = Math.min(Math.floor(step), known.length - 1);
  const rest = Math.min(step, known.length - 1) - floor;
  return rest === 0 ? known[floor]! : known[floor]! * (1 - rest) + known[floor + 1]! * rest;
}

/** The training step with this much noise, on a straight line of logarithms. */
function stepOf(known: Float64Array, sigma: number): number {
  const above = known.findIndex((one) => one > sigma);
  const low = Math.min(Math.max((above < 0 ? known.length : above) - 1, 0), known.length - 2);
  const [from, to] = [Math.log(known[low]!), Math.log(known[low + 1]!)];
  return low + Math.min(1, Math.max(0, (Math.log(sigma) - from) / (to - from)));
}
