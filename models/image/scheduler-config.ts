/**
 * Parses `scheduler_config.json` of a diffusers folder: missing fields get the defaults of the scheduler class. A setting
 * that would change the image and is not implemented is refused. Pure.
 */
import { ModelError } from '../interface/errors.ts';

/** The complete configuration, with defaults. */
export interface SchedulerConfig {
  readonly className: SchedulerClass;
  readonly trainingSteps: number;
  readonly betaStart: number;
  readonly betaEnd: number;
  readonly betaSchedule: 'linear' | 'scaled_linear' | 'squaredcos_cap_v2';
  /** Replaces the three fields above. */
  readonly trainedBetas: readonly number[] | undefined;
  /** Whether the last training step is pure noise (Lin et al. 2023, alg. 1). */
  readonly rescalesToZeroSnr: boolean;
  readonly predictionType: 'epsilon' | 'v_prediction' | 'sample';
  readonly spacing: 'leading' | 'trailing' | 'linspace';
  readonly stepsOffset: number;
  /** DDIM and LCM: the image after the last step has no noise. */
  readonly endsClean: boolean;
  /** DDIM and LCM: the predicted image is clipped to this range; undefined: no clipping. */
  readonly clipRange: number | undefined;
  /** Euler and DPM-Solver++: noise levels are spaced as in Karras et al. 2022, eq. 5. */
  readonly usesKarrasSigmas: boolean;
  readonly sigmaMin: number | undefined;
  readonly sigmaMax: number | undefined;
  /** Euler and DPM-Solver++: the final noise level. */
  readonly finalSigma: 'zero' | 'sigma_min';
  /** DPM-Solver++. */
  readonly solverOrder: 1 | 2;
  readonly solverType: 'midpoint' | 'heun';
  readonly lowersFinalOrder: boolean;
  readonly endsWithEuler: boolean;
  /** LCM. */
  readonly originalSteps: number;
  readonly timestepScaling: number;
}

const classes = [
  'DDIMScheduler',
  'PNDMScheduler',
  'EulerDiscreteScheduler',
  'EulerAncestralDiscreteScheduler',
  'DPMSolverMultistepScheduler',
  'LCMScheduler',
] as const;
export type SchedulerClass = (typeof classes)[number];

/** Settings that change the image; only these values are implemented. */
const fixed: Readonly<Record<string, unknown>> = {
  thresholding: false,
  use_exponential_sigmas: false,
  use_beta_sigmas: false,
  use_lu_lambdas: false,
  use_flow_sigmas: false,
  timestep_type: 'discrete',
  interpolation_type: 'linear',
  algorithm_type: 'dpmsolver++',
  // Python writes -Infinity, which is not JSON and is parsed as null.
  lambda_min_clipped: null,
  variance_type: null,
};

/**
 * @param json may contain Python's Infinity and NaN, which mean "no limit"
 * @throws {ModelError} ERR_MODEL_LOAD naming the unsupported class or setting, if any
 */
export function parseSchedulerConfig(json: string): SchedulerConfig {
  let fields: Readonly<Record<string, unknown>>;
  try {
    fields = JSON.parse(json.replace(/(?<=[:[,]\s*)(?:-?Infinity|NaN)(?=\s*[,}\]])/g, 'null'));
  } catch (cause) {
    throw new ModelError('ERR_MODEL_LOAD', 'scheduler_config.json is not JSON', { cause });
  }
  const className = choice(fields, '_class_name', classes);
  for (const [name, known] of Object.entries(fixed)) {
    if ((fields[name] ?? known) !== known) throw unsupported(name, fields[name]);
  }
  if (className === 'PNDMScheduler' && fields.skip_prk_steps !== true) throw unsupported('skip_prk_steps', false);
  const isLcm = className === 'LCMScheduler';
  const hasSigmas = className === 'EulerDiscreteScheduler' || className === 'DPMSolverMultistepScheduler';
  const isSampled = className === 'DDIMScheduler' || isLcm;
  const leads = isSampled || className === 'PNDMScheduler';
  return Object.freeze({
    className,
    trainingSteps: number(fields, 'num_train_timesteps', 1000),
    betaStart: number(fields, 'beta_start', isLcm ? 0.00085 : 0.0001),
    betaEnd: number(fields, 'beta_end', isLcm ? 0.012 : 0.02),
    betaSchedule: choice(fields, 'beta_schedule', ['linear', 'scaled_linear', 'squaredcos_cap_v2'], isLcm ? 1 : 0),
    trainedBetas: betas(fields),
    rescalesToZeroSnr: fields.rescale_betas_zero_snr === true,
    predictionType: choice(fields, 'prediction_type', ['epsilon', 'v_prediction', 'sample'], 0),
    spacing: choice(fields, 'timestep_spacing', ['leading', 'trailing', 'linspace'], leads ? 0 : 2),
    stepsOffset: number(fields, 'steps_offset', 0),
    endsClean: (fields.set_alpha_to_one ?? isSampled) === true,
    clipRange:
      isSampled && (fields.clip_sample ?? !isLcm) === true ? number(fields, 'clip_sample_range', 1) : undefined,
    usesKarrasSigmas: hasSigmas && fields.use_karras_sigmas === true,
    sigmaMin: hasSigmas ? optionalNumber(fields, 'sigma_min') : undefined,
    sigmaMax: hasSigmas ? optionalNumber(fields, 'sigma_max') : undefined,
    finalSigma: hasSigmas ? choice(fields, 'final_sigmas_type', ['zero', 'sigma_min'], 0) : 'zero',
    solverOrder: choice(fields, 'solver_order', [1, 2], 1),
    solverType: choice(fields, 'solver_type', ['midpoint', 'heun'], 0),
    lowersFinalOrder: fields.lower_order_final !== false,
    endsWithEuler: fields.euler_at_final === true,
    originalSteps: number(fields, 'original_inference_steps', 50),
    timestepScaling: number(fields, 'timestep_scaling', 10),
  });
}

type JsonFields = Readonly<Record<string, unknown>>;

/** @param fallback index of the default value */
function choice<const Value>(fields: JsonFields, name: string, values: readonly Value[], fallback?: number): Value {
  const given = fields[name] ?? (fallback === undefined ? undefined : values[fallback]);
  const known = values.find((value) => value === given);
  if (known !== undefined) return known;
  throw unsupported(name, given);
}

function number(fields: JsonFields, name: string, fallback: number): number {
  return optionalNumber(fields, name) ?? fallback;
}

function optionalNumber(fields: JsonFields, name: string): number | undefined {
  const value = fields[name] ?? undefined;
  if (value === undefined || typeof value === 'number') return value;
  throw unsupported(name, value);
}

function betas({ trained_betas: values }: JsonFields): readonly number[] | undefined {
  if (values === undefined || values === null) return undefined;
  if (Array.isArray(values) && values.every((value) => typeof value === 'number')) return values;
  throw unsupported('trained_betas', 'in this form');
}

function unsupported(field: string, value: unknown): ModelError {
  return new ModelError('ERR_MODEL_LOAD', `scheduler_config.json: ${field} ${String(value)} is not supported`);
}
