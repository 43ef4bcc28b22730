/** Prompt lookup and pinned prefixes on the demo model, which really quotes: the same answers with and without them. */
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type LlamaText, loadLlamaText } from '../../models/gguf/llama-text.ts';
import type { ChatMessage, Step, TextModel } from '../../models/interface/model.ts';
import type { Engine } from '../../runtime/chat/engine.ts';
import type { ChatRequest } from '../../runtime/chat/request.ts';
import { type Recorder, startOn } from '../support/compute/recorded-engine.ts';
import { chatRequest, greedy } from '../support/runtime/chat-request.ts';
import { loadTiny } from './models.ts';

const demo = fileURLToPath(new URL('../../models/demo/chat/cloister-demo-chat.gguf', import.meta.url));

const documents = [
  'The Velora office in Brenmark opened on 4 March 2021. It has 37 employees. The manager is Tomas Ildren.',
  'Invoice 88231 of Karsten Mobel was sent on 12 May 2024. The total is 4,318.50 euros, due within 30 days.',
  'Order K-5521 left the warehouse in Pelham on Monday. It weighs 14 kilograms. The driver is called Noor.',
];
const tasks = [
  'Repeat this exactly: ',
  'Quote the sentence about the date from this text: ',
  'Summarise this in one sentence: ',
  'Extract the names as JSON: ',
  'Who is named in this text? ',
];

/** [documents × tasks], each with the settings of its place in the list, so that all meet all. */
function requests(): ChatRequest[] {
  const samplings = [greedy, { ...greedy, temperature: 0.8, seed: 7 }, { ...greedy, temperature: 0.8, topP: 0.9 }];
  return documents.flatMap((document, row) =>
    tasks.map((task, column) => {
      const index = row * tasks.length + column;
      return chatRequest(task + document, {
        sampling: { ...samplings[index % 3]!, ...(index % 2 === 0 ? { logprobs: 2 } : {}) },
        maxTokens: [80, 13, 40, 7][index % 4]!,
        choices: 1 + (index % 3),
        stop: index % 5 === 4 ? ['.', 'euros'] : [],
        account: `a${index % 2}`,
      });
    }),
  );
}

/** Everything that a request received, without the division into deltas and without timing. */
function told(recorder: Recorder, id: number, choices: number) {
  const events = recorder.of(id);
  return Array.from({ length: choices }, (_, choice) => {
    const deltas = events.flatMap((event) => (event.kind === 'delta' && event.choice === choice ? [event] : []));
    return {
      text: deltas.map(({ content }) => content).join(''),
      tokens: deltas.flatMap(({ logprobs }) => logprobs.map(({ token }) => token)),
      logprobs: deltas.flatMap(({ logprobs }) => logprobs.map(({ logprob, top }) => [logprob, top.length])),
      finish: recorder.finish(id, choice),
    };
  });
}

async function answer(
  model: TextModel,
  all: readonly ChatRequest[],
  options: { promptLookup: 'on' | 'off'; together: boolean },
) {
  const { engine, recorder } = startOn(keptOpen(model), { promptLookup: options.promptLookup });
  for (const [id, request] of all.entries()) {
    await engine.submit(id, request);
    if (!options.together) await recorder.ended(id);
  }
  for (const id of all.keys()) await recorder.ended(id);
  const { stats } = engine;
  await engine.drain();
  await clear();
  return { answers: all.map(({ choices }, id) => told(recorder, id, choices)), stats };
}

/** Engines come and go; the model stays. */
function keptOpen(model: TextModel, steps: Step[] = []): TextModel {
  return {
    info: model.info,
    prepareChat: (input) => model.prepareChat(input),
    preparePrompt: (input) => model.preparePrompt(input),
    beginSampling: (...sampling) => model.beginSampling(...sampling),
    endSampling: () => model.endSampling(),
    step(step) {
      steps.push(step);
      return model.step(step);
    },
    async close() {},
  };
}

