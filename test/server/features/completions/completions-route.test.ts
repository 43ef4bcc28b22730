/** `POST /v1/completions`: prompts without a chat template, their answers and streams. */
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { PromptInput } from '../../../../models/interface/model.ts';
import { RuntimeError } from '../../../../runtime/pool/errors.ts';
import type { FakeChat } from '../../../support/runtime/fake-engine.ts';
import { startAttestedApp } from '../../../support/server/attested-app.ts';
import { modelId, parseEvents, startTestApp, type TestApp } from '../../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

type Script = (chat: FakeChat) => unknown;

const goodDay: Script = (chat) => chat.answer('Good', ' day');

async function complete(fields: Record<string, unknown> = {}, script: Script = goodDay) {
  running ??= await startTestApp({ script: (chat) => void script(chat) });
  const response = await running.app.inject({
    method: 'POST',
    url: '/v1/completions',
    headers: { authorization: `Bearer ${running.secret}` },
    payload: { model: modelId, prompt: 'Once upon', ...fields },
  });
  return { status: response.statusCode, text: response.body, json: () => response.json() };
}

const chunksOf = (text: string) =>
  parseEvents(text)
    .filter(({ data }) => data !== '[DONE]')
    .map(({ data }) => JSON.parse(data));
const textOf = (prompt: PromptInput) => ('text' in prompt ? prompt.text : '');
const received = () => running!.engine.chats.map(({ request }) => request);

