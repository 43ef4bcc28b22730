/** JSON schemas from callers: which are rejected, and that Ajv accepts every answer generated under the rest. */
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { LlamaText } from '../../models/gguf/llama-text.ts';
import { asking } from './chats.ts';
import { loadTiny, weatherTool } from './models.ts';
import { randomAnswers } from './random-answers.ts';

let model: LlamaText;

beforeAll(async () => {
  model = await loadTiny({}, { contextPerSequence: 4096, sequences: 6 });
});
afterAll(() => model.close());

const prepare = (schema: unknown) => model.prepareChat(asking('Answer.', { jsonSchema: JSON.stringify(schema) }));

const refusal = async (schema: unknown): Promise<string> => {
  const begun = performance.now();
  try {
    await prepare(schema);
  } catch (error) {
    expect((error as { code?: string }).code).toBe('ERR_GRAMMAR_INVALID');
    // A bound on the work of the thread, with room for a busy machine.
    expect(performance.now() - begun).toBeLessThan(3000);
    return (error as Error).message;
  }
  throw new Error('the schema was accepted');
};

/** Answers of a model with random weights; those that came to an end within `length` tokens. */
async function answers(schema: unknown, { length = 250 } = {}): Promise<readonly string[]> {
  const prepared = await prepare(schema);
  return (await randomAnswers(model, prepared, { seeds: [0, 1, 2, 3, 4, 5], tokensMax: length })).texts;
}

const ajv = addFormats.default(new Ajv2020.default({ strict: false, logger: false, multipleOfPrecision: 6 }));

async function expectValid(schema: object, options?: Parameters<typeof answers>[1]): Promise<number> {
  const validate = ajv.compile(schema);
  const texts = await answers(schema, options);
  for (const text of texts) {
    expect(validate(JSON.parse(text)), `${JSON.stringify(schema)} was answered ${text}`).toBe(true);
  }
  return texts.length;
}

const chain = (length: number) =>
  Object.fromEntries(
    Array.from({ length }, (_, index) => [
      `d${index}`,
      index === length - 1 ? { type: 'string' } : { $ref: `#/$defs/d${index + 1}` },
    ]),
  );
const nested = (levels: number, inner: unknown): unknown => (levels === 0 ? inner : [nested(levels - 1, inner)]);
const doubled = (times: number): object =>
  times === 0 ? { type: 'string' } : { anyOf: [doubled(times - 1), doubled(times - 1)] };
const doubling = (times: number) => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: times }, (_, index) => {
      const next = index === times - 1 ? { type: 'string' } : { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { anyOf: [next, next] }];
    }),
  ),
});

