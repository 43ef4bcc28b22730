/** Traces as a collector receives them: their shape, and that they contain nothing of a request's content. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../../runtime/pool/errors.ts';
import { type OtlpOptions, openOtlp } from '../../../server/tracing/otlp.ts';
import { readHeaders } from '../../../server/tracing/otlp-headers.ts';
import type { FakeEngineOptions } from '../../support/runtime/fake-engine.ts';
import { scratchFolder } from '../../support/scratch-folder.ts';
import { type Collector, startCollector } from '../../support/server/collector.ts';
import { chatBody, modelId, startTestApp } from '../../support/server/test-app.ts';

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function collect(options: Parameters<typeof startCollector>[0] = {}): Promise<Collector> {
  const collector = await startCollector(options);
  opened.push(() => collector.close());
  return collector;
}

async function startTraced(
  endpoint: string,
  { script = (chat) => void chat.answer('a', 'b'), ...tracingOptions }: FakeEngineOptions & Partial<OtlpOptions> = {},
) {
  const tracing = openOtlp({ endpoint, samplePercent: 100, version: '1', limits: { delayMs: 20 }, ...tracingOptions });
  const running = await startTestApp({ script, overrides: { tracing } });
  opened.push(
    () => running.close(),
    () => tracing.close(),
  );
  return { ...running, tracing };
}

const parent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const soon = { timeout: 10_000 };

describe('the trace of a chat', () => {
  it('has a span for the request, the work and each phase, in the trace of the caller', async () => {
    const collector = await collect();
    const { post } = await startTraced(collector.url);
    const answer = await post(chatBody(), { traceparent: parent });
    await expect.poll(() => collector.spans().length, soon).toBe(7);
    const spans = new Map(collector.spans().map((span) => [span.name, span]));
    const work = `chat ${modelId}`;
    const request = spans.get('POST /v1/chat/completions')!;
    expect([...spans.keys()].sort()).toEqual(
      ['POST /v1/chat/completions', 'admission', work, 'decode', 'prefill', 'queue', 'settle'].sort(),
    );
    expect(new Set(collector.spans().map(({ traceId }) => traceId))).toEqual(new Set([parent.split('-')[1]]));
    expect(request).toMatchObject({ parentSpanId: parent.split('-')[2], kind: 2, statusCode: 0 });
    expect(request.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/chat/completions',
      'url.scheme': 'https',
      'http.response.status_code': 200,
    });
    expect(spans.get(work)).toMatchObject({ parentSpanId: request.spanId, kind: 1 });
    expect(spans.get(work)!.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'cloister',
      'gen_ai.request.model': modelId,
      'gen_ai.response.model': modelId,
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.response.finish_reasons': ['stop'],
    });
    const phases = ['admission', 'queue', 'prefill', 'decode', 'settle'].map((name) => spans.get(name)!);
    for (const phase of phases) {
      expect(phase.parentSpanId, phase.name).toBe(spans.get(work)!.spanId);
      expect(phase.endMs).toBeGreaterThanOrEqual(phase.startMs);
      expect(phase.attributes).toEqual({});
    }
    // Spans of one process share one clock, so the phases are in order to the microsecond.
    for (const [index, phase] of phases.slice(1).entries())
      expect(phase.startMs + 0.001, phase.name).toBeGreaterThanOrEqual(phases[index]!.endMs - 1);
    expect(answer.headers.traceparent).toBe(`00-${request.traceId}-${request.spanId}-01`);
  });

  it('is continued by the caller from the header of a stream and of an error as well', async () => {
    const collector = await collect();
    const { post } = await startTraced(collector.url);
    const streamed = await post(chatBody({ stream: true }));
    const refused = await post({ model: 'unknown', messages: [] });
    await expect.poll(() => collector.spans().filter(({ kind }) => kind === 2).length, soon).toBe(2);
    const ids = collector
      .spans()
      .flatMap(({ kind, traceId, spanId }) => (kind === 2 ? [`00-${traceId}-${spanId}-01`] : []));
    expect([streamed, refused].map(({ headers }) => headers.traceparent).sort()).toEqual(ids.sort());
    expect(collector.spans().every(({ parentSpanId, kind }) => (kind === 2) === (parentSpanId === undefined))).toBe(
      true,
    );
  });

  it('has the code of an error, on the work too', async () => {
    const collector = await collect();
    const { post } = await startTraced(collector.url, {
      script: (chat) => chat.fail(new RuntimeError('ERR_QUEUE_FULL', 'full')),
    });
    expect((await post(chatBody())).status).toBe(429);
    await expect.poll(() => collector.spans().length, soon).toBe(4);
    const spans = new Map(collector.spans().map((span) => [span.name, span]));
    const attributes = (name: string) => spans.get(name)!.attributes;
    expect(attributes('POST /v1/chat/completions')).toMatchObject({
      'error.type': 'ERR_QUEUE_FULL',
      'http.response.status_code': 429,
    });
    expect(attributes(`chat ${modelId}`)).toMatchObject({ 'error.type': 'ERR_QUEUE_FULL' });
    expect(spans.get(`chat ${modelId}`)!.statusCode).toBe(2);
    expect([...spans.keys()]).toContain('settle');
  });

  it.each([
    ['the caller does not record it', { samplePercent: 100 }, parent.replace(/1$/, '0')],
    // The ratio is decided by the exclusive or of the id's four words.
    ['its id is outside of the share', { samplePercent: 1 }, '00-000000000000000000000000ffffffff-00f067aa0ba902b7-01'],
  ])('is not recorded if %s, but its id is passed on', async (_, options, traceparent) => {
    const collector = await collect();
    const { post } = await startTraced(collector.url, options);
    const { headers } = await post(chatBody(), { traceparent });
    expect(headers.traceparent).toMatch(new RegExp(`^00-${traceparent.split('-')[1]}-[0-9a-f]{16}-00$`));
    const recorded = await post(chatBody(), { traceparent: '00-00000000000000000000000000000001-00f067aa0ba902b7-01' });
    expect(recorded.headers.traceparent).toMatch(/-01$/);
    await expect.poll(() => collector.spans().length, soon).toBe(7);
    expect(collector.spans().every(({ traceId }) => traceId.endsWith('1'))).toBe(true);
  });

  it('does not exist without a key, and without a collector no header is added', async () => {
    const collector = await collect();
    const traced = await startTraced(collector.url);
    expect((await traced.post(chatBody(), { authorization: 'Bearer wrong' })).status).toBe(401);
    const untraced = await startTestApp({ script: (chat) => void chat.answer('a') });
    opened.push(() => untraced.close());
    expect((await untraced.post(chatBody(), { traceparent: parent })).headers.traceparent).toBeUndefined();
    await traced.tracing.close();
    expect(collector.requests).toEqual([]);
  });
});

describe('what a collector receives', () => {
  const canary = 'canary-5c1e77aa';

  it('has nothing of prompts, answers, headers, accounts or keys', async () => {
    const collector = await collect();
    const script: FakeEngineOptions['script'] = (chat) =>
      chat.request.choices === 2 ? chat.fail(new Error(canary)) : void chat.answer(canary, canary);
    const { app, secret, accounts, tracing } = await startTraced(collector.url, { script });
    const messages = [{ role: 'user', content: canary }];
    const hostile = {
      tracestate: `v=${canary}`,
      baggage: `k=${canary}`,
      'user-agent': canary,
      referer: `https://${canary}/`,
    };
    const send = (url: string, payload: object | string, headers: object = {}) =>
      app.inject({
        method: 'POST',
        url: `${url}?q=${canary}`,
        headers: {
          authorization: `Bearer ${secret}`,
          'content-type': 'application/json',
          'anthropic-version': '2023-06-01',
          traceparent: parent,
          ...hostile,
          ...headers,
        },
        payload,
      });
    const answers = [
      await send('/v1/chat/completions', chatBody({ messages, user: canary, stop: canary, metadata: { a: canary } })),
      await send('/v1/chat/completions', chatBody({ messages, stream: true })),
      await send('/v1/chat/completions', chatBody({ messages, n: 2 })),
      await send('/v1/chat/completions', chatBody({ messages, model: canary })),
      await send('/v1/chat/completions', `{"${canary}`),
      await send('/v1/completions', { model: modelId, prompt: canary, stream: true }),
      await send('/v1/responses', { model: modelId, input: canary, instructions: canary }),
      await send('/v1/messages', { model: modelId, max_tokens: 9, system: canary, messages }),
      await send(`/v1/${canary}`, { a: canary }),
      await send('/v1/chat/completions', chatBody({ messages }), { traceparent: canary }),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 500, 400, 400, 200, 200, 200, 404, 200]);
    await tracing.close();
    const received = collector.bytes().toString('latin1');
    expect(collector.spans().filter(({ kind }) => kind === 2).length).toBeGreaterThanOrEqual(9);
    const { accountId = '', keyId = '' } = accounts.findCaller(secret) ?? {};
    const ids = answers.map(({ headers }) => String(headers['x-request-id']));
    for (const text of [canary, secret, secret.slice(5), accountId, keyId, ...ids])
      expect(received).not.toContain(text);
    for (const encoding of ['base64', 'hex'] as const)
      expect(received).not.toContain(Buffer.from(canary).toString(encoding).slice(0, 18));
    const known =
      /^(http\.(request\.method|route|response\.status_code)|url\.scheme|error\.type|gen_ai\.(operation|provider)\.name|gen_ai\.(request|response)\.model|gen_ai\.usage\.(in|out)put_tokens|gen_ai\.response\.finish_reasons)$/;
    for (const { attributes } of collector.spans())
      for (const name of Object.keys(attributes)) expect(name).toMatch(known);
  });

  it('comes with the headers of the file, and to the path of the protocol', async () => {
    await using folder = await scratchFolder();
    const headersPath = join(folder.path, 'headers');
    writeFileSync(headersPath, '# of the vendor\nauthorization: Bearer collector-token\n\nx-scope:  fleet \n');
    const collector = await collect();
    const { post } = await startTraced(`${collector.url}/base/`, { headersPath });
    await post(chatBody());
    await expect.poll(() => collector.requests.length, soon).toBeGreaterThan(0);
    expect(collector.requests[0]).toMatchObject({
      path: '/base/v1/traces',
      headers: { authorization: 'Bearer collector-token', 'x-scope': 'fleet', 'content-type': 'application/json' },
    });
  });

  it('cannot be headers that are malformed, and the error does not quote them', () => {
    for (const text of ['no colon secret', 'na me: secret', 'name: se\u0000cret', `a: ${'secret'.repeat(4000)}`])
      expect(() => readHeaders(text)).toThrow(/^(?!.*secret).*--otlp-headers-file/);
    expect(() =>
      openOtlp({ endpoint: 'http://localhost:1', headersPath: '/nowhere', samplePercent: 1, version: '1' }),
    ).toThrow('--otlp-headers-file: /nowhere cannot be read (ENOENT)');
  });
});

describe('a collector that fails', () => {
  it('receives traces again when it works again; until then, requests are not recorded', async () => {
    const collector = await collect({ status: 400 });
    const { post, tracing } = await startTraced(collector.url);
    await post(chatBody());
    await expect.poll(() => tracing.counts.failed, soon).toBe(7);
    expect((await post(chatBody(), { traceparent: parent })).headers.traceparent).toMatch(/-00$/);
    expect(tracing.counts.dropped).toBe(1);
    collector.answerWith(200);
    const again = async () => {
      await post(chatBody());
      return tracing.counts.exported;
    };
    await expect.poll(again, soon).toBeGreaterThanOrEqual(7);
  });

  it.each([
    ['is gone', async () => 'http://127.0.0.1:9'],
    ['never answers', async () => (await collect({ status: 'hang' })).url],
    ['refuses', async () => (await collect({ status: 400 })).url],
  ])('that %s delays no request, and the queue stays bounded', async (_, endpointOf) => {
    const spansMax = 70;
    const { post, tracing } = await startTraced(await endpointOf(), { limits: { spansMax, delayMs: 1 } });
    const times: number[] = [];
    for (let index = 0; index < 30; index++) {
      const startedAt = performance.now();
      expect((await post(chatBody())).status).toBe(200);
      times.push(performance.now() - startedAt);
    }
    expect(times.toSorted((a, b) => a - b)[15]).toBeLessThan(200);
    const { exported, failed, dropped } = tracing.counts;
    expect(exported).toBe(0);
    expect(failed).toBeLessThanOrEqual(7 * 30);
    // 30 requests have 210 spans; a request that is not traced counts as one.
    expect(failed + dropped).toBeGreaterThan(0);
    const startedAt = performance.now();
    await tracing.close();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
