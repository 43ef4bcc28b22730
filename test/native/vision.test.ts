/** Images in prompts, on the shipped demo model with its projector: encoding, steps, and what identifies an image. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import { imagePlace } from '../../models/interface/image-place.ts';
import type { ChatImage, PreparedChat, StepRow } from '../../models/interface/model.ts';
import { tokensOfOneKind } from '../../runtime/chat/prompt-kinds.ts';
import { drawShape, visionFiles } from '../support/models/shapes.ts';
import { ask, greedy, loadTiny, spell } from './models.ts';

const settings = { sequences: 4, contextPerSequence: 256, threads: 1, poll: 0, gpu: 'off' } as const;
let model: LlamaText;

beforeAll(async () => {
  model = await loadLlamaText({ ...visionFiles, ...settings });
});

afterAll(() => model?.close());

function prepare(images: readonly ChatImage[], question = 'What is in the image?', options = {}) {
  const content = `${imagePlace.repeat(images.length)}${question}`;
  return model.prepareChat({ ...ask, messages: [{ role: 'user', content }], images }, options);
}

/** The rows that feed a prompt to a sequence, from `position` on. */
function rowsOf(sequence: number, { tokens: prompt }: PreparedChat, from = 0): StepRow[] {
  const rows: StepRow[] = [];
  for (let position = from; position < prompt.length; ) {
    const end = position + tokensOfOneKind({ prompt, hasImages: true }, position);
    rows.push({ sequence, position, tokens: prompt.subarray(position, end), sample: end === prompt.length });
    position = end;
  }
  return rows;
}

/** Feeds a prompt and answers it, one row per step. */
async function answer(sequence: number, prepared: PreparedChat, from = 0): Promise<string> {
  model.beginSampling(sequence, greedy, prepared);
  let next = -1;
  for (const row of rowsOf(sequence, prepared, from)) {
    const operations = row.position === from ? [{ kind: 'trim', sequence, from } as const] : [];
    next = (await model.step({ operations, rows: [row] })).tokens[0] ?? -1;
  }
  const answered: number[] = [];
  for (let position = prepared.tokens.length; !model.info.endTokens.has(next); position++) {
    answered.push(next);
    const row = { sequence, position, tokens: Int32Array.of(next), sample: true };
    next = (await model.step({ operations: [], rows: [row] })).tokens[0]!;
  }
  return spell(model, answered);
}

