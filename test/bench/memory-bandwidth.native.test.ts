import { expect, it } from 'vitest';
import { measureMemoryBandwidth } from '../../bench/memory-bandwidth.ts';

it('memory is read at a speed between 0.1 and 1,000 GB/s', () => {
  const bytesPerSecond = measureMemoryBandwidth({ threads: 1, cpus: undefined });
  expect(bytesPerSecond).toBeGreaterThan(1e8);
  expect(bytesPerSecond).toBeLessThan(1e12);
});
