/** `cloister proxy` forwards only to a verified server, and only for programs on this machine. */

import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { parseReceipt } from '../../attestation/aci/receipt.ts';
import { AttestationError } from '../../attestation/base/errors.ts';
import { runProxy } from '../../attestation/cli/proxy.ts';
import { parseBundle } from '../../attestation/client/bundle.ts';
import { formatFleetList } from '../../attestation/fleet/entry.ts';
import { createLocalProxy } from '../../attestation/proxy/local-proxy.ts';
import { formatPemChain } from '../../attestation/x509/pem.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  simulatedSoftware,
  startAttestedServer,
  startLogWith,
  startManInTheMiddle,
  testStartLog,
} from '../support/attestation/attested-server.ts';
import { chatRequest, requestCounts, startTestFleet } from '../support/attestation/test-fleet.ts';
import { appNowMs, startAttestedApp } from '../support/server/attested-app.ts';
import { chatBody } from '../support/server/test-app.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function server(options: AttestedServerOptions = {}): Promise<AttestedServer> {
  const running = await startAttestedServer(options);
  ends.push(() => running.close());
  return running;
}

/** Runs the command until the test ends. */
async function proxy(origin: string, rootPem: string, more: readonly string[] = [], now: () => number = Date.now) {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'));
  writeFileSync(join(folder, 'policy.json'), JSON.stringify({ measurements: simulatedSoftware }));
  writeFileSync(join(folder, 'root.pem'), rootPem);
  writeFileSync(join(folder, 'key'), 'clst_own\n');
  const stop = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<string>();
  const lines: Record<string, unknown>[] = [];
  const stdout = {
    write(text: string) {
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      if (line.event === 'listening') listening.resolve(String(line.address));
    },
  };
  const args = [origin, '--policy', 'policy.json', '--root', 'root.pem', '--port', '0', '--json', ...more];
  const ended = runProxy(args, { stdout, stderr: process.stderr, cwd: folder, now }, { stopped: () => stop.promise });
  ends.push(async () => {
    stop.resolve();
    expect(await ended).toBe(0);
  });
  return { address: await listening.promise, folder, lines };
}

const question = { method: 'POST', body: 'a secret', headers: { authorization: 'Bearer theirs' } };

