import { defineConfig } from 'vitest/config';

/** Two projects: `unit` is what `npm run check` runs (under a minute); `system` starts real servers and models. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/temporary-folder.ts'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/system/**'],
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
    ],
  },
});
