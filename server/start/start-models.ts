/** Starts every planned model: verifies its weights, then loads it in a separate thread. */
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { locateFile } from '@cloister/models/catalogue/catalogue';
import { splitParts } from '@cloister/models/gguf/split-gguf';
import { requireUnchanged, type VerifiedFile, verifyFiles } from '@cloister/models/hub/digest';
import { DigestCache } from '@cloister/models/hub/digest-cache';
import type { ImagePipelineOptions } from '@cloister/models/image/pipeline';
import { startEngine } from '@cloister/runtime/chat/engine-client';
import { startEmbeddingEngine } from '@cloister/runtime/embeddings/embedding-engine';
import { startImageEngine } from '@cloister/runtime/images/image-engine';
import type { Engine, EngineState } from '@cloister/runtime/pool/engine-state';
import { claimedBytes, claimMemory, type MemoryClaim, openMemoryClaims } from '@cloister/runtime/pool/memory-claims';
import type { ThreadWatch } from '@cloister/runtime/pool/watchdog';
import { loadDecoder } from '../features/chat/decode-images.ts';
import { loadEncoder } from '../features/images/encoding.ts';
import { ServerError } from '../http/errors.ts';
import type { Logger } from '../http/request-log.ts';
import type { Config } from '../program/config.ts';
import { statePaths } from '../program/state-folder.ts';
import { version } from '../program/version.ts';
import { type ModelTerms, termsOf } from '../serving/model-terms.ts';
import type { ModelUse, ServedAdapter, ServedModel } from '../serving/served-model.ts';
import { embeddingSessions } from './embedding-sessions.ts';
import type { EmbeddingWorkerData } from './embedding-worker-data.ts';
import type { PlannedModel } from './model-plan.ts';
import {
  type Preparation,
  PreparingEmbeddingEngine,
  PreparingEngine,
  PreparingImageEngine,
} from './preparing-engine.ts';
import type { ModelWorkerData } from './worker-data.ts';

export interface StartModelsOptions {
  readonly config: Config;
  /** Whether a cached digest on disk may replace reading the file again. */
  readonly trustsDisk: boolean;
  readonly logger: Logger;
  /** @param fraction of all weights, 0…1 */
  readonly onProgress: (fraction: number) => void;
  /** A thread of this model hangs in native code and cannot be ended. */
  readonly onStuck: (id: string) => void;
}

/** @returns models that are still loading, and a promise that resolves when all are ready and rejects if one fails */
export async function startModels(
  plans: readonly PlannedModel[],
  { config, trustsDisk, logger, onProgress, onStuck }: StartModelsOptions,
): Promise<{ models: readonly ServedModel[]; loaded: Promise<unknown> }> {
  const digestCache = trustsDisk ? await DigestCache.open(statePaths(config).digestCache) : undefined;
  const chats = plans.filter(({ kind }) => kind === 'llama-text').length;
  const threads = Math.max(1, Math.floor(config.threads / Math.max(1, chats)));
  const embeddingThreads =
    config.embeddingThreads === 'auto' ? defaultEmbeddingThreads(chats) : config.embeddingThreads;
  const claims = openMemoryClaims({ models: plans.length, availableBytes: process.availableMemory() });
  const fractions = plans.map(() => 0);
  const started = plans.map((plan, index) => {
    const ready = Promise.withResolvers<void>();
    const memory = { ...claims, index };
    const use: ModelUse = { claimedBytes: () => claimedBytes(memory) };
    const onState = (state: ModelState) => {
      if (state.kind === 'loading') {
        if (state.loss !== undefined) logger.warn({ model: plan.id, ...state.loss }, 'engine lost: restarting');
        fractions[index] = state.fraction;
        onProgress(fractions.reduce((sum, fraction) => sum + fraction, 0) / plans.length);
        return;
      }
      logState(logger, plan, state);
      if (state.kind === 'ready') {
        use.readyAt = Date.now();
        ready.resolve();
      }
      if (state.kind === 'failed') ready.reject(new ServerError('ERR_START', state.message));
    };
    const watch = { stepTimeoutMs: config.stepTimeoutS * 1000, onStuck: () => onStuck(plan.id) };
    return {
      model: prepareModel(plan, {
        config,
        threads,
        embeddingThreads,
        digestCache,
        onState,
        watch,
        memory,
        use,
      }),
      ready: ready.promise,
    };
  });
  const loaded = Promise.all(started.map(({ ready }) => ready));
  // The caller that awaits it gets the failure; without this line an early failure would be an unhandled rejection.
  loaded.catch(() => undefined);
  return { models: started.map(({ model }) => model), loaded };
}