describe('a request through the proxy', () => {
  it('reaches the verified server, unchanged if sealing is off', async () => {
    const upstream = await server();
    const { address, lines } = await proxy(upstream.origin, upstream.rootPem, ['--no-seal']);
    const answer = await fetch(`${address}/v1/chat?a=b`, question);
    expect(await answer.json()).toEqual({ got: 'a secret' });
    expect(upstream.requests[0]).toMatchObject({
      url: '/v1/chat?a=b',
      method: 'POST',
      headers: { authorization: 'Bearer theirs' },
    });
    expect(lines).toContainEqual(expect.objectContaining({ event: 'verdict', verdict: 'verified', simulated: true }));
  });

  it('carries the API key of the proxy instead of its own', async () => {
    const upstream = await server();
    const { address } = await proxy(upstream.origin, upstream.rootPem, ['--no-seal', '--key-file', 'key']);
    await fetch(`${address}/v1/chat`, { ...question, headers: { 'x-api-key': 'theirs', authorization: 'Bearer a' } });
    expect(upstream.requests[0]!.headers).toMatchObject({ authorization: 'Bearer clst_own' });
    expect(upstream.requests[0]!.headers['x-api-key']).toBeUndefined();
  });

  it.each<[string, (origin: AttestedServer) => Promise<string> | string, AttestedServerOptions]>([
    [
      'whose start log was changed',
      ({ origin }) => origin,
      { startLog: startLogWith('model', { id: 'a' }), measured: testStartLog },
    ],
    ['whose report is no report', ({ origin }) => origin, { report: () => 'x' }],
    ['that sends no evidence', ({ origin }) => origin, { busy: () => 404 }],
    [
      'behind an intermediary that ends TLS',
      async (upstream) => {
        const middle = await startManInTheMiddle(upstream);
        ends.push(() => middle.close());
        return middle.origin;
      },
      {},
    ],
  ])('sends nothing to a server %s', async (_, originOf, options) => {
    const upstream = await server(options);
    const { address } = await proxy(await originOf(upstream), upstream.rootPem);
    const answer = await fetch(`${address}/v1/chat`, question);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'server_not_verified' } });
    expect(upstream.requests).toEqual([]);
  });

  it('is refused if a web page could have sent it', async () => {
    const upstream = await server();
    const { address } = await proxy(upstream.origin, upstream.rootPem);
    const fromPage = await fetch(`${address}/v1/models`, { headers: { origin: 'https://example.com' } });
    expect(fromPage.status).toBe(403);
    const underOtherName = await new Promise<number | undefined>((resolve, reject) => {
      request(`${address}/v1/models`, { headers: { host: 'rebound.example.com' } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(underOtherName).toBe(403);
    expect(upstream.requests).toEqual([]);
  });

  it('serves programs elsewhere under the name that it was given, and no other', async () => {
    const served = createLocalProxy({
      origin: 'https://tee.example.com',
      fetch: async (input) => new Response(String(input instanceof Request ? input.url : input)),
      name: 'verified',
    });
    served.listen(0, '127.0.0.1');
    await once(served, 'listening');
    ends.push(() => new Promise((closed) => served.close(closed)));
    const { port } = served.address() as AddressInfo;
    const ask = async (host: string) => {
      const outgoing = request({ port, path: '/v1/models', headers: { host, connection: 'close' } });
      outgoing.end();
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      return [answer.statusCode, await text(answer)];
    };
    for (const host of ['verified:8444', 'Verified', 'localhost']) {
      expect(await ask(host)).toEqual([200, 'https://tee.example.com/v1/models']);
    }
    for (const host of ['verified.example.com', 'other', 'verified:8444:1']) {
      expect(await ask(host)).toEqual([403, expect.stringContaining('call this proxy by verified, localhost')]);
    }
  });

  it('brings back an answer that exceeds the buffers of its connections', async () => {
    const text = Buffer.from(Array.from({ length: 8 * 1024 * 1024 }, (_, index) => index % 251));
    const upstream = await server({ handle: (_, response) => response.end(text) });
    const { address } = await proxy(upstream.origin, upstream.rootPem, ['--no-seal']);
    const answer = await fetch(`${address}/v1/chat`, question);
    expect(Buffer.from(await answer.arrayBuffer()).equals(text)).toBe(true);
  });

  it('ends with an error if the server breaks off', async () => {
    const upstream = await server({
      handle: (_, response) => {
        response.writeHead(200, { 'content-length': 100 });
        response.write('{', () => response.destroy());
      },
    });
    const { address } = await proxy(upstream.origin, upstream.rootPem, ['--no-seal']);
    const answer = fetch(`${address}/v1/chat`, question).then((response) => response.text());
    await expect(answer).rejects.toThrow();
  });

  it('is cancelled at the server when the local program disconnects', async () => {
    const left = Promise.withResolvers<void>();
    const upstream = await server({
      handle: (_, response) => {
        response.write('{');
        response.once('close', () => left.resolve());
      },
    });
    const { address } = await proxy(upstream.origin, upstream.rootPem, ['--no-seal']);
    const leaving = new AbortController();
    const answer = await fetch(`${address}/v1/chat`, { ...question, signal: leaving.signal });
    expect(answer.status).toBe(200);
    leaving.abort();
    await left.promise;
  });
});

describe('the proxy of a fleet', () => {
  it('goes on with the other node when one goes away', async () => {
    const fleet = await startTestFleet(2);
    ends.push(() => fleet.close());
    const [first, second] = fleet.nodes as [AttestedServer, AttestedServer];
    const { address, lines } = await proxy(first.origin, first.rootPem, ['--no-seal', '--fleet']);
    const ask = async (text: string) => (await fetch(`${address}/v1/chat`, chatRequest(text))).json();
    for (let index = 0; index < 24; index++) await ask(`q${index}`);
    expect(Math.min(...requestCounts(fleet))).toBeGreaterThan(0);
    await second.close();
    // The end of the connections reaches the proxy.
    await setTimeout(100);
    for (let index = 0; index < 24; index++) expect(await ask(`q${index}`)).toEqual({ path: '/v1/chat', node: 0 });
    expect(lines.filter(({ event }) => event === 'refused')).toEqual([]);
  });

  it('reads the list of nodes from a plain server, which receives nothing else', async () => {
    const fleet = await startTestFleet(2);
    const asked: string[] = [];
    const list = createServer((incoming, response) => {
      asked.push(incoming.url!);
      response.end(formatFleetList(fleet.entries));
    }).listen(0, '127.0.0.1');
    ends.push(
      () => fleet.close(),
      async () => void list.close(),
    );
    await once(list, 'listening');
    const origin = `http://127.0.0.1:${(list.address() as AddressInfo).port}`;
    const { address } = await proxy(origin, fleet.nodes[0]!.rootPem, ['--no-seal', '--fleet']);
    const answer = await fetch(`${address}/v1/chat`, chatRequest('hi'));
    expect([answer.status, asked]).toEqual([200, ['/v1/fleet']]);
    expect(requestCounts(fleet).reduce((sum, count) => sum + count)).toBe(1);
  });

  it('reports the failure of a node that stopped answering, and that the request may have been executed', async () => {
    const failing = async () => {
      throw new AttestationError('ERR_NO_ANSWER', 'it may have been executed');
    };
    const server = createLocalProxy({ origin: 'https://localhost', fetch: failing }).listen(0, '127.0.0.1');
    ends.push(async () => void server.close());
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat`, question);
    const error = { type: 'server_unreachable', message: 'cloister proxy: it may have been executed' };
    expect([answer.status, await answer.json()]).toMatchObject([502, { error }]);
  });
});

describe('with the real application', () => {
  it('streams a sealed chat, and keeps its receipt with the evidence', async () => {
    const app = await startAttestedApp({ script: (chat) => void chat.answer('Good', ' day') });
    ends.push(() => app.close());
    const source = { repositoryUrl: 'https://example.org/cloister', commit: 'c0ffee', imageDigest: null };
    for (const event of startLogWith('build', { source })) await app.platform.measure(event);
    const { origin } = new URL(await app.listen());
    const rootPem = formatPemChain([app.platform.simulation!.rootCa]);
    const { address, folder, lines } = await proxy(origin, rootPem, ['--receipts', 'receipts'], () => appNowMs);
    const answer = await fetch(`${address}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(chatBody({ stream: true })),
    });
    expect(await answer.text()).toContain('Good');
    const receipts = join(folder, 'receipts');
    await expect.poll(() => readdirSync(receipts).length).toBe(2);
    const [evidence, receipt] = readdirSync(receipts).toSorted();
    expect(parseBundle(readFileSync(join(receipts, evidence!), 'utf8')).source).toBe(origin);
    expect(parseReceipt(readFileSync(join(receipts, receipt!), 'utf8')).endpoint).toBe('/v1/chat/completions');
    expect(lines.filter(({ event }) => event === 'receipt')).toEqual([]);
  });
});

describe('the command line', () => {
  it.each([
    [['https://localhost:1'], '--policy is required'],
    [['http://localhost:1', '--policy', 'p'], 'expected https addresses'],
    [['http://example.org', '--fleet', '--policy', 'p'], 'or http on a loopback address'],
    [['https://localhost:1', 'https://localhost:2', '--fleet', '--policy', 'p'], '--fleet takes one address'],
    [['https://localhost:1', '--policy', 'any', '--port', '70000'], '--port must be a number'],
    [['https://localhost:1', '--policy', 'any', '--serve-as', 'a:1'], '--serve-as takes the name of a host'],
    [['https://localhost:1', '--policy', 'any', '--session-age', '0'], '--session-age must be a number of seconds'],
  ])('refuses %j', async (args, message) => {
    let written = '';
    const stderr = {
      write: (more: string) => {
        written += more;
      },
    };
    const code = await runProxy(args, { stdout: stderr, stderr, cwd: tmpdir() }, { stopped: async () => undefined });
    expect([code, written]).toEqual([64, expect.stringContaining(message)]);
  });
});
