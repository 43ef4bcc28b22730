import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import { toComputeError } from '../../runtime/pool/errors.ts';
import { asking, call, loadChat } from './chats.ts';
import { spell, weatherTool } from './models.ts';

let chatml: LlamaText;
let hermes: LlamaText;
let thinking: LlamaText;

beforeAll(async () => {
  [chatml, hermes, thinking] = await Promise.all([
    loadChat(),
    loadChat({ template: 'hermes' }),
    loadChat({ template: 'thinking' }),
  ]);
});
afterAll(() => Promise.all([chatml, hermes, thinking].map((model) => model.close())));

describe('a prepared chat', () => {
  it('contains the tokens of the rendered template', async () => {
    const prepared = await chatml.prepareChat(asking('hello'));
    const all = new Set(Array.from({ length: chatml.info.vocabulary.size }, (_, token) => token));
    expect(spell(chatml, prepared.tokens, all)).toBe('<|im_start|>user\nhello<|im_end|>\n<|im_start|>assistant\n');
    expect(prepared.structured).toBe(false);
    expect(() => prepared.createParser()).toThrow(TypeError);
  });

  it('does not depend on the number of concurrent preparations', async () => {
    const input = asking('hello', { tools: [weatherTool] });
    const expected = await hermes.prepareChat(input);
    const others = await Promise.all(Array.from({ length: 40 }, () => hermes.prepareChat(input)));
    for (const other of others) expect(other.tokens).toEqual(expected.tokens);
  });

  it('replaces an unpaired surrogate with U+FFFD', async () => {
    const prepared = await chatml.prepareChat(asking('a\ud800b'));
    expect(spell(chatml, prepared.tokens)).toContain('a\ufffdb');
    const properties = { 'a\ud800b': { type: 'string' } };
    const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } } as const;
    const withTool = await hermes.prepareChat(asking('hello', { tools: [tool] }));
    expect(spell(hermes, withTool.tokens)).toContain('a\ufffdb');
  });

  it('contains the tools where the template puts them', async () => {
    const prepared = await hermes.prepareChat(asking('hello', { tools: [weatherTool] }));
    expect(spell(hermes, prepared.tokens)).toContain('"name": "get_weather"');
    expect(prepared.structured).toBe(true);
    const without = await hermes.prepareChat(asking('hello'));
    expect(without.structured).toBe(false);
    expect(hermes.info.supportsTools).toBe(true);
  });

  it('switches reasoning on or off', async () => {
    expect(thinking.info.supportsReasoning).toBe(true);
    const on = await thinking.prepareChat(asking('hello'));
    const off = await thinking.prepareChat(asking('hello', { reasoning: false }));
    expect(spell(thinking, off.tokens)).toBe(`${spell(thinking, on.tokens)}<think>\n\n</think>\n\n`);
    expect(on.structured).toBe(true);
  });

  it('is rejected with the message of the template', async () => {
    const input = asking('hello', { messages: [{ role: 'assistant', content: 'x', tool_calls: [call('{"a":')] }] });
    await expect(hermes.prepareChat(input)).rejects.toMatchObject({ name: 'ModelError', code: 'ERR_CHAT_TEMPLATE' });
  });

  it('is rejected without quoting the arguments if those of a tool call are not JSON', async () => {
    const input = asking('hello', {
      messages: [{ role: 'assistant', content: '', tool_calls: [call('{"a": canary')] }],
    });
    const refusal = toComputeError(await hermes.prepareChat(input).catch((error: unknown) => error));
    expect(refusal.code).toBe('ERR_CHAT_TEMPLATE');
    expect(refusal.message).not.toContain('canary');
  });

  it('is rejected if a schema cannot become a grammar', async () => {
    for (const jsonSchema of [
      '{"type": "nothing"}',
      '{"$ref": "#/nowhere"}',
      'not json',
      '{"type":"string","pattern":"^[$"}',
    ]) {
      await expect(chatml.prepareChat(asking('x', { jsonSchema }))).rejects.toMatchObject({
        code: 'ERR_GRAMMAR_INVALID',
      });
    }
    const strict = { name: 'f', parameters: { type: 'nothing' }, strict: true };
    const tool = { type: 'function', function: strict } as const;
    await expect(hermes.prepareChat(asking('x', { tools: [tool] }))).rejects.toMatchObject({
      code: 'ERR_GRAMMAR_INVALID',
    });
  });

  it('is rejected if its schema is nested too deeply', async () => {
    let schema: unknown = { type: 'string' };
    for (let depth = 0; depth < 3000; depth++) schema = { type: 'array', items: schema };
    const jsonSchema = JSON.stringify(schema);
    await expect(chatml.prepareChat(asking('x', { jsonSchema }))).rejects.toMatchObject({
      code: 'ERR_GRAMMAR_INVALID',
    });
    const tool = { type: 'function', function: { name: 'f', parameters: schema, strict: true } } as const;
    await expect(hermes.prepareChat(asking('x', { tools: [tool] }))).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_(GRAMMAR_INVALID|CHAT_TEMPLATE)$/),
    });
  });
});
