/**
 * `node bench/images.ts`: drawing with the demo pipeline beside its floor, the bare `session.run` calls of the same UNet
 * on the same batch, and n = 4 beside four drawings one after another. One process, interleaved, medians.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { loadImagePipeline } from '../models/onnx-image/pipeline.ts';
import { describeMachine } from './machine.ts';
import { type Case, type Results, type Sample, saveResults } from './results.ts';
import { renderTables } from './tables.ts';

const FOLDER = join(import.meta.dirname, '../models/demo/image');
const LATENT = [4, 16, 16] as const;
const WORDS = [24, 128] as const;
/** Guidance takes two rows per picture. */
const ROWS_PER_PICTURE = 2;

const { values } = parseArgs({
  options: { repeats: { type: 'string', default: '5' }, threads: { type: 'string', default: '2' } },
});
const threads = Number(values.threads);
const repeats = Number(values.repeats);

const pipeline = await loadImagePipeline(
  { indexPath: join(FOLDER, 'model_index.json'), batchRowsMax: 64, threads, gpu: 'off' },
  { onProgress: () => undefined },
);
const unet = await InferenceSession.create(join(FOLDER, 'unet', 'model.onnx'), {
  intraOpNumThreads: threads,
  interOpNumThreads: 1,
  extra: { session: { intra_op: { allow_spinning: '0' } } },
});

const machine = describeMachine();
const cases: Case[] = [];
for (const steps of [10, 50]) {
  for (const count of [1, 4]) cases.push(await besideFloor({ count, steps }));
  cases.push(await besideSingles({ count: 4, steps }));
}
await pipeline.close();

const results: Results = {
  name: 'images',
  date: new Date().toISOString(),
  quick: false,
  machine,
  settings: { model: 'cloister-demo-image-TEE', threads, repeats },
  servers: { cloister: [machine.commit], floor: ['bare session.run of the UNet'], singles: ['n = 1, four times'] },
  cases,
};
console.log(renderTables(results));
console.log(`saved to ${saveResults(results).split('/').at(-1)}`);

interface Drawing {
  readonly count: number;
  readonly steps: number;
}

async function besideFloor({ count, steps }: Drawing): Promise<Case> {
  const run = bareStep(count * ROWS_PER_PICTURE);
  return await interleave(`n = ${count}, ${steps} steps, beside the bare UNet`, {
    cloister: () => time(() => draw({ count, steps })),
    floor: () =>
      time(async () => {
        for (let step = 0; step < steps; step++) await run();
      }),
  });
}

async function besideSingles({ count, steps }: Drawing): Promise<Case> {
  return await interleave(`${count} pictures, ${steps} steps, beside one by one`, {
    cloister: () => time(() => draw({ count, steps })),
    singles: () =>
      time(async () => {
        for (let k = 0; k < count; k++) await draw({ count: 1, steps });
      }),
  });
}

async function draw({ count, steps }: Drawing): Promise<void> {
  const job = { prompt: 'a red circle above a blue square', negativePrompt: '', size: { width: 512, height: 512 } };
  await pipeline.draw(
    { ...job, count, steps, guidanceScale: 3, seed: 1, previews: 0 },
    { onStep: () => undefined, onPreview: () => undefined, isCancelled: () => false },
  );
}

/** The same batch as the pipeline's, its tensors made once. */
function bareStep(rows: number): () => Promise<unknown> {
  const filled = (dims: readonly number[]) =>
    new Float32Array(dims.reduce((product, dim) => product * dim, 1)).fill(0.1);
  const [sample, words] = [
    [rows, ...LATENT],
    [rows, ...WORDS],
  ];
  const feeds = {
    sample: new Tensor('float32', filled(sample), sample),
    timestep: new Tensor('int64', new BigInt64Array(rows).fill(500n), [rows]),
    encoder_hidden_states: new Tensor('float32', filled(words), words),
  };
  return () => unet.run(feeds);
}

async function interleave(label: string, work: Readonly<Record<string, () => Promise<number>>>): Promise<Case> {
  const samples: Record<string, Sample[]> = {};
  for (const one of Object.values(work)) await one();
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, one] of Object.entries(work)) {
      samples[name] ??= [];
      samples[name].push({ drawingMs: await one() });
    }
  }
  return { scenario: 'images', label, samples };
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
