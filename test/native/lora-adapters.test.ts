/** LoRA adapters of a text model: what they compute, alone and among other answers, and which files are refused. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { PreparedChat, StepResult } from '../../models/interface/model.ts';
import type { GgufFile } from '../support/models/gguf.ts';
import { adapterMetadata, mergeAdapter, randomAdapter, writeModel } from '../support/models/random-adapter.ts';
import { ones } from '../support/models/random-transformer.ts';
import { tinyModel, tinyModelFile } from '../support/models/tiny-models.ts';
import { ask, greedy, loadTiny } from './models.ts';

const answerTokens = 12;

/** The tokens and log probabilities of an answer. */
interface Answer {
  readonly tokens: number[];
  readonly logprobs: number[];
}

/** Answers one prompt in several sequences, each with its adapter, in the same steps. */
async function answers(model: LlamaText, chat: PreparedChat, adapters: readonly number[]): Promise<Answer[]> {
  const found = adapters.map((): Answer => ({ tokens: [], logprobs: [] }));
  await model.step({ operations: adapters.map((_, sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
  for (const sequence of adapters.keys()) model.beginSampling(sequence, { ...greedy, logprobs: 0 }, chat);
  let fed = adapters.map(() => chat.tokens);
  let position = 0;
  for (let index = 0; index < answerTokens; index += 1) {
    const rows = adapters.map((adapter, sequence) => ({
      ...{ sequence, adapter, position },
      tokens: fed[sequence]!,
      sample: true,
    }));
    const result: StepResult = await model.step({ operations: [], rows });
    position += fed[0]!.length;
    found.forEach(({ tokens, logprobs }, sequence) => {
      tokens.push(result.tokens[sequence]!);
      logprobs.push(result.logprobs[sequence]!.logprob);
    });
    fed = found.map(({ tokens }) => Int32Array.of(tokens.at(-1)!));
  }
  return found;
}

describe('a model with LoRA adapters', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adapters-'));
  const base = tinyModel({ type: 'F32' });
  const adapters = [randomAdapter(base, { seed: 1 }), randomAdapter(base, { seed: 2, rank: 16, alpha: 8 })];
  let model: LlamaText;
  let chat: PreparedChat;

  beforeAll(async () => {
    const adapterPaths = adapters.map((file, index) => writeModel(join(folder, `adapter-${index}.gguf`), file));
    model = await loadTiny({ type: 'F32' }, { adapterPaths });
    chat = await model.prepareChat(ask);
  });
  afterAll(() => model.close());

  it('answers without an adapter as the model alone', async () => {
    const alone = await loadTiny({ type: 'F32' });
    expect(await answers(model, chat, [0])).toEqual(await answers(alone, await alone.prepareChat(ask), [0]));
    await alone.close();
  });

  it.each([1, 2])('answers with adapter %i as a model with these weights', async (adapter) => {
    const path = writeModel(join(folder, `merged-${adapter}.gguf`), mergeAdapter(base, adapters[adapter - 1]!));
    const merged = await loadTiny({}, { modelPath: path });
    const [expected] = await answers(merged, await merged.prepareChat(ask), [0]);
    await merged.close();
    const [[found], [plain]] = [await answers(model, chat, [adapter]), await answers(model, chat, [0])];
    expect(found!.tokens).toEqual(expected!.tokens);
    for (const [index, logprob] of found!.logprobs.entries()) {
      expect(Math.abs(logprob - expected!.logprobs[index]!)).toBeLessThan(0.02);
    }
    expect(found!.tokens).not.toEqual(plain!.tokens);
  });

  it('computes the same bits for an answer alone and among answers with other adapters', async () => {
    const adaptersOfRows = [2, 0, 1, 2];
    const together = await answers(model, chat, adaptersOfRows);
    for (const [index, adapter] of adaptersOfRows.entries()) {
      expect([together[index]]).toEqual(await answers(model, chat, [adapter]));
    }
  });

  it('refuses a row with an adapter that it does not have', async () => {
    const row = { sequence: 0, position: 0, tokens: chat.tokens, sample: true };
    await expect(model.step({ operations: [], rows: [{ ...row, adapter: 3 }] })).rejects.toThrow(
      'adapter must be 0…2, got 3',
    );
    await expect(model.step({ operations: [], rows: [{ ...row, adapter: -1 }] })).rejects.toThrow('adapter must be');
  });
});

describe('loading an adapter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'adapters-'));
  const base = tinyModel({ type: 'F32' });
  const name = 'blk.0.attn_q.weight';
  const pair = (a: readonly number[], b: readonly number[], type: 'F32' | 'Q4_K' = 'F32'): GgufFile['tensors'] => [
    { name: `${name}.lora_a`, shape: a, type, fill: ones },
    { name: `${name}.lora_b`, shape: b, type, fill: ones },
  ];
  const metadata = adapterMetadata('llama');
  const files: readonly (readonly [string, GgufFile | undefined, RegExp])[] = [
    ['that does not exist', undefined, /there is no such file/],
    ['that is a model', base, /general\.type must be adapter/],
    ['of another architecture', { metadata: adapterMetadata('qwen3'), tensors: pair([256, 8], [8, 256]) }, /arch/],
    ['of a wider model', { metadata, tensors: pair([512, 8], [8, 256]) }, /incorrect shape/],
    ['whose matrices have different ranks', { metadata, tensors: pair([256, 8], [4, 256]) }, /not transposed/],
    ['with half a pair', { metadata, tensors: pair([256, 8], [8, 256]).slice(1) }, /missing one component/],
    ['of experts', { metadata, tensors: pair([256, 8, 4], [8, 256, 4]) }, /adapters of experts/],
    [
      'with a type that is not multiplied',
      { metadata, tensors: pair([256, 8], [256, 8], 'Q4_K') },
      /must have the type/,
    ],
    [
      'with a number for its type',
      { metadata: { ...metadata, 'general.type': { u32: 1 } }, tensors: [] },
      /must be a string/,
    ],
    ['with a text for its scale', { metadata: { ...metadata, 'adapter.lora.alpha': '16' }, tensors: [] }, /a float/],
    [
      'that is activated by tokens',
      { metadata: { ...metadata, 'adapter.alora.invocation_tokens': { i32s: [1] } }, tensors: [] },
      /aLoRA/,
    ],
    [
      'of the token embedding',
      {
        metadata,
        tensors: [
          { name: 'token_embd.weight.lora_a', shape: [8, 300], type: 'F32', fill: ones },
          { name: 'token_embd.weight.lora_b', shape: [8, 256], type: 'F32', fill: ones },
        ],
      },
      /changes of the token embedding/,
    ],
  ];

  it.each(files)('refuses a file %s', async (title, file, message) => {
    const path = join(folder, `${title.replaceAll(/\W+/g, '-')}.gguf`);
    if (file !== undefined) writeModel(path, file);
    await expect(loadTiny({ type: 'F32' }, { adapterPaths: [path] })).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
      message: expect.stringMatching(message),
    });
  });

  it('refuses more adapters than are supported', async () => {
    const options = { modelPath: tinyModelFile(), sequences: 1, contextPerSequence: 256, threads: 1 };
    await expect(loadLlamaText({ ...options, adapterPaths: Array(65).fill('adapter.gguf') })).rejects.toThrow(
      'adapterPaths.length must be an integer 0…64, got 65',
    );
  });
});
