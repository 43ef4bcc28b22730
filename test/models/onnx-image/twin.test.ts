/** A UNet held twice draws what one session draws, to the bit; and where it is not worth it, or cannot be, there is one. */
import { once } from 'node:events';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Tensor } from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import type { ImageJob } from '../../../models/image-model.ts';
import { loadImagePipeline } from '../../../models/onnx-image/pipeline.ts';
import { openTwin, TWIN_GRAPH_BYTES_MAX, Twin } from '../../../models/onnx-image/twin.ts';
import { openSession } from '../../../models/onnx-session.ts';
import { OnnxGraph } from '../../support/onnx-writer.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type TinyOptions, writeTinyPipeline } from '../../support/tiny-diffusers.ts';

const DEMO = join(import.meta.dirname, '../../../models/demo/image/model_index.json');
const job: ImageJob = {
  ...{ prompt: 'a red circle', negativePrompt: '', count: 1, size: { width: 512, height: 512 }, steps: 2 },
  ...{ guidanceScale: 3, seed: 11, previews: 0 },
};
const ignore = { onStep: () => undefined, onPreview: () => undefined, isCancelled: () => false };

/** @returns the pictures of each job, one array of bytes each */
async function drawAll(indexPath: string, jobs: readonly Partial<ImageJob>[], threads: number) {
  const options = { indexPath, batchRowsMax: 8, threads, gpu: 'off' } as const;
  const pipeline = await loadImagePipeline(options, { onProgress: () => undefined });
  const pictures: Uint8Array[][] = [];
  for (const fields of jobs) {
    const images = await pipeline.draw({ ...job, ...fields }, ignore);
    pictures.push(images.map(({ pixels }) => pixels));
  }
  await pipeline.close();
  return { pictures, device: pipeline.info.device };
}

describe('a UNet held twice', () => {
  it('draws the same pictures as one session, to the bit, however many at once', async () => {
    // With guidance and without, rows that halve and rows that do not, one row, and more than fit into one batch.
    const jobs = [{}, { count: 2 }, { count: 3, guidanceScale: 1 }, { guidanceScale: 1 }, { count: 5 }];
    const one = await drawAll(DEMO, jobs, 1);
    const two = await drawAll(DEMO, jobs, 2);
    expect([one.device, two.device]).toEqual(['CPU, 1 thread', 'CPU, 2 threads']);
    expect(two.pictures).toEqual(one.pictures);
    const [alone, pair, , , five] = two.pictures;
    expect([pair![0], five![0], five![1]]).toEqual([alone![0], alone![0], pair![1]]);
  });

  it.each<Partial<TinyOptions>>([
    { encoders: 2 },
    { half: true },
    { guidanceInput: true },
    { timestep: { type: 'float32', shape: [] } },
    { timestep: { type: 'int64', shape: [1] } },
  ])('takes every input in its form: %o', async (options) => {
    await using folder = await scratchFolder();
    const scheduler = { _class_name: 'DDIMScheduler' };
    const { indexPath } = writeTinyPipeline(folder.path, { encoders: 1, scheduler, ...options });
    const jobs = [{ prompt: 'red dot', count: 3 }];
    const two = await drawAll(indexPath, jobs, 2);
    expect(two.pictures).toEqual((await drawAll(indexPath, jobs, 1)).pictures);
    expect(new Set(two.pictures[0]![2]).size).toBeGreaterThan(20);
  });
});

describe('a graph is opened once', () => {
  it.each([
    ['with an odd count of threads', { threads: 3 }],
    ['where it takes one size of batch', { threads: 2, rows: 2 }],
    ['where it is large, with the weights beside it', { threads: 2, weightBytes: TWIN_GRAPH_BYTES_MAX }],
  ])('%s', async (_, { threads, ...options }: { threads: number } & DoublerOptions) => {
    await using folder = await scratchFolder();
    const path = writeDoubler(folder.path, options);
    const { session, place, twin } = await openTwin(path, { threads, gpu: 'off' });
    expect(twin).toBeUndefined();
    expect(place.device).toBe(`CPU, ${threads} threads`);
    await session.release();
  });
});

