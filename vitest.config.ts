import { defineConfig } from 'vitest/config';

const realEngines = ['test/{compute,deploy}/real-engines/**/*.test.ts', 'test/compute/rent-a-pod.test.ts'];
const withAddon = ['test/native/**/*.test.ts', 'test/**/*.native.test.ts'];
const clientSuite = 'test/clients/clients.test.ts';
const elsewhere = [
  ...['test/system/**', 'test/web/**', 'test/gpu/**', 'test/fleet/**', 'test/image/machine/**', ...realEngines],
  ...[clientSuite, '**/node_modules/**'],
];
/** Tests of the kernels inside whole models, which CPUs with AVX-512 can run on AVX2 as well. */
const onEveryInstructionSet = [
  ...['bert-encoder', 'cpu-kernels', 'speculation'].map((name) => `test/native/${name}.test.ts`),
  'test/models/bert/embedding.native.test.ts',
];
/** Tests of the addon and of the scheduler on it that load models by `loadTiny`; `gpu` runs them on a GPU as well. */
const onAnyDevice = ['engine', 'operations'].map((name) => `test/native/${name}.test.ts`);

/**
 * `unit` needs only the packages; `native` calls the C++ addon, `native-avx2` without its kernels for AVX-512. `npm run check` runs
 * these. `system` starts real servers and models; `compute` and `image` use container engines and virtual machines if the machine
 * has them, and otherwise report what is missing; `clients` runs programs of others, which `.ci/install-clients.sh` installs, and
 * `fleet` those of `.ci/install-fleet.sh`.
 * `gpu` is started by `test/gpu/main.ts`, which looks for a GPU first.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/environment.ts'],
    coverage: {
      provider: 'v8',
      include: [
        'accounts',
        'agents',
        'attestation',
        'cli',
        'compute',
        'image',
        'models',
        'native',
        'runtime',
        'server',
      ].map((room) => `${room}/**/*.ts`),
      exclude: ['**/build/**', 'models/demo/**'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...withAddon, ...elsewhere],
          testTimeout: 30_000,
          // Vitest leaves one core free, which on two cores is half of them.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'native',
          include: withAddon,
          exclude: elsewhere,
          testTimeout: 30_000,
          // After the unit tests: some measure how long a start or an answer takes.
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'native-avx2',
          include: onEveryInstructionSet,
          testTimeout: 30_000,
          env: { CPU_KERNELS: 'AVX2' },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'system',
          include: ['test/system/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'gpu',
          include: ['test/gpu/**/*.test.ts', ...onAnyDevice],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'fleet',
          include: ['test/fleet/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'clients',
          include: [clientSuite],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['test/web/**/*.test.ts'],
          testTimeout: 120_000,
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
          include: ['test/image/machine/**/*.test.ts'],
          globalSetup: ['test/image/machine/support/build.ts'],
          retry: 1,
          testTimeout: 900_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
