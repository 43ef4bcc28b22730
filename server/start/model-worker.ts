/** The composition root of one model's thread: checks that the model fits the machine, loads it, serves the engine. */
import { open } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { ggufHeadBytes, parseGgufHead } from '../../models/gguf-header.ts';
import { loadLlamaText, planLlamaMemory } from '../../models/llama-text.ts';
import type { TextModel } from '../../models/model.ts';
import { serveEngine } from '../../runtime/engine-worker.ts';
import { requireFits } from '../../runtime/memory-budget.ts';
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
  const trained = await trainedContext(data.modelPath);
  const options = {
    modelPath: data.modelPath,
    sequences: data.sequences,
    contextPerSequence: Math.min(data.context, trained ?? data.context),
    batchTokens: data.stepTokens,
    ...(data.promptLookup === 'off' ? { draftTokens: 0 } : {}),
    threads: data.threads,
    poll: data.poll,
    gpu: data.gpu,
  };
  requireFits(await planLlamaMemory(options), options);
  return loadLlamaText(options, { onProgress });
}

/** Tokens the model was trained for, where its file says so. */
async function trainedContext(path: string): Promise<number | undefined> {
  await using file = await open(path);
  const head = Buffer.alloc(ggufHeadBytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  return parseGgufHead(head.subarray(0, bytesRead), path).contextLength;
}
