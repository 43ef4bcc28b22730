/** A real Prometheus scrapes a real server: every panel and alert finds its series. `.ci/install-prometheus.sh` installs it. */
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Collector, startCollector } from '../support/server/collector.ts';
import { deployFolder, readAlerts, readDashboards, selectors } from '../support/server/monitoring-files.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';

const run = promisify(execFile);
const missing = ['prometheus', 'promtool'].filter((tool) => spawnSync(tool, ['--version']).error !== undefined);
if (missing.length > 0) console.warn(`monitoring is skipped: ${missing.join(' and ')} not found`);

const model = 'cloister-demo-TEE';
const rules = join(deployFolder, 'prometheus');
const waiting = { timeout: 60_000, interval: 250 };

/** Empty on a machine without a GPU. */
const needsGpu = (expr: string) => expr.includes('cloister_gpu_');

let [url, server, collector, prometheus]: [string, RunningServer?, Collector?, ChildProcess?] = [''];

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

async function query(expr: string): Promise<readonly Sample[]> {
  const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`);
  const { status, error, data } = (await response.json()) as {
    status: string;
    error?: string;
    data: { result: Sample[] };
  };
  if (status !== 'success') throw new Error(`${expr}: ${error}`);
  return data.result;
}

describe.skipIf(missing.length > 0)('the files of Prometheus', () => {
  it('are valid, and the tests of the alerts pass', async () => {
    expect((await run('promtool', ['check', 'config', 'prometheus.yml'], { cwd: rules })).stdout).toContain('SUCCESS');
    const { stdout, stderr } = await run('promtool', ['test', 'rules', 'alerts.test.yml'], { cwd: rules });
    expect(stdout + stderr).toContain('SUCCESS');
  });
});

describe.skipIf(missing.length > 0)('a server that Prometheus scrapes', () => {
  const folder = scratchFolder();

  beforeAll(async () => {
    const { path } = await folder;
    collector = await startCollector();
    server = await startServer(['--simulate-tdx', '--model', model, '--otlp-endpoint', collector.url]);
    const target = new URL(server.listening.metricsUrl).host;
    const config = readFileSync(join(rules, 'prometheus.yml'), 'utf8');
    const here = config.replace('localhost:9443', target).replaceAll('_interval: 15s', '_interval: 1s');
    expect(here).toContain(target);
    writeFileSync(join(path, 'prometheus.yml'), here);
    cpSync(join(rules, 'alerts.yml'), join(path, 'alerts.yml'));
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    const files = [`--config.file=${path}/prometheus.yml`, `--storage.tsdb.path=${path}/data`];
    prometheus = spawn('prometheus', [...files, `--web.listen-address=127.0.0.1:${port}`], { stdio: 'ignore' });
    await vi.waitFor(async () => expect((await fetch(`${url}/-/ready`)).status).toBe(200), waiting);
    const chat = { model, messages: [{ role: 'user', content: 'Hello, how are you?' }], max_tokens: 8 };
    await vi.waitFor(async () => {
      await server!.post('/chat/completions', chat);
      const [scrapes] = await query('count_over_time(cloister_ready[1m])');
      expect(Number(scrapes?.value[1])).toBeGreaterThan(5);
    }, waiting);
  });

  afterAll(async () => {
    prometheus?.kill('SIGKILL');
    await server?.stop();
    await collector?.close();
    await (await folder)[Symbol.asyncDispose]();
  });

  it.each(readDashboards())('has values for every panel of $title', async ({ panels }) => {
    for (const { title, targets } of panels) {
      for (const { expr } of targets) {
        const concrete = expr.replaceAll('$__rate_interval', '30s').replaceAll('$model', '.*');
        const samples = await query(concrete);
        if (needsGpu(expr)) continue;
        expect(samples.length, `${title}: ${concrete}`).toBeGreaterThan(0);
        const isNumber = samples.some(({ value }) => Number.isFinite(Number(value[1])));
        expect(isNumber, `${title}: ${concrete}`).toBe(true);
      }
    }
  });

  it.each(readAlerts())('has the series and labels of $name', async ({ expr }) => {
    await query(expr);
    if (needsGpu(expr)) return;
    const found = selectors(expr);
    expect(found.length).toBeGreaterThan(0);
    for (const { series, labels } of found) {
      const matchers = labels.map((label) => `${label}!=""`).join();
      expect((await query(`${series}{${matchers}}`)).length, series).toBeGreaterThan(0);
    }
  });

  it('is healthy: no alert fires, and each rule is evaluated', async () => {
    const evaluated = async () => {
      const response = await fetch(`${url}/api/v1/rules`);
      const { data } = (await response.json()) as {
        data: { groups: { rules: { health: string; state: string }[] }[] };
      };
      return data.groups.flatMap((group) => group.rules);
    };
    await expect.poll(async () => (await evaluated()).every(({ health }) => health === 'ok'), waiting).toBe(true);
    const all = await evaluated();
    expect(all.length).toBe(readAlerts().length);
    expect(all.filter(({ state }) => state === 'firing')).toEqual([]);
  });

  it("publishes vLLM's names with values", async () => {
    const label = `{model_name="${model}"}`;
    for (const name of [
      'num_requests_waiting',
      'kv_cache_usage_perc',
      'gpu_cache_usage_perc',
      'generation_tokens_total',
    ])
      expect((await query(`vllm:${name}${label}`)).length, name).toBe(1);
    const first = await query(`vllm:time_to_first_token_seconds_count${label}`);
    expect(Number(first[0]?.value[1])).toBeGreaterThan(5);
  });

  it('sends its traces, without the text of the chats', async () => {
    await expect.poll(() => collector!.spans().length, waiting).toBeGreaterThan(20);
    expect(collector!.bytes().toString('latin1')).not.toContain('how are you');
    expect(await query('cloister_otlp_spans_total{outcome="exported"} > 0')).toHaveLength(1);
  });
});