describe('a twin', () => {
  it('goes on after a batch that fails, and joins the next in order', async () => {
    await using folder = await scratchFolder();
    const path = writeDoubler(folder.path);
    const { session, twin } = await openTwin(path, { threads: 2, gpu: 'off' });
    const wrong = { sample: new Tensor('float32', new Float32Array(6), [2, 3, 1]) };
    await expect(twin!.run(wrong, ['doubled'])).rejects.toThrow(/rank/);
    const right = { sample: new Tensor('float32', Float32Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9), [3, 3]) };
    const [doubled] = await twin!.run(right, ['doubled']);
    expect(doubled).toEqual({ data: Float32Array.of(2, 4, 6, 8, 10, 12, 14, 16, 18), dims: [3, 3] });
    await twin!.close();
    await session.release();
  });

  it('throws what its half alone throws', async () => {
    await using folder = await scratchFolder();
    const own = await openSession(writeDoubler(folder.path), { threads: 1, gpu: 'off' });
    // The thread has another graph, which does not know the input.
    const other = writeDoubler(folder.path, { name: 'other', input: 'latent' });
    const twin = await Twin.open(own.session, { path: other, options: { threads: 1, gpu: 'off' } });
    const feeds = { sample: new Tensor('float32', new Float32Array(6), [2, 3]) };
    await expect(twin.run(feeds, ['doubled'])).rejects.toThrow(/latent|sample/);
    await twin.close();
    await own.session.release();
  });

  it('takes the thread along that opened it, when its own is lost', async () => {
    await using folder = await scratchFolder();
    const path = writeDoubler(folder.path);
    const module = new URL('../../../models/onnx-image/twin.ts', import.meta.url).href;
    // Ended from outside in the middle of nothing, as it never is: the caller is then about to wait for an answer.
    const code = `
      import { openTwin } from ${JSON.stringify(module)};
      process.once('worker', (thread) => thread.once('message', () => thread.terminate()));
      const { twin } = await openTwin(${JSON.stringify(path)}, { threads: 2, gpu: 'off' });
      const sample = { type: 'float32', data: new Float32Array(6), dims: [2, 3] };
      for (;;) await twin.run({ sample }, ['doubled']);`;
    const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`));
    await expect(once(thread, 'exit')).rejects.toThrow("the thread of the graph's twin ended");
  });

  it('that cannot be opened fails the load', async () => {
    await using folder = await scratchFolder();
    const own = await openSession(writeDoubler(folder.path), { threads: 1, gpu: 'off' });
    const options = { threads: 1, gpu: 'off' } as const;
    const opened = Twin.open(own.session, { path: join(folder.path, 'gone.onnx'), options });
    await expect(opened).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
    await own.session.release();
  });
});

interface DoublerOptions {
  readonly name?: string;
  readonly input?: string;
  readonly rows?: string | number;
  /** In a file beside it, which is all hole. */
  readonly weightBytes?: number;
}

/** A graph that doubles rows of three numbers, and adds the weights beside it, where it has some. */
function writeDoubler(
  folder: string,
  { name = 'doubler', input = 'sample', rows = 'rows', weightBytes = 0 }: DoublerOptions = {},
): string {
  const graph = new OnnxGraph();
  const shape = [rows, 3];
  const sample = graph.input({ name: input, type: 'float32', shape });
  let doubled = graph.node('Add', [sample, sample]);
  if (weightBytes > 0) {
    writeFileSync(join(folder, 'weights'), '');
    truncateSync(join(folder, 'weights'), weightBytes);
    const place = { location: 'weights', offset: 0, length: 12 };
    doubled = graph.node('Add', [doubled, graph.external('weight', 'float32', [3], place)]);
  }
  graph.output({ name: 'doubled', type: 'float32', shape }, doubled);
  const path = join(folder, `${name}.onnx`);
  writeFileSync(path, graph.encode());
  return path;
}
