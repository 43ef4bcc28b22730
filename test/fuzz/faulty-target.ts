/** A target with every defect that the runner must find, for the runner's test. Not in `targets/`. */
import { bytesOf, type FuzzTarget, textOf } from './target.ts';

const kept: Buffer[] = [];

const defects: Readonly<Record<string, () => unknown>> = {
  fine: () => undefined,
  refused: () => {
    throw new RangeError('refused');
  },
  error: () => {
    throw new TypeError('a defect');
  },
  abort: () => process.abort(),
  hang: () => {
    for (;;);
  },
  slow: () => {
    const start = process.cpuUsage();
    while (process.cpuUsage(start).user < 400_000);
  },
  memory: () => Buffer.alloc(80 * 1024 * 1024, 1),
  leak: () => kept.push(Buffer.alloc(1024 * 1024, 1)),
};

export const targets: readonly FuzzTarget[] = Object.keys(defects).map((name) => ({
  name,
  summary: `does what its input says: ${name}`,
  cpuMsMax: 200,
  growthBytesMax: { after: 32 * 1024 * 1024, during: 50 * 1024 * 1024 },
  // A leak needs many inputs to show; every other defect occurs in one of three.
  generate: ({ random }) => bytesOf(name === 'leak' || random.below(3) === 0 ? name : 'fine'),
  open: () => ({
    seeds: [bytesOf('fine')],
    run: (input) => defects[textOf(input)]!(),
    isRefusal: (error) => error instanceof RangeError,
  }),
}));
