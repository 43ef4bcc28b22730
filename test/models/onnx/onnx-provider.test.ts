import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openOnBest, type Provider, runtimeFolder } from '../../../models/onnx/onnx-provider.ts';
import { openSession } from '../../../models/onnx/onnx-session.ts';
import { OnnxGraph } from '../../support/models/onnx-writer.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';

const libraries = ['libonnxruntime_providers_shared.so', 'libonnxruntime_providers_cuda.so'];

/** Simulates a machine with these libraries, whose CUDA starts or fails. */
async function choose(gpu: 'auto' | 'cuda' | 'vulkan' | 'off', libraries: readonly string[], startsCuda: boolean) {
  await using folder = await scratchFolder();
  for (const library of libraries) writeFileSync(join(folder.path, library), '');
  const tried: string[] = [];
  const open = async (providers: readonly Provider[]) => {
    tried.push(providers.join('+'));
    if (providers.includes('cuda') && !startsCuda)
      throw new Error('CUDA failure 100: no device\n/build/agent/cuda.cc:1');
    return providers[0];
  };
  const choice = await openOnBest({ gpu, threads: 2, libraryFolder: folder.path, open });
  return { ...choice, tried };
}

describe('the execution provider', () => {
  it('is CUDA if its libraries and a device are available', async () => {
    const expected = { session: 'cuda', provider: 'cuda', place: { device: 'CUDA' }, tried: ['cuda+cpu'] };
    expect(await choose('auto', libraries, true)).toEqual(expected);
    expect(await choose('cuda', libraries, true)).toEqual(expected);
  });

  it('is the CPU if a library is missing, and names the library', async () => {
    expect(await choose('auto', libraries.slice(0, 1), true)).toEqual({
      ...{ session: 'cpu', provider: 'cpu', tried: ['cpu'] },
      place: {
        device: 'CPU, 2 threads',
        whyNotGpu: 'CUDA needs libonnxruntime_providers_cuda.so in the folder of ONNX Runtime',
      },
    });
  });

  it('is the CPU if CUDA does not start, and gives the reason in one line', async () => {
    expect(await choose('auto', libraries, false)).toEqual({
      ...{ session: 'cpu', provider: 'cpu', tried: ['cuda+cpu', 'cpu'] },
      place: { device: 'CPU, 2 threads', whyNotGpu: 'CUDA cannot be used: CUDA failure 100: no device' },
    });
  });

  it('is refused if `cuda` is requested and cannot be used', async () => {
    const unavailable = (message: string) => expect.objectContaining({ code: 'ERR_GPU_UNAVAILABLE', message });
    await expect(choose('cuda', [], true)).rejects.toEqual(
      unavailable('CUDA needs libonnxruntime_providers_shared.so in the folder of ONNX Runtime'),
    );
    await expect(choose('cuda', libraries, false)).rejects.toEqual(
      unavailable('CUDA cannot be used: CUDA failure 100: no device'),
    );
  });

  it.each(['off', 'vulkan'] as const)('is the CPU with %s, without a search for CUDA', async (gpu) => {
    const expected = { session: 'cpu', provider: 'cpu', place: { device: 'CPU, 2 threads' }, tried: ['cpu'] };
    expect(await choose(gpu, libraries, true)).toEqual(expected);
  });

  it('opens a real graph on this machine and reports its device', async () => {
    await using folder = await scratchFolder();
    const graph = new OnnxGraph();
    const input = graph.input({ name: 'x', type: 'float32', shape: [1] });
    graph.output({ name: 'y', type: 'float32', shape: [1] }, graph.node('Add', [input, input]));
    const path = join(folder.path, 'model.onnx');
    writeFileSync(path, graph.encode());
    const { session, provider, place } = await openSession(path, { threads: 1, gpu: 'auto' });
    expect(place.device).toBe(provider === 'cuda' ? 'CUDA' : 'CPU, 1 thread');
    await session.release();
    expect(runtimeFolder()).toMatch(/onnxruntime-node\/bin\/napi-v6\/linux\/x64$/);
  });

  it('reports a file that is not a graph as a load error', async () => {
    await using folder = await scratchFolder();
    const path = join(folder.path, 'model.onnx');
    writeFileSync(path, 'no graph');
    await expect(openSession(path, { threads: 1, gpu: 'auto' })).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
    await expect(openSession(`${path}.gone`, { threads: 1, gpu: 'off' })).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
    });
  });
});
