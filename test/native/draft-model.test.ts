/** A draft model on the demo model: the same answers with and without, while the drafts are right, partly right or wrong. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { StepResult, TextModel } from '../../models/interface/model.ts';
import { DraftModel } from '../../runtime/chat/draft-model.ts';
import type { ChatRequest } from '../../runtime/chat/request.ts';
import { startOn } from '../support/compute/recorded-engine.ts';
import { chatRequest, greedy } from '../support/runtime/chat-request.ts';
import { loadTiny } from './models.ts';

const demo = fileURLToPath(new URL('../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'cloister-draft-'));
const draftFile = join(folder, 'draft.gguf');
const now = () => performance.now();

let target: LlamaText;
let draft: LlamaText;

beforeAll(async () => {
  copyFileSync(demo, draftFile);
  const options = { contextPerSequence: 1024, threads: 1, gpu: 'off' } as const;
  target = await loadLlamaText({ ...options, modelPath: demo, sequences: 4 });
  draft = await loadLlamaText({ ...options, modelPath: draftFile, sequences: 3, batchTokens: 64, draftTokens: 0 });
});
afterAll(async () => {
  await Promise.all([target.close(), draft.close()]);
  rmSync(folder, { recursive: true });
});

/** Engines come and go; the models stay, with empty sequences. */
function keptOpen(model: TextModel, change: (result: StepResult) => StepResult = (result) => result): TextModel {
  return {
    info: model.info,
    prepareChat: (input) => model.prepareChat(input),
    preparePrompt: (input) => model.preparePrompt(input),
    beginSampling: (...sampling) => model.beginSampling(...sampling),
    endSampling: () => model.endSampling(),
    step: async (step) => change(await model.step(step)),
    async close() {
      const sequences = Array.from({ length: model.info.sequences }, (_, sequence) => sequence);
      await model.step({ operations: sequences.map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
    },
  };
}

/** Replaces every n-th drafted token by another one. */
function wrongEvery(n: number): (result: StepResult) => StepResult {
  let drawn = 0;
  return (result) => ({
    ...result,
    tokens: result.tokens.map((token) => (++drawn % n === 0 ? (token + 1) % 1000 : token)),
  });
}

interface Run {
  /** Undefined: no draft model. */
  readonly change?: (result: StepResult) => StepResult;
  readonly together?: boolean;
}

async function answer(all: readonly ChatRequest[], { change, together = false }: Run = {}) {
  const load = async () => keptOpen(draft, change);
  const model = change && (await DraftModel.open(load, { target: target.info, now }));
  const { engine, recorder } = startOn(keptOpen(target), { now, draft: model && { model, mode: 'on' } });
  for (const [id, request] of all.entries()) {
    await engine.submit(id, request);
    if (!together) await recorder.ended(id);
  }
  for (const id of all.keys()) await recorder.ended(id);
  const { draftTokens, acceptedDraftTokens } = engine.stats;
  await engine.drain();
  const answers = all.map(({ choices }, id) =>
    Array.from({ length: choices }, (_, choice) => [recorder.text(id, choice), recorder.finish(id, choice)]),
  );
  return { answers, draftTokens, acceptedDraftTokens };
}

const questions = [
  'Tell me a story.',
  'What is the capital of France?',
  'Write a short letter to the office in Brenmark.',
];
const right = (result: StepResult) => result;

describe('a draft model', () => {
  it.each([
    ['greedy answers', greedy],
    ['answers at temperature 1 with a seed', { ...greedy, temperature: 1, seed: 11 }],
    [
      'answers at temperature 0.8 with top-p, bias and penalties',
      {
        ...greedy,
        temperature: 0.8,
        topP: 0.9,
        presencePenalty: 0.3,
        logitBias: [{ token: 100, bias: 2 }],
        seed: 5,
      },
    ],
  ])('changes no %s, whether its drafts are right, partly right or always wrong', async (_, sampling) => {
    const all = questions.map((text) => chatRequest(text, { sampling, maxTokens: 40, choices: 2 }));
    const expected = await answer(all);
    expect(expected.draftTokens).toBe(0);
    for (const [change, shareMin, shareMax] of [
      [right, 0.8, 1],
      [wrongEvery(3), 0.2, 0.8],
      [wrongEvery(1), 0, 0.1],
    ] as const) {
      const got = await answer(all, { change });
      expect(got.answers).toEqual(expected.answers);
      expect(got.draftTokens).toBeGreaterThan(30);
      const share = got.acceptedDraftTokens / got.draftTokens;
      expect(share).toBeGreaterThanOrEqual(shareMin);
      expect(share).toBeLessThanOrEqual(shareMax);
    }
  });

  // Greedy: which rows share a forward pass depends on timing, and so does the rounding of its last bits.
  it('changes no answer that is generated concurrently with others', async () => {
    const all = questions.map((text, index) => chatRequest(text, { maxTokens: 40, account: `a${index}` }));
    const alone = await answer(all);
    const together = await answer(all, { change: wrongEvery(4), together: true });
    expect(together.answers).toEqual(alone.answers);
    expect(together.acceptedDraftTokens).toBeGreaterThan(20);
  });

  it('changes no answer that a grammar constrains to a schema', async () => {
    const schema = { type: 'object', properties: { city: { type: 'string', maxLength: 40 } }, required: ['city'] };
    const all = questions.map((text, index) => {
      const request = chatRequest(text, { maxTokens: 60, sampling: { ...greedy, temperature: index * 0.5 } });
      return { ...request, input: { ...request.input, jsonSchema: JSON.stringify(schema) } };
    });
    const expected = await answer(all);
    const got = await answer(all, { change: right });
    expect(got.answers).toEqual(expected.answers);
    expect(got.draftTokens).toBeGreaterThan(0);
    for (const [choice] of got.answers) expect(JSON.parse(choice![0] as string)).toHaveProperty('city');
  });

  it('is freed with the model: its file is no longer mapped', async () => {
    const isMapped = (path: string) => readFileSync('/proc/self/maps', 'utf8').includes(path);
    const path = join(folder, 'freed.gguf');
    copyFileSync(demo, path);
    const options = { modelPath: path, sequences: 1, contextPerSequence: 256, threads: 1, gpu: 'off' } as const;
    const model = await DraftModel.open(() => loadLlamaText(options), { target: target.info, now });
    expect(isMapped(path)).toBe(true);
    const { engine, recorder } = startOn(keptOpen(target), { now, draft: { model, mode: 'on' } });
    await engine.submit(1, chatRequest('Hello.'));
    await recorder.ended(1);
    await engine.stop();
    expect(isMapped(path)).toBe(false);
  });

  it('is refused and freed if its vocabulary differs', async () => {
    let loaded: LlamaText | undefined;
    const load = async () => {
      loaded = await loadTiny();
      return loaded;
    };
    await expect(DraftModel.open(load, { target: target.info, now })).rejects.toMatchObject({
      code: 'ERR_MODEL_LOAD',
      message: expect.stringContaining('the draft model has another vocabulary'),
    });
    await expect(loaded!.step({ operations: [], rows: [] })).rejects.toThrow('not loaded');
  });
});

describe('sampling after tokens that were drawn elsewhere', () => {
  it('uses the random number of the position in the answer', async () => {
    const prepared = await target.prepareChat(chatRequest('Tell me a story.').input);
    const { tokens } = prepared;
    const sampling = { ...greedy, temperature: 1.5, seed: 3 };
    const trim = { kind: 'trim', sequence: 0, from: 0 } as const;
    target.beginSampling(0, sampling, prepared);
    const drawn: number[] = [];
    let next: Int32Array = tokens;
    for (let position = 0; drawn.length < 6; position += next.length, next = Int32Array.of(drawn.at(-1)!)) {
      const rows = [{ sequence: 0, position, tokens: next, sample: true }];
      const result = await target.step({ operations: position === 0 ? [trim] : [], rows });
      drawn.push(result.tokens[0]!);
    }
    target.beginSampling(0, { ...sampling, drawn: 5 });
    const rows = [{ sequence: 0, position: 0, tokens: Int32Array.of(...tokens, ...drawn.slice(0, 5)), sample: true }];
    const result = await target.step({ operations: [trim], rows });
    expect(result.tokens[0]).toBe(drawn[5]);
    await target.step({ operations: [trim], rows: [] });
  });
});
