/** The composition root of an image model's thread. */
import '../enclave/close-model-thread.ts';
import '../enclave/follow-memory-clearing.ts';
import { workerData } from 'node:worker_threads';
import { type ImagePipelineOptions, loadImagePipeline } from '../../models/onnx-image/pipeline.ts';
import { openImageWorker } from '../../runtime/image-engine.ts';
import { servePool } from '../../runtime/pool-worker.ts';

export default servePool(async (onProgress) =>
  openImageWorker(await loadImagePipeline(workerData as ImagePipelineOptions, { onProgress })),
);
