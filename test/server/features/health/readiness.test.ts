import { Registry } from 'prom-client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { memoryCheck, memoryLimit } from '../../../../server/features/health/memory.ts';
import { modelChecks } from '../../../../server/features/health/model-checks.ts';
import { type Check, type CheckName, Readiness } from '../../../../server/features/health/readiness.ts';
import { fakeFacts } from '../../../support/runtime/fake-engine.ts';
import { startTestApp, type TestApp } from '../../../support/server/test-app.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

function start(...names: CheckName[]) {
  const failing = new Map<CheckName, string>();
  const checks = names.map((name): Check => ({ name, failure: () => failing.get(name) }));
  const lines: unknown[][] = [];
  const logger = {
    info: (...line: unknown[]) => void lines.push(['info', ...line]),
    warn: (...line: unknown[]) => void lines.push(['warn', ...line]),
  };
  const registry = new Registry();
  const clock = { now: 0 };
  const readiness = new Readiness({ checks, logger, registry, now: () => clock.now });
  opened.push(readiness);
  return { clock, failing, lines, registry, readiness };
}

describe('readiness', () => {
  it('names the failing checks in a stable order', () => {
    const { readiness, failing } = start('memory', 'models', 'accounts');
    expect(readiness.failures().size).toBe(0);
    failing.set('memory', 'too much').set('models', 'one is loading');
    expect([...readiness.failures()]).toEqual([
      ['models', 'one is loading'],
      ['memory', 'too much'],
    ]);
  });

  it('is ready before anything evaluated the checks, if they pass', () => {
    const { readiness, failing } = start('models');
    failing.set('models', 'one is loading');
    expect([start('models').readiness.isReady, readiness.isReady]).toEqual([true, false]);
  });

  it('keeps the last failures of each check with their times, and none of the start', () => {
    const { readiness, failing, clock } = start('models', 'accounts', 'draining');
    failing.set('models', 'one is loading');
    readiness.failures();
    failing.clear();
    readiness.failures();
    expect(readiness.incidents).toEqual([]);
    clock.now = 1_000;
    failing.set('accounts', 'the account database is unavailable (ECONNREFUSED)');
    readiness.failures();
    clock.now = 2_000;
    failing.set('models', 'one is loading');
    readiness.failures();
    clock.now = 3_000;
    failing.delete('accounts');
    readiness.failures();
    expect(readiness.incidents).toEqual([
      { check: 'models', from: 2_000, to: undefined },
      { check: 'accounts', from: 1_000, to: 3_000 },
    ]);
    for (let at = 4_000; at < 204_000; at += 2_000) {
      clock.now = at;
      failing.set('draining', 'stopping');
      readiness.failures();
      clock.now = at + 1_000;
      failing.delete('draining');
      readiness.failures();
    }
    expect(readiness.incidents).toHaveLength(50);
    expect(readiness.incidents[0]).toEqual({ check: 'draining', from: 202_000, to: 203_000 });
  });

  it('shows incidents without a key, and without their reasons', async () => {
    const app = await startTestApp();
    opened.push(app);
    const answer = await app.app.inject({ url: '/health/incidents' });
    expect([answer.statusCode, answer.json()]).toEqual([200, { incidents: [] }]);
  });

  it('logs each change of the failing checks once, and counts how often the server became ready or stopped being so', async () => {
    const { readiness, failing, lines, registry } = start('models', 'memory', 'draining');
    failing.set('models', 'one is loading');
    readiness.failures();
    expect(lines).toEqual([]);
    failing.delete('models');
    readiness.failures();
    readiness.failures();
    failing.set('memory', '101 of 100');
    readiness.failures();
    failing.set('memory', '102 of 100');
    readiness.failures();
    failing.clear();
    readiness.failures();
    failing.set('draining', 'stopping');
    readiness.failures();
    expect(lines).toEqual([
      ['info', 'ready'],
      ['warn', { checks: { memory: '101 of 100' } }, 'not ready'],
      ['info', 'ready'],
      ['info', { checks: { draining: 'stopping' } }, 'not ready'],
    ]);
    expect(await registry.metrics()).toContain('cloister_ready_changes_total 4');
  });

  it('logs that a server is not ready once its models are loaded', () => {
    const { readiness, failing, lines } = start('models', 'memory');
    failing.set('models', 'one is loading').set('memory', '101 of 100');
    readiness.failures();
    expect(lines).toEqual([]);
    failing.delete('models');
    readiness.failures();
    expect(lines).toEqual([['warn', { checks: { memory: '101 of 100' } }, 'not ready']]);
  });

  it('logs a change without a request', async () => {
    const { failing, lines } = start('models', 'memory');
    await vi.waitFor(() => expect(lines).toEqual([['info', 'ready']]), { timeout: 10_000 });
    failing.set('memory', '101 of 100');
    await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 10_000 });
  });

  it('shows each check as a gauge', async () => {
    const { failing, registry } = start('models', 'memory');
    expect(await registry.metrics()).toContain('cloister_ready 1');
    failing.set('memory', '101 of 100');
    const text = await registry.metrics();
    expect(text).toContain('cloister_ready 0');
    expect(text).toContain('cloister_ready_check{check="models"} 1');
    expect(text).toContain('cloister_ready_check{check="memory"} 0');
  });
});