describe('a model with a projector', () => {
  it('names the shape and the colour of an image of any size', async () => {
    expect(await answer(0, await prepare([drawShape('red', 'circle')]))).toBe('a red circle');
    expect(await answer(0, await prepare([drawShape('blue', 'square', 300)]))).toBe('a blue square');
    expect(await answer(0, await prepare([drawShape('green', 'square')], 'What colour is the square?'))).toBe('green');
  });

  it('distinguishes two images by their order', async () => {
    const images = [drawShape('red', 'circle'), drawShape('blue', 'square')];
    expect(await answer(0, await prepare(images, 'What is in the first image?'))).toBe('a red circle');
    expect(await answer(0, await prepare(images, 'What is in the second image?'))).toBe('a blue square');
  });

  it('computes images and text of several sequences in one step', async () => {
    const [red, blue] = await Promise.all([
      prepare([drawShape('red', 'circle')]),
      prepare([drawShape('blue', 'square')]),
    ]);
    const text = await model.prepareChat({ ...ask, messages: [{ role: 'user', content: 'What do you see?' }] });
    const prompts = [red!, blue!, text];
    for (const [sequence, prompt] of prompts.entries()) model.beginSampling(sequence, greedy, prompt);
    const trims = prompts.map((_, sequence) => ({ kind: 'trim', sequence, from: 0 }) as const);
    const [firsts, seconds, thirds] = [0, 1, 2].map((index) => [rowsOf(0, red!)[index]!, rowsOf(1, blue!)[index]!]);
    await model.step({ operations: trims, rows: firsts! });
    const mixed = await model.step({ operations: [], rows: [...seconds!, ...rowsOf(2, text)] });
    const last = await model.step({ operations: [], rows: thirds! });
    const alone = async (prepared: PreparedChat) => {
      let next = -1;
      model.beginSampling(3, greedy, prepared);
      for (const row of rowsOf(3, prepared)) {
        const operations = row.position === 0 ? [{ kind: 'trim', sequence: 3, from: 0 } as const] : [];
        next = (await model.step({ operations, rows: [row] })).tokens[0] ?? -1;
      }
      return next;
    };
    expect([...mixed.tokens, ...last.tokens]).toEqual([await alone(text), await alone(red!), await alone(blue!)]);
  });

  it('gives equal images equal ids, and another image other ids', async () => {
    const ids = async (image: ChatImage) => (await prepare([image])).tokens.filter((token) => token < 0);
    const first = await ids(drawShape('red', 'circle'));
    expect(first).toHaveLength(model.info.imageTokensMax);
    expect(await ids(drawShape('red', 'circle'))).toEqual(first);
    const almost = drawShape('red', 'circle');
    almost.pixels[0]! -= 1;
    const other = await ids(almost);
    expect(other.filter((id, index) => id === first[index])).toEqual(new Int32Array(0));
  });

  it('continues a prompt in the middle of an image that is in the cache', async () => {
    const prepared = await prepare([drawShape('black', 'circle')]);
    const whole = await answer(0, prepared);
    expect(whole).toBe('a black circle');
    expect(await answer(0, prepared, 20)).toBe(whole);
  });

  it('counts the tokens of an image without computing it, and refuses to feed the result', async () => {
    const [counted, computed] = [
      await prepare([drawShape('red', 'circle')], 'Hi', { countsImages: true }),
      await prepare([drawShape('red', 'circle')], 'Hi'),
    ];
    expect(counted.tokens).toEqual(computed.tokens);
    await expect(answer(0, counted)).rejects.toMatchObject({ code: 'ERR_DECODE' });
  });

  it('reports a lower bound for a prompt that is too long, before it encodes its images', async () => {
    const images = Array.from({ length: 8 }, () => drawShape('red', 'circle'));
    const { tokens, tokensAtLeast } = await prepare(images, 'Hi', { tokensMax: 100 });
    expect(tokens).toHaveLength(0);
    expect(tokensAtLeast).toBeGreaterThanOrEqual(8 * model.info.imageTokensMax);
  });

  it('refuses a row that mixes text with an image, draws after one, or has an image of another prompt', async () => {
    const prepared = await prepare([drawShape('red', 'circle')]);
    const [text, image] = rowsOf(0, prepared);
    const step = (row: StepRow) => model.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [row] });
    const start = { sequence: 0, position: 0, sample: false };
    const refused = { code: 'ERR_OUT_OF_RANGE' };
    await expect(step({ ...start, tokens: prepared.tokens.slice(0, 20) })).rejects.toMatchObject(refused);
    await expect(step({ ...start, tokens: image!.tokens, sample: true })).rejects.toMatchObject(refused);
    model.beginSampling(0, greedy, await prepare([drawShape('blue', 'circle')]));
    await step(text!);
    await expect(model.step({ operations: [], rows: [image!] })).rejects.toMatchObject({ code: 'ERR_DECODE' });
  });

  it('refuses a chat whose places and images differ in number', async () => {
    const refused = { code: 'ERR_CHAT_TEMPLATE' };
    const image = drawShape('red', 'circle');
    await expect(prepare([image], `${imagePlace} Hi`)).rejects.toMatchObject(refused);
    await expect(
      model.prepareChat({ ...ask, messages: [{ role: 'user', content: 'Hi' }], images: [image] }),
    ).rejects.toMatchObject(refused);
  });

  it('ends a preparation that is cancelled', async () => {
    const images = Array.from({ length: 4 }, () => drawShape('red', 'circle', 1000));
    const preparing = prepare(images, 'Hi', { signal: AbortSignal.abort() });
    await expect(preparing).rejects.toMatchObject({ code: 'ERR_ABORTED' });
  });
});

describe('loading', () => {
  it('fails with the reason for a projector of another width, and for a file that is none', async () => {
    const { modelPath, projectorPath } = visionFiles;
    await expect(loadTiny({}, { projectorPath })).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
      message: expect.stringContaining('mismatch between text model'),
    });
    await expect(loadLlamaText({ ...settings, modelPath, projectorPath: modelPath })).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
    });
  });

  it('without a projector, the model takes no images', async () => {
    const plain = await loadTiny();
    expect(plain.info.imageTokensMax).toBe(0);
    const images = [drawShape('red', 'circle')];
    const chat = { ...ask, messages: [{ role: 'user', content: imagePlace } as const], images };
    await expect(plain.prepareChat(chat)).rejects.toMatchObject({ code: 'ERR_CHAT_TEMPLATE' });
    await plain.close();
  });
});
