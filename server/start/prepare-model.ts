/** Prepares one model: verifies its weights, then loads it in a separate thread. */
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { locateFile } from '@cloister/models/catalogue/catalogue';
import { splitParts } from '@cloister/models/gguf/split-gguf';
import { requireUnchanged, type VerifiedFile, verifyFiles } from '@cloister/models/hub/digest';
import type { DigestCache } from '@cloister/models/hub/digest-cache';
import type { ImagePipelineOptions } from '@cloister/models/image/pipeline';
import { startEngine } from '@cloister/runtime/chat/engine-client';
import type { ChatEngine, ModelFacts } from '@cloister/runtime/chat/request';
import { startEmbeddingEngine } from '@cloister/runtime/embeddings/embedding-engine';
import type { EmbeddingEngine } from '@cloister/runtime/embeddings/embedding-request';
import { type ImageEngine, type ImageFacts, startImageEngine } from '@cloister/runtime/images/image-engine';
import type { Engine, EngineState } from '@cloister/runtime/pool/engine-state';
import { claimMemory, type MemoryClaim, releaseMemory } from '@cloister/runtime/pool/memory-claims';
import type { ThreadWatch } from '@cloister/runtime/pool/watchdog';
import { loadDecoder } from '../features/chat/decode-images.ts';
import { loadEncoder } from '../features/images/encoding.ts';
import type { Config } from '../program/config.ts';
import { version } from '../program/version.ts';
import { type ModelTerms, termsOf } from '../serving/model-terms.ts';
import type { ModelUse, ServedAdapter, ServedModel } from '../serving/served-model.ts';
import { embeddingSessions } from './embedding-sessions.ts';
import type { EmbeddingWorkerData } from './embedding-worker-data.ts';
import type { PlannedModel } from './model-plan.ts';
import { PreparingEmbeddingEngine, PreparingEngine, PreparingImageEngine } from './preparing-engine.ts';
import type { FactsOf, Preparation } from './resident-engine.ts';
import type { ModelWorkerData } from './worker-data.ts';

/** Facts common to every kind of model. */
export type ModelState = EngineState<{
  readonly description: string;
  readonly device: string;
  /** Only chat models; a table, too long for the log. */
  readonly promptBound?: unknown;
}>;

export interface ModelOptions {
  readonly config: Config;
  /** Threads of each chat model, and of each embedding model. */
  readonly threads: number;
  readonly embeddingThreads: number;
  readonly digestCache: DigestCache | undefined;
  readonly onState: (state: ModelState) => void;
  readonly watch: ThreadWatch;
  readonly memory: MemoryClaim;
  readonly use: ModelUse;
  /** Runs after an unloaded model was loaded again and before it serves. */
  readonly beforeServing: () => Promise<void>;
}

/** Starts to verify and load a model. */
export function prepareModel(plan: PlannedModel, options: ModelOptions): ServedModel {
  const facts = {
    id: plan.id,
    created: Math.floor(Date.now() / 1000),
    fingerprint: fingerprintOf(plan),
    terms: termsFor(plan, options),
    aliases: plan.aliases,
    use: options.use,
  };
  switch (plan.kind) {
    case 'llama-text': {
      const engine = prepareChat(plan, options);
      return { kind: 'chat', ...facts, adapters: adaptersOf(plan, facts), engine, resident: engine };
    }
    case 'onnx-image': {
      const engine = prepareImages(plan, options);
      return { kind: 'image', ...facts, image: plan.pinned?.entry.image, engine, resident: engine };
    }
    case 'llama-embedding':
    case 'onnx-embedding': {
      const { engine, embedding } = prepareEmbeddings(plan, options);
      return { kind: 'embedding', ...facts, embedding, engine, resident: engine };
    }
    case 'llama-reranker':
    case 'onnx-reranker': {
      const { engine } = prepareEmbeddings(plan, options);
      return { kind: 'reranker', ...facts, engine, resident: engine };
    }
  }
}

function adaptersOf(
  { adapters = [] }: PlannedModel,
  { fingerprint }: Pick<ServedModel, 'fingerprint'>,
): readonly ServedAdapter[] {
  return adapters.map(({ name, sha256 }) => ({ name, fingerprint: shortFingerprint([fingerprint, sha256]) }));
}

