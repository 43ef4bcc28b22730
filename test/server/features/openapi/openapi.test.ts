/** The description of the interface says what the server does: every range, choice and default of it is tried (I-009). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfidentialCall } from '../../../../server/features/agents/schema.ts';
import { readChatCall } from '../../../../server/features/chat/call.ts';
import { readEmbeddingCall } from '../../../../server/features/embeddings/schema.ts';
import { readImageCall } from '../../../../server/features/images/schema.ts';
import { openApiDocument } from '../../../../server/features/openapi/openapi.ts';
import { bodySchemas } from '../../../../server/features/openapi/openapi-bodies.ts';
import type { AttestedApp } from '../../../support/server/attested-app.ts';
import { startConfidentialApp } from '../../../support/server/confidential-app.ts';

interface Property {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

type Body = Readonly<Record<string, unknown>>;

const messages = [{ role: 'user', content: 'Hi' }];
const randomSeed = () => 42;

/** A body that is whole, and what reads it. */
const readers: readonly (readonly [name: keyof typeof bodySchemas, body: Body, read: (body: Body) => unknown])[] = [
  ['ChatBody', { model: 'm', messages, logprobs: true }, (body) => readChatCall(body, randomSeed)],
  [
    'ConfidentialChatBody',
    { model: 'm', messages, logprobs: true },
    (body) => readConfidentialCall(body, { findAgent: () => undefined, randomSeed }),
  ],
  ['EmbeddingBody', { model: 'm', input: 'a' }, readEmbeddingCall],
  ['ImageBody', { prompt: 'a' }, (body) => readImageCall(body, { randomSeed })],
];

const fields = readers.flatMap(([name, body, read]) => {
  const { required, properties } = bodySchemas[name] as unknown as {
    required: readonly string[];
    properties: Readonly<Record<string, Property>>;
  };
  return Object.entries(properties).map(([field, property]) => ({
    ...{ name, field, property, isRequired: required.includes(field) },
    readWith: (value: unknown) => () => read({ ...body, [field]: value }),
    readWithout: () => read(Object.fromEntries(Object.entries(body).filter(([key]) => key !== field))),
  }));
});

const having = (isSo: (one: (typeof fields)[number]) => boolean) => fields.filter(isSo);
const checkedTypes = ['string', 'number', 'integer', 'boolean', 'array'];

describe('what the description says of a field', () => {
  it.each(having(({ property }) => property.minimum !== undefined))(
    '$name.$field is taken from the least value on, and not below',
    ({ field, property, readWith }) => {
      expect(readWith(property.minimum)).not.toThrow();
      expect(readWith(property.minimum! - (property.type === 'integer' ? 1 : 0.01))).toThrow(`\`${field}\``);
    },
  );

  it.each(having(({ property }) => property.maximum !== undefined))(
    '$name.$field is taken up to the greatest value, and not above',
    ({ field, property, readWith }) => {
      expect(readWith(property.maximum)).not.toThrow();
      expect(readWith(property.maximum! + (property.type === 'integer' ? 1 : 0.01))).toThrow(`\`${field}\``);
    },
  );

  it.each(having(({ property }) => property.enum !== undefined))(
    '$name.$field takes each of its choices, and no other',
    ({ field, property, readWith }) => {
      for (const choice of property.enum!) expect(readWith(choice)).not.toThrow();
      expect(readWith('something else')).toThrow(`\`${field}\``);
    },
  );

  it.each(having(({ property }) => property.default !== undefined))(
    '$name.$field has its default where nothing is said',
    ({ property, readWith, readWithout }) => expect(readWith(property.default)()).toEqual(readWithout()),
  );

  it.each(having(({ property }) => checkedTypes.includes(property.type ?? '')))(
    '$name.$field is refused by its name where it is of another type',
    ({ field, property, readWith }) =>
      expect(readWith(property.type === 'string' ? 7 : 'something else')).toThrow(`\`${field}\``),
  );

  it.each(having(({ isRequired }) => isRequired))('$name.$field is refused by its name where it is missing', (one) =>
    expect(one.readWithout).toThrow(`\`${one.field}\``),
  );
});

describe('GET /v1/openapi.json', () => {
  let running: AttestedApp;
  beforeAll(async () => {
    running = await startConfidentialApp();
  });
  afterAll(() => running.close());

  it('is the description, for whoever has a key, and says 1.0.0 (I-009)', async () => {
    expect((await running.get('/v1/openapi.json')).status).toBe(401);
    const { status, text } = await running.get('/v1/openapi.json', running.secret);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(openApiDocument)));
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' } });
  });

  it('names routes that there are', () => {
    for (const [path, operations] of Object.entries(openApiDocument.paths as Record<string, object>)) {
      const url = `/v1${path.replace(/\{(\w+)\}/g, ':$1')}`;
      for (const method of Object.keys(operations)) {
        const has = running.app.hasRoute({ method: method.toUpperCase() as 'GET', url });
        expect({ url, has }).toEqual({ url, has: true });
      }
    }
  });

  it('refers to nothing that it does not have', () => {
    const text = JSON.stringify(openApiDocument);
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name!);
    expect(names.filter((name) => !Object.hasOwn(openApiDocument.components.schemas, name))).toEqual([]);
    expect(names.length).toBeGreaterThan(10);
  });
});
