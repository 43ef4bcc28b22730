/** Models split into several files: the path names the first file, and the others are in the same folder. */
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaTextOptions, loadLlamaText, planLlamaMemory } from '../../models/gguf/llama-text.ts';
import { writeSplitGguf } from '../support/models/gguf-split.ts';
import { tinyModel, tinyModelFile } from '../support/models/tiny-models.ts';
import { ask, generate } from './models.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-split-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const options = (modelPath: string): LlamaTextOptions => ({
  modelPath,
  sequences: 2,
  contextPerSequence: 256,
  threads: 1,
  poll: 0,
  gpu: 'off',
});

/** The planned memory, the metadata and an answer of a model. */
async function examine(path: string) {
  const { devices } = await planLlamaMemory(options(path));
  const model = await loadLlamaText(options(path));
  const prepared = await model.prepareChat(ask);
  const answer = await generate(model, { prepared }, { sequence: 0, count: 12 });
  await model.close();
  const { weightBytes, parameterCount, trainedContext, description } = model.info;
  const plan = devices.map(({ weightBytes, contextBytes, computeBytes }) => [weightBytes, contextBytes, computeBytes]);
  return { plan, answer, info: { weightBytes, parameterCount, trainedContext, description } };
}

describe.each([
  ['tensors in every part', {}],
  ['metadata alone in the first', { emptyFirst: true }],
])('a model in three parts, with %s', (name, split) => {
  let parts: string[];
  beforeAll(() => {
    parts = writeSplitGguf(join(folder, name.replaceAll(' ', '-')), tinyModel(), { parts: 3, ...split });
  });

  it('is planned, loads and answers like the whole file', async () => {
    expect(parts[0]).toMatch(/-00001-of-00003\.gguf$/);
    expect(await examine(parts[0]!)).toEqual(await examine(tinyModelFile()));
  });

  it.each([2, 3])('is rejected by name if part %i is missing', async (number) => {
    const missing = parts[number - 1]!;
    renameSync(missing, `${missing}.away`);
    const refusal = { code: 'ERR_MODEL_LOAD', message: expect.stringContaining(missing) };
    await expect(planLlamaMemory(options(parts[0]!))).rejects.toMatchObject(refusal);
    await expect(loadLlamaText(options(parts[0]!))).rejects.toMatchObject(refusal);
    renameSync(`${missing}.away`, missing);
  });

  it('is rejected if a part belongs to another split', async () => {
    const [, second] = writeSplitGguf(join(folder, 'other'), tinyModel(), { parts: 2 });
    renameSync(parts[1]!, `${parts[1]}.away`);
    renameSync(second!, parts[1]!);
    await expect(loadLlamaText(options(parts[0]!))).rejects.toMatchObject({ code: 'ERR_MODEL_LOAD' });
    renameSync(`${parts[1]}.away`, parts[1]!);
  });

  it('is rejected if it is named by a part other than the first', async () => {
    await expect(loadLlamaText(options(parts[1]!))).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
      message: expect.stringMatching(/00002-of-00003\.gguf.*first/),
    });
  });
});
