/** Compares the samplers with the `diffusers` library step by step; `scheduler-reference.py` wrote the reference values. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseSchedulerConfig } from '../../../models/image/scheduler-config.ts';
import { createScheduler } from '../../../models/image/schedulers.ts';

interface Reference {
  readonly line: { readonly input: number; readonly time: number; readonly constant: number };
  readonly latent: readonly number[];
  readonly cases: readonly {
    readonly name: string;
    readonly config: object;
    readonly steps: number;
    readonly initialScale: number;
    readonly timesteps: readonly number[];
    /** Latents after each step. */
    readonly latents: readonly (readonly number[])[];
  }[];
}

const {
  line,
  latent: start,
  cases,
}: Reference = JSON.parse(readFileSync(join(import.meta.dirname, 'scheduler-reference.json'), 'utf8'));

/** The reference computes in 32 bit, where 1 − kept loses precision at low noise. */
const relative = 3e-4;
const absolute = 2e-4;

/** The fixed noise of the Python script. */
function noiseSource() {
  let step = -1;
  return (length: number) => {
    step += 1;
    return Float32Array.from({ length }, (_, i) => ((((step * 4 + i) * 37) % 19) - 9) / 6);
  };
}

function farthest(found: ArrayLike<number>, expected: readonly number[]): number {
  return Math.max(...expected.map((value, i) => Math.abs(found[i]! - value) - Math.abs(value) * relative));
}

describe('each step of a sampler', () => {
  it.each(cases)('equals the reference for $name', ({ config, steps, initialScale, timesteps, latents }) => {
    const scheduler = createScheduler(parseSchedulerConfig(JSON.stringify(config)), steps);
    expect(scheduler.timesteps).toHaveLength(timesteps.length);
    expect(scheduler.initialScale).toBeCloseTo(initialScale, 2);
    const latent = Float32Array.from(start, (value) => value * initialScale);
    const noise = noiseSource();
    for (const [index, expected] of latents.entries()) {
      expect(Math.abs(scheduler.timesteps[index]! - timesteps[index]!)).toBeLessThan(0.01);
      const scale = scheduler.inputScale(index);
      const time = (line.time * timesteps[index]!) / 1000;
      const output = latent.map((value) => line.input * value * scale + time + line.constant);
      scheduler.step(index, { latent, output, noise });
      expect(farthest(latent, expected)).toBeLessThan(absolute);
      latent.set(expected);
    }
  });
});
