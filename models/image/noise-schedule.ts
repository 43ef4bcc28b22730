/** The noise of each training step of a diffusion model, and the training steps that a sampler visits. Pure. */
import type { SchedulerConfig } from './scheduler-config.ts';

/** @returns [trainingSteps] The share of the image's variance that is left at each step, decreasing (alpha cumprod). */
export function keptVariance(config: SchedulerConfig): Float64Array {
  const { trainedBetas, trainingSteps: count } = config;
  const kept = new Float64Array(trainedBetas?.length ?? count);
  let product = 1;
  for (let step = 0; step < kept.length; step++) {
    product *= 1 - (trainedBetas?.[step] ?? betaAt(config, step));
    kept[step] = product;
  }
  return config.rescalesToZeroSnr ? rescaled(kept) : kept;
}

function betaAt({ betaSchedule, betaStart, betaEnd, trainingSteps: count }: SchedulerConfig, step: number): number {
  const share = step / (count - 1);
  switch (betaSchedule) {
    case 'linear':
      return betaStart + share * (betaEnd - betaStart);
    case 'scaled_linear':
      return (Math.sqrt(betaStart) + share * (Math.sqrt(betaEnd) - Math.sqrt(betaStart))) ** 2;
    case 'squaredcos_cap_v2': {
      const level = (at: number) => Math.cos((((at + 0.008) / 1.008) * Math.PI) / 2) ** 2;
      return Math.min(1 - level((step + 1) / count) / level(step / count), 0.999);
    }
  }
}

/** Rescales the amplitudes so that the first is unchanged and the last is 0 (Lin et al. 2023, alg. 1). */
function rescaled(kept: Float64Array): Float64Array {
  const [first, last] = [Math.sqrt(kept[0]!), Math.sqrt(kept.at(-1)!)];
  return kept.map((share) => (((Math.sqrt(share) - last) * first) / (first - last)) ** 2);
}

/**
 * Returns the training steps that a sampler with `steps` steps visits, noisiest first.
 * @param multistep whether the sampler counts the end as another step, as DPM-Solver does
 */
export function visitedSteps(
  { trainingSteps: count, spacing, stepsOffset }: SchedulerConfig,
  { steps, multistep, fractional }: { steps: number; multistep: boolean; fractional: boolean },
): Float64Array {
  const parts = multistep ? steps + 1 : steps;
  const at = (index: number): number => {
    switch (spacing) {
      case 'leading':
        return (parts - 1 - index) * Math.floor(count / parts) + stepsOffset;
      case 'trailing':
        return roundEven(count - (index * count) / steps) - 1;
      case 'linspace': {
        const step = ((count - 1) * (parts - 1 - index)) / Math.max(parts - 1, 1);
        return fractional ? step : roundEven(step);
      }
    }
  };
  return Float64Array.from({ length: steps }, (_, index) => at(index));
}

/** Rounds halves to the even neighbour, as NumPy does, which diffusers uses. */
export function roundEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
