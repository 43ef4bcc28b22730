/** A fetch that sends nothing to a server before the server is verified, and nothing to any other server. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { type AttestedFetchOptions, attestedFetch } from '../../attestation/client/attested-fetch.ts';
import type { EvidencePolicy } from '../../attestation/policy/evidence-policy.ts';
import { makeIdentity, tlsOptions } from '../../server/tls/tls.ts';
import {
  type AttestedServer,
  type AttestedServerOptions,
  simulatedSoftware,
  spkiOf,
  startAttestedServer,
  startLogWith,
  startManInTheMiddle,
  testStartLog,
} from '../support/attestation/attested-server.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function start(options: AttestedServerOptions = {}): Promise<AttestedServer> {
  const server = await startAttestedServer(options);
  open.push(server);
  return server;
}

/** Redirects new connections to one server or another; open connections stay where they are. */
async function startSwitch(port: number): Promise<{ port: number; leadTo(port: number): void }> {
  let target = port;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.pipe(upstream).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: async () => void server.close() });
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(other) {
      target = other;
    },
  };
}

const anySoftware: EvidencePolicy = { measurements: 'any' };
const fetchFor = (server: AttestedServer, options: AttestedFetchOptions = {}, policy = anySoftware) =>
  attestedFetch(policy, { roots: server.rootPem, ...options });
const secret = { method: 'POST', body: 'a secret', headers: { authorization: 'Bearer key' } };
const refusal = (reason: RegExp) =>
  expect.objectContaining({ code: 'ERR_NOT_VERIFIED', message: expect.stringMatching(reason) });

