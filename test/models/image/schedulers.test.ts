/**
 * Tests the samplers on a problem with a known solution: if every value of the image is normal with mean m and
 * deviation s, the optimal model and the path from noise to image both have closed forms.
 */
import { describe, expect, it } from 'vitest';
import { keptVariance, visitedSteps } from '../../../models/image/noise-schedule.ts';
import { parseSchedulerConfig } from '../../../models/image/scheduler-config.ts';
import { createScheduler } from '../../../models/image/schedulers.ts';

const meanValue = 0.7;
const deviation = 0.4;

type Fields = Readonly<Record<string, unknown>>;

function config(fields: Fields = {}) {
  return parseSchedulerConfig(
    JSON.stringify({
      _class_name: 'DDIMScheduler',
      num_train_timesteps: 1000,
      beta_start: 0.00085,
      beta_end: 0.012,
      beta_schedule: 'scaled_linear',
      prediction_type: 'epsilon',
      timestep_spacing: 'trailing',
      clip_sample: false,
      ...fields,
    }),
  );
}

/** The output of the optimal model for `latent` (with unit variance), of which the share `kept` is image. */
function bestOutput(latent: number, kept: number, predictionType: string): number {
  const [share, noise] = [Math.sqrt(kept), Math.sqrt(1 - kept)];
  const clean =
    meanValue + ((share * deviation ** 2) / (kept * deviation ** 2 + 1 - kept)) * (latent - share * meanValue);
  const epsilon = (latent - share * clean) / noise;
  switch (predictionType) {
    case 'epsilon':
      return epsilon;
    case 'sample':
      return clean;
    default:
      return share * epsilon - noise * clean;
  }
}

/** Samples one value from standard noise `start`. */
function drawFrom(start: number, fields: Fields, steps: number, noise = () => 0): number {
  const settings = config(fields);
  const scheduler = createScheduler(settings, steps);
  const kept = keptVariance(settings);
  const latent = Float32Array.of(start * scheduler.initialScale);
  for (let index = 0; index < steps; index++) {
    const at = kept[Math.round(scheduler.timesteps[index]!)]!;
    const seen = latent[0]! * scheduler.inputScale(index);
    const output = Float32Array.of(bestOutput(seen, at, settings.predictionType));
    scheduler.step(index, { latent, output, noise: (length) => Float32Array.from({ length }, noise) });
  }
  return latent[0]!;
}

/** End of the exact path: the deviation of the start from its mean, scaled to the deviation of the image. */
function exactEnd(start: number, initialScale: 'unit' | 'sigma'): number {
  const kept = keptVariance(config()).at(-1)!;
  const sigma = Math.sqrt((1 - kept) / kept);
  const relative = initialScale === 'unit' ? start / Math.sqrt(kept) : start * sigma;
  return meanValue + (deviation * (relative - meanValue)) / Math.sqrt(deviation ** 2 + sigma ** 2);
}

const samplers = [
  { name: 'DDIMScheduler', scale: 'unit', within: 0.01 },
  { name: 'EulerDiscreteScheduler', scale: 'sigma', within: 0.01 },
  { name: 'DPMSolverMultistepScheduler', scale: 'unit', within: 0.005 },
] as const;

