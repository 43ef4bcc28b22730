/** How much noise each training step of a diffusion model has, and which of these steps a drawing visits. Pure. */
import { ModelError } from '../errors.ts';

/** The fields of diffusers' `scheduler_config.json` that change what is computed. */
export interface SchedulerConfig {
  readonly _class_name: string;
  readonly num_train_timesteps: number;
  readonly beta_start: number;
  readonly beta_end: number;
  readonly beta_schedule: string;
  readonly prediction_type?: string;
  readonly timestep_spacing?: string;
  readonly steps_offset?: number;
  readonly set_alpha_to_one?: boolean;
  readonly use_karras_sigmas?: boolean;
  /** Of latent-consistency models. */
  readonly original_inference_steps?: number;
}

/** @returns [num_train_timesteps]: the share of the picture's variance that is left at each step, falling */
export function keptVariance(config: SchedulerConfig): Float64Array {
  const { num_train_timesteps: count } = config;
  const kept = new Float64Array(count);
  let product = 1;
  for (let step = 0; step < count; step++) {
    product *= 1 - betaAt(config, step);
    kept[step] = product;
  }
  return kept;
}

function betaAt({ beta_schedule, beta_start, beta_end, num_train_timesteps: count }: SchedulerConfig, step: number) {
  const share = step / (count - 1);
  switch (beta_schedule) {
    case 'linear':
      return beta_start + share * (beta_end - beta_start);
    case 'scaled_linear':
      return (Math.sqrt(beta_start) + share * (Math.sqrt(beta_end) - Math.sqrt(beta_start))) ** 2;
    case 'squaredcos_cap_v2': {
      const level = (at: number) => Math.cos((((at + 0.008) / 1.008) * Math.PI) / 2) ** 2;
      return Math.min(1 - level((step + 1) / count) / level(step / count), 0.999);
    }
    default:
      throw unsupported('beta_schedule', beta_schedule);
  }
}

/**
 * The training steps a drawing of `steps` steps visits, noisiest first.
 * @param multistep whether the sampler counts the end as one more step, as DPM-Solver's does
 */
export function visitedSteps(
  config: SchedulerConfig,
  { steps, multistep, fractional }: { steps: number; multistep: boolean; fractional: boolean },
): Float64Array {
  const { num_train_timesteps: count, timestep_spacing = 'leading', steps_offset = 0 } = config;
  const parts = multistep ? steps + 1 : steps;
  const at = (index: number): number => {
    switch (timestep_spacing) {
      case 'leading':
        return (parts - 1 - index) * Math.floor(count / parts) + steps_offset;
      case 'trailing':
        return roundEven(count - (index * count) / steps) - 1;
      case 'linspace': {
        const step = ((count - 1) * (parts - 1 - index)) / Math.max(parts - 1, 1);
        return fractional ? step : roundEven(step);
      }
      default:
        throw unsupported('timestep_spacing', timestep_spacing);
    }
  };
  return Float64Array.from({ length: steps }, (_, index) => at(index));
}

/** Halves go to the even neighbour, as in NumPy, which the field's reference uses. */
function roundEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

export function unsupported(field: string, value: unknown): ModelError {
  return new ModelError('ERR_CATALOGUE_INVALID', `scheduler_config.json: ${field} ${String(value)} is not supported`);
}
