/**
 * `node bench/images.ts [--quick]`: image generation with the demo pipeline compared with two lower bounds, the bare
 * `session.run` calls of its three graphs and of the UNet alone, each in one session with all threads; and the speed-up of four
 * images in one batch over four sequential ones, compared with that of the bare UNet, with all threads and with one, where no
 * thread waits for another. One process, interleaved, medians. `--quick`: ten steps, three repeats, not saved.
 */
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { loadImagePipeline } from '../models/image/pipeline.ts';
import { readOptions } from './command-line.ts';
import { describeMachine } from './machine.ts';
import { type Case, type Results, type Sample, saveResults } from './results.ts';
import { renderTables } from './tables.ts';

const folder = join(import.meta.dirname, '../models/demo/image');
const latent = [4, 16, 16] as const;
const promptWordCounts = [24, 128] as const;
/** Guidance takes two rows per image. */
const rowsPerPicture = 2;

const help = `node bench/images.ts [options]
  --repeats <count>     number of repeats [5; with --quick 3]
  --threads <count>     number of threads [2]
  --quick               fewer steps, to test the bench
`;

const values = readOptions(help, {
  repeats: { type: 'string' },
  threads: { type: 'string', default: '2' },
  quick: { type: 'boolean', default: false },
});
const { quick } = values;
const threads = Number(values.threads);
const repeats = Number(values.repeats ?? (quick ? 3 : 5));

const pipeline = await loadImagePipeline(
  { indexPath: join(folder, 'model_index.json'), batchRowsMax: 64, threads, gpu: 'off' },
  { onProgress: () => undefined },
);
const [textEncoder, unet, decoder] = await Promise.all(
  ['text_encoder', 'unet', 'vae_decoder'].map((name) => bareSession(name, threads)),
);
const unetAlone = await bareSession('unet', 1);

const machine = describeMachine();
const cases: Case[] = [];
for (const steps of quick ? [10] : [10, 50]) {
  for (const count of [1, 4]) cases.push(await besideFloors({ count, steps }));
  cases.push(await gainTogether({ count: 4, steps }));
}
await pipeline.close();

const results: Results = {
  name: 'images',
  date: new Date().toISOString(),
  quick,
  machine,
  settings: { model: 'cloister-demo-image-TEE', threads, repeats },
  servers: {
    cloister: [machine.commit],
    graphs: ['bare session.run of text encoder, UNet and decoder'],
    unet: ['bare session.run of the UNet'],
    'unet, one thread': ['the same with one thread'],
  },
  cases,
};
console.log(renderTables(results));
console.log(quick ? 'a quick run is not saved' : `saved to ${saveResults(results).split('/').at(-1)}`);

interface Drawing {
  readonly count: number;
  readonly steps: number;
}

async function besideFloors({ count, steps }: Drawing): Promise<Case> {
  const timed = async (work: () => Promise<unknown>): Promise<Sample> => {
    const drawingMs = await time(work);
    return { stepMs: drawingMs / steps, pictureMs: drawingMs / count };
  };
  const samples = await interleave({
    cloister: () => timed(() => draw({ count, steps })),
    graphs: () => timed(bareGraphs({ count, steps })),
    unet: () => timed(bareSteps(unet!, { count, steps })),
  });
  return { scenario: 'images', label: `n = ${count}, ${steps} steps, beside bare session.run`, samples };
}

async function gainTogether({ count, steps }: Drawing): Promise<Case> {
  const gain = async (together: () => Promise<unknown>, oneByOne: () => Promise<unknown>): Promise<Sample> => {
    const togetherMs = await time(together);
    return { timesFaster: (await time(oneByOne)) / togetherMs };
  };
  const gainOf = (session: InferenceSession) =>
    gain(bareSteps(session, { count, steps }), bareSteps(session, { count: 1, steps: steps * count }));
  const drawSingles = async () => {
    for (let k = 0; k < count; k++) await draw({ count: 1, steps });
  };
  const samples = await interleave({
    cloister: () => gain(() => draw({ count, steps }), drawSingles),
    unet: () => gainOf(unet!),
    'unet, one thread': () => gainOf(unetAlone),
  });
  return { scenario: 'images together', label: `n = ${count} beside ${count} × n = 1, ${steps} steps`, samples };
}

async function draw({ count, steps }: Drawing): Promise<void> {
  const job = { prompt: 'a red circle above a blue square', negativePrompt: '', size: { width: 512, height: 512 } };
  await pipeline.draw(
    { ...job, count, steps, guidanceScale: 3, seed: 1, previews: 0 },
    { onStep: () => undefined, onPreview: () => undefined, isCancelled: () => false },
  );
}

/**
 * The same setting as in the pipeline: threads spin briefly between nodes. Threads that also spin between runs would slow down
 * the other cases.
 */
function bareSession(name: string, threads: number): Promise<InferenceSession> {
  return InferenceSession.create(join(folder, name, 'model.onnx'), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    extra: { session: { force_spinning_stop: '1', intra_op: { allow_spinning: '1', spin_duration_us: '50' } } },
  });
}

/** The same batch as in the pipeline, with tensors created once. */
function bareSteps(session: InferenceSession, { count, steps }: Drawing): () => Promise<void> {
  const rows = count * rowsPerPicture;
  const feeds = {
    sample: filled([rows, ...latent]),
    timestep: new Tensor('int64', new BigInt64Array(rows).fill(500n), [rows]),
    encoder_hidden_states: filled([rows, ...promptWordCounts]),
  };
  return async () => {
    for (let step = 0; step < steps; step++) await session.run(feeds);
  };
}

/** Everything that one image runs: its prompt (the encoded empty prompt for guidance is cached), every step, and decoding. */
function bareGraphs({ count, steps }: Drawing): () => Promise<void> {
  const [tokens] = promptWordCounts;
  const words = { input_ids: new Tensor('int64', new BigInt64Array(tokens).fill(5n), [1, tokens]) };
  const latents = { latent_sample: filled([count, ...latent]) };
  const runSteps = bareSteps(unet!, { count, steps });
  return async () => {
    await textEncoder!.run(words);
    await runSteps();
    await decoder!.run(latents);
  };
}

function filled(dims: readonly number[]): Tensor {
  return new Tensor('float32', new Float32Array(dims.reduce((product, dim) => product * dim, 1)).fill(0.1), dims);
}

async function interleave(work: Readonly<Record<string, () => Promise<Sample>>>): Promise<Case['samples']> {
  const samples: Record<string, Sample[]> = {};
  for (const one of Object.values(work)) await one();
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [name, one] of Object.entries(work)) {
      samples[name] ??= [];
      samples[name].push(await one());
    }
  }
  return samples;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
