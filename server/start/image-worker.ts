/** The composition root of an image model's thread. */
import '../enclave/close-model-thread.ts';
import '../enclave/follow-memory-clearing.ts';
import { workerData } from 'node:worker_threads';
import { type ImagePipelineOptions, loadImagePipeline } from '@cloister/models/image/pipeline';
import { openImageWorker } from '@cloister/runtime/images/image-engine';
import { servePool } from '@cloister/runtime/pool/pool-worker';

export default servePool(async (onProgress) =>
  openImageWorker(await loadImagePipeline(workerData as ImagePipelineOptions, { onProgress })),
);
