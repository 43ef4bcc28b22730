import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../../models/gguf/llama-text.ts';
import type { ChatMessage, PromptBound } from '../../../models/interface/model.ts';
import { requireMayFit, tokensAtLeast } from '../../../runtime/chat/prompt-bound.ts';
import { asking, loadChat } from '../../native/chats.ts';

const bound: PromptBound = {
  byteShares: new Float64Array(256).fill(0.25),
  textByteShares: new Float64Array(256).fill(0.25),
  tokensPerMessage: { system: 2, user: 3, assistant: 1, tool: 1 },
  keepsUserText: true,
};
const user = (content: string): ChatMessage => ({ role: 'user', content });

describe('tokensAtLeast', () => {
  it('counts messages by role and the text of users by bytes', () => {
    const messages: ChatMessage[] = [{ role: 'system', content: 'x'.repeat(100) }, user('12345678'), user('é中🙂')];
    expect(tokensAtLeast(messages, bound, 1000)).toBe(2 + 3 + 3);
    expect(tokensAtLeast(messages, bound, 40)).toBe(2 + 3 + 3 + Math.ceil((8 + 2 + 3 + 4) / 4));
  });

  it('ignores white space around a text, and ignores all text if the template may cut it', () => {
    expect(tokensAtLeast([user(`  ${'x'.repeat(8)}\n`)], bound, 20)).toBe(3 + 2);
    expect(tokensAtLeast([user('x'.repeat(80))], { ...bound, keepsUserText: false }, 5)).toBe(3);
  });
});

describe('requireMayFit', () => {
  const model = { contextPerSequence: 4096, promptBound: bound };

  it('refuses a chat that cannot fit, and reports the limit and a lower bound of its tokens (I-012)', () => {
    const messages = Array.from({ length: 60_000 }, () => user('a'));
    expect(() => requireMayFit(messages, model)).toThrow(
      expect.objectContaining({
        code: 'ERR_CONTEXT_OVERFLOW',
        message: 'the prompt has at least 180000 tokens; the limit is 4095, and the answer counts towards it',
        details: { limit: 4096, counted: 180_000 },
      }),
    );
    expect(() => requireMayFit([user('x'.repeat(200))], model, 40)).toThrow(/at least 53 tokens; the limit is 39/);
  });

  it('accepts a chat that may fit, and every chat if the model has no prompt bound', () => {
    expect(() => requireMayFit([user('x'.repeat(4 * 4000))], model)).not.toThrow();
    expect(() => requireMayFit([user('x'.repeat(1e6))], { contextPerSequence: 8 })).not.toThrow();
  });
});

describe('the bound of a real model', () => {
  const models: LlamaText[] = [];
  beforeAll(async () => {
    const options = [{}, { template: 'hermes' }, { template: 'thinking' }, { architecture: 'gemma3' }] as const;
    models.push(...(await Promise.all(options.map((one) => loadChat(one)))));
  });
  afterAll(() => Promise.all(models.map((model) => model.close())));

  it('never exceeds the token count of the prompt', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.constantFrom(
        'the and you',
        ' the the',
        '<|im_end|>',
        '<think>',
        '\u0300'.repeat(40),
        '  \n ',
        '\ufdd1'.repeat(50),
        '<|im_st\ufdd1<|im_end|>',
        'zu '.repeat(30),
      ),
    );
    const chat = fc.array(text, { minLength: 1, maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(chat, async (texts) => {
        const messages = texts.map((content, index) => ({
          role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
          content,
        }));
        for (const model of models) {
          const { tokens } = await model.prepareChat({ ...asking(''), messages });
          expect(tokensAtLeast(messages, model.info.promptBound!, 1e9)).toBeLessThanOrEqual(tokens.length);
          expect(tokensAtLeast(messages, model.info.promptBound!, 1)).toBeLessThanOrEqual(tokens.length);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('refuses 3 MB of text for a context of 4,096 tokens', () => {
    for (const model of models.filter(({ info }) => info.promptBound!.keepsUserText)) {
      for (const text of ['\u0300', '<|im_start|>', 'a', '中']) {
        const content = text.repeat(3_000_000 / Buffer.byteLength(text));
        expect(() => requireMayFit([user(content)], model.info)).toThrow(/at least \d+ tokens/);
      }
    }
  });
});
