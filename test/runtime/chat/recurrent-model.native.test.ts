/** A recurrent model in the real engine: its state can be copied and saved but never trimmed. */
import { afterEach, describe, expect, it } from 'vitest';
import type { LlamaText, LlamaTextOptions } from '../../../models/gguf/llama-text.ts';
import type { Step } from '../../../models/interface/model.ts';
import { Engine } from '../../../runtime/chat/engine.ts';
import type { ChatRequest } from '../../../runtime/chat/request.ts';
import type { RequestEvent } from '../../../runtime/chat/worker-messages.ts';
import { ask, generate, loadTiny } from '../../native/models.ts';
import { chatRequest, greedy } from '../../support/runtime/chat-request.ts';

const question = 'tell me about the words that they have and the one you have '.repeat(4);
const other = 'quite another thing was for this and that '.repeat(6);
const warm = { ...greedy, temperature: 1.2, seed: 7 };

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.stop();
});

const load = (options: Partial<LlamaTextOptions> = {}) =>
  loadTiny({ architecture: 'mamba' }, { contextPerSequence: 1024, batchTokens: 64, ...options });

async function start(options: Partial<LlamaTextOptions> = {}, { prefixCacheBytes = 1 << 20 } = {}) {
  const model = await load(options);
  const steps: Step[] = [];
  const events: RequestEvent[] = [];
  let listeners: (() => void)[] = [];
  const engine = new Engine({
    model: observed(model, steps),
    queuedRequestsMax: 64,
    prefixCacheBytes,
    promptLookup: 'on',
    now: () => 0,
    emit(news) {
      events.push(...news);
      const told = listeners;
      listeners = [];
      for (const tell of told) tell();
    },
  });
  engines.push(engine);
  const of = (id: number) => events.filter((event) => event.id === id).map(({ event }) => event);
  const until = async (isThere: () => boolean) => {
    while (!isThere()) await new Promise<void>((resolve) => listeners.push(resolve));
  };
  const text = (id: number, choice = 0) =>
    of(id)
      .map((event) => (event.kind === 'delta' && event.choice === choice ? event.content : ''))
      .join('');
  return {
    engine,
    model,
    steps,
    text,
    until,
    started: (id: number) => of(id).find(({ kind }) => kind === 'started'),
    fedTokens: () => steps.flatMap(({ rows }) => rows).reduce((sum, { tokens }) => sum + tokens.length, 0),
    operations: () => steps.flatMap(({ operations }) => operations.map(({ kind }) => kind)),
    /** @returns the texts of all its choices */
    async ask(id: number, request: ChatRequest): Promise<string[]> {
      await engine.submit(id, request);
      await until(() => of(id).some(({ kind }) => kind === 'done' || kind === 'error'));
      expect(of(id).at(-1)).toEqual({ kind: 'done' });
      return Array.from({ length: request.choices }, (_, choice) => text(id, choice));
    },
  };
}

/** Records every step of the model. */
function observed(model: LlamaText, steps: Step[]) {
  return {
    info: model.info,
    prepareChat: model.prepareChat.bind(model),
    preparePrompt: model.preparePrompt.bind(model),
    beginSampling: model.beginSampling.bind(model),
    endSampling: model.endSampling.bind(model),
    close: model.close.bind(model),
    step(step: Step) {
      steps.push(step);
      return model.step(step);
    },
  };
}

/** The answers of requests that run one after another on a new engine. */
async function alone(...requests: readonly ChatRequest[]): Promise<string[]> {
  const answers: string[] = [];
  for (const request of requests) {
    const { ask, engine } = await start({}, { prefixCacheBytes: 0 });
    answers.push(...(await ask(1, request)));
    await engine.drain();
  }
  return answers;
}

/** A second turn after an answer of `count` syllables, whose text the tokenizer converts to the tokens that were sampled. */
function conversation(count: number) {
  const answer = 'ba'.repeat(count);
  const first = chatRequest(question, { maxTokens: count });
  const second = chatRequest(question);
  const messages = [
    ...first.input.messages,
    { role: 'assistant', content: answer } as const,
    { role: 'user', content: 'and you?' } as const,
  ];
  return { answer, first, second: { ...second, input: { ...second.input, messages } } };
}

/** Forces every token of the answer. */
async function alwaysSaying(word: string, request: ChatRequest): Promise<ChatRequest> {
  const model = await load();
  const { bytes, offsets, size } = model.info.vocabulary;
  const spelled = (token: number) => Buffer.from(bytes.subarray(offsets[token], offsets[token + 1])).toString();
  const token = Array.from({ length: size }, (_, index) => index).find((index) => spelled(index) === word)!;
  await model.close();
  return { ...request, sampling: { ...request.sampling, logitBias: [{ token, bias: 100 }] } };
}

