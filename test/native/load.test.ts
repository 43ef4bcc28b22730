import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import { gpuLibraries } from '../../native/gpu-libraries.ts';
import { type EngineOptions, planMemory } from '../../native/index.ts';
import { readProductPath } from '../../native/measure.ts';
import { tinyModelFile } from '../support/models/tiny-models.ts';
import { loadTiny } from './models.ts';

const demoChat = join(import.meta.dirname, '../../models/demo/chat/cloister-demo-chat.gguf');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-load-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const options = (modelPath: string, overrides: Partial<EngineOptions> = {}): EngineOptions => ({
  modelPath,
  sequences: 1,
  contextPerSequence: 256,
  threads: 1,
  poll: 0,
  gpu: 'off',
  ...overrides,
});

/** Of the mappings of a file in this process. */
function residentBytes(path: string): number {
  const mappings = readFileSync('/proc/self/smaps', 'utf8').split(/\n(?=[0-9a-f]+-[0-9a-f]+ )/);
  const sizes = mappings
    .filter((text) => text.split('\n', 1)[0]!.endsWith(path))
    .map((text) => /^Rss: +(\d+)/m.exec(text)![1]);
  return sizes.reduce((sum, kib) => sum + 1024 * Number(kib), 0);
}

async function readEveryEmbedding(model: LlamaText): Promise<void> {
  const { contextPerSequence: size, vocabulary } = model.info;
  for (let first = 0; first < vocabulary.control.length; first += size) {
    const tokens = Int32Array.from(
      { length: Math.min(size, vocabulary.control.length - first) },
      (_, at) => first + at,
    );
    const rows = [{ sequence: 0, position: 0, tokens, sample: false }];
    await model.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows });
  }
}

