import TypeBox from 'typebox';
import { expect, it } from 'vitest';
import { Type } from '../../../server/schema/type.ts';

const limits = { minimum: 1, description: 'a number' };

it.each(
  [TypeBox, Type as typeof TypeBox].map((builders) => ({
    ...{ text: builders.String({ maxLength: 3 }), flag: builders.Boolean(), nothing: builders.Null() },
    ...{ number: builders.Number(limits), integer: builders.Integer(limits), any: builders.Unknown() },
    ...{ choice: builders.Enum(['a', 'b']), one: builders.Literal('a'), two: builders.Literal(2) },
    list: builders.Array(builders.String(), { maxItems: 2 }),
    union: builders.Union([builders.String(), builders.Null()], { description: 'a string or null' }),
    object: builders.Object(
      { a: builders.String(), b: builders.Optional(builders.Integer()) },
      { additionalProperties: false },
    ),
    empty: builders.Object({}),
    partial: builders.Partial(builders.Object({ a: builders.String(), b: builders.Integer() })),
    unsafe: builders.Unsafe<number>({ type: 'number' }),
  })),
)('the builders give the schemas that TypeBox gives: %#', (schemas) => {
  expect(JSON.parse(JSON.stringify(schemas))).toEqual({
    ...{ text: { type: 'string', maxLength: 3 }, flag: { type: 'boolean' }, nothing: { type: 'null' } },
    ...{ number: { type: 'number', ...limits }, integer: { type: 'integer', ...limits }, any: {} },
    choice: { enum: ['a', 'b'] },
    ...{ one: { type: 'string', const: 'a' }, two: { type: 'number', const: 2 } },
    list: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    union: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'a string or null' },
    object: {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'string' }, b: { type: 'integer' } },
      additionalProperties: false,
    },
    empty: { type: 'object', properties: {} },
    partial: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } } },
    unsafe: { type: 'number' },
  });
});

it('a record has one schema for all its members', () => {
  const record = Type.Record(Type.String(), Type.Integer(), { maxProperties: 2 });
  expect(record).toEqual({ type: 'object', additionalProperties: { type: 'integer' }, maxProperties: 2 });
});