describe('a recurrent model', () => {
  it('reports that its state cannot be trimmed, and that its size is independent of the text', async () => {
    const model = await load();
    expect(model.info).toMatchObject({ architecture: 'mamba', canTrim: false, stateBytesPerToken: 0 });
    // Two layers of 512 channels with 16 numbers of state and 3 tokens of convolution each, 4 bytes a number.
    expect(model.info.stateBytesFixed).toBeGreaterThanOrEqual(2 * 512 * (16 + 3) * 4);
    expect(model.info.stateBytesFixed).toBeLessThan(2 * 512 * (16 + 3) * 4 + 256);
    await model.close();
  });

  it('depends on the whole text before the answer, not only on its last words', async () => {
    const model = await load();
    const answers = await Promise.all(
      ['a', 'zu zu zu zu'].map((content) => model.prepareChat({ ...ask, messages: [{ role: 'user', content }] })),
    );
    const [short, long] = answers as [(typeof answers)[0], (typeof answers)[0]];
    const first = await generate(model, { prepared: short }, { sequence: 0, count: 12 });
    const second = await generate(model, { prepared: long }, { sequence: 1, count: 12 });
    expect(second).not.toEqual(first);
    await model.close();
  });

  it('rejects a trim, and continues', async () => {
    const model = await load();
    const prepared = await model.prepareChat(ask);
    const expected = await generate(model, { prepared }, { sequence: 0, count: 6 });
    const step = model.step({ operations: [{ kind: 'trim', sequence: 0, from: 3 }], rows: [] });
    await expect(step).rejects.toMatchObject({ code: 'ERR_STATE' });
    const operations = [{ kind: 'trim', sequence: 0, from: 0 }] as const;
    expect(await generate(model, { prepared, operations }, { sequence: 0, count: 6 })).toEqual(expected);
    await model.close();
  });
});

describe.each([
  ['separate streams', {}],
  ['unified state', { unifiedKv: true }],
])('an engine with a recurrent model, with %s', (_, options) => {
  it('continues a conversation from the state where its last answer ended', async () => {
    const { first, second, answer } = conversation(6);
    const { ask, started } = await start(options);
    expect(await ask(1, await alwaysSaying('ba', first))).toEqual([answer]);
    const again = await ask(2, second);
    const { promptTokens } = started(1) as { promptTokens: number };
    // The prompt and the answer without its last token, which was sampled and never fed.
    expect(started(2)).toMatchObject({ cachedTokens: promptTokens + 5 });
    expect(again).toEqual(await alone(second));
  });

  it('computes a prompt again if only a part of it is cached', async () => {
    const request = chatRequest(question);
    const { ask, started, operations } = await start(options);
    const expected = await ask(1, request);
    expect(await ask(2, request)).toEqual(expected);
    expect(await ask(3, chatRequest(`${question} or not`))).toEqual(await alone(chatRequest(`${question} or not`)));
    expect([started(2), started(3)]).toMatchObject([{ cachedTokens: 0 }, { cachedTokens: 0 }]);
    expect(operations()).not.toContain('copy');
  });

  it('restores a conversation from host memory after other requests took its sequence', async () => {
    const { first, second } = conversation(6);
    const { ask, started, operations } = await start({ ...options, sequences: 1 });
    await ask(1, await alwaysSaying('ba', first));
    await ask(2, chatRequest(other));
    expect(await ask(3, second)).toEqual(await alone(second));
    const { promptTokens } = started(1) as { promptTokens: number };
    expect(started(3)).toMatchObject({ cachedTokens: promptTokens + 5 });
    expect(operations()).toEqual(expect.arrayContaining(['save', 'restore']));
  });

  it('computes the prompt of several choices once, with the same answers as single requests', async () => {
    const request = chatRequest(question, { choices: 4, sampling: warm });
    const { ask, started, fedTokens, operations, engine } = await start(options);
    const answers = await ask(1, request);
    const { promptTokens } = started(1) as { promptTokens: number };
    // The prompt, its last token again for three siblings, and seven fed tokens per answer.
    expect(fedTokens()).toBe(promptTokens + 3 + 4 * 7);
    expect(operations().filter((kind) => kind === 'copy')).toHaveLength(3);
    expect(new Set(answers).size).toBe(4);
    await engine.drain();
    const seeds = answers.map((_, choice) => chatRequest(question, { sampling: { ...warm, seed: 7 + choice } }));
    expect(answers).toEqual(await alone(...seeds));
  });

  it('answers more choices than it has sequences', async () => {
    const { ask } = await start({ ...options, sequences: 2 });
    const answers = await ask(1, chatRequest(question, { choices: 5, sampling: warm }));
    const seeds = answers.map((_, choice) => chatRequest(question, { sampling: { ...warm, seed: 7 + choice } }));
    expect(answers).toEqual(await alone(...seeds));
  });

  it('gives each of many concurrent requests the answer that it would get alone', async () => {
    const requests = [question, other, 'short', `${other}${question}`, 'and this one', question.slice(40)].map(
      (prompt, index) => chatRequest(prompt, { maxTokens: 4 + 3 * index, sampling: { ...warm, seed: index } }),
    );
    const { ask } = await start({ ...options, sequences: 3 });
    const together = await Promise.all(requests.map((request, id) => ask(id, request)));
    expect(together.flat()).toEqual(await alone(...requests));
  });

  it('does not expose a cancelled answer to the next request of its sequence', async () => {
    const { ask, engine, text, until, steps } = await start({ ...options, sequences: 1 }, { prefixCacheBytes: 0 });
    const next = chatRequest('short');
    const [expected] = await alone(next);
    // The two states in which it is cancelled: while it generates, and while its prompt is being fed.
    await engine.submit(1, chatRequest(other, { maxTokens: 500 }));
    await until(() => text(1).length > 4);
    engine.cancel(1);
    expect(await ask(2, next)).toEqual([expected]);
    const before = steps.length;
    await engine.submit(3, chatRequest(other.repeat(3), { maxTokens: 500 }));
    expect(steps.length).toBeLessThan(before + 3);
    engine.cancel(3);
    expect(await ask(4, { ...next, account: 'another' })).toEqual([expected]);
  });
});