describe('attestedFetch', () => {
  it('verifies a server once and sends over connections that have its key', async () => {
    const server = await start();
    const send = fetchFor(server);
    const answers = await Promise.all([1, 2, 3].map(() => send(`${server.origin}/v1/chat`, secret)));
    for (const answer of answers) expect(await answer.json()).toEqual({ got: 'a secret' });
    expect(answers[0]!.url).toBe(`${server.origin}/v1/chat`);
    expect([server.attestations, server.requests.length]).toEqual([1, 3]);
    expect(server.requests[0]!.headers.authorization).toBe('Bearer key');
  });

  it('sends nothing if the root of the simulation is not trusted', async () => {
    const server = await start();
    await expect(attestedFetch(anySoftware)(server.origin, secret)).rejects.toEqual(
      refusal(/reports a simulated platform/),
    );
    expect(server.requests).toEqual([]);
  });

  it('sends nothing to software that is not in the policy', async () => {
    const server = await start();
    const policy: EvidencePolicy = { measurements: [{ mrTd: 'ab'.repeat(48) }] };
    await expect(fetchFor(server, {}, policy)(server.origin, secret)).rejects.toEqual(refusal(/none of the 1 sets/));
    expect(server.requests).toEqual([]);
  });

  it('sends nothing if another model was measured at the start', async () => {
    const server = await start();
    const policy: EvidencePolicy = { ...anySoftware, started: { 'cloister.model': ['{"id":"other"}'] } };
    await expect(fetchFor(server, {}, policy)(server.origin, secret)).rejects.toEqual(
      refusal(/cloister.model .* is not among the 1/),
    );
    const right: EvidencePolicy = { ...anySoftware, started: { 'cloister.model': [testStartLog[4]!.content] } };
    expect((await fetchFor(server, {}, right)(server.origin, secret)).status).toBe(200);
  });

  it('sends nothing if a digest in the start log was changed', async () => {
    const startLog = startLogWith('model', { id: 'tiny', sha256: '00fe' });
    const server = await start({ startLog, measured: testStartLog });
    await expect(fetchFor(server)(server.origin, secret)).rejects.toEqual(refusal(/the start log replays to RTMR3/));
    expect(server.requests).toEqual([]);
  });

  it('sends nothing to an intermediary that terminates TLS with its own key', async () => {
    const server = await start();
    const middle = await startManInTheMiddle(server);
    open.push(middle);
    const sent = fetchFor(server)(middle.origin, secret);
    await expect(sent).rejects.toEqual(refusal(/not among the 1 attested TLS keys/));
    expect([middle.requests, server.requests]).toEqual([[], []]);
  });

  it('sends nothing to an intermediary that puts its own key into the report', async () => {
    const server = await start();
    const middle = await startManInTheMiddle(server, {
      report: (text) => text.replaceAll(spkiOf(server.identity), spkiOf(middle.identity)),
    });
    open.push(middle);
    await expect(fetchFor(server)(middle.origin, secret)).rejects.toEqual(refusal(/the report names the keyset/));
    expect(middle.requests).toEqual([]);
  });

  it('sends nothing if the report is a recording of an older one', async () => {
    const server = await start();
    const recorded = await server.report('ab'.repeat(32));
    const middle = await startManInTheMiddle(server, { report: () => recorded });
    open.push(middle);
    await expect(fetchFor(server)(middle.origin, secret)).rejects.toEqual(refusal(/replayed or changed/));
  });

  it('sends nothing if a fresh report carries an old quote', async () => {
    let old: string | undefined;
    const server = await start({
      evidence: (evidence) => {
        old ??= evidence.quote as string;
        return { ...evidence, quote: old };
      },
    });
    await server.report('ab'.repeat(32));
    await expect(fetchFor(server)(server.origin, secret)).rejects.toEqual(
      refusal(/made for this nonce and these keys/),
    );
  });

  it('sends nothing for a host that the key was not attested for', async () => {
    const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
    const tlsPublicKeys = [{ spkiSha256: spkiOf(identity), domain: 'example.org' }];
    const server = await start({ identity, keyset: { tlsPublicKeys } });
    await expect(fetchFor(server)(server.origin, secret)).rejects.toEqual(refusal(/attested for example.org/));
  });

  it('rejects redirects and addresses without TLS', async () => {
    const server = await start({ handle: (_, response) => response.writeHead(307, { location: '/' }).end() });
    await expect(fetchFor(server)(server.origin, secret)).rejects.toEqual(refusal(/redirects \(307\)/));
    await expect(fetchFor(server)('http://localhost/')).rejects.toThrow(TypeError);
  });

  it('verifies again after the server restarted with other keys, and loses no request', async () => {
    const first = await start();
    const send = fetchFor(first);
    expect((await send(first.origin, secret)).status).toBe(200);
    await first.close();
    const second = await start({ port: first.port, platform: first.platform });
    const answer = await send(second.origin, secret);
    expect(await answer.json()).toEqual({ got: 'a secret' });
    expect([second.attestations, second.requests.length]).toEqual([1, 1]);
  });

  it('does not resend a request because a concurrent one was rejected', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const first = await start({ handle: (_, response) => held.resolve(response) });
    const way = await startSwitch(first.port);
    const origin = `https://localhost:${way.port}`;
    const send = fetchFor(first);
    const sent = send(origin, secret);
    const response = await held.promise;
    const second = await start({ platform: first.platform });
    way.leadTo(second.port);
    expect((await send(origin, secret)).status).toBe(200);
    response.writeHead(307, { location: '/' }).end();
    await expect(sent).rejects.toEqual(refusal(/redirects \(307\)/));
    expect(second.requests).toHaveLength(1);
  });

  it('sends nothing to another server at the same address', async () => {
    const first = await start();
    const send = fetchFor(first);
    await send(first.origin, secret);
    await first.close();
    const stranger = await start({ port: first.port });
    await expect(send(stranger.origin, secret)).rejects.toEqual(refusal(/not verified/));
    expect(stranger.requests).toEqual([]);
  });

  it('verifies again after a response that names another keyset', async () => {
    const server = await start();
    const fetch = fetchFor(server);
    // Read to its end, so that the next request reuses the connection.
    const send = async () => (await fetch(server.origin, secret)).text();
    await send();
    server.keyset = { ...server.keyset, notAfter: server.keyset.notAfter + 60 };
    await send();
    expect(server.attestations).toBe(1);
    await send();
    expect(server.attestations).toBe(2);
    await send();
    expect(server.attestations).toBe(2);
  });

  it('verifies again if a new connection proves another keyset, and loses no request', async () => {
    const server = await start();
    const fetch = fetchFor(server);
    const first = await fetch(server.origin, secret);
    server.keyset = { ...server.keyset, notAfter: server.keyset.notAfter + 60 };
    expect((await fetch(server.origin, secret)).status).toBe(200);
    expect(server.attestations).toBe(2);
    expect(await first.json()).toEqual({ got: 'a secret' });
  });

  it('verifies again when the keyset has expired, and rejects an expired keyset', async () => {
    let nowMs = Date.now();
    const server = await start({ keyset: { notAfter: Math.floor(nowMs / 1000) + 100 } });
    const send = fetchFor(server, { now: () => nowMs });
    await send(server.origin, secret);
    nowMs += 200_000;
    await expect(send(server.origin, secret)).rejects.toEqual(refusal(/the keyset expired/));
    server.keyset = { ...server.keyset, notAfter: server.keyset.notAfter + 500 };
    expect((await send(server.origin, secret)).status).toBe(200);
    expect(server.attestations).toBe(3);
  });

  it('rejects with ERR_EVIDENCE_UNAVAILABLE if there is no response or no report', async () => {
    const unavailable = expect.objectContaining({ code: 'ERR_EVIDENCE_UNAVAILABLE' });
    const server = await start({ report: () => 'x' });
    await expect(fetchFor(server)(server.origin, secret)).rejects.toEqual(refusal(/must be JSON/));
    await server.close();
    await expect(fetchFor(server)(server.origin, secret)).rejects.toEqual(unavailable);
  });

  it('rejects if a server accepts a connection and sends nothing', async () => {
    const silent = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const origin = `https://localhost:${(silent.address() as AddressInfo).port}`;
    await expect(attestedFetch(anySoftware, { connectTimeoutMs: 20 })(origin)).rejects.toThrow(
      /did not respond within 20 ms/,
    );
    silent.close();
    // Completes the handshake, and then neither proves the connection nor reports.
    const identity = makeIdentity({ host: '127.0.0.1', now: Date.now() });
    const mute = createTlsServer(tlsOptions(identity), (socket) => void socket.resume());
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const muteOrigin = `https://localhost:${(mute.address() as AddressInfo).port}`;
    const unverified = { code: 'ERR_EVIDENCE_UNAVAILABLE', message: expect.stringMatching(/verified within 20 ms/) };
    await expect(attestedFetch(anySoftware, { verifyTimeoutMs: 20 })(muteOrigin)).rejects.toMatchObject(unverified);
    mute.close();
  });

  it('retries a 429 response after its Retry-After', async () => {
    const busy = [429, 429];
    const server = await start({ busy: () => busy.pop() });
    expect((await fetchFor(server)(server.origin, secret)).status).toBe(200);
    const always = await start({ busy: () => 429 });
    await expect(fetchFor(always)(always.origin, secret)).rejects.toMatchObject({ code: 'ERR_EVIDENCE_UNAVAILABLE' });
    const starting = await start({ busy: () => 503 });
    await expect(fetchFor(starting)(starting.origin, secret)).rejects.toThrow(/answered 503/);
    expect([server, always, starting].map(({ attestations }) => attestations)).toEqual([3, 8, 1]);
  });

  it('reports each verification', async () => {
    const server = await start();
    const seen: unknown[] = [];
    await fetchFor(server, {
      onVerification: (origin, { verdict, acceptable, simulated, measurements }) =>
        seen.push([origin, verdict, acceptable, simulated, measurements]),
    })(server.origin);
    // The policy of these tests explicitly accepts any software, so the server is used but never called verified.
    const registers = expect.objectContaining(simulatedSoftware[0]!);
    expect(seen).toEqual([[server.origin, 'could-not-check', true, true, registers]]);
  });

  it('sends nothing under a policy of one register', async () => {
    const server = await start();
    const policy = { measurements: [{ mrOwner: '00'.repeat(48) }] };
    const sent = attestedFetch(policy, { roots: server.rootPem })(server.origin, secret);
    await expect(sent).rejects.toThrow(/The policy pins firmware, kernel and command line .*RTMR2 is not pinned/);
    expect(server.requests).toEqual([]);
  });
});

