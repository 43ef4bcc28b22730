/** A few seconds of what `npm run fuzz` does for hours: every parser of evidence, with the same first steps each time. */
import { describe, expect, it } from 'vitest';
import { fuzzStep } from '../support/fuzz-step.ts';
import { buildFuzzTargets } from '../support/fuzz-targets.ts';

const steps = 2000;
const verifiedEvery = 20;

describe.each(await buildFuzzTargets())('$name', (target) => {
  it('takes what is good', async () => {
    expect(() => target.parse(target.good)).not.toThrow();
    if (target.accepts !== undefined) expect(await target.accepts(target.good)).toBeTypeOf('string');
  });

  it(`neither crashes nor hangs in ${steps} steps, and accepts nothing of another meaning`, async () => {
    for (let step = 0; step < steps; step++) {
      expect(await fuzzStep(target, step, step % verifiedEvery === 0)).toBeUndefined();
    }
  });
});
