/** Several starts on one state folder: a restart, a concurrent second server, and the compute service next to a server. */
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ComputeServer } from '../support/compute/compute-server.ts';
import { longAnswer } from '../support/server/long-answer.ts';
import { RunningServer } from '../support/server/server.ts';

const model = join(import.meta.dirname, '../../models/demo/chat/cloister-demo-chat.gguf');
const flags = ['--model', model, '--context', '512', '--sequences', '4', '--simulate-tdx'];
/** Each test starts several programs. */
const timeoutMs = 120_000;

const running: RunningServer[] = [];
let folder: string;
let stateDir: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-again-'));
  stateDir = join(folder, 'state');
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});

function start(): RunningServer {
  const server = new RunningServer(flags, { stateDir });
  running.push(server);
  return server;
}

async function balanceOf({ listening }: RunningServer) {
  const headers = { authorization: `Bearer ${listening.apiKey}` };
  const response = await fetch(`${listening.baseUrl}/balance`, { headers });
  return (await response.json()) as { held_micro_dollars: number; usage: { running_requests: number } };
}

const say = (content: string, fields: object = {}) => ({
  model: 'cloister-demo-chat-TEE',
  messages: [{ role: 'user', content }],
  ...fields,
});

describe('a server that is killed and started again', { timeout: timeoutMs }, () => {
  it('keeps its key and certificate, and releases the reservations of lost requests', async () => {
    const first = await start().ready();
    const certificate = first.certificate;
    const body = say('Tell me about the service', { stream: true, max_tokens: 400, response_format: longAnswer });
    const reader = (await first.post('/chat/completions', body)).body!.getReader();
    await reader.read();
    expect((await balanceOf(first)).usage.running_requests).toBe(1);
    await first.signalAndWait('SIGKILL');
    await reader.cancel().catch(() => undefined);

    const second = await start().ready();
    expect(second.listening.apiKey).toBe(first.listening.apiKey);
    expect(second.certificate).toBe(certificate);
    expect(await balanceOf(second)).toMatchObject({ held_micro_dollars: 0, usage: { running_requests: 0 } });
  });
});

describe('a second server on the state folder of a running one', { timeout: timeoutMs }, () => {
  it('fails with an error that names the folder, and changes neither key nor certificate', async () => {
    const first = await start().ready();
    const certificate = first.certificate;
    const second = start();
    await expect(second.ready()).rejects.toThrow(`(process ${first.process.pid}) uses the state folder ${stateDir}`);
    expect(readFileSync(first.listening.certificatePath, 'utf8')).toBe(certificate);
    expect((await first.post('/chat/completions', say('Hello', { max_tokens: 2 }))).status).toBe(200);
  });
});

describe('the compute service next to a server', { timeout: timeoutMs }, () => {
  it('prints the same key, which both accept', async () => {
    const server = await start().ready();
    const compute = new ComputeServer(folder, { engines: [], machines: [] });
    await compute.start();
    try {
      expect(compute.apiKey).toBe(server.listening.apiKey);
      expect((await server.post('/chat/completions', say('Hello', { max_tokens: 2 }))).status).toBe(200);
      expect((await compute.call('GET', '/api/svc/pods')).status).toBe(200);
      const certificate = readFileSync(compute.certificatePath, 'utf8');
      await compute.kill();
      await compute.start();
      expect(readFileSync(compute.certificatePath, 'utf8')).toBe(certificate);
      expect(compute.apiKey).toBe(server.listening.apiKey);
    } finally {
      await compute.kill();
    }
  });
});
