/** Start, shutdown, and behaviour under hostile load. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RunningServer, startServer } from '../support/server/server.ts';
import { startLimitMs } from '../support/start-limit.ts';

const cli = join(import.meta.dirname, '../../cli/cloister.mjs');
const model = 'cloister-demo-TEE';
const say = (content: string, rest: object = {}) => ({ model: model, messages: [{ role: 'user', content }], ...rest });

describe('a running server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    // The first start after a change of the program compiles it.
    await (await startServer()).stop();
    server = await startServer();
  });
  afterAll(() => server?.stop());

  it('is ready in under three seconds', () => {
    expect(server.readyMs).toBeLessThan(startLimitMs({ models: 4 }));
  });

  it('answers the curl command that it prints', () => {
    const people = spawnSync(
      'curl',
      [
        '--silent',
        '--cacert',
        server.listening.certificatePath,
        `${server.listening.baseUrl}/chat/completions`,
        '-H',
        `Authorization: Bearer ${server.listening.apiKey}`,
        '-H',
        'Content-Type: application/json',
        '-d',
        JSON.stringify(say('Hello!')),
      ],
      { encoding: 'utf8' },
    );
    expect(JSON.parse(people.stdout).object).toBe('chat.completion');
  });

  it('speaks TLS 1.3 and nothing older', async () => {
    const options = { host: '127.0.0.1', port: server.port, ca: server.certificate, servername: 'localhost' };
    const modern = tls.connect(options);
    await once(modern, 'secureConnect');
    expect(modern.getProtocol()).toBe('TLSv1.3');
    modern.destroy();
    const old = tls.connect({ ...options, maxVersion: 'TLSv1.2' });
    await expect(once(old, 'secureConnect')).rejects.toThrow(/protocol version|alert/i);
  });

  it('rejects plain HTTP without a redirect', async () => {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    let reply = '';
    socket.on('data', (chunk) => (reply += chunk));
    socket.on('error', () => {});
    await once(socket, 'close');
    expect(reply).not.toMatch(/ 30\d |location:/i);
    expect(reply).not.toMatch(/ 200 /);
  });

  it('serves other clients while ten thousand connections send bytes slowly', async () => {
    const sockets = Array.from({ length: 10_000 }, () => connect(server.port, '127.0.0.1').on('error', () => {}));
    // Each is connected, or was closed in favour of a later one.
    const settled = sockets.map(
      (socket) => new Promise<void>((resolve) => socket.once('connect', resolve).once('close', () => resolve())),
    );
    await Promise.all(settled);
    // A TLS handshake begins with this byte.
    for (const socket of sockets) socket.write(Buffer.of(22));
    const response = await server.post('/chat/completions', say('Hello', { max_tokens: 4 }));
    expect(response.status).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it('survives a 10 MB body and a million brackets', async () => {
    const huge = await server
      .post('/chat/completions', JSON.stringify(say('x'.repeat(10_000_000))))
      .catch(() => undefined);
    if (huge !== undefined) expect([400, 413]).toContain(huge.status);
    const deep = await server.post('/chat/completions', '['.repeat(1_000_000));
    expect(deep.status).toBe(400);
    expect((await server.post('/chat/completions', say('Hello', { max_tokens: 4 }))).status).toBe(200);
  });

  it('stores no request text', async () => {
    const canary = 'kanarienvogel-7319';
    const text = async (response: Promise<Response>) => (await response).text();
    await text(server.post('/chat/completions', say(`Say ${canary}`, { max_tokens: 8 })));
    await text(server.post('/chat/completions', say(`Say ${canary}`, { max_tokens: 8, stream: true })));
    const refusals = await Promise.all([
      text(server.post('/chat/completions', say(canary, { temperature: canary }))),
      text(server.post('/chat/completions', `{"model": "${canary}`)),
      text(server.post('/chat/completions', say(canary.repeat(20_000)))),
      text(server.post(`/${canary}`, {})),
      text(server.post('/chat/completions', say(canary), { headers: { authorization: `Bearer ${canary}` } })),
    ]);
    const abort = new AbortController();
    const cut = await server.post('/chat/completions', say(canary, { stream: true }), { signal: abort.signal });
    await cut.body!.getReader().read();
    abort.abort();
    const metrics = await text(fetch(server.listening.metricsUrl));
    expect(server.output).not.toContain(canary);
    expect(server.stateFiles()).not.toContain(canary);
    // Only the file `development-key` may contain the API key.
    const files = server.stateFiles({ except: ['development-key'] });
    for (const place of [server.log, files, metrics, ...refusals]) {
      expect(place).not.toContain(canary);
      expect(place).not.toContain(server.listening.apiKey.slice(12));
    }
  });
});

describe('stopping', () => {
  it('finishes running requests on SIGTERM, rejects new ones, and exits with 0', async () => {
    const server = await startServer();
    const running = await server.post(
      '/chat/completions',
      say('Tell me about the service', { stream: true, max_tokens: 200 }),
    );
    const reader = running.body!.getReader();
    await reader.read();
    const exited = server.signalAndWait('SIGTERM');
    let text = '';
    for (let part = await reader.read(); !part.done; part = await reader.read())
      text += Buffer.from(part.value).toString();
    expect(text).toContain('data: [DONE]');
    expect(await exited).toBe(0);
    await server.stop();
  });

  it('exits at once on the second signal', async () => {
    const server = await startServer(['--drain-timeout-s', '60', '--context', '4096']);
    const endless = { max_tokens: 4000, stream: true, logit_bias: {} };
    const running = await server.post('/chat/completions', say('Hello', endless));
    await running.body!.getReader().read();
    server.process.kill('SIGTERM');
    const before = performance.now();
    await server.signalAndWait('SIGTERM');
    // Far below its 60 s drain timeout, even on a busy machine.
    expect(performance.now() - before).toBeLessThan(10_000);
    await server.stop();
  });
});

describe('the command', () => {
  const cloister = (...args: string[]) => spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8' });

  it('fails on an invalid value with its name, range and value', () => {
    const { status, stderr } = cloister('serve', '--threads', '0');
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/threads.*1…1024.*0/s);
  });

  it.each([['serve'], ['keys'], ['models'], ['models', 'add']])('prints help for %s', (...args) => {
    const { status, stdout } = cloister(...args, '--help');
    expect(status).toBe(0);
    expect(stdout).toContain(`cloister ${args.join(' ')}`);
  });

  it('rejects an invalid model file with an error', async () => {
    const server = new RunningServer(['--model', join(import.meta.dirname, '../../package.json')]);
    await expect(server.ready()).rejects.toThrow(/package\.json/);
    await server.stop();
  });
});
