/** The composition root of one model's thread: checks that the model fits the machine, loads it, serves the engine. */
import '../enclave/close-model-thread.ts';
import '../enclave/follow-memory-clearing.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { readGgufFacts } from '@cloister/models/gguf/gguf-file';
import { type LlamaTextOptions, loadLlamaText, planLlamaMemory } from '@cloister/models/gguf/llama-text';
import type { TextModel } from '@cloister/models/interface/model';
import { serveEngine } from '@cloister/runtime/chat/engine-worker';
import { requireFits } from '@cloister/runtime/pool/memory-budget';
import type { ModelWorkerData } from './worker-data.ts';

/** Running answers for which a draft model is used; among more, a step has no room for drafts. */
const draftSequencesMax = 4;
const draftStepTokensMax = 256;

const data = workerData as ModelWorkerData;
if (parentPort === null) throw new Error('model-worker.ts is a thread of the server; run `cloister serve`');
await serveEngine({
  port: parentPort,
  queuedRequestsMax: data.queuedRequestsMax,
  prefixCacheBytes: data.prefixCacheBytes,
  promptLookup: data.promptLookup,
  load,
  loadDraft: data.draftPath === undefined ? undefined : loadDraft,
});

async function load(onProgress: (fraction: number) => void): Promise<TextModel> {
  const options = await targetOptions();
  const draft = await draftOptions();
  const all = draft === undefined ? [options] : [options, draft];
  requireFits(await Promise.all(all.map(planLlamaMemory)), options, data.memory);
  return loadLlamaText(options, { onProgress });
}

async function loadDraft(): Promise<TextModel> {
  return loadLlamaText((await draftOptions())!);
}

async function targetOptions(): Promise<LlamaTextOptions> {
  const { contextLength = data.context } = await readGgufFacts(data.modelPath);
  return {
    modelPath: data.modelPath,
    projectorPath: data.projectorPath,
    adapterPaths: data.adapterPaths,
    sequences: data.sequences,
    contextPerSequence: Math.min(data.context, contextLength),
    kvCacheType: data.kvCacheType,
    batchTokens: data.stepTokens,
    ...(data.promptLookup === 'off' && data.draftPath === undefined ? { draftTokens: 0 } : {}),
    threads: data.threads,
    poll: data.poll,
    gpu: data.gpu,
  };
}

/** A draft model serves few answers, and reads prompts in small pieces, because running answers wait for it. */
async function draftOptions(): Promise<LlamaTextOptions | undefined> {
  if (data.draftPath === undefined) return undefined;
  const { contextLength = data.context } = await readGgufFacts(data.draftPath);
  return {
    modelPath: data.draftPath,
    sequences: Math.min(draftSequencesMax, data.sequences),
    contextPerSequence: Math.min(data.context, contextLength),
    kvCacheType: data.kvCacheType,
    batchTokens: Math.min(draftStepTokensMax, data.stepTokens),
    draftTokens: 0,
    threads: data.threads,
    poll: data.poll,
    gpu: data.gpu,
    preparationThreads: 1,
  };
}
