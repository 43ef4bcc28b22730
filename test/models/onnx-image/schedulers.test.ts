/**
 * The samplers against a problem whose answer is known: where every number of the picture is normal with mean m and
 * deviation s, the best possible model and the path from noise to picture both have closed forms.
 */
import { describe, expect, it } from 'vitest';
import { keptVariance, type SchedulerConfig, visitedSteps } from '../../../models/onnx-image/noise-schedule.ts';
import { createScheduler } from '../../../models/onnx-image/schedulers.ts';

const MEAN = 0.7;
const DEVIATION = 0.4;

function config(fields: Partial<SchedulerConfig> = {}): SchedulerConfig {
  return {
    _class_name: 'DDIMScheduler',
    num_train_timesteps: 1000,
    beta_start: 0.00085,
    beta_end: 0.012,
    beta_schedule: 'scaled_linear',
    prediction_type: 'epsilon',
    timestep_spacing: 'trailing',
    ...fields,
  };
}

/** What the best model says for `latent` (with unit variance) of which `kept` is picture. */
function bestOutput(latent: number, kept: number, predictionType: string): number {
  const [share, noise] = [Math.sqrt(kept), Math.sqrt(1 - kept)];
  const clean = MEAN + ((share * DEVIATION ** 2) / (kept * DEVIATION ** 2 + 1 - kept)) * (latent - share * MEAN);
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

/** Draws one number from standard noise `start`. */
function drawFrom(start: number, fields: Partial<SchedulerConfig>, steps: number, noise = () => 0): number {
  const settings = config(fields);
  const scheduler = createScheduler(settings, steps);
  const kept = keptVariance(settings);
  const latent = Float32Array.of(start * scheduler.initialScale);
  for (let index = 0; index < steps; index++) {
    const at = kept[Math.round(scheduler.timesteps[index]!)]!;
    const seen = latent[0]! * scheduler.inputScale(index);
    const output = Float32Array.of(bestOutput(seen, at, settings.prediction_type!));
    scheduler.step(index, latent, output, (length) => Float32Array.from({ length }, noise));
  }
  return latent[0]!;
}

/** Where the exact path ends: the start's deviation from its mean, scaled to the picture's deviation. */
function exactEnd(start: number, initialScale: 'unit' | 'sigma'): number {
  const kept = keptVariance(config()).at(-1)!;
  const sigma = Math.sqrt((1 - kept) / kept);
  const relative = initialScale === 'unit' ? start / Math.sqrt(kept) : start * sigma;
  return MEAN + (DEVIATION * (relative - MEAN)) / Math.sqrt(DEVIATION ** 2 + sigma ** 2);
}

const SAMPLERS = [
  { name: 'DDIMScheduler', scale: 'unit', within: 0.01 },
  { name: 'EulerDiscreteScheduler', scale: 'sigma', within: 0.01 },
  { name: 'DPMSolverMultistepScheduler', scale: 'unit', within: 0.005 },
] as const;

describe('samplers', () => {
  it.each(SAMPLERS)('$name ends where the exact path ends', ({ name, scale, within }) => {
    for (const prediction_type of ['epsilon', 'v_prediction', 'sample']) {
      for (const start of [-1.5, 0.2, 2]) {
        const end = drawFrom(start, { _class_name: name, prediction_type }, 500);
        expect(Math.abs(end - exactEnd(start, scale))).toBeLessThan(within);
      }
    }
  });

  it.each(SAMPLERS)('$name comes closer with more steps', ({ name, scale }) => {
    const error = (steps: number) => Math.abs(drawFrom(1.2, { _class_name: name }, steps) - exactEnd(1.2, scale));
    expect(error(80)).toBeLessThan(error(20) / 2);
  });

  it('DPM-Solver++ of second order errs less than DDIM at the same number of steps', () => {
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
      expect(mean).toBeCloseTo(MEAN, 1);
      // LCM's last step answers with the mean of what is possible, so only the ancestral sampler keeps the deviation.
      if (name === 'LCMScheduler') return;
      const variance = ends.reduce((sum, end) => sum + (end - mean) ** 2, 0) / ends.length;
      expect(Math.sqrt(variance)).toBeCloseTo(DEVIATION, 1);
    },
  );

  it('refuses at once what it does not know', () => {
    expect(() => createScheduler(config({ _class_name: 'UniPCMultistepScheduler' }), 10)).toThrow('UniPCMultistep');
    expect(() => createScheduler(config({ beta_schedule: 'sigmoid' }), 10)).toThrow('beta_schedule sigmoid');
    expect(() => createScheduler(config({ prediction_type: 'flow' }), 10)).toThrow('prediction_type flow');
    expect(() => createScheduler(config({ use_karras_sigmas: true }), 10)).toThrow('use_karras_sigmas');
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

  it('start at the noisiest and are spaced as the configuration says', () => {
    expect(visited('leading')).toEqual([801, 601, 401, 201, 1]);
    expect(visited('trailing')).toEqual([999, 799, 599, 399, 199]);
    expect(visited('linspace')).toEqual([999, 749, 500, 250, 0]);
    expect(visited('leading', { multistep: true })).toEqual([831, 665, 499, 333, 167]);
    expect(visited('linspace', { multistep: true })).toEqual([999, 799, 599, 400, 200]);
  });
});
