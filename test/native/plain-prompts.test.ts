/** Prompts without a chat template: tokens as llama.cpp's tokenizer gives them, bounds, answers. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import { Engine } from '../../native/index.ts';
import { requirePromptMayFit } from '../../runtime/chat/prompt-bound.ts';
import { tinyModelFile } from '../support/models/tiny-models.ts';
import { chatRequest } from '../support/runtime/chat-request.ts';
import { startInlineEngine } from '../support/runtime/inline-engine.ts';
import { loadChat } from './chats.ts';

const words = ['hello', ' ', '\n', '<|im_start|>', '<|im_end|>', '<|im_', 'é', '中', '🙂', '  ', 'a', '\u0300'];
const anyText = fc.array(fc.constantFrom(...words), { maxLength: 30 }).map((parts) => parts.join(''));

describe('a text', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await Engine.load({
      modelPath: tinyModelFile(),
      sequences: 1,
      contextPerSequence: 4096,
      threads: 1,
      gpu: 'off',
    });
  });
  afterAll(() => engine.close());

  it('has the tokens that llama.cpp gives it, with control tokens where they are spelled', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, fc.boolean(), async (text, addSpecial) => {
        const { tokens, structured, constrained } = await engine.prepareText(text, { addSpecial });
        expect(tokens).toEqual(engine.tokenize(text, { addSpecial, parseSpecial: true }));
        expect({ structured, constrained }).toEqual({ structured: false, constrained: false });
      }),
      { numRuns: 200 },
    );
  });

  it('is not tokenized if it certainly has too many tokens', async () => {
    const text = '<|im_start|>'.repeat(5000);
    const { tokens, tokensAtLeast } = await engine.prepareText(text, { addSpecial: false, tokensMax: 4095 });
    expect(tokens).toHaveLength(0);
    expect(tokensAtLeast).toBe(5000);
  });

  it('rejects with ERR_ABORTED once its signal aborts', async () => {
    // Occupies the thread while the second text waits for it.
    const first = engine.prepareText('a '.repeat(500_000), { addSpecial: true });
    const leaving = new AbortController();
    const preparing = engine.prepareText('a', { addSpecial: true, signal: leaving.signal });
    leaving.abort();
    await expect(preparing).rejects.toMatchObject({ code: 'ERR_ABORTED' });
    await first;
  });

  it('has at least the tokens of its lower bound', async () => {
    const { promptBound } = engine.facts;
    const boundOf = (text: string) => {
      for (let context = 1; ; context += 1) {
        try {
          requirePromptMayFit({ text, addsSpecialTokens: false }, { contextPerSequence: context, promptBound });
          return context - 1;
        } catch {}
      }
    };
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        const { tokens } = await engine.prepareText(text, { addSpecial: false });
        expect(boundOf(text)).toBeLessThanOrEqual(tokens.length);
      }),
      { numRuns: 200 },
    );
    expect(() =>
      requirePromptMayFit(
        { text: '\u0300'.repeat(100_000), addsSpecialTokens: false },
        { contextPerSequence: 4096, promptBound },
      ),
    ).toThrow(/at least \d+ tokens/);
  });
});

describe('an engine', () => {
  let model: LlamaText;
  beforeAll(async () => {
    model = await loadChat();
  });

  it('answers a text, and its tokens, like the chat that renders to it', async () => {
    const engine = startInlineEngine(model);
    const { signal } = new AbortController();
    const chat = chatRequest('hello', { maxTokens: 12 });
    const tokens = [...(await engine.tokenize(chat, { signal }))];
    const text = await engine.detokenize({ ...chat, input: { tokens } }, { signal });
    expect(text).toBe('<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n');
    const answers = [];
    for (const input of [chat.input, { text, addsSpecialTokens: true }, { tokens }]) {
      let content = '';
      for await (const event of engine.chat({ ...chat, input }, { signal })) {
        if (event.kind === 'started') expect(event.promptTokens).toBe(tokens.length);
        if (event.kind === 'delta') content += event.content;
      }
      answers.push(content);
    }
    expect(new Set(answers).size).toBe(1);
    await engine.drain({ signal });
  });
});
