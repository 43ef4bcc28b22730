/** A thread of an image engine for tests: draws one colour per step; the prompts `die`, `hang` and `wait` make it exit, hang, or wait for cancellation. */
import { workerData } from 'node:worker_threads';
import type { ImageModel, RawImage } from '../../../models/interface/image-model.ts';
import { openImageWorker } from '../../../runtime/images/image-engine.ts';
import { servePool } from '../../../runtime/pool/pool-worker.ts';

export interface FakeImageData {
  /** [1] Shared memory: number of loads. */
  readonly loads: Int32Array;
}

const model: ImageModel = {
  info: { description: 'fake', device: 'none', nativeSizes: [{ width: 1, height: 1 }] },
  async draw(job, { onStep, onPreview, isCancelled }) {
    if (job.prompt === 'die') process.exit(7);
    while (job.prompt === 'hang');
    while (job.prompt === 'wait' && !isCancelled()) await new Promise((resolve) => setImmediate(resolve));
    for (let step = 1; step <= job.steps; step++) {
      if (isCancelled()) throw Object.assign(new Error('given up'), { code: 'ERR_ABORTED' });
      if (step <= job.previews) onPreview({ index: step - 1, images: [pixel(step)] });
      onStep(step);
    }
    return [pixel(255)];
  },
  close: async () => undefined,
};

function pixel(value: number): RawImage {
  return { width: 1, height: 1, pixels: new Uint8Array(3).fill(value) };
}

export default servePool(async () => {
  Atomics.add((workerData as FakeImageData).loads, 0, 1);
  return openImageWorker(model);
});
