import { describe, expect, expectTypeOf, it } from 'vitest';
import { Mismatch, mismatchText } from '../../../server/schema/mismatch.ts';
import { defaulted, SchemaReader } from '../../../server/schema/schema-reader.ts';
import { Type } from '../../../server/schema/type.ts';

function refuse(mismatch: Mismatch): never {
  throw new Error(mismatchText(mismatch));
}

/** One API ignores unknown members, the other rejects them. */
const lenient = new SchemaReader({ refuse, nullIsAbsent: true });
const strict = new SchemaReader({ refuse, showsNames: true, takesNul: false });

describe('a valid value', () => {
  const body = Type.Object({
    model: Type.String(),
    temperature: defaulted(Type.Number({ minimum: 0, maximum: 2 }), 1),
    seed: Type.Optional(Type.Integer()),
    schema: Type.Optional(Type.Object({})),
  });

  it('is parsed with defaults, without nulls and without unknown members', () => {
    const value = JSON.parse('{"model": "m", "seed": null, "zzz": {"a": 1}, "__proto__": {"temperature": 5}}');
    expect(lenient.read(body, value)).toEqual({ model: 'm', temperature: 1 });
  });

  it('has the type of the schema', () => {
    const open = lenient.open(body, { model: 'm' });
    expectTypeOf(open.get('model')).toEqualTypeOf<string>();
    expectTypeOf(open.get('temperature')).toEqualTypeOf<number>();
    expectTypeOf(open.get('seed')).toEqualTypeOf<number | undefined>();
    expect([open.get('model'), open.get('temperature'), open.get('seed')]).toEqual(['m', 1, undefined]);
  });

  it('keeps an object whose members are not in a schema', () => {
    const schema = { $defs: { a: null } };
    expect(lenient.read(body, { model: 'm', schema }).schema).toBe(schema);
  });

  it('converts −0 to 0', () => {
    const { temperature } = lenient.read(body, JSON.parse('{"model": "m", "temperature": -0}'));
    expect(Object.is(temperature, 0)).toBe(true);
  });

  it('may match one of several alternatives', () => {
    const input = Type.Union([Type.String(), Type.Array(Type.String()), Type.Array(Type.Array(Type.Integer()))]);
    for (const value of ['a', [], ['a'], [[1], []]]) expect(lenient.read(input, value)).toEqual(value);
  });

  it('is not modified', () => {
    const value = Object.freeze({ model: 'm', temperature: null });
    expect(lenient.read(body, value)).toEqual({ model: 'm', temperature: 1 });
  });

  it('of a map keeps every key as data', () => {
    const map = Type.Record(Type.String(), Type.Number());
    const read = lenient.read(map, JSON.parse('{"__proto__": 1, "a": 2}'));
    expect(Object.entries(read)).toEqual([
      ['__proto__', 1],
      ['a', 2],
    ]);
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });
});