describe('attestedFetch under the openai client', () => {
  const events = ['{"choices":[{"delta":{"content":"Hel"}}]}', '{"choices":[{"delta":{"content":"lo"}}]}', '[DONE]'];
  const client = (server: AttestedServer) =>
    new OpenAI({ baseURL: `${server.origin}/v1`, apiKey: 'k', fetch: fetchFor(server), maxRetries: 0 });
  const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }], stream: true as const };

  it('streams', async () => {
    const server = await start({
      handle: (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of events) response.write(`data: ${event}\n\n`);
        response.end();
      },
    });
    let text = '';
    for await (const chunk of await client(server).chat.completions.create(ask)) {
      text += chunk.choices[0]?.delta.content ?? '';
    }
    expect(text).toBe('Hello');
    expect(JSON.parse(server.requests[0]!.body.toString())).toEqual(ask);
  });

  it('ends the connection when the caller aborts in the middle of a stream', async () => {
    let ended: Promise<unknown> | undefined;
    const server = await start({
      handle: (_, response) => {
        ended = once(response, 'close');
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(`data: ${events[0]}\n\n`);
      },
    });
    const controller = new AbortController();
    const stream = await client(server).chat.completions.create(ask, { signal: controller.signal });
    for await (const _ of stream) controller.abort();
    await ended;
  });

  it('rejects with the reason of an abort before the answer, and while the server is verified', async () => {
    const server = await start({ handle: () => controller.abort() });
    let controller = new AbortController();
    const send = fetchFor(server);
    await expect(send(server.origin, { signal: controller.signal })).rejects.toThrow(/aborted/);
    controller = new AbortController();
    const early = fetchFor(server)(server.origin, { signal: controller.signal });
    controller.abort(new Error('changed my mind'));
    await expect(early).rejects.toThrow('changed my mind');
  });

  it('rejects with the reason of an abort while it reads a body that does not end', async () => {
    const server = await start();
    const controller = new AbortController();
    const endless = { method: 'POST', body: new ReadableStream(), duplex: 'half', signal: controller.signal } as const;
    const sending = fetchFor(server)(server.origin, endless);
    controller.abort(new Error('changed my mind'));
    await expect(sending).rejects.toThrow('changed my mind');
    expect(server.requests).toEqual([]);
  });

  it('fails if a response is truncated', async () => {
    const server = await start({
      handle: (_, response) => {
        response.write('half');
        response.socket?.destroySoon();
      },
    });
    const answer = await fetchFor(server)(server.origin);
    await expect(answer.text()).rejects.toThrow();
  });
});
