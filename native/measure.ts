/** Measures the machine: matrix products on each path of the kernels, and memory, which limits them. */
import { binding } from './binding.ts';
import type { ProductPath, ProductTimes } from './measure-binding.ts';
import { requireInteger } from './options.ts';

export type { ProductPath, ProductTimes } from './measure-binding.ts';

/** Formats of weights that `measureProducts` takes. */
export const measuredFormats = ['Q8_0', 'Q4_K', 'Q6_K'] as const;

/** The path that models use on this machine. */
export function readProductPath(): ProductPath {
  return binding().readProductPath();
}

/**
 * Times products with a matrix of 268 million weights, in memory of about 400 MB.
 * @param rows numbers of rows of activations, each 1…1024, in one measurement each
 * @throws {TypeError | RangeError} naming the argument; {Error} if this machine lacks the path
 */
export async function measureProducts(
  format: (typeof measuredFormats)[number],
  { rows, threads, usesAmx }: { rows: readonly number[]; threads: number; usesAmx: boolean },
): Promise<ProductTimes> {
  if (!measuredFormats.includes(format)) throw new TypeError(`format must be one of ${measuredFormats.join(', ')}`);
  for (const count of rows) requireInteger('rows', count, 1, 1024);
  requireInteger('threads', threads, 1, 512);
  const { kernels, mayUseAmx } = readProductPath();
  if (kernels === '' || (usesAmx && !mayUseAmx)) throw new Error(`this CPU has no ${usesAmx ? 'AMX' : 'AVX2'}`);
  return binding().measureProducts(format, Int32Array.from(rows), threads, usesAmx);
}

/** @returns bytes per second that threads read from memory together, each its own 256 MiB; the best of several reads */
export async function measureMemory({ threads }: { threads: number }): Promise<number> {
  requireInteger('threads', threads, 1, 512);
  return binding().measureMemory(threads);
}
