import { defineConfig } from 'vitest/config';

const realEngines = ['test/compute/engines/**/*.test.ts', 'test/compute/rent-a-pod.test.ts'];

/**
 * `unit` is what `npm run check` runs (a minute or two); `system` starts real servers and models; `compute` and `image` use
 * container engines and virtual machines where the machine has them, and say what is missing where not.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/temporary-folder.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/system/**', 'test/image/**', ...realEngines],
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'compute',
          include: realEngines,
          // An emulated machine stalls now and then.
          retry: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'image',
          include: ['test/image/**/*.test.ts'],
          globalSetup: ['test/image/support/build.ts'],
          retry: 1,
          testTimeout: 900_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
