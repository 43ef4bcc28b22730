/** The OpenAPI document is complete: every field, error, header and example, compared with real answers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument, unusedFieldTexts } from '../../../../server/features/openapi/openapi.ts';
import { type Document, follow, gapsOf, operationsOf } from '../../../support/openapi.ts';
import type { ConfidentialApp } from '../../../support/server/confidential-app.ts';
import { startConfidentialApp } from '../../../support/server/confidential-app.ts';

const document = openApiDocument as unknown as Document;
/** Headers of HTTP itself. */
const ofHttp = [
  'cache-control',
  'connection',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'www-authenticate',
];

describe('the OpenAPI document', () => {
  it('describes every field, parameter and header, and has examples that its schemas accept', () => {
    expect(gapsOf(document)).toEqual([]);
  });

  it('has no text for a field that does not exist', () => {
    expect(unusedFieldTexts).toEqual([]);
  });

  it('is missed by the check if a description, an example or a header is left out', () => {
    const broken = structuredClone(document) as Document;
    const { Model } = broken.components.schemas as Record<
      string,
      { properties: Record<string, Record<string, unknown>> }
    >;
    delete Model!.properties.id!.description;
    delete Model!.properties.owned_by!.examples;
    (broken.components.headers as Record<string, Record<string, unknown>>)['X-Agent']!.description = '';
    expect(gapsOf(broken)).toEqual([
      'Model.id: no description',
      'Model.owned_by: no example',
      'post /confidential/chat/completions 200 X-Agent: no description or example',
    ]);
  });
});

describe('a real answer', () => {
  let app: ConfidentialApp;
  beforeAll(async () => {
    app = await startConfidentialApp();
  });
  afterAll(() => app.close());

  const chat = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
  const requests: readonly [method: 'GET' | 'POST', path: string, body?: object][] = [
    ['GET', '/balance'],
    ['GET', '/usage'],
    ['GET', '/models'],
    ['GET', '/confidential/models'],
    ['GET', '/aci/attestation'],
    ['POST', '/messages', {}],
    ['POST', '/chat/completions', { ...chat, temperature: 9 }],
    ['GET', '/usage/requests/none'],
    ['GET', '/usage/statements/2026-11-20'],
    ['POST', '/embeddings', {}],
  ];

  it.each(requests)('of %s %s has only described fields and headers', async (method, path, body) => {
    const {
      statusCode,
      headers,
      body: text,
    } = await app.app.inject({
      method,
      url: `/v1${path}`,
      headers: { authorization: `Bearer ${app.secret}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { payload: JSON.stringify(body) }),
    });
    const described = operationsOf(document).find(
      (one) =>
        one.method === method.toLowerCase() &&
        one.path === path.replace('/none', '/{id}').replace(/\/2026-.*/, '/{day}'),
    )!.operation;
    const answer = described.responses[statusCode];
    expect(answer, `${statusCode}: ${text}`).toBeDefined();
    const { headers: known = {}, content } = follow(answer!, document);
    const names = Object.keys(known).map((name) => name.toLowerCase());
    expect(Object.keys(headers).filter((name) => !names.includes(name) && !ofHttp.includes(name))).toEqual([]);
    const schema = follow(content!['application/json']!.schema, document) as { properties: object };
    const fields = Object.keys(JSON.parse(text) as object);
    expect(fields.filter((name) => !(name in schema.properties))).toEqual([]);
  });
});
