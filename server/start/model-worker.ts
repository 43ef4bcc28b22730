/** The composition root of one model's thread: checks that the model fits the machine, loads it, serves the engine. */
import '../enclave/close-model-thread.ts';
import '../enclave/follow-memory-clearing.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { readGgufFacts } from '@cloister/models/gguf/gguf-file';
import { loadLlamaText, planLlamaMemory } from '@cloister/models/gguf/llama-text';
import type { TextModel } from '@cloister/models/interface/model';
import { serveEngine } from '@cloister/runtime/chat/engine-worker';
import { requireFits } from '@cloister/runtime/pool/memory-budget';
import type { ModelWorkerData } from './worker-data.ts';

const data = workerData as ModelWorkerData;
if (parentPort === null) throw new Error('model-worker.ts is a thread of the server; run `cloister serve`');
await serveEngine({
  port: parentPort,
  queuedRequestsMax: data.queuedRequestsMax,
  prefixCacheBytes: data.prefixCacheBytes,
  promptLookup: data.promptLookup,
  load,
});

async function load(onProgress: (fraction: number) => void): Promise<TextModel> {
  const { contextLength = data.context } = await readGgufFacts(data.modelPath);
  const options = {
    modelPath: data.modelPath,
    sequences: data.sequences,
    contextPerSequence: Math.min(data.context, contextLength),
    batchTokens: data.stepTokens,
    ...(data.promptLookup === 'off' ? { draftTokens: 0 } : {}),
    threads: data.threads,
    poll: data.poll,
    gpu: data.gpu,
  };
  requireFits(await planLlamaMemory(options), options);
  return loadLlamaText(options, { onProgress });
}