async function clear(): Promise<void> {
  const sequences = Array.from({ length: model.info.sequences }, (_, sequence) => sequence);
  await model.step({ operations: sequences.map((sequence) => ({ kind: 'trim', sequence, from: 0 })), rows: [] });
}

let model: LlamaText;

beforeAll(async () => {
  model = await loadLlamaText({ modelPath: demo, sequences: 6, contextPerSequence: 1024, threads: 1, gpu: 'off' });
});
afterEach(clear);
afterAll(() => model.close());

describe('prompt lookup', () => {
  it('changes no answer: text, tokens, counts and reasons, greedy and drawn, with stops, limits and choices', async () => {
    const all = requests();
    const off = await answer(model, all, { promptLookup: 'off', together: false });
    const on = await answer(model, all, { promptLookup: 'on', together: false });
    for (const [index, choices] of off.answers.entries()) {
      const [expected, got] = [choices, on.answers[index]!];
      expect(got.map(({ logprobs, ...rest }) => rest)).toEqual(expected.map(({ logprobs, ...rest }) => rest));
      for (const [choice, { logprobs }] of expected.entries()) {
        const others = got[choice]!.logprobs;
        expect(others).toHaveLength(logprobs.length);
        for (const [at, [logprob]] of logprobs.entries()) expect(others[at]![0]).toBeCloseTo(logprob!, 2);
      }
    }
    expect(off.stats.draftTokens).toBe(0);
    expect(on.stats.acceptedDraftTokens).toBeGreaterThan(100);
    expect(on.stats.steps).toBeLessThan(off.stats.steps * 0.8);
  });

  // Greedy: which prompts share a forward pass depends on timing, and so does the rounding of its last bits.
  it('changes no answer that is generated concurrently with others', async () => {
    const all = requests().map((request) => ({ ...request, sampling: greedy }));
    const alone = await answer(model, all, { promptLookup: 'off', together: false });
    const together = await answer(model, all, { promptLookup: 'on', together: true });
    const texts = ({ answers }: typeof alone) => answers.map((choices) => choices.map(({ text }) => text));
    expect(texts(together)).toEqual(texts(alone));
  });

  it('changes no answer that a grammar constrains to a schema', async () => {
    const schema = { type: 'object', properties: { quote: { type: 'string', maxLength: 60 } }, required: ['quote'] };
    const all = documents.map((document, index) => {
      const request = chatRequest(`Quote this as JSON, then quote it again: ${document}`, {
        maxTokens: 60,
        sampling: { ...greedy, temperature: index * 0.6, presencePenalty: 0.1 },
      });
      return { ...request, input: { ...request.input, jsonSchema: JSON.stringify(schema) } };
    });
    const off = await answer(model, all, { promptLookup: 'off', together: false });
    const on = await answer(model, all, { promptLookup: 'on', together: true });
    expect(on.answers).toEqual(off.answers);
    expect(on.stats.draftTokens).toBeGreaterThan(0);
    for (const [choice] of on.answers) expect(JSON.parse(choice!.text)).toHaveProperty('quote');
  });

  it('removes rejected draft tokens from the sequence', async () => {
    const prepared = await model.prepareChat(chatRequest('Say hello.').input);
    const { tokens } = prepared;
    const run = async (guesses: Int32Array) => {
      model.beginSampling(0, greedy, prepared);
      await model.step({
        operations: [{ kind: 'trim', sequence: 0, from: 0 }],
        rows: [{ sequence: 0, position: 0, tokens: tokens.subarray(0, -1), sample: false }],
      });
      const row = { sequence: 0, position: tokens.length - 1, sample: true, guesses: guesses.length };
      return await model.step({
        operations: [],
        rows: [{ ...row, tokens: Int32Array.of(tokens.at(-1)!, ...guesses) }],
      });
    };
    const answer = [...(await run(new Int32Array(0))).tokens];
    for (let right = 0; right < 6; right += 1) {
      const result = await run(Int32Array.of(...answer.slice(0, right), 5, 6, 7));
      expect([...result.drawn]).toEqual([right + 1]);
      expect([...result.tokens.slice(0, right)]).toEqual(answer.slice(0, right));
      answer[right] = result.tokens[right]!;
      // The next token takes the position of the first rejected draft; if that were still there, the step would be rejected.
      const next = {
        sequence: 0,
        position: tokens.length + right,
        tokens: Int32Array.of(answer[right]!),
        sample: true,
      };
      await expect(model.step({ operations: [], rows: [next] })).resolves.toBeDefined();
    }
  });

  it('is not offered by a model whose state cannot be truncated, and is bounded otherwise', async () => {
    const mamba = await loadTiny({ architecture: 'mamba' });
    expect(mamba.info.draftTokensMax).toBe(0);
    await mamba.close();
    expect(model.info.draftTokensMax).toBe(64);
    const tokens = new Int32Array(100).fill(40);
    const rows = [{ sequence: 0, position: 0, tokens, sample: true, guesses: 99 }];
    await expect(model.step({ operations: [], rows })).rejects.toThrow(/the step's draw count must be 0…70, got 100/);
    const guesses = { operations: [], rows: [{ ...rows[0]!, guesses: 100 }] };
    await expect(model.step(guesses)).rejects.toThrow(/a row's draw count must be 0…100, got 101/);
  });
});

describe('a pinned prefix', () => {
  const agent: readonly ChatMessage[] = [
    {
      role: 'system',
      content: `You read documents for a customer. ${'Answer briefly and quote the text. '.repeat(12)}`,
    },
  ];
  const ask = (engine: Engine, recorder: Recorder, id: number) => {
    const request = chatRequest('', { account: `account ${id}`, maxTokens: 40 });
    const messages = [...agent, { role: 'user' as const, content: tasks[id % 3]! + documents[id % 3]! }];
    return engine.submit(id, { ...request, input: { ...request.input, messages } }).then(() => recorder.ended(id));
  };

  it('changes no answer of any account and is computed once', async () => {
    const plain = startOn(keptOpen(model));
    const steps: Step[] = [];
    const pinned = startOn(keptOpen(model, steps), { prefixCacheBytes: 64 * 1024 ** 2 });
    const computed = () => steps.flatMap(({ rows }) => rows).reduce((sum, { tokens }) => sum + tokens.length, 0);
    for (const id of [0, 1, 2]) await ask(plain.engine, plain.recorder, id);
    await plain.engine.drain();
    await clear();

    const { tokens } = await pinned.engine.pinPrefix(agent);
    expect(tokens).toBeGreaterThan(100);
    expect(computed()).toBe(tokens);
    for (const id of [0, 1, 2]) {
      const before = computed();
      await ask(pinned.engine, pinned.recorder, id);
      const { completionTokens } = pinned.recorder.finish(id)!;
      const started = pinned.recorder.of(id)[0] as { promptTokens: number; cachedTokens: number };
      expect(started.cachedTokens).toBe(tokens);
      expect(computed() - before).toBeLessThanOrEqual(started.promptTokens - tokens + completionTokens);
      expect(pinned.recorder.text(id)).toBe(plain.recorder.text(id));
    }
    expect(pinned.engine.stats.sharedPromptTokens).toBe(3 * tokens);
    await pinned.engine.drain();
  });
});

describe('the rows of one step', () => {
  it('draw the same tokens in any order and in any sequences', async () => {
    const prepared = await model.prepareChat(chatRequest('Tell me a story.').input);
    const draw = async (sequences: readonly number[]) => {
      const operations = sequences.map((sequence) => ({ kind: 'trim' as const, sequence, from: 0 }));
      for (const [index, sequence] of sequences.entries()) {
        model.beginSampling(sequence, { ...greedy, temperature: 1, seed: index }, prepared);
      }
      const row = { position: 0, tokens: prepared.tokens, sample: true };
      const { tokens } = await model.step({ operations, rows: sequences.map((sequence) => ({ sequence, ...row })) });
      return [...tokens];
    };
    expect(await draw([5, 1, 3])).toEqual(await draw([0, 1, 2]));
  });
});