describe('a hostile JSON schema', () => {
  it.each([
    ['a repetition with a maximum below its minimum', { type: 'string', pattern: '^a{5,2}$' }, /#\/pattern/],
    ['minLength above maxLength', { type: 'string', minLength: 5, maxLength: 2 }, /#\/minLength: exceeds maxLength/],
    ['minItems above maxItems', { type: 'array', minItems: 5, maxItems: 2 }, /#\/minItems: exceeds maxItems/],
    ['a chain of 900 references', { $ref: '#/$defs/d0', $defs: chain(900) }, /references and combinations/],
    ['a chain of 8,000 references', { $ref: '#/$defs/d0', $defs: chain(8000) }, /bytes|schemas/],
    ['40,000 definitions', { $defs: chain(40_000) }, /bytes/],
    ['a nested optional repetition', { type: 'string', pattern: '^(a?){1500}a$' }, /expensive|too large/],
    ['repetitions that multiply', { type: 'string', pattern: '^((a{100}){100}){100}$' }, /multiply/],
    ['an exponential automaton', { type: 'string', pattern: '^(a|b)*a(a|b){25}$' }, /expensive|too large/],
    ['a pattern of 300 kB', { type: 'string', pattern: 'a'.repeat(300_000) }, /bytes/],
    ['an anyOf that doubles 25 times', doubling(25), /more than 256 alternatives|references and combinations/],
    ['an anyOf nested 12 deep', doubled(12), /more than 256 alternatives/],
    ['a reference to itself', { $ref: '#' }, /lead back to it/],
    ['an allOf of itself', { allOf: [{ $ref: '#' }] }, /lead back to it/],
    [
      'nesting of 100 levels',
      Array.from({ length: 100 }).reduce<object>((inner) => ({ not: inner }), {}),
      /levels deep/,
    ],
    ['a reference into nothing', { $ref: '#/$defs/none' }, /#\/\$ref: leads nowhere/],
    ['a foreign reference', { $ref: 'https://example.com/schema' }, /only references into the schema itself/],
    ['half of a surrogate pair', { type: 'string', pattern: '\ud800' }, /not JSON/],
    ['a schema that no value satisfies', { type: 'string', enum: [1] }, /no value satisfies/],
    ['bounds without an integer between', { type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }, /no number/],
    ['a constant of 29,000 values at 60 levels', { const: nested(60, new Array<number>(29_000).fill(1)) }, /expensive/],
    ['three thousand alternatives', { enum: Array.from({ length: 3000 }, (_, index) => index) }, /2000 values/],
  ])('is rejected for %s', async (_, schema, message) => {
    expect(await refusal(schema)).toMatch(message);
  });

  it('is also rejected in the parameters of a strict tool, whose index the message gives', async () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', minLength: 5, maxLength: 2 } } };
    const tool = { ...weatherTool, function: { ...weatherTool.function, parameters, strict: true } };
    await expect(model.prepareChat(asking('Answer.', { tools: [weatherTool, tool] }))).rejects.toMatchObject({
      code: 'ERR_GRAMMAR_INVALID',
      message: expect.stringMatching(
        /^tools\[1\]: the JSON schema at #\/properties\[0\]\/minLength: exceeds maxLength/,
      ),
    });
  });

  it('is never quoted in the error', async () => {
    const word = 'CANARY';
    for (const schema of [
      { type: word },
      { $ref: `#/${word}` },
      { $ref: word },
      { type: 'string', pattern: `(${word}` },
      { type: 'string', pattern: `\\p{${word}}` },
      { type: 'object', properties: { [word]: { minLength: 3, maxLength: 2 } }, required: [word] },
      { type: 'object', patternProperties: { [`(${word}`]: true } },
      { $defs: { [word]: { type: word } }, $ref: `#/$defs/${word}` },
      { oneOf: [{ const: word }, { type: 'object' }, { type: 'object' }] },
      { format: 'iri', title: word },
    ]) {
      expect(await refusal(schema)).not.toContain(word);
    }
  });

  it('that takes long delays only its own request and releases its memory', async () => {
    await refusal({ type: 'string', pattern: '^(a?){1500}a$' });
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 30; round++) await refusal({ type: 'string', pattern: '^(a?){1500}a$' });
    await prepare({ type: 'integer', minimum: -(2 ** 63), maximum: 2 ** 63 });
    expect(process.memoryUsage().rss - before).toBeLessThan(64e6);
  });
});

describe('a format', () => {
  it.each([
    ['duration', 'a duration without months between years and days', 'P1Y2D'],
    ['duration', 'a duration without minutes between hours and seconds', 'PT1H2S'],
    ['hostname', 'a label that begins like Punycode and is not', 'xn--X'],
  ])('%s excludes %s', async (format, _, value) => {
    expect(await refusal({ type: 'string', format, const: value })).toMatch(/no value satisfies/);
  });

  it.each([
    ['duration', 'P1Y2M3DT4H5M6S'],
    ['duration', 'PT36M'],
    ['duration', 'P2W'],
    ['hostname', 'a-b.example.com'],
  ])('%s includes %s', async (format, value) => {
    await expect(prepare({ type: 'string', format, const: value })).resolves.toBeDefined();
  });
});

describe('a keyword that a grammar cannot enforce', () => {
  it.each([
    ['contains', { contains: { type: 'string' } }],
    ['if', { if: { type: 'string' }, else: { minimum: 3 } }],
    ['dependentRequired', { dependentRequired: { a: ['b'] } }],
    ['uniqueItems', { type: 'array', items: { type: 'string' }, uniqueItems: true }],
    ['format', { type: 'string', format: 'idn-email' }],
    ['oneOf', { oneOf: [{ type: 'object' }, { type: 'object' }] }],
    ['not', { not: { type: 'array', minItems: 1 } }],
    ['pattern', { type: 'string', pattern: '(a)\\1' }],
    ['pattern', { type: 'string', pattern: '(?<=a)b' }],
  ])('is rejected by name: %s', async (keyword, schema) => {
    expect(await refusal(schema)).toContain(`#/${keyword}`);
  });
});

describe('an answer under a JSON schema', () => {
  it.each<[string, object]>([
    ['characters that JSON escapes', { type: 'string', pattern: '^.{0,20}$' }],
    ['a negated class', { type: 'string', pattern: '^[^a-z]{1,6}$' }],
    ['classes and counts', { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }],
    ['a pattern without anchors', { type: 'string', pattern: 'ab', maxLength: 8 }],
    ['look-ahead', { type: 'string', pattern: '^(?!a)(?=.*b)[a-c]{1,6}$' }],
    ['a length', { type: 'string', minLength: 3, maxLength: 6 }],
    ['a length and a pattern', { type: 'string', pattern: '^(ab)*$', minLength: 3, maxLength: 7 }],
    ['integer bounds', { type: 'integer', minimum: -12, exclusiveMaximum: 105 }],
    ['bounds at the ends of 64 bits', { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }],
    ['number bounds', { type: 'number', exclusiveMinimum: 0.25, maximum: 1.5 }],
    ['multiples', { type: 'integer', multipleOf: 7, minimum: 0, maximum: 1000 }],
    ['multiples of a fraction', { type: 'number', multipleOf: 0.25, minimum: -2, maximum: 2 }],
    ['an enumeration of everything', { enum: ['a"b', 1.5, null, true, [1, { a: 2 }], { b: [] }] }],
    ['a length that no text of an enumeration has', { enum: ['a', 1, 2], minLength: 4_294_967_296 }],
    ['a constant object', { const: { a: [1, 'x', null], b: { c: false } } }],
    ['values that differ', { type: 'array', items: { enum: ['a', 'b', 3] }, uniqueItems: true, minItems: 2 }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { enum: ['x'] }], items: false }],
    [
      'a tuple with others',
      { type: 'array', prefixItems: [{ const: 1 }], items: { type: 'null' }, minItems: 2, maxItems: 4 },
    ],
    ['numbers of items', { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 }],
    ['recursion', { type: 'object', properties: { v: { enum: [1] }, child: { $ref: '#' } }, required: ['v'] }],
    ['definitions', { $defs: { n: { type: ['integer', 'null'] } }, type: 'array', items: { $ref: '#/$defs/n' } }],
    [
      'optional properties',
      { type: 'object', properties: { a: { type: 'null' }, b: { type: 'null' }, c: { type: 'null' } } },
    ],
    [
      'a number of properties',
      {
        type: 'object',
        properties: { a: { const: 1 }, b: { const: 2 }, c: { const: 3 } },
        minProperties: 2,
        maxProperties: 2,
      },
    ],
    [
      'other properties',
      { type: 'object', properties: { a: { const: 1 } }, required: ['a'], additionalProperties: { type: 'boolean' } },
    ],
    [
      'properties by pattern',
      {
        type: 'object',
        patternProperties: { '^n': { type: 'integer' }, '^s': { type: 'null' } },
        additionalProperties: false,
      },
    ],
    [
      'names',
      {
        type: 'object',
        propertyNames: { pattern: '^[ab]{1,3}$' },
        additionalProperties: { type: 'null' },
        maxProperties: 3,
      },
    ],
    ['allOf', { allOf: [{ type: 'integer' }, { minimum: 3 }, { maximum: 5 }] }],
    [
      'oneOf with constants',
      {
        oneOf: [
          { type: 'object', properties: { k: { const: 'a' } }, required: ['k'] },
          { type: 'object', properties: { k: { const: 'b' }, n: { type: 'integer' } }, required: ['k', 'n'] },
        ],
      },
    ],
    [
      'oneOf of numbers',
      {
        oneOf: [
          { type: 'integer', maximum: 10 },
          { type: 'number', minimum: 5, maximum: 20 },
        ],
      },
    ],
    ['not', { type: ['string', 'null'], not: { enum: ['a', 'b'] }, maxLength: 1 }],
    ['a type without a name', { properties: { a: { minimum: 3, maximum: 9, multipleOf: 1 } }, required: ['a'] }],
    ...[
      'date',
      'time',
      'date-time',
      'duration',
      'email',
      'hostname',
      'ipv4',
      'ipv6',
      'uri',
      'uuid',
      'json-pointer',
    ].map((format): [string, object] => [`format ${format}`, { type: 'string', format }]),
  ])('is valid: %s', async (_, schema) => {
    expect(await expectValid(schema)).toBeGreaterThan(0);
  });

  it('has only listed properties unless the schema requires others', async () => {
    for (const text of await answers({ type: 'object', properties: {} })) expect(JSON.parse(text)).toEqual({});
  });

  it('is valid under the schemas that Zod generates from its types', async () => {
    const type = z.object({
      id: z.uuid(),
      mail: z.email(),
      on: z.iso.date(),
      at: z.iso.datetime(),
      time: z.iso.time(),
      kind: z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b'), n: z.int() })]),
      pair: z.tuple([z.boolean(), z.literal(7)]),
      map: z.record(z.string(), z.boolean()),
      price: z.number().min(0.5).max(99),
      note: z.string().max(5).nullable(),
    });
    const schema = z.toJSONSchema(type);
    const texts = await answers(schema, { length: 1500 });
    expect(texts.length).toBeGreaterThan(0);
    for (const text of texts) expect(type.safeParse(JSON.parse(text)).error).toBeUndefined();
  });
});
