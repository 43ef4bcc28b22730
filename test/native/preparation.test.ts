/** Native preparation of chats: it runs on separate threads, can be cancelled, and checks lengths before tokenizing. */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import { Embedder } from '../../native/embedder.ts';
import { Engine } from '../../native/index.ts';
import { writeGguf } from '../support/models/gguf.ts';
import { tinyModel, tinyModelFile } from '../support/models/tiny-models.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { asking, loadChat } from './chats.ts';
import { ask } from './models.ts';

const options = { sequences: 1, contextPerSequence: 512, threads: 1, gpu: 'off' } as const;
const letters = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: 'a',
  }));
const encoded = (messages: readonly object[]) =>
  JSON.stringify({
    messages,
    tools: [],
    tool_choice: 'none',
    parallel_tool_calls: false,
    json_schema: null,
    reasoning: true,
  });

describe('a preparation', () => {
  let model: LlamaText;
  beforeAll(async () => {
    model = await loadChat();
  });
  afterAll(() => model.close());

  it('does not use the threads of libuv', async () => {
    await using folder = await scratchFolder();
    const pipe = join(folder.path, 'pipe');
    execFileSync('mkfifo', [pipe]);
    // Each waits for a writer, on one of libuv's four threads.
    const waiting = Array.from({ length: 4 }, () => open(pipe));
    let isOpen = false;
    void Promise.race(waiting).then(() => {
      isOpen = true;
    });
    expect((await model.prepareChat(ask)).tokens.length).toBeGreaterThan(0);
    expect(isOpen).toBe(false);
    const writer = openSync(pipe, 'r+');
    await Promise.all(waiting.map(async (file) => (await file).close()));
    closeSync(writer);
  });

  it('rejects with ERR_ABORTED once its signal aborts, before and while it runs', async () => {
    await expect(model.prepareChat(ask, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ERR_ABORTED',
    });
    const leaving = new AbortController();
    const preparing = model.prepareChat({ ...ask, messages: letters(2_000) }, { signal: leaving.signal });
    leaving.abort();
    await expect(preparing).rejects.toMatchObject({ code: 'ERR_ABORTED' });
  });

  it('of a short chat gets a thread while a long one runs', async () => {
    let isSlowDone = false;
    const slow = model.prepareChat({ ...ask, messages: letters(4_000) }, { isSlow: true }).then(() => {
      isSlowDone = true;
    });
    await model.prepareChat(ask);
    expect(isSlowDone).toBe(false);
    await slow;
  });

  it('counts a prompt that certainly exceeds `tokensMax` without tokenising it', async () => {
    const content = '\u0300'.repeat(100_000);
    const counted = await model.prepareChat(asking(content), { tokensMax: 4095 });
    expect(counted.tokens).toHaveLength(0);
    expect(counted.tokensAtLeast).toBeGreaterThan(4095);
    const whole = await model.prepareChat(asking(content));
    expect(whole.tokensAtLeast).toBeUndefined();
    expect(counted.tokensAtLeast).toBeLessThanOrEqual(whole.tokens.length);
    expect((await model.prepareChat(ask, { tokensMax: 4095 })).tokensAtLeast).toBeUndefined();
  });
});

