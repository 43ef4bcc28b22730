/** The evidence parsers of `npm run fuzz`, with the same first steps each time. */
import { describe, expect, it } from 'vitest';
import { buildEvidenceParsers } from '../fuzz/evidence/parsers.ts';
import { fuzzStep } from '../fuzz/evidence/step.ts';

const steps = 2000;
const verifiedEvery = 20;

describe.each(await buildEvidenceParsers())('$name', (parser) => {
  it('accepts the valid input', async () => {
    expect(() => parser.parse(parser.good)).not.toThrow();
    if (parser.accepts !== undefined) expect(await parser.accepts(parser.good)).toBeTypeOf('string');
  });

  it(`neither crashes nor hangs in ${steps} steps, and accepts no input with another meaning`, async () => {
    for (let step = 0; step < steps; step++) {
      expect(await fuzzStep(parser, step, step % verifiedEvery === 0)).toBeUndefined();
    }
  });
});
