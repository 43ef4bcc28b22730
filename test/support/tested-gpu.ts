/** Where the tests that can run on any device load their models: the CPU, unless `npm run test:gpu` has set a kind of GPU. */
import type { GpuChoice } from '../../native/index.ts';

const kinds: readonly string[] = ['off', 'vulkan', 'cuda'] satisfies GpuChoice[];

/** @throws {TypeError} if CLOISTER_TEST_GPU is set to something else than a kind of GPU */
export const testedGpu = readKind(process.env.CLOISTER_TEST_GPU ?? 'off');

function readKind(kind: string): GpuChoice {
  if (!kinds.includes(kind)) throw new TypeError(`CLOISTER_TEST_GPU must be ${kinds.join(', ')}, got ${kind}`);
  return kind as GpuChoice;
}
