/** Embedding engines on a fake model that waits at a gate, and helpers for their tests. */
import { expect } from 'vitest';
import { type EmbeddingEngineOptions, startEmbeddingEngine } from '../../../runtime/embeddings/embedding-engine.ts';
import type {
  EmbeddingEngine,
  EmbeddingFacts,
  EmbeddingRequest,
} from '../../../runtime/embeddings/embedding-request.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import { type FakeEmbeddingData, fakeDimensions } from '../models/fake-embedding.ts';
import { patientWatch, quickRestarts } from './thread-watch.ts';

export const never = new AbortController().signal;
const workerUrl = new URL('./fake-embedding-worker.ts', import.meta.url);
const engines: EmbeddingEngine[] = [];
const gates: Int32Array[] = [];

/** For `afterEach`: opens all gates and drains all engines. */
export async function endEngines(): Promise<void> {
  for (const gate of gates.splice(0)) openGate(gate);
  await Promise.all(engines.splice(0).map((engine) => engine.drain({ signal: AbortSignal.abort() })));
}

/** Starts an engine on the fake model; resolves when it is ready or has failed. */
export async function startEngine(data: FakeEmbeddingData = {}, options: Partial<EmbeddingEngineOptions> = {}) {
  const states: EngineState<EmbeddingFacts>[] = [];
  const settled = Promise.withResolvers<void>();
  const engine = startEmbeddingEngine({
    workerUrl,
    workerData: data,
    tokenizerThreads: 1,
    sessionThreads: 1,
    queuedTextsMax: 100,
    batchTokensMax: 64,
    ...{ verifyWeights: async () => undefined, watch: patientWatch, restartDelays: quickRestarts },
    ...options,
    onState(state) {
      states.push(state);
      if (state.kind !== 'loading') settled.resolve();
    },
  });
  engines.push(engine);
  await settled.promise;
  return { engine, states };
}

/** Starts an engine whose model waits at a gate. */
export async function startGated(options: Partial<EmbeddingEngineOptions> = {}) {
  const gate = makeGate();
  return { gate, ...(await startEngine({ gate }, options)) };
}

/** Creates a closed gate; `endEngines` opens it. */
export function makeGate(): Int32Array {
  const gate = new Int32Array(new SharedArrayBuffer(8));
  gates.push(gate);
  return gate;
}

export function openGate(gate: Int32Array): void {
  Atomics.store(gate, 1, 1);
  Atomics.notify(gate, 1);
}

/** Resolves when the model computes its first batch. */
export async function whenComputing(gate: Int32Array): Promise<void> {
  const { async, value } = Atomics.waitAsync(gate, 0, 0);
  if (async) await value;
}

export function embeddingRequest(
  input: EmbeddingRequest['input'],
  fields: Partial<EmbeddingRequest> = {},
): EmbeddingRequest {
  return { input, account: 'a', truncate: false, priority: 0, timeoutMs: 60_000, ...fields };
}

export async function embed(
  engine: EmbeddingEngine,
  input: EmbeddingRequest['input'],
  fields?: Partial<EmbeddingRequest>,
) {
  return await engine.embed(embeddingRequest(input, fields), { signal: never });
}

/** Length and first token of each text, as the fake model returns them. */
export function firsts(vectors: Float32Array): string[] {
  const rows = Array.from({ length: vectors.length / fakeDimensions }, (_, row) => row * fakeDimensions);
  return rows.map((at) => `${vectors[at]} ${String.fromCharCode(vectors[at + 1]!)}`);
}

export const refusal = (code: string) => expect.objectContaining({ name: 'RuntimeError', code });