describe('an error states the expected and the actual value', () => {
  const part = Type.Object({ type: Type.Literal('text'), text: Type.String() });
  const message = Type.Union(
    [
      Type.Object({
        role: Type.Literal('user'),
        content: Type.Union([Type.String(), Type.Array(part, { description: 'an array of text parts' })]),
      }),
      Type.Object({ role: Type.Literal('tool'), id: Type.String() }),
    ],
    { discriminator: { propertyName: 'role' } },
  );
  const stop = Type.Union([Type.String({ minLength: 1 }), Type.Array(Type.String({ minLength: 1 }))], {
    description: 'a string or an array of strings',
  });
  const bias = Type.Record(Type.String(), Type.Number({ minimum: -1, maximum: 1 }), { maxProperties: 2 });
  const body = Type.Object({
    n: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
    max: Type.Optional(Type.Integer({ minimum: 1 })),
    t: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    flag: Type.Optional(Type.Boolean()),
    size: Type.Optional(Type.Enum(['s', 'm'])),
    name: Type.Optional(Type.String({ pattern: '^[a-z]+$', description: 'small letters' })),
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
    stop: Type.Optional(stop),
    bias: Type.Optional(bias),
    ids: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), {
        propertyNames: Type.String({ pattern: '^\\d+$', description: 'ids' }),
      }),
    ),
    input: Type.Optional(
      Type.Union([
        Type.String(),
        Type.Array(Type.String(), { minItems: 1 }),
        Type.Array(Type.Integer(), { minItems: 1 }),
      ]),
    ),
    messages: Type.Optional(Type.Array(message, { minItems: 1, maxItems: 3, description: 'an array of messages' })),
  });

  it.each([
    [{ n: 0 }, '`n` must be an integer from 1 to 10, got 0'],
    [{ n: 1.5 }, '`n` must be an integer from 1 to 10, got 1.5'],
    [{ max: Infinity }, '`max` must be an integer of at least 1, got Infinity'],
    [{ t: 'secret' }, '`t` must be a number from 0 to 2, got a string'],
    [{ t: Number.NaN }, '`t` must be a number from 0 to 2, got NaN'],
    [{ flag: 1 }, '`flag` must be true or false, got 1'],
    [{ size: 'secret' }, '`size` must be one of "s", "m", got a string'],
    [{ name: 'S3CRET' }, '`name` must be small letters, got a string'],
    [{ name: [] }, '`name` must be a string, got an array of 0'],
    [{ title: 'four' }, '`title` must have 1 to 3 characters, got 4'],
    [{ stop: ['a', ''] }, '`stop` must be a string or an array of strings, got an array of 2'],
    [{ bias: { secret: 2 } }, '`bias[0]` must be a number from -1 to 1, got 2'],
    [{ bias: { 'secret\n': 2 } }, '`bias[0]` must be a number from -1 to 1, got 2'],
    [{ ids: { secret: 1 } }, '`ids` must have ids as its keys, got an object'],
    [{ input: 'a', n: 0 }, '`n` must be an integer from 1 to 10, got 0'],
    [{ input: true }, '`input` must be a string or an array, got true'],
    [{ input: [] }, '`input` must not be empty, got an array of 0'],
    [{ input: ['a', 1] }, '`input[1]` must be a string, got 1'],
    [{ input: [1, 'secret'] }, '`input[1]` must be an integer, got a string'],
    [{ title: '' }, '`title` must not be an empty string'],
    [{ bias: { 7: 2 } }, '`bias.7` must be a number from -1 to 1, got 2'],
    [{ bias: { a: 0, b: 0, c: 0 } }, '`bias` must have at most 2 entries, got 3'],
    [{ messages: [] }, '`messages` must be an array of messages, got an array of 0'],
    [{ messages: 'secret' }, '`messages` must be an array of at most 3, got a string'],
    [{ messages: [1] }, '`messages[0]` must be an object, got 1'],
    [{ messages: [{}] }, '`messages[0].role` must be a string, got nothing'],
    [{ messages: [{ role: null }] }, '`messages[0].role` must be a string, got null'],
    [{ messages: [{ role: 'secret' }] }, '`messages[0].role` must be one of "user", "tool", got a string'],
    [{ messages: [{ role: 'tool' }] }, '`messages[0].id` must be a string, got nothing'],
    [
      { messages: [{ role: 'user', content: null }] },
      '`messages[0].content` must be a string or an array of text parts, got null',
    ],
    [
      { messages: [{ role: 'user', content: [{ type: 'secret' }] }] },
      '`messages[0].content[0].type` must be one of "text", got a string',
    ],
    [
      { messages: [{ role: 'user', content: [{ text: 'a' }] }] },
      '`messages[0].content[0].type` must be "text", got nothing',
    ],
  ])('%j', (value, text) => {
    expect(() => lenient.read(body, value)).toThrow(new Error(text));
  });

  it.each([null, 1, 'secret', []])('rejects %j, which is not an object', (value) => {
    expect(() => lenient.read(body, value)).toThrow('the request body must be an object, got ');
    expect(() => lenient.open(body, value)).toThrow('the request body must be an object, got ');
  });

  it('names the first invalid member in the order of the schema, not of the value', () => {
    expect(() => lenient.read(body, { flag: 1, n: 0 })).toThrow('`n`');
  });

  it('for an opened object is thrown when the member is read, item by item', () => {
    const open = lenient.open(body, { n: 0, messages: [{ role: 'tool', id: 'a' }, { role: 'robot' }] });
    const seen: string[] = [];
    expect(() => open.map('messages', ({ role }, index) => seen.push(`${role} ${index}`))).toThrow(
      '`messages[1].role`',
    );
    expect(seen).toEqual(['tool 0']);
    expect(() => open.get('n')).toThrow('`n` must be an integer');
  });

  it('for a custom rule is thrown by the opened object', () => {
    const open = lenient.open(body, { n: 2 });
    expect(() => open.refuse('n', 'needs `flag` to be true')).toThrow(new Error('`n` needs `flag` to be true, got 2'));
  });
});