describe('/health/ready', () => {
  let running: TestApp;

  async function ask(checks: readonly Check[]) {
    const logger = { info: () => undefined, warn: () => undefined };
    const readiness = new Readiness({ checks, logger, registry: new Registry() });
    running = await startTestApp({ overrides: { readiness } });
    opened.push(running, readiness);
    return await running.app.inject({ url: '/health/ready' });
  }

  it('answers 503 with every failing check and its reason', async () => {
    const answer = await ask([
      { name: 'memory', failure: () => '2000 MiB are resident, 1000 MiB are allowed' },
      { name: 'accounts', failure: () => 'the account database is unavailable (ECONNREFUSED)' },
      { name: 'evidence', failure: () => undefined },
    ]);
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('10');
    expect(answer.json()).toEqual({
      error: 'the account database is unavailable (ECONNREFUSED)',
      details: {
        status: 503,
        endpoint: '/health/ready',
        code: 'ERR_UNHEALTHY',
        checks: {
          accounts: 'the account database is unavailable (ECONNREFUSED)',
          memory: '2000 MiB are resident, 1000 MiB are allowed',
        },
        retry_after: 10,
      },
    });
  });

  it('answers 503 while an engine completes no step, by the name of its model', async () => {
    running = await startTestApp();
    opened.push(running);
    expect((await running.app.inject({ url: '/health/ready' })).json()).toEqual({ status: 'ready' });
    running.engine.health = { stalledMs: 63_400, losses: 0 };
    const answer = await running.app.inject({ url: '/health/ready' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().details).toMatchObject({
      code: 'ERR_UNHEALTHY',
      checks: { engines: 'no step has completed: fake-TEE for 63 s' },
    });
  });

  it('answers with the code of the loading model and names it', async () => {
    running = await startTestApp({ state: { kind: 'loading', fraction: 0 } });
    opened.push(running);
    const loading = await running.app.inject({ url: '/health/ready' });
    expect(loading.json().details).toMatchObject({
      code: 'ERR_MODEL_LOADING',
      checks: { models: 'a model is still loading: fake-TEE' },
    });
    running.engine.state = { kind: 'ready', model: fakeFacts };
    expect((await running.app.inject({ url: '/health/ready' })).statusCode).toBe(200);
  });
});

describe('the memory check', () => {
  it('fails only above the limit', () => {
    let bytes = 100 * 1024 ** 2;
    const { failure } = memoryCheck({ limitBytes: 100 * 1024 ** 2, readBytes: () => bytes });
    expect(failure()).toBeUndefined();
    bytes += 1;
    expect(failure()).toBe('101 MiB are resident, 100 MiB are allowed');
  });

  it('reads the memory of this process', () => {
    expect(memoryCheck({ limitBytes: 1024 }).failure()).toMatch(/^\d{2,} MiB are resident, 1 MiB are allowed$/);
  });

  it('defaults to 90 % of the container’s memory, or of the machine’s outside a container', () => {
    const total = 16_000;
    expect(memoryLimit('auto', { constrained: 8_000, total })).toBe(7_200);
    expect(memoryLimit('auto', { constrained: 0, total })).toBe(14_400);
    expect(memoryLimit('auto', { constrained: 2 ** 64, total })).toBe(14_400);
    expect(memoryLimit(512, { constrained: 8_000, total })).toBe(512 * 1024 ** 2);
  });
});

it('a server without models is ready', () => {
  expect(modelChecks(() => [], { stepMsMax: 1 }).map(({ failure }) => failure())).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('a node of a fleet that announces its stop is not ready, although its engines still serve', () => {
  const [draining] = modelChecks(() => [], { stepMsMax: 1, isDraining: () => true });
  expect([draining!.name, draining!.failure()]).toEqual(['draining', 'the server is stopping']);
});