describe('a template whose time is quadratic in the number of messages', () => {
  const template = '{% for a in messages %}{% for b in messages %}{{ b.content }}{% endfor %}{% endfor %}';
  const folder = mkdtempSync(join(tmpdir(), 'cloister-'));
  let engine: Engine;
  beforeAll(async () => {
    const modelPath = join(folder, 'square.gguf');
    const model = tinyModel();
    writeGguf(modelPath, { ...model, metadata: { ...model.metadata, 'tokenizer.chat_template': template } });
    engine = await Engine.load({ modelPath, ...options });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  it('renders as many messages as its time budget allows, and rejects more without quoting them', async () => {
    const { prompt } = await engine.prepareChat(encoded(letters(40)));
    expect(prompt).toBe('a'.repeat(1_600));
    await expect(engine.prepareChat(encoded(letters(4_000)))).rejects.toMatchObject({
      code: 'ERR_CHAT_TOO_COMPLEX',
      message: 'the chat template takes more than 4 s of processor time for these messages',
    });
  }, 180_000);

  const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));
  const calling = (count: number) => ({
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: JSON.stringify(members(count)) } }],
  });

  it.each([
    ['one object of 4,100 members', [calling(4_100)]],
    ['many objects of 1,000 members', Array.from({ length: 20 }, () => calling(1_000))],
    ['one object of 100,000 members', [calling(100_000)]],
  ])('rejects arguments of tool calls with %s within 50 ms of processor time', async (_, calls) => {
    const before = process.cpuUsage();
    await expect(engine.prepareChat(encoded([...letters(1), ...calls]))).rejects.toMatchObject({
      code: 'ERR_CHAT_TOO_COMPLEX',
      message: 'the objects of this request have too many members',
    });
    expect(process.cpuUsage(before).user).toBeLessThan(50_000);
  });

  it('accepts arguments with 1,000 members, and long texts with JSON punctuation', async () => {
    const text = JSON.stringify({ text: '{"a":1,'.repeat(10_000) });
    const call = calling(1_000);
    call.tool_calls[0]!.function.arguments = text;
    const { prompt } = await engine.prepareChat(encoded([...letters(1), calling(1_000), call]));
    expect(prompt).not.toBe('');
  });

  it('stops while rendering once the client has disconnected', async () => {
    const leaving = new AbortController();
    const preparing = engine.prepareChat(encoded(letters(4_000)), { signal: leaving.signal });
    await delay(200);
    const left = performance.now();
    leaving.abort();
    await expect(preparing).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    expect(performance.now() - left).toBeLessThan(2_000);
  }, 60_000);
});

describe('the tokens of a prompt', () => {
  it('equal those of llama.cpp, also for adjacent special tokens that callers may write', async () => {
    const engine = await Engine.load({ modelPath: tinyModelFile({ template: 'hermes' }), ...options });
    const pieces = ['<think>', '</think>', '<tool_call>', 'the', ' ', '\n', '<', 'think>', '</', 'é', '<tool_', '🙂'];
    let state = 1;
    const next = () => {
      state = (Math.imul(state, 48271) >>> 0) % 2147483647;
      return pieces[state % pieces.length]!;
    };
    for (let round = 0; round < 200; round++) {
      const content = `${Array.from({ length: 1 + (round % 40) }, next).join('')}.`;
      const { prompt, tokens } = await engine.prepareChat(encoded([{ role: 'user', content }]));
      expect(tokens).toEqual(engine.tokenize(prompt, { addSpecial: true, parseSpecial: true }));
    }
    await engine.close();
  });

  it('take bounded time for a text of special tokens only', async () => {
    const engine = await Engine.load({ modelPath: tinyModelFile({ template: 'hermes' }), ...options });
    // llama.cpp's own partition takes the square of their number: some minutes.
    const content = '<think>'.repeat(60_000);
    const { tokens } = await engine.prepareChat(encoded([{ role: 'user', content }]));
    expect(tokens.length).toBeGreaterThan(60_000);
    await engine.close();
  }, 30_000);
});

describe.each(['gpt-4o', 'deepseek-v3', 'tekken'])('a vocabulary that is split by std::regex (%s)', (split) => {
  let engine: Engine;
  const folder = mkdtempSync(join(tmpdir(), 'cloister-'));
  beforeAll(async () => {
    const modelPath = join(folder, `${split}.gguf`);
    const model = tinyModel();
    writeGguf(modelPath, { ...model, metadata: { ...model.metadata, 'tokenizer.ggml.pre': split } });
    engine = await Engine.load({ modelPath, ...options });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folder, { recursive: true });
  });

  it.each(['a', ' ', '!', '中'])('accepts a long run of %j', async (character) => {
    const content = character.repeat(150_000);
    const { tokens } = await engine.prepareChat(encoded([{ role: 'user', content }]));
    expect(tokens.length).toBeGreaterThan(150_000);
  });

  it('accepts a long run in an embedder, which tokenises on the calling thread', async () => {
    const modelPath = join(folder, `${split}.gguf`);
    const shape = { threads: 1, gpu: 'off', batchTokens: 1, sequences: 1 } as const;
    const embedder = await Embedder.load({ modelPath, ...shape, vocabularyOnly: true });
    expect(embedder.tokenize('a'.repeat(150_000)).length).toBeGreaterThanOrEqual(150_000);
    await embedder.close();
  });

  it('rejects a run that would overflow the stack, without quoting it', async () => {
    const content = 'a'.repeat(600_000);
    await expect(engine.prepareChat(encoded([{ role: 'user', content }]))).rejects.toMatchObject({
      code: 'ERR_CHAT_TEMPLATE',
      message: expect.stringMatching(/^the prompt has more than 524288 bytes in a row/),
    });
  });
});
