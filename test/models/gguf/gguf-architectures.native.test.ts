/** Loads GGUF files of several architectures and encodings, and refuses damaged files. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../../models/gguf/llama-text.ts';
import type { ChatInput } from '../../../models/interface/model.ts';
import { writeGguf } from '../../support/models/gguf.ts';
import { type TinyModelOptions, tinyModel, tinyModelFile } from '../../support/models/tiny-models.ts';
import { greedy } from '../../support/runtime/chat-request.ts';

const folder = mkdtempSync(join(tmpdir(), 'gguf-architectures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const chat: ChatInput = {
  messages: [{ role: 'user', content: 'the words you have, naïve 日本' }],
  tools: [],
  toolChoice: 'auto',
  parallelToolCalls: true,
  jsonSchema: undefined,
  reasoning: true,
};

function load(modelPath: string): Promise<LlamaText> {
  return loadLlamaText({ modelPath, sequences: 2, contextPerSequence: 512, threads: 1, poll: 0, gpu: 'off' });
}

/** Loads a model, answers one chat with at most `count` tokens and frees the model. */
async function answer(modelPath: string, { count = 8, sampling = greedy } = {}) {
  const model = await load(modelPath);
  const prepared = await model.prepareChat(chat);
  model.beginSampling(0, sampling, prepared);
  const tokens: number[] = [];
  let next = prepared.tokens;
  let position = 0;
  while (tokens.length < count) {
    const { tokens: sampled } = await model.step({
      operations: [],
      rows: [{ sequence: 0, position, tokens: next, sample: true }],
    });
    const token = sampled[0]!;
    if (model.info.endTokens.has(token)) break;
    tokens.push(token);
    position += next.length;
    next = Int32Array.of(token);
  }
  await model.close();
  const { bytes, offsets } = model.info.vocabulary;
  const text = Buffer.concat(tokens.map((token) => bytes.slice(offsets[token], offsets[token + 1]))).toString();
  return { info: model.info, promptTokens: prepared.tokens.length, tokens, text };
}

describe('a model of an architecture that llama.cpp supports', () => {
  const types = ['F16', 'Q8_0', 'Q4_K'] as const;
  for (const architecture of ['llama', 'qwen3', 'gemma3', 'qwen3moe'] as const) {
    for (const type of types) {
      it(`loads and answers: ${architecture} in ${type}`, async () => {
        const { info, tokens, text } = await answer(tinyModelFile({ architecture, type }));
        expect(info.architecture).toBe(architecture);
        expect(info.trainedContext).toBe(4096);
        expect(info.endTokens.size).toBeGreaterThan(0);
        expect(tokens).toHaveLength(8);
        expect(text).toMatch(/^[a-z ]+$/);
      });
    }
  }

  it('gives the same answer twice', async () => {
    const first = await answer(tinyModelFile());
    expect((await answer(tinyModelFile())).tokens).toEqual(first.tokens);
  });

  it('reports the features of its chat template', async () => {
    const about = async (options: TinyModelOptions) => {
      const model = await load(tinyModelFile(options));
      await model.close();
      const { supportsTools, supportsReasoning } = model.info;
      return { supportsTools, supportsReasoning };
    };
    expect(await about({ template: 'chatml' })).toMatchObject({ supportsTools: false });
    expect(await about({ template: 'hermes' })).toMatchObject({ supportsTools: true });
    expect(await about({ template: 'thinking' })).toMatchObject({ supportsReasoning: true });
  });
});

describe('a test model that produces a fixed text', () => {
  const script = 'A naïve answer about 日本, 2 + 2 = 4 🎉 and then it ends.';

  it('recites it and ends', async () => {
    expect((await answer(tinyModelFile({ script }), { count: 100 })).text).toBe(script);
  });

  it('recites it at temperature 1 and in Q8_0', async () => {
    const file = tinyModelFile({ script, type: 'Q8_0' });
    const sampling = { ...greedy, temperature: 1, seed: 99 };
    expect((await answer(file, { count: 100, sampling })).text).toBe(script);
  });
});

describe('a damaged or missing model file', () => {
  /** A damaged copy of a valid file. */
  function damaged(name: string, damage: (path: string) => void): string {
    const path = join(folder, name);
    copyFileSync(tinyModelFile(), path);
    damage(path);
    return path;
  }

  async function refusal(path: string): Promise<string> {
    const error = await load(path).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'ERR_MODEL_LOAD' });
    return (error as Error).message;
  }

  it('is refused if it does not exist', async () => {
    expect(await refusal(join(folder, 'missing.gguf'))).toContain('missing.gguf');
  });

  it('is refused if it is empty or text', async () => {
    const path = join(folder, 'text.gguf');
    writeFileSync(path, '');
    await refusal(path);
    writeFileSync(path, 'this is not a model');
    await refusal(path);
  });

  it('is refused if it is truncated', async () => {
    await refusal(damaged('cut.gguf', (path) => truncateSync(path, 1_000_000)));
    await refusal(damaged('cut-header.gguf', (path) => truncateSync(path, 100)));
  });

  it('is refused if the counts in its header are wrong', async () => {
    const path = damaged('counts.gguf', (path) => {
      const bytes = readFileSync(path);
      bytes.writeBigUInt64LE(2n ** 60n, 8);
      writeFileSync(path, bytes);
    });
    await refusal(path);
  });

  it('is refused if the architecture is unknown', async () => {
    const { metadata, tensors } = tinyModel();
    const path = join(folder, 'unknown.gguf');
    writeGguf(path, { metadata: { ...metadata, 'general.architecture': 'nonesuch' }, tensors });
    expect(await refusal(path)).toContain('nonesuch');
  });

  it('is refused if a tensor is missing', async () => {
    const { metadata, tensors } = tinyModel();
    const path = join(folder, 'lacking.gguf');
    writeGguf(path, { metadata, tensors: tensors.filter(({ name }) => name !== 'blk.1.ffn_up.weight') });
    expect(await refusal(path)).toContain('blk.1.ffn_up.weight');
  });

  it('is refused if a tensor has a wrong shape', async () => {
    const { metadata, tensors } = tinyModel();
    const path = join(folder, 'shape.gguf');
    const squeezed = tensors.map((tensor) =>
      tensor.name === 'output_norm.weight' ? { ...tensor, shape: [64] } : tensor,
    );
    writeGguf(path, { metadata, tensors: squeezed });
    expect(await refusal(path)).toContain('output_norm.weight');
  });
});
