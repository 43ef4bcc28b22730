/** Announcements of removals (C-003, I-009), through the real applications. */
import { fastify } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { announceDeprecations, type Deprecation, deprecations } from '../../../server/http/deprecations.ts';
import { chatBody, startTestApp, type TestApp } from '../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const route: Deprecation = {
  method: 'GET',
  path: '/v1/models/:id',
  deprecatedOn: '2027-01-01',
  sunsetOn: '2027-06-01',
  documentation: 'https://docs.example/models',
};
const field: Deprecation = {
  method: 'POST',
  path: '/v1/chat/completions',
  field: 'logit_bias',
  deprecatedOn: '2027-01-01',
  sunsetOn: '2027-04-01',
};

async function start(table: readonly Deprecation[]): Promise<TestApp> {
  running = await startTestApp({
    script: (chat) => void chat.answer('yes'),
    overrides: { deprecations: table },
  });
  return running;
}

const announced = ({ headers }: { headers: Record<string, unknown> }) => [
  headers.deprecation,
  headers.sunset,
  headers.link,
];

describe('a deprecated route', () => {
  it('sends its deprecation and sunset dates with each response, errors included', async () => {
    const app = await start([route, field]);
    const get = (url: string) => app.app.inject({ url, headers: { authorization: `Bearer ${app.secret}` } });
    const expected = [
      '@1798761600',
      'Tue, 01 Jun 2027 00:00:00 GMT',
      '<https://docs.example/models>; rel="deprecation"',
    ];
    for (const [id, status] of [
      ['fake-TEE', 200],
      ['none', 404],
    ] as const) {
      const response = await get(`/v1/models/${id}`);
      expect(response.statusCode).toBe(status);
      expect(announced(response)).toEqual(expected);
    }
    expect(announced(await get('/v1/models'))).toEqual([undefined, undefined, undefined]);
  });
});

describe('a deprecated field', () => {
  it('is announced in responses to requests that contain it, whole and streamed', async () => {
    const app = await start([route, field]);
    const expected = ['@1798761600', 'Thu, 01 Apr 2027 00:00:00 GMT', undefined];
    expect(announced(await app.post(chatBody({ logit_bias: {} })))).toEqual(expected);
    const stream = await app.post(chatBody({ logit_bias: {}, stream: true }));
    expect(stream.text).toContain('[DONE]');
    expect(announced(stream)).toEqual(expected);
    expect(announced(await app.post(chatBody()))).toEqual([undefined, undefined, undefined]);
  });
});

describe('the OpenAPI document', () => {
  it('marks both as deprecated', async () => {
    const app = await start([route, field]);
    const headers = { authorization: `Bearer ${app.secret}` };
    const { paths, components } = (await app.app.inject({ url: '/v1/openapi.json', headers })).json();
    expect(paths['/models/{id}'].get.deprecated).toBe(true);
    expect(paths['/models'].get.deprecated).toBeUndefined();
    expect(components.schemas.ChatBody.properties.logit_bias.deprecated).toBe(true);
  });
});

describe('the table of deprecations', () => {
  it('rejects an entry with less than 90 days of notice', () => {
    const app = fastify();
    const short = { ...route, deprecatedOn: '2027-05-01' };
    expect(() => announceDeprecations(app, [short])).toThrow(
      '/v1/models/:id must be announced at least 90 days before its sunset',
    );
    expect(() => announceDeprecations(app, [{ ...route, sunsetOn: 'soon' }])).toThrow('YYYY-MM-DD');
  });

  it('is valid as shipped', async () => {
    await start(deprecations);
  });
});