describe('an API that rejects unknown members', () => {
  const body = Type.Object(
    { name: Type.String(), size: Type.Optional(Type.Integer()) },
    { additionalProperties: false },
  );

  it.each([
    [{ name: 'a', sise: 1 }, '`sise` is not a known field'],
    [{ name: 'a', 'two words': 1 }, 'the request body has an unknown field at position 2'],
    [{ size: 1 }, '`name` must be a string, got nothing'],
    [{ name: 'a', size: null }, '`size` must be an integer, got null'],
    [{ name: 'a\0' }, '`name` must not have the character U+0000, got a string'],
  ])('rejects %j', (value, text) => {
    expect(() => strict.read(body, value)).toThrow(new Error(text));
  });

  it('accepts null if the schema does', () => {
    const nullable = Type.Object({ end: Type.Union([Type.Integer(), Type.Null()]) });
    expect(strict.read(nullable, { end: null })).toEqual({ end: null });
    expect(lenient.read(nullable, { end: null })).toEqual({ end: null });
    expect(() => strict.read(nullable, { end: 'a' })).toThrow('`end` must be an integer or null');
  });
});

describe('the message of a mismatch', () => {
  it('uses the reader’s name for the whole value', () => {
    const mismatch = new Mismatch('must be an object', 'a string');
    expect(mismatchText(mismatch)).toBe('the request body must be an object, got a string');
    expect(mismatchText(mismatch, 'the file')).toBe('the file must be an object, got a string');
    expect(mismatchText(mismatch.under('service'), 'the file')).toBe('`service` must be an object, got a string');
  });
});

describe('hostile values', () => {
  const list = Type.Object({ items: Type.Array(Type.Object({ a: Type.String() }), { maxItems: 100 }) });

  it('are not traversed if they exceed the length in the schema', () => {
    const items = new Proxy(Array(101), {
      get(target, key, receiver) {
        if (key === '0') throw new Error('was read');
        return Reflect.get(target, key, receiver);
      },
    });
    expect(() => lenient.read(list, { items })).toThrow('`items` must be an array of at most 100, got an array of 101');
  });

  it('are not traversed below unknown members at any depth', () => {
    const value = JSON.parse(`{"items": [], "deep": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    expect(lenient.read(list, value)).toEqual({ items: [] });
  });

  it('inherit no members', () => {
    const body = Type.Object({ constructor: Type.Optional(Type.String()), toString: Type.Optional(Type.String()) });
    expect(Object.keys(lenient.read(body, {}))).toEqual([]);
  });
});

describe('a schema with an unsupported keyword', () => {
  it('throws if it is opened and limits its number of members', () => {
    const body = Type.Object({ a: Type.String() }, { additionalProperties: false });
    expect(() => lenient.open(body, {})).toThrow('the keyword additionalProperties, which is not checked');
  });

  it.each([
    ['exclusiveMinimum', Type.Number({ exclusiveMinimum: 0 })],
    ['multipleOf', Type.Object({ a: Type.Array(Type.Integer({ multipleOf: 2 })) })],
    ['allOf', Type.Unsafe({ allOf: [Type.Object({})] })],
  ])('throws at first use: %s', (keyword, schema) => {
    expect(() => lenient.read(schema, {})).toThrow(
      new TypeError(`a schema has the keyword ${keyword}, which is not checked`),
    );
  });
});
