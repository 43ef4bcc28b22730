import { describe, expect, it } from 'vitest';
import { requireFits } from '../../../runtime/pool/memory-budget.ts';

const gib = 1024 ** 3;
const plan = (freeBytes: number) => ({
  devices: [
    { name: 'CPU', isHost: true, freeBytes, weightBytes: 2 * gib, contextBytes: 4 * gib, computeBytes: gib / 4 },
  ],
});
const shape = { sequences: 16, contextPerSequence: 4096 };

describe('requireFits', () => {
  it('accepts a model that fits', () => {
    expect(() => requireFits([plan(8 * gib)], shape)).not.toThrow();
  });

  it('names the number of sequences that would fit', () => {
    expect(() => requireFits([plan(5 * gib)], shape)).toThrow(
      /6400 MiB.*set CLOISTER_SEQUENCES to 10 or less \(now 16\)/,
    );
  });

  it('advises a smaller model if the weights alone do not fit', () => {
    expect(() => requireFits([plan(gib)], shape)).toThrow(/smaller or more strongly quantized model/);
  });

  it('counts a draft model in addition to the model', () => {
    expect(() => requireFits([plan(7 * gib), plan(8 * gib)], shape)).toThrow(/CPU has .* weights 4096 MiB/);
    expect(() => requireFits([plan(2 * gib), plan(2 * gib)], shape)).toThrow(/or remove --draft-model/);
  });

  it('reserves main memory for other uses', () => {
    expect(() => requireFits([plan(6.3 * gib)], shape)).toThrow(/ERR_MEMORY_BUDGET|CPU has/);
  });
});
