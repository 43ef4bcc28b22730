/**
 * String arguments in formats that spell them as plain text between tags: a model with random weights, which would rather write
 * anything else, writes only texts that the schema allows.
 */
import { describe, expect, it } from 'vitest';
import type { PreparedChat } from '../../models/interface/model.ts';
import { llamaTemplates } from '../fuzz/llama-templates.ts';
import { asking, readAll } from './chats.ts';
import { withTemplate, write } from './template-answers.ts';

const toolOf = (properties: Record<string, unknown>, required = Object.keys(properties)) =>
  ({
    type: 'function',
    function: { name: 'set_mode', parameters: { type: 'object', properties, required, additionalProperties: false } },
  }) as const;

const templateOf = (name: string) => llamaTemplates().find((template) => template.name === `${name}.jinja`)!.text;

/**
 * Templates in which each required argument occurs once, between tags. Templates that always begin with a thought are left out:
 * random weights rarely end a thought.
 */
const once = [
  ...['MiniMax-M2', 'Qwen3-Coder', 'NVIDIA-Nemotron-3-Nano-30B-A3B-BF16', 'StepFun3.5-Flash'],
  ...['deepseek-ai-DeepSeek-V3.2', 'inclusionai-ling-3.0-flash', 'tencent-Hy3'],
];
/** Those that repeat arguments in any order and number. */
const anyNumber = ['muse-glimmer', 'openbmb-MiniCPM5-1B'];

const checks: Readonly<Record<string, { readonly schema: object; readonly allows: (value: unknown) => boolean }>> = {
  place: {
    schema: { type: 'string', enum: ['New\nYork', '東京', ''] },
    allows: (value) => ['New\nYork', '東京', ''].includes(String(value)),
  },
  unit: { schema: { type: 'string', const: 'K' }, allows: (value) => value === 'K' },
  code: { schema: { type: 'string', pattern: '^[A-Z]{3}$' }, allows: (value) => /^[A-Z]{3}$/.test(String(value)) },
  note: { schema: { type: 'string', minLength: 2, maxLength: 4 }, allows: (value) => /^.{2,4}$/su.test(String(value)) },
  count: { schema: { type: 'integer', minimum: 0, maximum: 9 }, allows: (value) => Number.isInteger(value) },
};
const tool = toolOf(Object.fromEntries(Object.entries(checks).map(([name, { schema }]) => [name, schema])));

function expectAllowed(prepared: PreparedChat, text: string): number {
  const { calls } = readAll(prepared.createParser(), [...text, '']);
  for (const call of calls) {
    for (const [name, value] of Object.entries(JSON.parse(call.arguments) as Record<string, unknown>)) {
      expect([name, value, checks[name]?.allows(value)]).toEqual([name, value, true]);
    }
  }
  return calls.length;
}

describe('a string argument between tags', () => {
  it.each(once)('satisfies enum, const, pattern and lengths under %s', async (name) => {
    await withTemplate(templateOf(name), async (model) => {
      const chat = asking('Answer.', {
        tools: [tool],
        toolChoice: 'required',
        parallelToolCalls: false,
        reasoning: false,
      });
      const prepared = await model.prepareChat(chat);
      for (const seed of [1, 2, 3]) {
        const { text, hasEnded } = await write(model, prepared, { tokensMax: 800, seed });
        expect([hasEnded, text]).toEqual([true, text]);
        expect(expectAllowed(prepared, text), text).toBe(1);
      }
    });
  });

  it.each(anyNumber)('satisfies its schema whenever it occurs under %s', async (name) => {
    await withTemplate(templateOf(name), async (model) => {
      const { count, ...strings } = Object.fromEntries(
        Object.entries(checks).map(([key, { schema }]) => [key, schema]),
      );
      const chat = asking('Answer.', {
        tools: [toolOf(strings)],
        ...({ toolChoice: 'required', parallelToolCalls: false, reasoning: false } as const),
      });
      const prepared = await model.prepareChat(chat);
      let calls = 0;
      for (let seed = 1; seed <= 6; seed++) {
        const { text, hasEnded } = await write(model, prepared, { tokensMax: 600, seed });
        if (hasEnded) calls += expectAllowed(prepared, text);
      }
      expect(calls).toBeGreaterThan(0);
    });
  });
});

/** A template of a format that reads values of several types from the same place. */
const mixed = templateOf('Qwen3-Coder');

async function valuesOf(schema: object, template = mixed): Promise<unknown[]> {
  const values: unknown[] = [];
  await withTemplate(template, async (model) => {
    const chat = asking('Answer.', {
      tools: [toolOf({ value: schema })],
      ...({ toolChoice: 'required', parallelToolCalls: false, reasoning: false } as const),
    });
    const prepared = await model.prepareChat(chat);
    for (let seed = 1; seed <= 6; seed++) {
      const { text, hasEnded } = await write(model, prepared, { tokensMax: 300, seed });
      if (!hasEnded) continue;
      const { calls } = readAll(prepared.createParser(), [...text, '']);
      for (const call of calls) values.push((JSON.parse(call.arguments) as { value: unknown }).value);
    }
  });
  return values;
}

describe('an argument that can be a string or another value', () => {
  it('satisfies its schema, and is read as the type that was written', async () => {
    for (const name of ['Qwen3-Coder', 'inclusionai-ling-3.0-flash']) {
      const values = await valuesOf({ enum: ['on', 'off', null, 7] }, templateOf(name));
      expect(values.length).toBeGreaterThan(0);
      for (const value of values) expect(['on', 'off', null, 7]).toContain(value);
    }
  });

  it('is no string that the format reads as another value', async () => {
    const values = await valuesOf({ enum: ['7', 'seven', 8] });
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(['seven', 8]).toContain(value);
  });
});

describe('a text that contains the closing tag', () => {
  it('is not written, because the format would end there', async () => {
    const values = await valuesOf({ type: 'string', enum: ['a\n</parameter>\nb', '\n</parameter>', 'c'] });
    expect(new Set(values)).toEqual(new Set(['c']));
  });
});

describe('schemas whose texts would exceed the limits of a grammar', () => {
  const words = Array.from({ length: 1_200 }, (_, index) => `<word ${index} ${'x'.repeat(8)}`);
  const patterned = Array.from({ length: 15 }, (_, index) => ({
    type: 'string',
    pattern: `^(a|b){1,${100 + index}}<$`,
  }));
  const dates = Array.from({ length: 300 }, () => ({ type: 'string', format: 'date' }));
  const propertiesOf = (schemas: readonly object[]) =>
    Object.fromEntries(schemas.map((schema, index) => [`p${index}`, schema]));

  it('are accepted, and the texts are free', async () => {
    await withTemplate(mixed, async (model) => {
      for (const schemas of [[{ type: 'string', enum: words }], patterned, dates]) {
        const tools = [toolOf(propertiesOf(schemas), [])];
        const prepared = await model.prepareChat(
          asking('Answer.', { tools, toolChoice: 'required', reasoning: false }),
        );
        expect(prepared.tokens.length).toBeGreaterThan(0);
      }
    });
  });
});
