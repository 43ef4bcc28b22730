/** Layers on the GPU: all, some or none give the same answers, and the memory plan counts each device's part before loading. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { planMemory } from '../../native/index.ts';
import { ask, generate, greedy, loadTiny } from '../native/models.ts';
import { testedGpu } from '../support/tested-gpu.ts';

const demo = fileURLToPath(new URL('../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));

/** Log probabilities of a greedy answer, whose rounding depends on the device. */
async function answerOf(options: Parameters<typeof loadTiny>[1]) {
  const model = await loadTiny({}, options);
  const prepared = await model.prepareChat(ask);
  const sampling = { ...greedy, logprobs: 1 };
  model.beginSampling(0, sampling, prepared);
  const row = { sequence: 0, position: 0, tokens: prepared.tokens, sample: true };
  const { logprobs } = await model.step({ operations: [], rows: [row] });
  const first = logprobs[0]!;
  await model.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
  const tokens = await generate(model, { prepared }, { sequence: 0, count: 6 });
  const { device } = model.info;
  await model.close();
  return { tokens, logprob: first.logprob, device };
}

describe('layers on the GPU', () => {
  it('give the same answer whether all, some or none are there', async () => {
    const none = await answerOf({ gpu: 'off' });
    for (const [gpuLayers, device] of [
      [undefined, /^\w+ .+, 3\/3 layers$/],
      [3, /^\w+ .+, 3\/3 layers$/],
      [1, /^\w+ .+, 1\/3 layers; rest on CPU \(/],
      [0, /^CPU \(/],
    ] as const) {
      const some = await answerOf(gpuLayers === undefined ? {} : { gpuLayers });
      expect(some.device).toMatch(device);
      expect(some.tokens).toEqual(none.tokens);
      // The GPU adds in half precision, which a model of random weights magnifies.
      expect(Math.abs(some.logprob - none.logprob)).toBeLessThan(0.1);
    }
  });

  it('compute every architecture of the test models, with a quantised KV cache as well', async () => {
    for (const architecture of ['qwen3', 'qwen3moe', 'gemma3', 'mamba'] as const) {
      const model = await loadTiny({ architecture }, architecture === 'qwen3' ? { kvCacheType: 'q8_0' } : {});
      expect(model.info.device).toMatch(/layers$/);
      const prepared = await model.prepareChat(ask);
      expect(await generate(model, { prepared }, { sequence: 0, count: 3 })).not.toHaveLength(0);
      await model.close();
    }
  });
});

describe('the memory plan', () => {
  const plan = (gpuLayers?: number, contextPerSequence = 512) =>
    planMemory({
      modelPath: demo,
      sequences: 2,
      contextPerSequence,
      threads: 1,
      gpu: testedGpu,
      ...(gpuLayers === undefined ? {} : { gpuLayers }),
    });

  it('names the GPU and the CPU, and moves the weights and the KV cache of a layer with it', async () => {
    const plans = await Promise.all([undefined, 7, 3].map((layers) => plan(layers)));
    const [all, seven, three] = plans.map(([gpu, cpu]) => ({ gpu: gpu!, cpu: cpu! }));
    expect(all!.gpu.name).toMatch(/^(Vulkan|CUDA)0$/);
    expect(all!.cpu.name).toBe('CPU');
    expect([all!.gpu.weightBytes, all!.gpu.contextBytes]).toEqual([seven!.gpu.weightBytes, seven!.gpu.contextBytes]);
    expect(all!.cpu.contextBytes).toBe(0);
    expect(three!.gpu.contextBytes).toBeGreaterThan(0);
    expect(three!.gpu.contextBytes + three!.cpu.contextBytes).toBe(all!.gpu.contextBytes);
    expect(three!.gpu.weightBytes).toBeLessThan(all!.gpu.weightBytes);
    expect(three!.cpu.weightBytes).toBeGreaterThan(all!.cpu.weightBytes);
    expect(all!.gpu.freeBytes).toBeLessThanOrEqual(all!.gpu.totalBytes);
  });

  it('needs no room on the GPU for the KV cache of a model that stays on the CPU', async () => {
    const devices = await plan(0);
    expect(devices.map(({ name }) => name)).toEqual(['CPU']);
    expect(devices[0]!.contextBytes).toBeGreaterThan(0);
  });
});
