/** Metrics of the server as a whole: vLLM's names, limits, the KV cache, GPUs, certificates; and what no metric may contain. */
import { Registry } from 'prom-client';
import { afterEach, describe, expect, it } from 'vitest';
import { operatorPlanId } from '../../../accounts/plans/plans.ts';
import { emptyEngineStats } from '../../../runtime/chat/engine-stats.ts';
import type { EngineStats } from '../../../runtime/chat/request.ts';
import { registerExpiry } from '../../../server/metrics/expiry-metrics.ts';
import { type GpuLoad, registerGpuLoads } from '../../../server/metrics/gpu-metrics.ts';
import { buildMetrics } from '../../../server/start/metrics.ts';
import { makeIdentity } from '../../../server/tls/tls.ts';
import { chatBody, startTestApp, type TestApp } from '../../support/server/test-app.ts';

let running: TestApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** Samples by name and labels, as a scraper reads them. */
async function scrape(registry: Registry): Promise<Map<string, number>> {
  const samples = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    samples.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}

describe("vLLM's names", () => {
  it('have the values of ours', async () => {
    running = await startTestApp({ script: (chat) => void chat.answer('a', 'b', 'c') });
    await running.post(chatBody());
    await running.post(chatBody({ n: 2 }));
    const samples = await scrape(running.metrics.registry);
    const values = (name: string) => [...samples].filter(([key]) => key.startsWith(`${name}{`));
    const twins = [...samples.keys()].filter((key) => key.startsWith('vllm:')).map((key) => key.split('{')[0]!);
    for (const twin of new Set(twins)) {
      const own = twin
        .replace('vllm:', 'cloister_')
        .replace('gpu_cache_usage', 'kv_cache_usage')
        .replace('_time_per_output', '_per_output')
        .replace('cloister_per_output_token_seconds', 'cloister_inter_token_latency_seconds')
        .replace('_request_per_output', '_request_time_per_output');
      const renamed = values(own).map(([key, value]) => [key.replace(own, twin), value]);
      expect(renamed.length, twin).toBeGreaterThan(0);
      expect(values(twin), twin).toEqual(renamed);
    }
    const label = '{model_name="fake-TEE"}';
    expect(samples.get(`vllm:prompt_tokens_total${label}`)).toBe(10);
    expect(samples.get(`vllm:time_to_first_token_seconds_count${label}`)).toBe(2);
    expect(samples.get(`vllm:e2e_request_latency_seconds_bucket{le="+Inf",model_name="fake-TEE"}`)).toBe(2);
    expect(samples.get(`vllm:request_generation_tokens_count${label}`)).toBe(3);
    for (const name of ['num_requests_running', 'num_requests_waiting', 'kv_cache_usage_perc', 'gpu_cache_usage_perc'])
      expect(samples.has(`vllm:${name}${label}`), name).toBe(true);
    const latencies = ['time_per_output_token_seconds', 'e2e_request_latency_seconds', 'request_prefill_time_seconds'];
    for (const name of latencies) expect(samples.has(`vllm:${name}_sum${label}`), name).toBe(true);
  });

  it('keep the type of ours, and appear once', async () => {
    const { registry } = buildMetrics({ engines: () => [], clock: () => 0 });
    const types = [...(await registry.metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [
      name!,
      type,
    ]);
    expect(new Set(types.map(([name]) => name)).size).toBe(types.length);
    const byName = new Map(types as [string, string][]);
    expect(byName.get('vllm:time_to_first_token_seconds')).toBe('histogram');
    expect(byName.get('vllm:kv_cache_usage_perc')).toBe('gauge');
    expect(byName.get('vllm:generation_tokens_total')).toBe('counter');
  });
});

describe('the KV cache', () => {
  it.each([
    [0, 65_536, 0],
    [1, 65_536, 0.01],
    [30_000, 65_536, 0.46],
    [65_536, 65_536, 1],
    [0, 0, 0],
  ])('with %d of %d tokens is full to %d, without the exact number', async (kvTokens, kvTokensMax, share) => {
    const stats: EngineStats = { ...emptyEngineStats, kvTokens, kvTokensMax };
    const { registry } = buildMetrics({ engines: () => [{ id: 'm', stats }], clock: () => 0 });
    const samples = await scrape(registry);
    expect(samples.get('cloister_kv_cache_usage_perc{model_name="m"}')).toBe(share);
    expect(samples.get('cloister_kv_cache_tokens{model_name="m"}')).toBe(kvTokensMax);
  });
});

describe('prompt tokens that wait', () => {
  it.each([
    [0, 0],
    [1, 1_000],
    [1_000, 1_000],
    [70_001, 71_000],
  ])('%d are reported as %d, without the exact number', async (promptTokensLeft, reported) => {
    const stats: EngineStats = { ...emptyEngineStats, promptTokensLeft };
    const { registry } = buildMetrics({ engines: () => [{ id: 'm', stats }], clock: () => 0 });
    expect((await scrape(registry)).get('cloister_num_prompt_tokens_waiting{model_name="m"}')).toBe(reported);
  });
});

describe('refusals', () => {
  it('count by limit, from zero, and only those of a limit', async () => {
    running = await startTestApp({ script: (chat) => void chat.answer('a') });
    const refusals = async (limit: string) =>
      (await scrape(running!.metrics.registry)).get(`cloister_refusals_total{limit="${limit}"}`);
    expect(await refusals('plan_requests')).toBe(0);
    await running.accounts.changePlan({ id: operatorPlanId, change: { requestsPerMinute: 1 }, now: Date.now() });
    expect((await running.post(chatBody())).status).toBe(200);
    expect((await running.post(chatBody())).status).toBe(429);
    expect((await running.post({ model: 'unknown' })).status).toBe(400);
    expect(await refusals('plan_requests')).toBe(1);
    const all = [...(await scrape(running.metrics.registry))].filter(([key]) => key.startsWith('cloister_refusals'));
    expect(all.reduce((sum, [, value]) => sum + value, 0)).toBe(1);
  });
});

describe('the GPUs', () => {
  const load: GpuLoad = { memoryTotalBytes: 80, memoryUsedBytes: 20, computePercent: 55, memoryPercent: 5 };

  it('show memory and load, with one read per scrape', async () => {
    const registry = new Registry();
    let reads = 0;
    registerGpuLoads(registry, async () => {
      reads += 1;
      return [load, { memoryTotalBytes: 40 }];
    });
    const samples = await scrape(registry);
    expect(reads).toBe(1);
    expect(Object.fromEntries(samples)).toEqual({
      'cloister_gpu_memory_total_bytes{gpu="0"}': 80,
      'cloister_gpu_memory_total_bytes{gpu="1"}': 40,
      'cloister_gpu_memory_used_bytes{gpu="0"}': 20,
      'cloister_gpu_utilization_ratio{gpu="0"}': 0.55,
      'cloister_gpu_memory_utilization_ratio{gpu="0"}': 0.05,
    });
  });

  it('are absent without the library, which is not opened again', async () => {
    const registry = new Registry();
    let reads = 0;
    registerGpuLoads(registry, async () => {
      reads += 1;
      throw Object.assign(new Error('none'), { code: 'ERR_NVML_MISSING' });
    });
    expect((await scrape(registry)).size).toBe(0);
    expect((await scrape(registry)).size).toBe(0);
    expect(reads).toBe(1);
  });

  it('do not hold up a scrape if the driver hangs', async () => {
    const registry = new Registry();
    registerGpuLoads(registry, () => new Promise(() => undefined));
    const startedAt = performance.now();
    expect((await scrape(registry)).size).toBe(0);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });
});

describe('expiry', () => {
  it('is that of the certificate each port shows now, and of the attested keys', async () => {
    const registry = new Registry();
    const now = Date.UTC(2026, 0, 1);
    let api = makeIdentity({ host: 'x', now }).certificate;
    let keyset: number | undefined;
    registerExpiry(registry, { certificates: () => ({ api, admin: undefined }), keysetExpiry: () => keyset });
    const daysMs = 397 * 86_400_000;
    const name = 'cloister_tls_certificate_expiry_timestamp_seconds';
    expect(Object.fromEntries(await scrape(registry))).toEqual({ [`${name}{port="api"}`]: (now + daysMs) / 1000 });
    api = makeIdentity({ host: 'x', now: now + daysMs }).certificate;
    keyset = 1_800_000_000;
    const samples = await scrape(registry);
    expect(samples.get(`${name}{port="api"}`)).toBe((now + 2 * daysMs) / 1000);
    expect(samples.get('cloister_keyset_expiry_timestamp_seconds')).toBe(keyset);
    keyset = undefined;
    expect((await scrape(registry)).has('cloister_keyset_expiry_timestamp_seconds')).toBe(false);
  });
});

describe('what no metric contains', () => {
  it('is an account, a key, a request, or a label with values of callers', async () => {
    running = await startTestApp({ script: (chat) => void chat.answer('a') });
    await running.post(chatBody({ user: 'user-of-caller', metadata: { a: 'meta-of-caller' } }));
    await running.post(chatBody({ model: 'model-of-caller' }));
    await running.app.inject({ url: '/v1/path-of-caller', headers: { 'user-agent': 'agent-of-caller' } });
    const text = await running.metrics.registry.metrics();
    expect(text).not.toContain('-of-caller');
    const labels = new Set([...text.matchAll(/[{,]([a-z_]+)="/g)].map(([, label]) => label));
    const known = ['check', 'code', 'finished_reason', 'kind', 'le', 'limit', 'method', 'model_name', 'node'];
    const ofNode = ['major', 'minor', 'patch', 'space', 'type'];
    for (const label of labels)
      expect([...known, ...ofNode, 'quantile', 'route', 'status', 'version']).toContain(label);
  });

  it('has size buckets that depend on the prompts', async () => {
    const bucketsOf = async (promptTokens: number) => {
      const metrics = buildMetrics({ engines: () => [], clock: () => 0 });
      const watch = metrics.beginChat({ model: 'm', choices: 1 });
      watch.saw({ kind: 'started', promptTokens, cachedTokens: 0, queuedMs: 0 });
      const samples = await scrape(metrics.registry);
      return [...samples.keys()].filter((key) => key.startsWith('cloister_request_prompt_tokens_bucket'));
    };
    expect(await bucketsOf(7)).toEqual(await bucketsOf(123_456));
    expect((await bucketsOf(7)).length).toBe(19);
  });
});
