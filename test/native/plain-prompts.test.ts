/** Prompts without a chat template: tokens as llama.cpp's tokenizer gives them, bounds, answers. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import { Engine } from '../../native/index.ts';
import { requirePromptMayFit } from '../../runtime/chat/prompt-bound.ts';
import { infillMarks, tinyModelFile } from '../support/models/tiny-models.ts';
import { chatRequest } from '../support/runtime/chat-request.ts';
import { startInlineEngine } from '../support/runtime/inline-engine.ts';
import { loadChat } from './chats.ts';
import { loadTiny } from './models.ts';

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

describe('a text with a suffix', () => {
  const load = (infill: boolean) =>
    Engine.load({
      modelPath: tinyModelFile({ infill }),
      ...{ sequences: 1, contextPerSequence: 4096, threads: 1, gpu: 'off' },
    });
  let engine: Engine;
  beforeAll(async () => {
    engine = await load(true);
  });
  afterAll(() => engine.close());

  it('stands before it, each after its mark, and the mark of the gap ends the prompt', async () => {
    const [before, after, gap] = infillMarks.map((mark) => engine.tokenize(mark, { parseSpecial: true })[0]!);
    const text = fc.array(fc.constantFrom(...words, ...infillMarks), { maxLength: 20 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (prefix, suffix) => {
        const { tokens } = await engine.prepareText(prefix, { addSpecial: true, suffix });
        expect([...tokens]).toEqual([before, ...engine.tokenize(prefix), after, ...engine.tokenize(suffix), gap]);
      }),
      { numRuns: 200 },
    );
  });

  it('is not tokenized if one of them certainly has too many tokens', async () => {
    const long = '\u0300'.repeat(5000);
    for (const [text, suffix] of [
      [long, 'a'],
      ['a', long],
    ] as const) {
      const { tokens, tokensAtLeast } = await engine.prepareText(text, { addSpecial: true, suffix, tokensMax: 4095 });
      expect(tokens).toHaveLength(0);
      expect(tokensAtLeast).toBeGreaterThan(4095);
      const input = { text, suffix, addsSpecialTokens: true };
      const bounded = { contextPerSequence: 4096, promptBound: engine.facts.promptBound };
      expect(() => requirePromptMayFit(input, bounded)).toThrow(/at least \d+ tokens/);
    }
  });

  it('is refused by a vocabulary without these marks', async () => {
    const other = await load(false);
    expect([engine.facts.supportsInfill, other.facts.supportsInfill]).toEqual([true, false]);
    const refused = other.prepareText('a', { addSpecial: true, suffix: 'b' });
    await expect(refused).rejects.toMatchObject({ code: 'ERR_CHAT_TEMPLATE' });
    await other.close();
  });
});

describe('an engine', () => {
  let model: LlamaText;
  beforeAll(async () => {
    model = await loadChat();
  });

  it('fills a gap with the text that follows its mark, or says that the model cannot', async () => {
    const { signal } = new AbortController();
    const input = { text: 'a(', addsSpecialTokens: true, suffix: ')' };
    const request = { ...chatRequest('', { maxTokens: 12 }), input };
    const filling = await loadTiny({ infill: true, script: 'gap filled', scriptStart: infillMarks[2] });
    let content = '';
    for await (const event of startInlineEngine(filling).chat(request, { signal })) {
      if (event.kind === 'delta') content += event.content;
    }
    expect(content).toBe('gap filled');
    const refused = async () => {
      for await (const _ of startInlineEngine(model).chat(request, { signal }));
    };
    await expect(refused()).rejects.toMatchObject({ code: 'ERR_INFILL_UNSUPPORTED' });
    await filling.close();
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
