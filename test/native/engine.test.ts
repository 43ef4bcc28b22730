import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import type { PreparedChat, StepRow } from '../../models/interface/model.ts';
import { Engine } from '../../native/index.ts';
import { tinyModelFile } from '../support/models/tiny-models.ts';
import { testedGpu } from '../support/tested-gpu.ts';
import { ask, generate, greedy, loadTiny } from './models.ts';

let model: LlamaText;
let prepared: PreparedChat;

beforeAll(async () => {
  model = await loadTiny();
  prepared = await model.prepareChat(ask);
});
afterAll(() => model.close());

const row = (overrides: Partial<StepRow> = {}): StepRow => ({
  sequence: 0,
  position: 0,
  tokens: prepared.tokens,
  sample: true,
  ...overrides,
});

async function clear(...sequences: number[]): Promise<void> {
  await model.step({ operations: sequences.map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
}

describe('info', () => {
  it('describes the loaded model', () => {
    expect(model.info).toMatchObject({
      architecture: 'llama',
      contextPerSequence: 512,
      sequences: 4,
      stepTokensMax: 512,
      trainedContext: 4096,
      canTrim: true,
      supportsTools: false,
      supportsReasoning: false,
      supportsInfill: false,
      imageTokensMax: 0,
    });
    expect(model.info.description).toBe('tiny llama, 1.38 M parameters, F16');
    const [, device] = model.info.device.match(
      /^CPU \([\w.]+(?:, own kernels on [\w ]+)?\), 1 thread$|, (3\/3) layers$/,
    )!;
    expect(device).toBe(testedGpu === 'off' ? undefined : '3/3');
    // Two layers, keys and values, two heads of 64, two bytes each; plus the cells' bookkeeping.
    expect(model.info.stateBytesPerToken).toBeGreaterThanOrEqual(2 * 2 * 2 * 64 * 2);
    expect(model.info.stateBytesPerToken).toBeLessThan(2 * 2 * 2 * 64 * 2 + 64);
  });

  it('exports every token with its bytes', () => {
    const { size, bytes, offsets, control } = model.info.vocabulary;
    expect([offsets.length, control.length, offsets[size]]).toEqual([size + 1, size, bytes.length]);
    const texts = Array.from({ length: size }, (_, token) =>
      Buffer.from(bytes.subarray(offsets[token], offsets[token + 1])).toString('latin1'),
    );
    expect(texts).toContain(' the');
    const end = texts.indexOf('<|im_end|>');
    expect(control[end]).toBe(1);
    expect(model.info.endTokens.has(end)).toBe(true);
    expect(control[texts.indexOf(' the')]).toBe(0);
  });
});

describe('a step', () => {
  it('gives the same tokens whether a prompt is fed as a whole or in pieces', async () => {
    await clear(0);
    const whole = await generate(model, { prepared }, { sequence: 0, count: 8 });
    await clear(0);
    const [head, tail] = [prepared.tokens.subarray(0, 7), prepared.tokens.subarray(7)];
    await model.step({ operations: [], rows: [row({ tokens: head, sample: false })] });
    const pieces = await generate(model, { prepared, tokens: tail, position: 7 }, { sequence: 0, count: 8 });
    expect(pieces).toEqual(whole);
  });

  it('samples each row independently of the others', async () => {
    const samplings = [1, 2, 3, 4].map((seed) => ({ ...greedy, temperature: 1.2, topP: 0.95, seed, logprobs: 2 }));
    const alone: number[][] = [];
    for (const [sequence, sampling] of samplings.entries()) {
      await clear(sequence);
      alone.push(await generate(model, { prepared }, { sequence, sampling, count: 6 }));
    }
    await clear(0, 1, 2, 3);
    for (const [sequence, sampling] of samplings.entries()) model.beginSampling(sequence, sampling, prepared);
    const together: number[][] = [[], [], [], []];
    let rows = together.map((_, sequence) => row({ sequence }));
    for (let index = 0; index < 6; index++) {
      const { tokens, logprobs } = await model.step({ operations: [], rows });
      expect(logprobs.map((entry) => entry?.top.length)).toEqual([2, 2, 2, 2]);
      rows = rows.map((last, sequence) => {
        together[sequence]!.push(tokens[sequence]!);
        const position = last.position + last.tokens.length;
        return row({ sequence, position, tokens: Int32Array.of(tokens[sequence]!) });
      });
    }
    for (const [sequence, answer] of alone.entries()) {
      expect(together[sequence]!.slice(0, answer.length)).toEqual(answer);
    }
  });

  it('gives the same tokens with one thread or with several', async () => {
    const sampling = { ...greedy, temperature: 1, seed: 5 };
    await clear(0);
    const one = await generate(model, { prepared }, { sequence: 0, sampling, count: 6 });
    const other = await loadTiny({}, { threads: 2 });
    const two = await generate(other, { prepared: await other.prepareChat(ask) }, { sequence: 0, sampling, count: 6 });
    await other.close();
    expect(two).toEqual(one);
  });

  it('reports the log probability of the drawn token', async () => {
    await clear(0);
    model.beginSampling(0, { ...greedy, logprobs: 5 }, prepared);
    const { tokens, logprobs } = await model.step({ operations: [], rows: [row()] });
    const report = logprobs[0]!;
    expect(report.top).toHaveLength(5);
    expect(report.top[0]).toEqual({ token: tokens[0], logprob: report.logprob });
    expect(report.top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThanOrEqual(1);
  });

  it('applies penalties to the answer and not to the prompt', async () => {
    await clear(0);
    const free = await generate(model, { prepared }, { sequence: 0, count: 1 });
    await clear(0);
    const sampling = { ...greedy, presencePenalty: 100 };
    const tokens = Int32Array.of(...prepared.tokens, free[0]!);
    const answer = await generate(model, { prepared, tokens }, { sequence: 0, sampling, count: 40 });
    expect(new Set(answer).size).toBe(answer.length);
    await clear(0);
    expect(await generate(model, { prepared }, { sequence: 0, sampling, count: 1 })).toEqual(free);
  });

  it('reports its own duration', async () => {
    await clear(0);
    const { decodeMicros, sampleMicros } = await model.step({ operations: [], rows: [row()] });
    expect(decodeMicros).toBeGreaterThan(0);
    expect(sampleMicros).toBeGreaterThanOrEqual(0);
  });
});

describe('misuse', () => {
  it('rejects rows that are out of range and names the value', async () => {
    const wrong: readonly (readonly [Partial<StepRow>, RegExp])[] = [
      [{ sequence: 4 }, /sequence must be 0…3, got 4/],
      [{ sequence: -1 }, /sequence/],
      [{ position: -1 }, /position/],
      [{ position: 511 }, /position/],
      [{ tokens: new Int32Array(0) }, /token count must be 1…512, got 0/],
      [{ tokens: Int32Array.of(1_000_000) }, /token must be/],
      [{ tokens: Int32Array.of(-1) }, /token must be/],
      [{ tokens: new Int32Array(513) }, /token count/],
    ];
    for (const [overrides, message] of wrong) {
      const step = { operations: [], rows: [row(overrides)] };
      await expect(model.step(step)).rejects.toThrow(RangeError);
      await expect(model.step(step)).rejects.toThrow(message);
    }
    await expect(model.step({ operations: [], rows: [row(), row()] })).rejects.toThrow(/two rows/);
    const many = new Int32Array(300);
    const rows = [row({ tokens: many }), row({ tokens: many, sequence: 1 })];
    await expect(model.step({ operations: [], rows })).rejects.toThrow(/the step's token count/);
  });

  it('fails a step whose positions leave a gap, and stays usable', async () => {
    await clear(0);
    await expect(model.step({ operations: [], rows: [row({ position: 100 })] })).resolves.toBeDefined();
    await expect(model.step({ operations: [], rows: [row({ position: 3 })] })).rejects.toMatchObject({
      code: 'ERR_DECODE',
    });
    await clear(0);
    expect(await generate(model, { prepared }, { sequence: 0, count: 2 })).toHaveLength(2);
  });

  it('rejects a second step and a close while a step is in flight', async () => {
    await clear(0);
    const first = model.step({ operations: [], rows: [row()] });
    await expect(model.step({ operations: [], rows: [] })).rejects.toThrow(/in flight/);
    expect(() => model.close()).toThrow(/in flight/);
    await first;
  });

  it('rejects a chat that another model prepared', async () => {
    const other = await loadTiny();
    const foreign = await other.prepareChat(ask);
    expect(() => model.beginSampling(0, greedy, foreign)).toThrow(TypeError);
    await other.close();
    expect(() => model.beginSampling(0, greedy, foreign)).toThrow(TypeError);
  });

  it('survives arbitrary packed numbers', { timeout: 60_000 }, async () => {
    const engine = await Engine.load({
      modelPath: tinyModelFile(),
      sequences: 2,
      contextPerSequence: 256,
      threads: 1,
      poll: 0,
      gpu: 'off',
    });
    const small = fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: -1, max: 6 }) },
      { weight: 1, arbitrary: fc.constantFrom(255, 256, 257, 393, 394, 2 ** 31 - 1, -(2 ** 31)) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(small, { minLength: 2, maxLength: 40 }), async (numbers) => {
        try {
          await engine.step(Int32Array.from(numbers), numbers.length);
        } catch (error) {
          expect((error as { code: string }).code).toMatch(/^ERR_(OUT_OF_RANGE|STATE|DECODE|NO_KV_SLOT)$/);
        }
      }),
      { numRuns: 3000, seed: 1 },
    );
    await engine.step(Int32Array.of(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 5), 13);
    await engine.close();
  });
});

describe('stopping', () => {
  // llama.cpp asks whether to abort on the CPU only; on a GPU, a step is short.
  it.skipIf(testedGpu !== 'off')('ends a long prefill early', async () => {
    const own = await loadTiny({ context: 8192 }, { contextPerSequence: 8192, batchTokens: 8192, sequences: 1 });
    const tokens = new Int32Array(8000).fill(40);
    const step = own.step({ operations: [], rows: [{ sequence: 0, position: 0, tokens, sample: true }] });
    setTimeout(() => own.abort(), 5);
    await expect(step).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await expect(own.step({ operations: [], rows: [] })).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await own.close();
  });

  it('rejects work after close', async () => {
    const own = await loadTiny();
    await own.close();
    await expect(own.step({ operations: [], rows: [] })).rejects.toThrow(/not loaded/);
    await expect(own.prepareChat(ask)).rejects.toThrow(/not loaded/);
    await own.close();
  });
});
