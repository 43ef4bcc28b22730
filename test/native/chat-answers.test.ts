import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import type { ChatParser } from '../../models/interface/model.ts';
import { asking, loadChat, pieces, readAll } from './chats.ts';
import { generate, greedy, loadTiny, spell, weatherTool } from './models.ts';

let hermes: LlamaText;
let thinking: LlamaText;

beforeAll(async () => {
  [hermes, thinking] = await Promise.all([loadChat({ template: 'hermes' }), loadChat({ template: 'thinking' })]);
});
afterAll(() => Promise.all([hermes, thinking].map((model) => model.close())));

describe('a tool call', () => {
  const answerText = 'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"place": "Köln"}}\n</tool_call>';
  let parser: ChatParser;
  beforeAll(async () => {
    parser = (await hermes.prepareChat(asking('Weather?', { tools: [weatherTool] }))).createParser();
  });

  it('is parsed incrementally, with its arguments as they arrive', () => {
    const { content, calls, deltas } = readAll(parser, pieces(answerText));
    expect(content.trim()).toBe('Let me look.');
    expect(calls).toHaveLength(1);
    expect(calls[0]!.name).toBe('get_weather');
    expect(calls[0]!.id).toMatch(/^call_[A-Za-z0-9]{24}$/);
    expect(JSON.parse(calls[0]!.arguments)).toEqual({ place: 'Köln' });
    expect(deltas.filter(({ toolCalls }) => toolCalls.length > 0).length).toBeGreaterThan(2);
  });

  it('is parsed as a whole', async () => {
    const whole = (await hermes.prepareChat(asking('Weather?', { tools: [weatherTool] }))).createParser();
    const { calls } = readAll(whole, [answerText]);
    expect(calls.map(({ name }) => name)).toEqual(['get_weather']);
  });

  it('is forced by the tool choice, whatever the model prefers', async () => {
    const prepared = await hermes.prepareChat(
      asking('Weather?', { tools: [weatherTool], toolChoice: 'required', parallelToolCalls: false }),
    );
    for (let seed = 0; seed < 4; seed++) {
      await hermes.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
      const sampling = { ...greedy, temperature: 0.7, seed };
      const answer = await generate(hermes, { prepared }, { sequence: 0, sampling, count: 1500 });
      if (!hermes.info.endTokens.has(answer.at(-1)!)) continue; // A string that never closed.
      const { calls } = readAll(prepared.createParser(), pieces(spell(hermes, answer, prepared.shownTokens)));
      expect(calls.map(({ name }) => name)).toEqual(['get_weather']);
      expect(typeof JSON.parse(calls[0]!.arguments).place).toBe('string');
    }
  });

  it('is parsed from unconstrained output, also after reasoning about calls', async () => {
    const script = `I will.\n<tool_call>\n{"name": "get_weather", "arguments": {"place": "Rome"}}\n</tool_call>`;
    const model = await loadTiny({ template: 'hermes', script }, { sequences: 1, contextPerSequence: 2048 });
    const prepared = await model.prepareChat(asking('Weather?', { tools: [weatherTool] }));
    const answer = await generate(model, { prepared }, { sequence: 0, count: 300 });
    await model.close();
    const text = spell(model, answer, prepared.shownTokens);
    const { content, calls } = readAll(prepared.createParser(), pieces(text));
    expect(content.trim()).toBe('I will.');
    expect(calls).toMatchObject([{ name: 'get_weather', arguments: expect.stringContaining('Rome') }]);
  });

  it('is not parsed if tool_choice is none', async () => {
    const prepared = await hermes.prepareChat(asking('Weather?', { tools: [weatherTool], toolChoice: 'none' }));
    expect(prepared.structured).toBe(false);
  });
});

/** Random models never end their reasoning. */
const banThink = (model: LlamaText) =>
  Array.from({ length: model.info.vocabulary.size }, (_, token) => token)
    .filter((token) => spell(model, [token], new Set([token])).includes('<'))
    .map((token) => ({ token, bias: -100 }));

describe('reasoning', () => {
  const parserOf = async () => (await thinking.prepareChat(asking('Why?'))).createParser();

  it('is kept out of the content', async () => {
    const { content, reasoning } = readAll(await parserOf(), pieces('<think>\nBecause…\n</think>\n\nSo it is.'));
    expect(reasoning.trim()).toBe('Because…');
    expect(content.trim()).toBe('So it is.');
  });

  it('stays reasoning if the answer is cut off within it', async () => {
    const { content, reasoning } = readAll(await parserOf(), pieces('<think>\nBecause of'));
    expect(reasoning.trim()).toBe('Because of');
    expect(content).toBe('');
  });

  it('comes before an answer that must match a schema', async () => {
    const jsonSchema = '{"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}';
    const prepared = await thinking.prepareChat(asking('Well?', { jsonSchema }));
    const text = '<think>\nHm, {"ok": maybe}.\n</think>\n\n{"ok": true}';
    const read = readAll(prepared.createParser(), pieces(text));
    expect(JSON.parse(read.content)).toEqual({ ok: true });
    expect(read.reasoning).toContain('maybe');
    for (let seed = 0; seed < 4; seed++) {
      await thinking.step({ operations: [{ kind: 'trim', sequence: 0, from: 0 }], rows: [] });
      const sampling = { ...greedy, temperature: 0.8, seed, logitBias: banThink(thinking) };
      const answer = await generate(thinking, { prepared }, { sequence: 0, sampling, count: 800 });
      const { content } = readAll(prepared.createParser(), pieces(spell(thinking, answer, prepared.shownTokens)));
      expect(typeof JSON.parse(content).ok).toBe('boolean');
    }
  });

  it('is not parsed in an answer that was requested without reasoning', async () => {
    const prepared = await thinking.prepareChat(asking('Why?', { reasoning: false }));
    expect(readAll(prepared.createParser(), pieces('So it is.'))).toMatchObject({
      content: 'So it is.',
      reasoning: '',
    });
  });

  it('may be absent', async () => {
    expect(readAll(await parserOf(), pieces('Just so.'))).toMatchObject({ content: 'Just so.', reasoning: '' });
  });
});

describe('a malformed answer', () => {
  it.each([
    ['a call cut off', 'Hm <tool_call>\n{"name": "get_weather", "argu'],
    ['a call to nothing', '<tool_call>\n{"name": "nothing", "arguments": {}}\n</tool_call>'],
    ['broken JSON', '<tool_call>\n{"name": get_weather]]\n</tool_call> and on'],
    ['marks out of order', '</tool_call></tool_call><tool_call><tool_call>'],
    ['nothing', ''],
    ['binary', '\u0000\u0001\uFFFD<tool_call>\u0000'],
    ['brackets without end', `<tool_call>\n{"name": "get_weather", "arguments": ${'['.repeat(200_000)}`],
    ['braces without end', `<tool_call>\n{"name": "get_weather", "arguments": ${'{"a":'.repeat(100_000)}`],
  ])('is parsed without an error: %s', async (_, text) => {
    for (const tools of [[weatherTool], []]) {
      for (const model of [hermes, thinking]) {
        const prepared = await model.prepareChat(asking('x', { tools }));
        if (!prepared.structured) continue;
        const { content, calls } = readAll(prepared.createParser(), [text.slice(0, 20), text.slice(20), '']);
        expect(typeof content).toBe('string');
        expect(calls.every((call) => call === undefined || call.name !== '')).toBe(true);
      }
    }
  });
});
