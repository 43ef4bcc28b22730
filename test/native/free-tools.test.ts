/** Tools without `strict: true`: what the grammar cannot enforce in a schema is left free, in the grammar and not in the prompt. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import type { ChatTool, PreparedChat } from '../../models/interface/model.ts';
import { asking, loadChat, pieces, readAll } from './chats.ts';
import { spell } from './models.ts';
import { write } from './template-answers.ts';

let model: LlamaText;
beforeAll(async () => {
  model = await loadChat({ template: 'hermes' });
});
afterAll(() => model.close());

const toolOf = (parameters: object, name = 'look', strict?: boolean): ChatTool => ({
  type: 'function',
  function: { name, parameters, ...(strict === undefined ? {} : { strict }) },
});
const withProperty = (schema: object) => ({ type: 'object', properties: { place: schema }, required: ['place'] });

const schemas: readonly (readonly [string, object])[] = [
  ['dependentRequired', { ...withProperty({ type: 'string' }), dependentRequired: { place: ['time'] } }],
  ['if and else', { ...withProperty({}), if: { properties: { place: { const: 'Oslo' } } }, else: { required: ['b'] } }],
  ['contains', withProperty({ type: 'array', contains: { type: 'string' } })],
  ['uniqueItems', withProperty({ type: 'array', items: { type: 'string' }, uniqueItems: true })],
  ['an unsupported format', withProperty({ type: 'string', format: 'regex' })],
  ['a foreign reference', withProperty({ $ref: 'https://example.com/schema' })],
  ['a reference into nothing', withProperty({ $ref: '#/$defs/none' })],
  ['a type in capitals', { type: 'OBJECT', properties: { place: { type: 'STRING' } } }],
  ['an unknown type', withProperty({ type: 'any' })],
  ['a pattern with a look-behind', withProperty({ type: 'string', pattern: '(?<=a)b' })],
  ['a boolean in required', { type: 'object', properties: { a: {} }, required: true }],
  ['a reference to itself', { type: 'object', allOf: [{ $ref: '#' }] }],
  ['a bound above the other', withProperty({ type: 'string', minLength: 5, maxLength: 2 })],
  ['a pattern that is too large', withProperty({ type: 'string', pattern: '^(a|b)*a(a|b){25}$' })],
  ['a oneOf of branches that are not supported', withProperty({ oneOf: [{ contains: {} }, { format: 'iri' }] })],
  ['a not of what is not supported', withProperty({ not: { contains: {} } })],
  ['a pattern of names that is not supported', { type: 'object', patternProperties: { '\\bx': {} } }],
  ['no schema at all', []],
];

/** The different arguments of the calls that random weights end, without white space. */
async function argumentsOf(prepared: PreparedChat, name = 'look'): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let seed = 0; seed < 24; seed++) {
    const { text } = await write(model, prepared, { seed });
    const { calls } = readAll(prepared.createParser(), pieces(text));
    const [call] = calls;
    if (call?.name !== name || !/}\s*$/.test(call.arguments)) continue;
    found.add(JSON.stringify(JSON.parse(call.arguments)));
  }
  return [...found];
}

describe('a tool whose schema has', () => {
  it.each(schemas)('%s is taken, and refused with `strict: true`', async (_, parameters) => {
    const prepared = await model.prepareChat(asking('x', { tools: [toolOf(parameters)] }));
    expect(prepared.structured).toBe(true);
    const strict = model.prepareChat(asking('x', { tools: [toolOf(parameters, 'look', true)] }));
    await expect(strict).rejects.toMatchObject({ code: 'ERR_GRAMMAR_INVALID' });
  });

  it('a keyword that is not supported shows it in the prompt, and holds a call to the rest', async () => {
    const parameters = { ...withProperty({ enum: ['Kyoto'] }), additionalProperties: false };
    const tools = [toolOf({ ...parameters, dependentRequired: { place: ['time'] } })];
    const prepared = await model.prepareChat(asking('x', { tools, toolChoice: 'required', parallelToolCalls: false }));
    expect(spell(model, prepared.tokens)).toContain('"dependentRequired"');
    expect(await argumentsOf(prepared)).toEqual(['{"place":"Kyoto"}']);
  });

  it('what cannot be enforced leaves the schemas of other tools in force', async () => {
    const tools = [
      toolOf(withProperty({ $ref: '#/none' }), 'other'),
      toolOf({ ...withProperty({ enum: ['Kyoto'] }), additionalProperties: false }),
    ];
    const prepared = await model.prepareChat(asking('x', { tools, toolChoice: 'required', parallelToolCalls: false }));
    expect(await argumentsOf(prepared, 'look')).toEqual(['{"place":"Kyoto"}']);
  });

  it('too much for one grammar is taken, as any object, with 128 tools in a few seconds', async () => {
    const large = withProperty({ type: 'string', pattern: '^(a?){900}b$' });
    const tools = Array.from({ length: 128 }, (_, index) => toolOf({ ...large, title: `${index}` }, `look_${index}`));
    const begun = performance.now();
    await expect(model.prepareChat(asking('x', { tools }))).resolves.toMatchObject({ structured: true });
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  it('a format of the answer that cannot be enforced is refused all the same', async () => {
    const tools = [toolOf(withProperty({ type: 'any' }))];
    const jsonSchema = '{"type":"any"}';
    await expect(model.prepareChat(asking('x', { tools, jsonSchema }))).rejects.toMatchObject({
      code: 'ERR_GRAMMAR_INVALID',
    });
  });
});