function writeModel(name: string, bytes: Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe('loading', () => {
  it('reports its progress and ends at 1', async () => {
    const seen: number[] = [];
    const model = await loadLlamaText(options(tinyModelFile()), { onProgress: (fraction) => seen.push(fraction) });
    await model.close();
    expect(seen.at(-1)).toBe(1);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
  });

  it.skipIf(!readProductPath().kernels)('keeps weights in memory once: the copy that products read', async () => {
    const path = writeModel('resident.gguf', readFileSync(demoChat));
    // Pages of a file that was just written are mapped two megabytes at a time.
    execFileSync('dd', [`of=${path}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
    const model = await loadLlamaText(options(path));
    expect(residentBytes(path)).toBeLessThan(0.1 * statSync(path).size);
    await readEveryEmbedding(model);
    expect(residentBytes(path)).toBeLessThan(0.1 * statSync(path).size);
    await model.close();
    expect(residentBytes(path)).toBe(0);
  });

  it('can be cancelled', async () => {
    await expect(loadLlamaText(options(tinyModelFile()), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/);
    const controller = new AbortController();
    const loading = loadLlamaText(options(tinyModelFile()), { signal: controller.signal });
    controller.abort();
    await expect(loading).rejects.toThrow(/abort|cancel/);
  });

  it('loads every architecture of the test models', async () => {
    for (const architecture of ['qwen3', 'qwen3moe', 'gemma3'] as const) {
      const model = await loadTiny({ architecture });
      expect(model.info).toMatchObject({ architecture, canTrim: true });
      await model.close();
    }
  });

  it.each<[string, () => Uint8Array, RegExp]>([
    ['is no GGUF', () => Buffer.from('hello, this is not a model'), /magic/],
    ['is empty', () => Buffer.alloc(0), /./],
    ['ends in its metadata', () => readFileSync(tinyModelFile()).subarray(0, 500), /./],
    [
      'ends in its weights',
      () => readFileSync(tinyModelFile()).subarray(0, 1_000_000),
      /not within the file bounds|corrupted/,
    ],
    ['is of a version to come', () => patch(4, 99), /version/],
    ['claims 2^63 tensors', () => patchCount(8), /./],
    ['claims 2^63 entries', () => patchCount(16), /./],
    ['is of an unknown architecture', () => rename('llama', 'lemur'), /unknown model architecture: 'lemur'/],
    ['has a token twice', () => rename('\u0002\0\0\0\0\0\0\0ba', '\u0002\0\0\0\0\0\0\0be'), /twice/],
    ['rotates more dimensions than a head has', rotateTooMuch, /rope\.dimension_count must be even and at most/],
    ['lacks a tensor', () => rename('blk.1.attn_q.weight', 'blk.1.attn_z.weight'), /tensor 'blk.1.attn_q.weight'/],
  ])('reports the fault of a file that %s', async (name, bytes, message) => {
    const path = writeModel(`${name.replaceAll(/\W/g, '-')}.gguf`, bytes());
    const failure = expect(loadLlamaText(options(path))).rejects;
    await failure.toMatchObject({
      name: 'ModelError',
      code: 'ERR_MODEL_LOAD',
      message: expect.stringMatching(message),
    });
    await expect(planMemory(options(path))).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
  });

  it('reports a missing file', async () => {
    const path = join(folder, 'nowhere.gguf');
    await expect(loadLlamaText(options(path))).rejects.toThrow(`there is no model file at ${path}`);
    await expect(loadLlamaText(options(folder))).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
  });

  it('reports heads that are no whole blocks of a quantised KV cache, and loads them with another', async () => {
    const path = tinyModelFile({ headWidth: 40 });
    const refusal = {
      code: 'ERR_MODEL_LOAD',
      message: expect.stringMatching(
        /heads whose size is a multiple of 32, and this model's have 40: set --kv-cache-type f16$/,
      ),
    };
    await expect(loadLlamaText(options(path, { kvCacheType: 'q8_0' }))).rejects.toMatchObject(refusal);
    await expect(planMemory(options(path, { kvCacheType: 'q8_0' }))).rejects.toMatchObject(refusal);
    const model = await loadLlamaText(options(path));
    await model.close();
  });

  it('rejects options outside their ranges', async () => {
    const path = tinyModelFile();
    for (const wrong of [
      { sequences: 0 },
      { sequences: 257 },
      { contextPerSequence: 0 },
      { threads: 0 },
      { poll: 101 },
      { batchTokens: 0 },
      { sequences: 256, contextPerSequence: 2 ** 23 },
    ]) {
      await expect(loadLlamaText(options(path, wrong))).rejects.toThrow(RangeError);
    }
    await expect(loadLlamaText(options(path, { kvCacheType: 'f64' as 'f16' }))).rejects.toThrow(TypeError);
    await expect(loadLlamaText(options(path, { kvCacheType: 'q8_0', flashAttention: 'off' }))).rejects.toThrow(
      /^kvCacheType q8_0 needs flashAttention$/,
    );
    await expect(loadLlamaText(options(path, { gpu: 'tpu' as 'off' }))).rejects.toThrow(TypeError);
  });
});

/** The tiny model with one 32-bit number changed. */
function patch(offset: number, value: number): Uint8Array {
  const bytes = Buffer.from(readFileSync(tinyModelFile()));
  bytes.writeUInt32LE(value, offset);
  return bytes;
}

/** A head of gemma3's file has 32 or 64 dimensions. */
function rotateTooMuch(): Uint8Array {
  const bytes = Buffer.from(readFileSync(tinyModelFile({ architecture: 'gemma3' })));
  const key = 'gemma3.rope.dimension_count';
  // The key is followed by the type of its value, then by the value.
  bytes.writeUInt32LE(1024, bytes.indexOf(key, 0, 'latin1') + key.length + 4);
  return bytes;
}

function patchCount(offset: number): Uint8Array {
  const bytes = Buffer.from(readFileSync(tinyModelFile()));
  bytes.writeBigUInt64LE(2n ** 63n - 1n, offset);
  return bytes;
}

/** The tiny model with the first `from` replaced by `to`, of the same length. */
function rename(from: string, to: string): Uint8Array {
  const bytes = Buffer.from(readFileSync(tinyModelFile()));
  bytes.write(to, bytes.indexOf(from, 0, 'latin1'), 'latin1');
  return bytes;
}

describe('GPUs', () => {
  const installed = gpuLibraries('cuda').length > 0;

  it.runIf(installed)('finds the plug-ins of the installed packages', () => {
    expect(gpuLibraries('cuda')[0]).toMatch(/libggml-cuda\.so$/);
  });

  it('are used if present, else the CPU', async () => {
    const model = await loadTiny({}, { gpu: 'auto' });
    expect(model.info.device).toMatch(/^(CPU \(|CUDA|Vulkan)/);
    await model.close();
  });

  it('are rejected by name if they cannot be used', async () => {
    const outcome = await loadTiny({}, { gpu: 'cuda' }).then(
      (model) => model.close().then(() => model.info.device),
      (error) => error.code,
    );
    expect(outcome).toMatch(/^(ERR_GPU_UNAVAILABLE$|CUDA)/);
  });
});

describe('the memory plan', () => {
  it('counts weights, contexts and workspace before loading', async () => {
    const path = tinyModelFile();
    const [small] = await planMemory(options(path));
    const [large] = await planMemory(options(path, { sequences: 4, contextPerSequence: 1024 }));
    expect(small!.name).toBe('CPU');
    expect(small!.weightBytes).toBeGreaterThan(2_000_000);
    expect(small!.weightBytes).toBeLessThan(4_000_000);
    // Two layers, keys and values, two heads of 64, two bytes each.
    expect(small!.contextBytes).toBe(256 * 2 * 2 * 2 * 64 * 2);
    expect(large!.contextBytes).toBe(16 * small!.contextBytes);
    expect(small!.computeBytes).toBeGreaterThan(0);
    expect(small!.totalBytes).toBeGreaterThan(small!.weightBytes);
    expect(small!.freeBytes).toBeLessThanOrEqual(small!.totalBytes);
  });

  it('halves the size of the contexts if the KV cache is quantised', async () => {
    const path = tinyModelFile();
    const [full] = await planMemory(options(path));
    const [half] = await planMemory(options(path, { kvCacheType: 'q8_0' }));
    expect(half!.contextBytes / full!.contextBytes).toBeCloseTo(34 / 64, 2);
  });

  it('can be computed concurrently, and while a model loads', async () => {
    const path = tinyModelFile();
    const plans = Promise.all(Array.from({ length: 6 }, () => planMemory(options(path))));
    const model = await loadLlamaText(options(path));
    await model.close();
    expect(new Set((await plans).map(([device]) => device!.contextBytes)).size).toBe(1);
  });
});

describe('setup', () => {
  it('prints nothing if everything is installed', () => {
    const script = join(import.meta.dirname, '../../native/setup.mjs');
    expect(execFileSync(process.execPath, [script], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })).toBe(
      '',
    );
  });
});