function logState(logger: Logger, { id }: PlannedModel, state: ModelState): void {
  if (state.kind === 'failed') logger.error({ model: id, reason: state.message }, 'model failed');
  else if (state.kind !== 'ready') logger.info({ model: id }, `model ${state.kind}`);
  else {
    const { promptBound: _, ...model } = state.model;
    logger.info({ model: id, ...model }, 'model ready');
  }
}

/** Facts common to every kind of model. */
type ModelState = EngineState<{
  readonly description: string;
  readonly device: string;
  /** Only chat models; a table, too long for the log. */
  readonly promptBound?: unknown;
}>;

interface ModelOptions {
  readonly config: Config;
  /** Threads of each chat model, and of each embedding model. */
  readonly threads: number;
  readonly embeddingThreads: number;
  readonly digestCache: DigestCache | undefined;
  readonly onState: (state: ModelState) => void;
  readonly watch: ThreadWatch;
  readonly memory: MemoryClaim;
  readonly use: ModelUse;
}

function prepareModel(plan: PlannedModel, options: ModelOptions): ServedModel {
  const facts = {
    id: plan.id,
    created: Math.floor(Date.now() / 1000),
    fingerprint: fingerprintOf(plan),
    terms: termsFor(plan, options),
    aliases: plan.aliases,
    use: options.use,
  };
  switch (plan.kind) {
    case 'llama-text':
      return { kind: 'chat', ...facts, adapters: adaptersOf(plan, facts), engine: prepareChat(plan, options) };
    case 'onnx-image':
      return { kind: 'image', ...facts, image: plan.pinned?.entry.image, engine: prepareImages(plan, options) };
    case 'llama-embedding':
    case 'onnx-embedding':
      return { kind: 'embedding', ...facts, ...prepareEmbeddings(plan, options) };
    case 'onnx-reranker':
      return { kind: 'reranker', ...facts, engine: prepareEmbeddings(plan, options).engine };
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

/** A chat's threads synchronise many times per token, so one that waits for a core delays all. */
function defaultEmbeddingThreads(chats: number): number {
  return chats === 0 ? availableParallelism() : Math.max(1, Math.floor(availableParallelism() / 2));
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
  const prepare = verifyThenStart(plan, options, (onState, verifyWeights) =>
    startEngine({ workerUrl, workerData, verifyWeights, onState, watch }),
  );
  const prepareAll = async (preparation: Preparation) => {
    // Loaded now, so that no request waits for it, and so that a library that fails to load prevents the start.
    if (plan.projectorPath !== undefined) await loadDecoder();
    return await prepare(preparation);
  };
  return new PreparingEngine(prepareAll, options);
}

function prepareImages(plan: PlannedModel, options: ModelOptions): PreparingImageEngine {
  const { imageThreads: threads, imageBatchRows: batchRowsMax, imageQueue: queuedJobsMax, gpu } = options.config;
  const pinnedPaths = pinnedPathsOf(plan);
  const workerData: ImagePipelineOptions = { indexPath: plan.path, pinnedPaths, threads, gpu, batchRowsMax };
  const workerUrl = new URL('./image-worker.ts', import.meta.url);
  const prepare = verifyThenStart(plan, options, (onState, verifyWeights) => {
    claimFiles(plan, options);
    return startImageEngine({ workerUrl, workerData, queuedJobsMax, verifyWeights, onState, watch: options.watch });
  });
  const prepareAll = async (preparation: Preparation) => {
    // Loaded now, so that no request waits for it, and so that a library that fails to load prevents the start.
    await loadEncoder();
    return await prepare(preparation);
  };
  return new PreparingImageEngine(prepareAll, options);
}

/** In addition to the model's own threads: enough that one huge text does not block all others. */
const tokenizerThreads = 2;

function prepareEmbeddings(plan: PlannedModel, options: ModelOptions) {
  const { embeddingQueue: queuedTextsMax, embeddingBatchTokens: batchTokensMax, gpu } = options.config;
  const { embeddingThreads: wideThreads } = options;
  const sessionThreads = embeddingSessions(plan, { asked: options.config.embeddingSessions, threads: wideThreads });
  const embedding = plan.pinned?.entry.embedding ?? {};
  const workerData: EmbeddingWorkerData = {
    format: plan.kind === 'llama-embedding' ? 'gguf' : 'onnx',
    modelPath: plan.path,
    pinnedPaths: pinnedPathsOf(plan),
    gpu,
    threads: Math.max(1, Math.floor(wideThreads / sessionThreads)),
    wideThreads,
    contextMax: plan.contextMax,
    pooling: embedding.pooling,
    normalizes: embedding.normalizes,
    scoresPairs: plan.kind === 'onnx-reranker',
  };
  const workerUrl = new URL('./embedding-worker.ts', import.meta.url);
  const limits = { tokenizerThreads, sessionThreads, queuedTextsMax, batchTokensMax };
  const prepare = verifyThenStart(plan, options, (onState, verifyWeights) => {
    claimFiles(plan, options);
    return startEmbeddingEngine({ workerUrl, workerData, ...limits, verifyWeights, onState, watch: options.watch });
  });
  return { embedding, engine: new PreparingEmbeddingEngine(prepare, options) };
}

/**
 * Claims the least memory that an embedding or image model can take: that of its files, which ONNX Runtime reads into main
 * memory also for a GPU. llama.cpp maps the file of an embedding model, so with a GPU it takes none. A chat model's thread
 * claims what llama.cpp computes from the file.
 * @throws {RuntimeError} ERR_MEMORY_BUDGET
 */
function claimFiles({ kind, path, pinned }: PlannedModel, { memory, config }: ModelOptions): void {
  if (kind === 'llama-embedding' && config.gpu !== 'off') return;
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
function verifyThenStart<Real extends Engine<unknown>>(
  plan: PlannedModel,
  { digestCache, onState }: ModelOptions,
  start: (onState: (state: ModelState) => void, verifyWeights: () => Promise<void>) => Real,
): (preparation: Preparation) => Promise<Real> {
  return async (preparation) => {
    let files = await verifyWeightFiles(plan, { ...preparation, digestCache });
    const verifyWeights = async () => {
      files = await verifyWeightFiles(plan, { ...preparation, onProgress: () => undefined, digestCache });
    };
    /** Also called if a restarted thread finds weights that differ from the verified ones. */
    const refuse = ({ message }: Error) => {
      onState({ kind: 'failed', message });
      return engine.drain({ signal: AbortSignal.abort() });
    };
    const check = (ready: ModelState) => requireUnchanged(files).then(() => onState(ready), refuse);
    const engine = start((state) => void (state.kind === 'ready' ? check(state) : onState(state)), verifyWeights);
    return engine;
  };
}

/** Progress counts as the first half of loading, without that of a draft model. */
async function verifyWeightFiles(
  { pinned, draft }: PlannedModel,
  { digestCache, signal, onProgress }: Preparation & Pick<ModelOptions, 'digestCache'>,
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