/** The operator sets the context of a chat's sequences; other models use their entry's. */
function termsFor({ kind, pinned, contextMax }: PlannedModel, { config }: ModelOptions): ModelTerms {
  const entry = pinned?.entry;
  const contextOfEntry = contextMax ?? config.context;
  return termsOf(entry, kind === 'llama-text' ? Math.min(config.context, contextOfEntry) : contextOfEntry);
}

function prepareChat(plan: PlannedModel, options: ModelOptions): PreparingEngine {
  const { config, threads, watch, memory } = options;
  const workerData: ModelWorkerData = {
    modelPath: plan.path,
    projectorPath: plan.projectorPath,
    adapterPaths: (plan.adapters ?? []).map(({ path }) => path),
    gpu: config.gpu,
    threads,
    sequences: config.sequences,
    context: Math.min(config.context, plan.contextMax ?? config.context),
    kvCacheType: config.kvCacheType,
    stepTokens: config.stepTokens,
    poll: config.poll,
    queuedRequestsMax: config.queue,
    prefixCacheBytes: config.prefixCacheMb * 1024 * 1024,
    promptLookup: config.promptLookup,
    draftPath: plan.draft?.path,
    memory,
  };
  const workerUrl = new URL('./model-worker.ts', import.meta.url);
  const prepare = verifyThenStart<ChatEngine>(plan, options, (onState, verifyWeights) =>
    startEngine({ workerUrl, workerData, verifyWeights, onState, watch }),
  );
  const prepareAll = async (preparation: Preparation<ModelFacts>) => {
    // Loaded now, so that no request waits for it, and so that a library that fails to load prevents the start.
    if (plan.projectorPath !== undefined) await loadDecoder();
    return await prepare(preparation);
  };
  return new PreparingEngine(prepareAll, residentOptions(options, options.config.queue));
}

function prepareImages(plan: PlannedModel, options: ModelOptions): PreparingImageEngine {
  const { imageThreads: threads, imageBatchRows: batchRowsMax, imageQueue: queuedJobsMax, gpu } = options.config;
  const pinnedPaths = pinnedPathsOf(plan);
  const workerData: ImagePipelineOptions = { indexPath: plan.path, pinnedPaths, threads, gpu, batchRowsMax };
  const workerUrl = new URL('./image-worker.ts', import.meta.url);
  const prepare = verifyThenStart<ImageEngine>(plan, options, (onState, verifyWeights) => {
    claimFiles(plan, options);
    return startImageEngine({ workerUrl, workerData, queuedJobsMax, verifyWeights, onState, watch: options.watch });
  });
  const prepareAll = async (preparation: Preparation<ImageFacts>) => {
    // Loaded now, so that no request waits for it, and so that a library that fails to load prevents the start.
    await loadEncoder();
    return await prepare(preparation);
  };
  return new PreparingImageEngine(prepareAll, residentOptions(options, queuedJobsMax));
}

function residentOptions({ onState, memory, beforeServing }: ModelOptions, waitingMax: number) {
  return { onState, beforeServing, waitingMax, onUnloaded: () => releaseMemory(memory) };
}

/** In addition to the model's own threads: enough that one huge text does not block all others. */
const tokenizerThreads = 2;

function prepareEmbeddings(plan: PlannedModel, options: ModelOptions) {
  const { embeddingQueue: queuedTextsMax, embeddingBatchTokens: batchTokensMax, gpu } = options.config;
  const { embeddingThreads: wideThreads } = options;
  const sessionThreads = embeddingSessions(plan, { asked: options.config.embeddingSessions, threads: wideThreads });
  const embedding = plan.pinned?.entry.embedding ?? {};
  const workerData: EmbeddingWorkerData = {
    format: plan.kind.startsWith('llama-') ? 'gguf' : 'onnx',
    modelPath: plan.path,
    pinnedPaths: pinnedPathsOf(plan),
    gpu,
    threads: Math.max(1, Math.floor(wideThreads / sessionThreads)),
    wideThreads,
    contextMax: plan.contextMax,
    pooling: embedding.pooling,
    normalizes: embedding.normalizes,
    scoresPairs: plan.kind.endsWith('-reranker'),
  };
  const workerUrl = new URL('./embedding-worker.ts', import.meta.url);
  const limits = { tokenizerThreads, sessionThreads, queuedTextsMax, batchTokensMax };
  const prepare = verifyThenStart<EmbeddingEngine>(plan, options, (onState, verifyWeights) => {
    claimFiles(plan, options);
    return startEmbeddingEngine({ workerUrl, workerData, ...limits, verifyWeights, onState, watch: options.watch });
  });
  return { embedding, engine: new PreparingEmbeddingEngine(prepare, residentOptions(options, queuedTextsMax)) };
}