describe('a completion', () => {
  it('has the text of the answer, the reason of its end and the usage', async () => {
    const { status, json } = await complete();
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      created: 1_800_000_000,
      model: modelId,
      system_fingerprint: 'fp_test',
      choices: [{ text: 'Good day', index: 0, logprobs: null, finish_reason: 'stop' }],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 2,
        total_tokens: 7,
        prompt_tokens_details: { cached_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });

  it('passes the prompt to the engine as it is, with at most 16 tokens by default', async () => {
    await complete({ prompt: '<|im_start|>user\nHi', temperature: 0.5, stop: 'x', presence_penalty: 1, seed: 7 });
    expect(received()).toMatchObject([
      {
        input: { text: '<|im_start|>user\nHi', addsSpecialTokens: true },
        choices: 1,
        maxTokens: 16,
        stop: ['x'],
        sampling: { temperature: 0.5, presencePenalty: 1, seed: 7, logprobs: undefined },
      },
    ]);
  });

  it('passes the text after a gap', async () => {
    await complete({ prompt: ['a(', 'b('], suffix: ')' });
    expect(received().map(({ input }) => input)).toEqual([
      { text: 'a(', addsSpecialTokens: true, suffix: ')' },
      { text: 'b(', addsSpecialTokens: true, suffix: ')' },
    ]);
  });

  it('passes token ids, and leaves out special tokens if asked', async () => {
    await complete({ prompt: [1, 2, 3] });
    await complete({ prompt: 'a', add_special_tokens: false });
    expect(received().map(({ input }) => input)).toEqual([
      { tokens: [1, 2, 3] },
      { text: 'a', addsSpecialTokens: false },
    ]);
  });

  it('repeats the text of token ids with `echo`, whole and in a stream', async () => {
    const { json } = await complete({ prompt: [72, 105], echo: true });
    expect(json().choices[0].text).toBe('HiGood day');
    const { text } = await complete({ prompt: [[72], [105]], echo: true, stream: true });
    const begun = chunksOf(text).filter(({ choices }) => choices[0]?.finish_reason === null);
    expect(begun.slice(0, 2).map(({ choices }) => choices[0].text)).toEqual(['H', 'i']);
  });

  it('repeats the prompt before the answer with `echo`', async () => {
    const { json } = await complete({ prompt: ['One ', 'Two '], echo: true, n: 2 });
    expect(json().choices.map(({ text }: { text: string }) => text)).toEqual([
      'One Good day',
      'One Good day',
      'Two Good day',
      'Two Good day',
    ]);
  });

  it('lists log probabilities with the place of each token in the text', async () => {
    const wave = [...new TextEncoder().encode('👋')];
    const report = (token: string, bytes: readonly number[], logprob: number) => ({ token, bytes, logprob });
    const script: Script = (chat) =>
      chat
        .start()
        .delta({
          content: 'é',
          logprobs: [
            { ...report('é', [0xc3, 0xa9], -0.5), top: [report('é', [0xc3, 0xa9], -0.5), report('e', [101], -1)] },
          ],
        })
        .delta({ logprobs: [{ ...report('\ufffd', wave.slice(0, 2), -0.1), top: [report('b', [98], -0.05)] }] })
        .delta({ content: '👋', logprobs: [{ ...report('\ufffd', wave.slice(2), -0.2), top: [] }] })
        .delta({ content: '!', logprobs: [{ ...report('!', [33], -0.3), top: [] }] })
        .finish();
    const { json } = await complete({ logprobs: 2 }, script);
    expect(json().choices[0]).toMatchObject({
      text: 'é👋!',
      logprobs: {
        tokens: ['é', '\ufffd', '\ufffd', '!'],
        token_logprobs: [-0.5, -0.1, -0.2, -0.3],
        top_logprobs: [{ é: -0.5, e: -1 }, { '\ufffd': -0.1, b: -0.05 }, { '\ufffd': -0.2 }, { '!': -0.3 }],
        text_offset: [0, 1, 1, 2],
      },
    });
    expect(received()[0]!.sampling.logprobs).toBe(2);
    expect((await complete({ logprobs: 0 }, script)).json().choices[0].logprobs.top_logprobs).toBeNull();
  });
});

describe('several prompts', () => {
  it('are answered in their order, each with its own choices and seeds', async () => {
    const script: Script = (chat) => chat.answer(textOf(chat.prompt));
    const { json } = await complete({ prompt: ['a', 'b', 'c'], n: 2, seed: 10 }, script);
    expect(json().choices).toMatchObject(
      ['a', 'a', 'b', 'b', 'c', 'c'].map((text, index) => ({ text, index, finish_reason: 'stop' })),
    );
    expect(json().usage).toMatchObject({ prompt_tokens: 15, completion_tokens: 6 });
    expect(received().map(({ sampling }) => sampling.seed)).toEqual([10, 12, 14]);
  });

  it('run at most 8 at a time, and all are answered', async () => {
    const running: FakeChat[] = [];
    const counts: number[] = [];
    const script: Script = async (chat) => {
      running.push(chat);
      counts.push(running.length);
      await Promise.resolve();
      chat.answer('x');
      void chat.over.then(() => running.splice(running.indexOf(chat), 1));
    };
    const prompt = Array.from({ length: 30 }, (_, index) => `p${index}`);
    const { json } = await complete({ prompt }, script);
    expect(json().choices).toHaveLength(30);
    expect(Math.max(...counts)).toBeLessThanOrEqual(8);
    expect(Math.max(...counts)).toBeGreaterThan(1);
  });

  it('fail together, cancel the others and cost nothing', async () => {
    const script: Script = (chat) => {
      chat.start();
      if (textOf(chat.prompt) === 'b') chat.fail(new RuntimeError('ERR_CONTEXT_OVERFLOW', 'too long'));
    };
    const { status } = await complete({ prompt: ['a', 'b'] }, script);
    expect(status).toBe(400);
    await running!.engine.chats[0]!.over;
    expect(running!.engine.chats.every(({ isOver }) => isOver)).toBe(true);
    const { accounts, secret } = running!;
    const { accountId } = accounts.findCaller(secret)!;
    const standing = await accounts.readStanding({ accountId, now: 1_800_000_000_000 });
    expect(standing).toMatchObject({ balance: { available: 100_000_000, held: 0 } });
  });

  it('are charged for the prompts and answers of all', async () => {
    await complete({ prompt: ['a', 'b'] });
    const { accounts, secret } = running!;
    const { accountId } = accounts.findCaller(secret)!;
    const standing = await accounts.readStanding({ accountId, now: 1_800_000_000_000 });
    // Five prompt tokens of one micro-dollar and two tokens of two, for each.
    expect(standing).toMatchObject({ balance: { available: 100_000_000 - 2 * (5 + 2 * 2), held: 0 } });
  });
});

describe('a stream', () => {
  it('has a chunk for each piece of text, the reason, the usage if asked, and [DONE]', async () => {
    const { text } = await complete({ stream: true, stream_options: { include_usage: true } });
    const chunks = chunksOf(text);
    expect(chunks.map(({ choices }) => choices[0]?.text)).toEqual(['Good', ' day', '', undefined]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, 'stop', undefined]);
    expect(chunks.map(({ usage }) => usage?.total_tokens ?? null)).toEqual([null, null, null, 7]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('begins with the prompts if they are repeated', async () => {
    const { text } = await complete({ stream: true, echo: true, prompt: ['a', 'b'] });
    const texts = ['', ''];
    for (const { choices } of chunksOf(text)) texts[choices[0].index] += choices[0].text;
    expect(texts).toEqual(['aGood day', 'bGood day']);
  });

  it('has the log probabilities of its tokens', async () => {
    const { text } = await complete({ stream: true, logprobs: 0 }, (chat) =>
      chat
        .start()
        .delta({ content: 'a', logprobs: [{ token: 'a', bytes: [97], logprob: -1, top: [] }] })
        .delta({ content: 'b', logprobs: [{ token: 'b', bytes: [98], logprob: -2, top: [] }] })
        .finish(),
    );
    expect(chunksOf(text).map(({ choices }) => choices[0].logprobs)).toEqual([
      { tokens: ['a'], token_logprobs: [-1], top_logprobs: null, text_offset: [0] },
      { tokens: ['b'], token_logprobs: [-2], top_logprobs: null, text_offset: [1] },
      null,
    ]);
  });
});

describe('a receipt', () => {
  it('of a completion has the digests of both bodies, the parameters and the price, and no text', async () => {
    const attested = await startAttestedApp({ script: (chat) => void goodDay(chat) });
    try {
      const payload = JSON.stringify({ model: modelId, prompt: ['canary', 'b'], max_tokens: 9, echo: true });
      const response = await attested.app.inject({
        method: 'POST',
        url: '/v1/completions',
        headers: { authorization: `Bearer ${attested.secret}`, 'content-type': 'application/json' },
        payload,
      });
      const receipt = JSON.stringify(await attested.receiptOf(response.headers));
      expect(receipt).toContain(createHash('sha256').update(payload).digest('hex'));
      expect(receipt).toContain(createHash('sha256').update(response.rawPayload).digest('hex'));
      expect(receipt).toContain('"parameter_prompts":2');
      expect(receipt).not.toContain('canary');
    } finally {
      await attested.close();
    }
  });
});

describe('a body', () => {
  it.each([
    [{ prompt: undefined }, /`prompt` must be a text, token ids/],
    [{ prompt: '' }, /`prompt`/],
    [{ prompt: [] }, /`prompt`/],
    [{ prompt: Array(129).fill('a') }, /128/],
    [{ prompt: ['a', 1] }, /`prompt/],
    [{ prompt: Array(100).fill('a'), n: 2 }, /`n` must be at most 1 for this number of prompts/],
    [{ suffix: 'the end', prompt: [1, 2] }, /`suffix` must be left out for prompts of token ids/],
    [{ suffix: 7 }, /`suffix`/],
    [{ best_of: 3 }, /`best_of` must be equal to `n`/],
    [{ echo: true, logprobs: 1 }, /`echo` must be false with `logprobs`/],
    [{ logprobs: 21 }, /`logprobs`/],
    [{ response_format: { type: 'json_object' } }, /`response_format` is not supported: send a chat/],
    [{ tools: [{}] }, /`tools` is not supported: send a chat/],
    [{ stream_options: { continuous_usage_stats: true } }, /`stream_options.continuous_usage_stats` is not supported/],
    [{ grammar: 'root ::= "a"' }, /`grammar` is not supported/],
    [{ repetition_penalty: 1.2 }, /`repetition_penalty` is not supported/],
    [{ max_tokens: 0 }, /`max_tokens`/],
  ])('is refused with the reason (case %#)', async (fields, message) => {
    const { status, json } = await complete(fields);
    expect(status).toBe(400);
    expect(json().error).toMatch(message);
    expect(running!.engine.chats).toEqual([]);
  });

  it('takes what changes nothing', async () => {
    expect((await complete({ suffix: '' })).status).toBe(200);
    expect((await complete({ suffix: '', prompt: [1, 2] })).status).toBe(200);
    expect(received()[0]!.input).not.toHaveProperty('suffix');
    const neutral = { suffix: null, best_of: 1, user: 'me', repetition_penalty: 1, min_tokens: 0, tools: [] };
    expect((await complete(neutral)).status).toBe(200);
  });

  it('names a model that is served here', async () => {
    expect((await complete({ model: 'other' })).json()).toMatchObject({ details: { code: 'ERR_MODEL_UNKNOWN' } });
  });

  it('with more tokens than the context is refused before anything is reserved', async () => {
    const { status, json } = await complete({ prompt: Array(4096).fill(1) });
    expect(status).toBe(400);
    expect(json().details).toMatchObject({ code: 'ERR_CONTEXT_OVERFLOW', counted: 4096, limit: 4096 });
  });
});
