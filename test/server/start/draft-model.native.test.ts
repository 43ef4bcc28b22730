/** The thread of a served model with a draft model, as `--draft-model` starts it. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../../../runtime/chat/engine-client.ts';
import type { ModelFacts } from '../../../runtime/chat/request.ts';
import type { EngineState } from '../../../runtime/pool/engine-state.ts';
import { openMemoryClaims } from '../../../runtime/pool/memory-claims.ts';
import type { ModelWorkerData } from '../../../server/start/worker-data.ts';
import { tinyModelFile } from '../../support/models/tiny-models.ts';
import { chatRequest } from '../../support/runtime/chat-request.ts';

const demo = fileURLToPath(new URL('../../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));

/** Starts the thread. @returns the engine, and its state once it is ready or has failed */
async function startThread(draftPath: string) {
  const workerData: ModelWorkerData = {
    modelPath: demo,
    projectorPath: undefined,
    adapterPaths: [],
    gpu: 'off',
    threads: 1,
    sequences: 2,
    context: 512,
    kvCacheType: 'f16',
    stepTokens: 64,
    poll: 0,
    queuedRequestsMax: 4,
    prefixCacheBytes: 0,
    promptLookup: 'off',
    draftPath,
    memory: { ...openMemoryClaims({ models: 1, availableBytes: 1024 ** 3 }), index: 0 },
  };
  const settled = Promise.withResolvers<EngineState<ModelFacts>>();
  const engine = startEngine({
    workerUrl: new URL('../../../server/start/model-worker.ts', import.meta.url),
    workerData,
    verifyWeights: async () => undefined,
    watch: { stepTimeoutMs: 60_000, onStuck: () => undefined },
    onState: (state) => void (state.kind === 'loading' || settled.resolve(state)),
  });
  return { engine, state: await settled.promise };
}

describe('the thread of a model with a draft model', () => {
  it('names the draft model in its facts, and answers', async () => {
    const { engine, state } = await startThread(demo);
    expect(state).toMatchObject({ kind: 'ready', model: { draftModel: expect.stringContaining('Q8_0') } });
    const { signal } = new AbortController();
    const kinds: string[] = [];
    for await (const { kind } of engine.chat(chatRequest('Hello.', { maxTokens: 20 }), { signal })) kinds.push(kind);
    expect(kinds).toContain('finished');
    await engine.drain({ signal });
  });

  it('fails to start with a draft model of another vocabulary, and says what to do', async () => {
    const { engine, state } = await startThread(tinyModelFile());
    expect(state).toMatchObject({
      kind: 'failed',
      message: expect.stringMatching(/another vocabulary: .*; choose a smaller model .* remove it from --draft-model/),
    });
    await engine.drain({ signal: AbortSignal.abort() });
  });
});
