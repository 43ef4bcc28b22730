import { describe, expect, it } from 'vitest';
import { claimMemory, openMemoryClaims } from '../../../runtime/pool/memory-claims.ts';

const mib = 1024 ** 2;
const open = (models: number, availableMib: number) => {
  const claims = openMemoryClaims({ models, availableBytes: availableMib * mib });
  return (index: number, neededMib: number) => claimMemory({ ...claims, index }, neededMib * mib, 'serve fewer models');
};

describe('claims on memory', () => {
  it('refuse a model that does not fit next to the others, with the numbers', () => {
    const claim = open(3, 1256);
    claim(0, 400);
    claim(1, 400);
    expect(() => claim(2, 300)).toThrow(
      'this model needs 300 MiB of main memory; 1000 MiB were available at the start, of which other models claim 800 MiB: ' +
        'serve fewer models',
    );
    expect(() => claim(2, 200)).not.toThrow();
  });

  it('replace the claim of a model that is loaded again', () => {
    const claim = open(2, 1256);
    claim(0, 900);
    expect(() => claim(0, 1000)).not.toThrow();
    expect(() => claim(1, 1)).toThrow(/other models claim 1000 MiB/);
  });

  it('of a refused model take nothing from the others', () => {
    const claim = open(2, 1256);
    expect(() => claim(0, 2000)).toThrow(expect.objectContaining({ code: 'ERR_MEMORY_BUDGET' }));
    expect(() => claim(1, 1000)).not.toThrow();
  });

  it('are unlimited on a system that reports no limit', () => {
    const claims = openMemoryClaims({ models: 1, availableBytes: 2 ** 64 });
    expect(() => claimMemory({ ...claims, index: 0 }, 1e15, '')).not.toThrow();
  });
});
