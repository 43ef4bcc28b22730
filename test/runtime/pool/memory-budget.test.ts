import { describe, expect, it } from 'vitest';
import { requireFits } from '../../../runtime/pool/memory-budget.ts';
import { openMemoryClaims } from '../../../runtime/pool/memory-claims.ts';

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

  it('names the context that would fit, also if no whole sequence of the present length does', () => {
    expect(() => requireFits([plan(5 * gib)], shape)).toThrow(/or set CLOISTER_CONTEXT to 2560 or less \(now 4096\)/);
    expect(() => requireFits([plan(2.6 * gib)], { sequences: 1, contextPerSequence: 8192 })).toThrow(
      /compute buffers 256 MiB; set CLOISTER_CONTEXT to 192 or less \(now 8192\)$/,
    );
  });

  it('names the type of the KV cache that would fit', () => {
    const f16 = { ...shape, kvCacheType: 'f16' } as const;
    const advice = /, or set CLOISTER_KV_CACHE_TYPE to q8_0 \(now f16\)$/;
    expect(() => requireFits([plan(5.1 * gib)], f16)).toThrow(advice);
    expect(() => requireFits([plan(4.2 * gib)], f16)).not.toThrow(advice);
    expect(() => requireFits([plan(5.1 * gib)], { ...f16, kvCacheType: 'q8_0' })).not.toThrow(advice);
  });

  it('counts what other models of the process have claimed', () => {
    const claims = openMemoryClaims({ models: 2, availableBytes: 12 * gib });
    requireFits([plan(16 * gib)], shape, { ...claims, index: 0 });
    expect(() => requireFits([plan(16 * gib)], shape, { ...claims, index: 1 })).toThrow(
      /12032 MiB were available at the start, of which other models claim 6400 MiB: serve fewer models with --model/,
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