describe('samplers', () => {
  it.each(samplers)('$name ends near the end of the exact path', ({ name, scale, within }) => {
    for (const prediction_type of ['epsilon', 'v_prediction', 'sample']) {
      for (const start of [-1.5, 0.2, 2]) {
        const end = drawFrom(start, { _class_name: name, prediction_type }, 500);
        expect(Math.abs(end - exactEnd(start, scale))).toBeLessThan(within);
      }
    }
  });

  it.each(samplers)('$name is more accurate with more steps', ({ name, scale }) => {
    const error = (steps: number) => Math.abs(drawFrom(1.2, { _class_name: name }, steps) - exactEnd(1.2, scale));
    expect(error(80)).toBeLessThan(error(20) / 2);
  });

  it('DPM-Solver++ of second order is more accurate than DDIM with the same number of steps', () => {
    const error = (name: string) => Math.abs(drawFrom(1.2, { _class_name: name }, 20) - exactEnd(1.2, 'unit'));
    expect(error('DPMSolverMultistepScheduler')).toBeLessThan(error('DDIMScheduler'));
  });

  it.each(['EulerAncestralDiscreteScheduler', 'LCMScheduler'])(
    '%s draws from the distribution of the pictures',
    (name) => {
      let state = 1;
      const uniform = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return (state + 0.5) / 2 ** 32;
      };
      const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
      const ends = Array.from({ length: 1000 }, () => drawFrom(normal(), { _class_name: name }, 250, normal));
      const mean = ends.reduce((sum, end) => sum + end, 0) / ends.length;
      expect(mean).toBeCloseTo(meanValue, 1);
      // LCM's last step returns the mean, so only the ancestral sampler keeps the deviation.
      if (name === 'LCMScheduler') return;
      const variance = ends.reduce((sum, end) => sum + (end - mean) ** 2, 0) / ends.length;
      expect(Math.sqrt(variance)).toBeCloseTo(deviation, 1);
    },
  );

  it.each(samplers)('$name reports the predicted image', ({ name }) => {
    const scheduler = createScheduler(config({ _class_name: name, prediction_type: 'sample' }), 5);
    const clean = new Float32Array(2);
    const buffers = { latent: Float32Array.of(1, 2), output: Float32Array.of(0.25, -0.5), clean };
    scheduler.step(0, { ...buffers, noise: () => new Float32Array(2) });
    expect([...clean]).toEqual([0.25, -0.5]);
  });
});

describe('scheduler_config.json', () => {
  it.each([
    { _class_name: 'UniPCMultistepScheduler' },
    { beta_schedule: 'sigmoid' },
    { prediction_type: 'flow' },
    { timestep_spacing: 'quad' },
    { thresholding: true },
    { use_beta_sigmas: true },
    { interpolation_type: 'log_linear' },
    { algorithm_type: 'sde-dpmsolver++' },
    { skip_prk_steps: false, _class_name: 'PNDMScheduler' },
    { solver_order: 3 },
    { lambda_min_clipped: -5.1 },
    { beta_start: 'small' },
    { trained_betas: 'cosine' },
  ])('is refused with %j, which would draw something else', (fields) => {
    expect(() => config(fields)).toThrow(Object.keys(fields)[0]);
  });

  it('may contain the infinities that Python writes', () => {
    const json = '{"_class_name": "DDIMScheduler", "lambda_min_clipped": -Infinity, "sigma_max": NaN}';
    expect(parseSchedulerConfig(json).className).toBe('DDIMScheduler');
    expect(() => parseSchedulerConfig('{"_class_name": -Infinity')).toThrow('not JSON');
  });

  it('may list the betas', () => {
    const betas = Array.from({ length: 1000 }, (_, step) => 0.0001 + (step / 999) * 0.0199);
    const kept = keptVariance(config({ trained_betas: betas }));
    const same = keptVariance(config({ beta_schedule: 'linear', beta_start: 0.0001, beta_end: 0.02 }));
    expect(Math.max(...kept.map((value, step) => Math.abs(value - same[step]!)))).toBeLessThan(1e-12);
  });
});

describe('visited steps', () => {
  const visited = (timestep_spacing: string, options = {}) => [
    ...visitedSteps(config({ timestep_spacing, steps_offset: 1 }), {
      steps: 5,
      multistep: false,
      fractional: false,
      ...options,
    }),
  ];

  it('start at the noisiest and have the configured spacing', () => {
    expect(visited('leading')).toEqual([801, 601, 401, 201, 1]);
    expect(visited('trailing')).toEqual([999, 799, 599, 399, 199]);
    expect(visited('linspace')).toEqual([999, 749, 500, 250, 0]);
    expect(visited('leading', { multistep: true })).toEqual([831, 665, 499, 333, 167]);
    expect(visited('linspace', { multistep: true })).toEqual([999, 799, 599, 400, 200]);
  });
});