/**
 * Claims the least memory that an embedding or image model can take: that of its files, which ONNX Runtime reads into main
 * memory also for a GPU. llama.cpp maps the file of an embedding model, so with a GPU it takes none. A chat model's thread
 * claims what llama.cpp computes from the file.
 * @throws {RuntimeError} ERR_MEMORY_BUDGET
 */
function claimFiles({ kind, path, pinned }: PlannedModel, { memory, config }: ModelOptions): void {
  if (kind.startsWith('llama-') && config.gpu !== 'off') return;
  const sizes = pinned?.entry.files.map(({ bytes }) => bytes) ?? [statSync(path, { throwIfNoEntry: false })?.size ?? 0];
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  claimMemory(memory, bytes, 'serve fewer models with --model, or use a larger machine');
}

/** The only files that a loader may open: unverified files are not loaded. */
function pinnedPathsOf({ pinned }: PlannedModel): readonly string[] | undefined {
  if (pinned === undefined) return undefined;
  const { entry, folders } = pinned;
  return entry.files.map((file) => locateFile(entry, file, folders));
}

/**
 * Verifies the weights, loads them, then checks that they have not changed in between.
 * @param start receives a function to call before the weights are loaded again
 */
function verifyThenStart<Real extends Engine<FactsOf<Real>>>(
  plan: PlannedModel,
  { digestCache }: ModelOptions,
  start: (onState: (state: EngineState<FactsOf<Real>>) => void, verifyWeights: () => Promise<void>) => Real,
): (preparation: Preparation<FactsOf<Real>>) => Promise<Real> {
  return async (preparation) => {
    const { onState } = preparation;
    let files = await verifyWeightFiles(plan, { ...preparation, digestCache });
    const verifyWeights = async () => {
      files = await verifyWeightFiles(plan, { ...preparation, onProgress: () => undefined, digestCache });
    };
    /** Also called if a restarted thread finds weights that differ from the verified ones. */
    const refuse = ({ message }: Error) => {
      onState({ kind: 'failed', message });
      return engine.drain({ signal: AbortSignal.abort() });
    };
    const check = (ready: EngineState<FactsOf<Real>>) => requireUnchanged(files).then(() => onState(ready), refuse);
    const engine = start((state) => void (state.kind === 'ready' ? check(state) : onState(state)), verifyWeights);
    return engine;
  };
}

/** Progress counts as the first half of loading, without that of a draft model. */
async function verifyWeightFiles(
  { pinned, draft }: PlannedModel,
  { digestCache, signal, onProgress }: Pick<Preparation, 'signal' | 'onProgress'> & Pick<ModelOptions, 'digestCache'>,
): Promise<readonly VerifiedFile[]> {
  const quiet = { digestCache, signal, onProgress: () => undefined };
  const ofDraft = draft === undefined ? [] : await verifyWeightFiles(draft, quiet);
  if (pinned === undefined) return ofDraft;
  const { entry, folders } = pinned;
  const total = entry.files.reduce((sum, { bytes }) => sum + bytes, 0);
  const done = new Map<string, number>();
  const files = await verifyFiles(entry, {
    folders,
    signal,
    ...(digestCache === undefined ? {} : { digestCache }),
    onProgress({ file, bytesDone }) {
      done.set(file, bytesDone);
      onProgress([...done.values()].reduce((sum, bytes) => sum + bytes, 0) / total / 2);
    },
  });
  return [...files, ...ofDraft];
}

/** Changes with the weights and with the program. */
function fingerprintOf({ path, pinned }: PlannedModel): string {
  const weights = pinned?.entry.files.map(({ sha256 }) => sha256) ?? splitParts(path).map(fileStamp);
  return shortFingerprint([version, weights]);
}

function shortFingerprint(facts: readonly unknown[]): string {
  return `fp_${hash('sha256', JSON.stringify(facts)).slice(0, 12)}`;
}

/** For a missing part only the path counts; its loader reports the error. */
function fileStamp(path: string): readonly unknown[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  return [path, stats?.size, stats?.mtimeMs];
}
