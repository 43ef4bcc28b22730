/** Readiness of a real server, and recovery from hanging engine threads. */
import { once } from 'node:events';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { longAnswer } from '../support/server/long-answer.ts';
import { type RunningServer, startServer } from '../support/server/server.ts';
import { buildThreadStopper } from '../support/thread-stopper.ts';

const model = 'cloister-demo-TEE';
const waiting = { timeout: 60_000, interval: 100 };
const hello = { model: model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 4 };
let server: RunningServer;
afterEach(() => server?.stop());

async function ready(): Promise<{ status: number; checks: Record<string, string> }> {
  const response = await fetch(server.listening.baseUrl.replace('/v1', '/health/ready'));
  const { details } = (await response.json()) as { details?: { checks: Record<string, string> } };
  return { status: response.status, checks: details?.checks ?? {} };
}

const readyMetric = async () =>
  /^cloister_ready (\d)$/m.exec(await (await fetch(server.listening.metricsUrl)).text())?.[1];

describe('/health/ready of a real server', () => {
  it('answers 503 above the memory limit, which is recorded in metrics and log', async () => {
    server = await startServer(['--model', model, '--memory-limit-mb', '64']);
    const { status, checks } = await ready();
    expect(status).toBe(503);
    expect(checks).toEqual({ memory: expect.stringMatching(/^\d+ MiB are resident, 64 MiB are allowed$/) });
    expect(await readyMetric()).toBe('0');
    await expect.poll(() => server.log, waiting).toMatch(/"level":"warn".*"checks":\{"memory":.*"msg":"not ready"/);
    expect((await server.post('/chat/completions', hello)).status).toBe(200);
  });

  it('answers 200 once all models are loaded', async () => {
    server = await startServer(['--simulate-tdx']);
    expect(await ready()).toEqual({ status: 200, checks: {} });
    expect(await readyMetric()).toBe('1');
    expect(server.log).toContain('"msg":"ready"');
  });
});

const stopper = buildThreadStopper();
if ('missing' in stopper) console.warn(`hanging threads are skipped: ${stopper.missing}`);

describe.skipIf('missing' in stopper)('an engine whose threads hang', () => {
  const threads = stopper as Exclude<typeof stopper, { missing: string }>;
  afterAll(() => threads.remove());

  const hang = async (flags: readonly string[]) => {
    server = await startServer(['--model', model, '--drain-timeout-s', '1', ...flags]);
    const endless = { ...hello, max_tokens: 4000, stream: true, response_format: longAnswer };
    const running = await server.post('/chat/completions', endless);
    const reader = running.body!.getReader();
    await reader.read();
    const release = await threads.stop(server.process.pid!, { named: /^(WorkerThread|compute-)/ });
    return { release, reader };
  };

  it('makes the server unready, is replaced, and its running requests fail', async () => {
    const { release, reader } = await hang(['--step-timeout-s', '5', '--ready-step-s', '1']);
    await expect.poll(async () => (await ready()).checks, waiting).toHaveProperty('engines');
    await expect.poll(async () => (await ready()).checks, waiting).toHaveProperty('models');
    // Simulates a device that recovers: the step ends, and so does the thread that was asked to stop.
    release();
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) text += Buffer.from(part.value);
    expect(text).toContain('ERR_ENGINE_LOST');
    await expect.poll(async () => (await ready()).status, waiting).toBe(200);
    expect((await server.post('/chat/completions', hello)).status).toBe(200);
    expect(server.log).toMatch(/"level":"warn".*"reason":"a step did not complete in time".*"msg":"engine lost/);
  });

  it('is replaced even without work, for embeddings and images', async () => {
    const models = ['cloister-demo-embedding-TEE', 'cloister-demo-reranker-TEE', 'cloister-demo-image-TEE'];
    server = await startServer(['--model', models.join(), '--step-timeout-s', '2']);
    const release = await threads.stop(server.process.pid!, { named: /^WorkerThread/ });
    const stopped = expect.stringContaining(models.join(', '));
    await expect.poll(async () => (await ready()).checks, waiting).toEqual({ models: stopped });
    release();
    await expect.poll(async () => (await ready()).status, waiting).toBe(200);
    const embedding = await server.post('/embeddings', { model: models[0], input: 'a quiet hotel' });
    const image = await server.post('/images/generations', {
      model: models[1],
      prompt: 'a red circle',
    });
    expect([embedding.status, image.status]).toEqual([200, 200]);
    expect(server.log.match(/"reason":"a task made no progress in time"/g)!.length).toBeGreaterThanOrEqual(2);
  });

  it('exits the process if its threads cannot be stopped, with the reason as the last log line', async () => {
    const { reader } = await hang(['--step-timeout-s', '1']);
    reader.read().catch(() => undefined);
    const [code, signal] = await once(server.process, 'exit');
    expect([code, signal]).toEqual([null, 'SIGKILL']);
    expect(server.log.trim().split('\n').at(-1)).toMatch(
      /"level":"fatal".*"model":"cloister-demo-TEE","msg":"stopped by an engine thread that hangs"/,
    );
  });
});
