import { Gauge } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { RuntimeError } from '../../runtime/pool/errors.ts';
import { metricsHandler, serveOperator } from '../../server/operator/operator-server.ts';
import { buildMetrics } from '../../server/start/metrics.ts';
import { FakeEngine } from '../support/runtime/fake-engine.ts';
import { chatBody, startTestApp, type TestApp } from '../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

describe('/metrics', () => {
  it('measures the duration of each phase of a request', async () => {
    let now = 0;
    const metrics = buildMetrics({ engines: () => [], clock: () => now });
    const watch = metrics.beginChat({ model: 'm-TEE', choices: 1 });
    now = 20;
    watch.admitted();
    const delta = { kind: 'delta', choice: 0, content: 'x', reasoning: '', toolCalls: [], logprobs: [] } as const;
    now = 250;
    watch.saw({ kind: 'started', promptTokens: 5, cachedTokens: 0, queuedMs: 30 });
    watch.saw({ ...delta, tokens: 1 });
    now = 300;
    watch.saw({ ...delta, tokens: 1 });
    now = 400;
    watch.saw({ ...delta, tokens: 2 });
    watch.saw({ kind: 'finished', choice: 0, reason: 'stop', completionTokens: 4, reasoningTokens: 0 });
    const text = await metrics.registry.metrics();
    expect(text).toContain('cloister_time_to_first_token_seconds_sum{model_name="m-TEE"} 0.25');
    expect(text).toContain('cloister_inter_token_latency_seconds_count{model_name="m-TEE"} 2');
    expect(text).toContain('cloister_inter_token_latency_seconds_sum{model_name="m-TEE"} 0.1');
    expect(text).toContain('cloister_e2e_request_latency_seconds_sum{model_name="m-TEE"} 0.4');
    expect(text).toContain('cloister_request_success_total{model_name="m-TEE",finished_reason="stop"} 1');
    const sum = (name: string) =>
      Number(new RegExp(`^cloister_${name}_sum\\{model_name="m-TEE"\\} (.+)$`, 'm').exec(text)?.[1]);
    expect(sum('request_queue_time_seconds')).toBe(0.03);
    expect(sum('request_prefill_time_seconds')).toBe(0.2);
    expect(sum('request_decode_time_seconds')).toBe(0.15);
    expect(sum('request_inference_time_seconds')).toBe(0.35);
    expect(sum('request_time_per_output_token_seconds')).toBeCloseTo(0.05);
    expect(sum('request_prompt_tokens')).toBe(5);
    expect(sum('request_generation_tokens')).toBe(4);
  });

  it('counts requests by pattern and status, tokens from the engine, and rejections by code', async () => {
    running = await startTestApp({
      script: (chat) => {
        if (chat.request.choices === 2) chat.fail(new RuntimeError('ERR_QUEUE_FULL', 'full'));
        else chat.answer('a', 'b');
      },
    });
    await running.post(chatBody());
    await running.post(chatBody({ stream: true }));
    await running.post(chatBody({ n: 2 }));
    await running.post(chatBody({ n: 99 }));
    await running.app.inject({ url: '/v1/models/nothing-like-it', headers: { 'x-service-key': running.secret } });
    const text = await running.metrics.registry.metrics();
    const count = (status: number) =>
      `cloister_http_request_duration_seconds_count{method="POST",route="/v1/chat/completions",status="${status}"}`;
    expect(text).toContain(`${count(200)} 2`);
    expect(text).toContain(`${count(429)} 1`);
    expect(text).toContain(`${count(400)} 1`);
    expect(text).toContain('route="/v1/models/:id",status="404"');
    expect(text).not.toContain('nothing-like-it');
    expect(text).toContain('cloister_request_failure_total{model_name="fake-TEE",code="ERR_QUEUE_FULL"} 1');
    expect(text).toContain('cloister_prompt_tokens_total{model_name="fake-TEE"} 15');
    expect(text).toContain('cloister_prefix_cache_hits_total{model_name="fake-TEE"} 6');
    expect(text).toContain('cloister_prefix_cache_shared_hits_total{model_name="fake-TEE"} 0');
    expect(text).toMatch(/cloister_num_requests_running\{model_name="fake-TEE"\} 0/);
  });

  it('reports the delay of the event loop without the sampling interval', async () => {
    const { registry } = buildMetrics({ engines: () => [], clock: () => 0 });
    const lag = async (figure: string) => {
      const text = await registry.metrics();
      return Number(new RegExp(`^cloister_nodejs_eventloop_lag_${figure}_seconds (.+)$`, 'm').exec(text)?.[1]);
    };
    const samplings = () => new Promise((resolve) => setTimeout(resolve, 350));
    await samplings();
    // Scheduling noise may be some milliseconds, the interval is a hundred.
    expect(await lag('p50')).toBeLessThan(0.08);
    const end = performance.now() + 400;
    while (performance.now() < end);
    await samplings();
    expect(await lag('max')).toBeGreaterThan(0.2);
  });

  it('is the only path served on the loopback interface', async () => {
    const engine = new FakeEngine();
    const { registry } = buildMetrics({ engines: () => [{ id: 'm', stats: engine.stats }], clock: () => 0 });
    const { server, url } = await serveOperator([metricsHandler(registry)], {
      port: 0,
      host: '127.0.0.1',
      ownHosts: { names: [], anyAddress: false },
    });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${url}/metrics`);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect(await answer.text()).toContain('cloister_num_requests_waiting{model_name="m"} 0');
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(404);
    server.closeAllConnections();
    server.close();
  });

  it('answers 500 if a value cannot be read, and keeps serving', async () => {
    const { registry } = buildMetrics({ engines: () => [], clock: () => 0 });
    let isBroken = true;
    const canary = 'words of the fault';
    new Gauge({
      name: 'broken',
      help: 'broken',
      registers: [registry],
      collect() {
        if (isBroken) throw new Error(canary);
      },
    });
    const { server, url } = await serveOperator([metricsHandler(registry)], {
      port: 0,
      host: '127.0.0.1',
      ownHosts: { names: [], anyAddress: false },
    });
    const refused = await fetch(`${url}/metrics`);
    expect(refused.status).toBe(500);
    expect(await refused.text()).not.toContain(canary);
    isBroken = false;
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    server.closeAllConnections();
    server.close();
  });
});
