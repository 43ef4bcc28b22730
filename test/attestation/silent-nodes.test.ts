/** Nodes of a fleet that stop answering: machines that are off, cut cables, processes that hang. */
import { once } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type AttestedFetchOptions, attestedFetch } from '../../attestation/client/attested-fetch.ts';
import { makeIdentity, tlsOptions } from '../../server/tls/tls.ts';
import type { AttestedServerOptions } from '../support/attestation/attested-server.ts';
import {
  chatRequest,
  fleetPolicy,
  type Relay,
  requestCounts,
  startRelay,
  startTestFleet,
  type TestFleet,
} from '../support/attestation/test-fleet.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** Two nodes; the second one is behind a relay, and both have equal loads. */
async function fleetWithRelay(second: AttestedServerOptions = {}): Promise<{ fleet: TestFleet; relay: Relay }> {
  const fleet = await startTestFleet(2, [{}, second]);
  const relay = await startRelay(fleet.nodes[1]!.port);
  open.push(fleet, relay);
  fleet.entries = [
    await fleet.entryOf(fleet.nodes[0]!),
    await fleet.entryOf(fleet.nodes[1]!, { address: relay.origin }),
  ];
  return { fleet, relay };
}

const chosen = (fleet: TestFleet, options: AttestedFetchOptions = {}) => {
  const send = attestedFetch(fleetPolicy, { roots: fleet.nodes[0]!.rootPem, fleet: 'announced', ...options });
  const url = `${fleet.nodes[0]!.origin}/v1/chat/completions`;
  return (text: string, timeoutMs = 45_000) =>
    send(url, { ...chatRequest(text), signal: AbortSignal.timeout(timeoutMs) });
};
const nodeOf = async (answer: Response) => ((await answer.json()) as { node: number }).node;

/** The text of a conversation that went to the second node. */
async function conversationOnSecond(send: ReturnType<typeof chosen>): Promise<string> {
  for (let count = 0; count < 64; count++) {
    if ((await nodeOf(await send(`q${count}`))) === 1) return `q${count}`;
  }
  throw new Error('no conversation of 64 went to the second node');
}

async function elapsed(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

/** A server that completes TCP, or TCP and TLS, and never answers. */
async function startMute({ tls }: { tls: boolean }): Promise<{ origin: string; connections: Set<Socket> }> {
  const identity = makeIdentity({ host: 'localhost', now: Date.now() });
  const server = tls ? createTlsServer(tlsOptions(identity), () => {}) : createServer((socket) => void socket.resume());
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('error', () => {}).once('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      for (const socket of connections) socket.destroy();
      server.close();
    },
  });
  return { origin: `https://localhost:${(server.address() as AddressInfo).port}`, connections };
}

describe('a node that falls silent', () => {
  it('fails a sent request with a code, once a check finds the host gone, and is passed over then', async () => {
    const { fleet, relay } = await fleetWithRelay();
    const send = chosen(fleet, { silenceMs: 300 });
    const text = await conversationOnSecond(send);
    relay.cut();
    const took = await elapsed(
      expect(send(text)).rejects.toMatchObject({
        code: 'ERR_NO_ANSWER',
        message: expect.stringContaining('may have been executed'),
      }),
    );
    expect(took).toBeLessThan(5_000);
    expect(await elapsed(send(text).then(async (answer) => expect(await nodeOf(answer)).toBe(0)))).toBeLessThan(400);
  });

  it('is passed over after a request whose caller gave up first', async () => {
    const { fleet, relay } = await fleetWithRelay();
    const send = chosen(fleet, { silenceMs: 300, hedgeAfterMs: 60_000 });
    const text = await conversationOnSecond(send);
    relay.cut();
    await expect(send(text, 100)).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect.poll(() => send(text, 200).then(nodeOf, () => 1), { timeout: 5_000 }).toBe(0);
  });

  it('is not passed over if it runs, after a caller gave up on a slow answer', async () => {
    const waiting: (() => void)[] = [];
    const { fleet } = await fleetWithRelay({
      handle(request, response) {
        if (request.body.includes('slow')) waiting.push(() => response.end('{}'));
        else response.end(JSON.stringify({ node: 1 }));
      },
    });
    fleet.entries = fleet.entries.slice(1);
    const send = chosen(fleet, { silenceMs: 200 });
    expect(await nodeOf(await send('hi'))).toBe(1);
    fleet.entries.push(await fleet.entryOf(fleet.nodes[0]!));
    await expect(send('slow', 50)).rejects.toMatchObject({ name: 'TimeoutError' });
    // Longer than a check.
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(await nodeOf(await send('hi'))).toBe(1);
  });

  it('does not fail a request that takes longer than several checks while it runs', async () => {
    const { fleet } = await fleetWithRelay({
      handle: (_, response) => void setTimeout(() => response.end(JSON.stringify({ node: 1 })), 1_000),
    });
    fleet.entries = fleet.entries.slice(1);
    expect(await nodeOf(await chosen(fleet, { silenceMs: 100 })('hi'))).toBe(1);
  });
});

describe('a node that never answered', () => {
  it.each([
    ['TCP only', false],
    ['TLS only', true],
  ])('delays a request by the time after which another one is tried (%s)', async (_, tls) => {
    const { fleet } = await fleetWithRelay();
    const mute = await startMute({ tls });
    fleet.entries = [fleet.entries[0]!, await fleet.entryOf(fleet.nodes[1]!, { address: mute.origin })];
    const send = chosen(fleet, { hedgeAfterMs: 300 });
    const texts = Array.from({ length: 12 }, (_, index) => `q${index}`);
    const took = await Promise.all(texts.map((text) => elapsed(send(text).then(nodeOf))));
    expect(Math.max(...took)).toBeLessThan(5_000);
    expect(requestCounts(fleet)).toEqual([12, 0]);
    // While the connections to it hang, no further request waits for it.
    const connections = mute.connections.size;
    for (const text of texts) expect(await nodeOf(await send(`again ${text}`))).toBe(0);
    expect(mute.connections.size).toBe(connections);
  });

  it('is given up when the caller gives up, and its connection is closed', async () => {
    const mute = await startMute({ tls: false });
    const send = attestedFetch(fleetPolicy, { silenceMs: 300 });
    for (const init of [{}, { method: 'POST', body: '{}' }]) {
      const took = await elapsed(
        expect(send(mute.origin, { ...init, signal: AbortSignal.timeout(200) })).rejects.toMatchObject({
          name: 'TimeoutError',
        }),
      );
      expect(took).toBeLessThan(1_500);
    }
    await expect.poll(() => mute.connections.size, { timeout: 5_000 }).toBe(0);
  });
});

describe('a node whose verification takes long', () => {
  it('is replaced by the next one, gets no byte of the request, and keeps its connection for later ones', async () => {
    const { fleet } = await fleetWithRelay();
    const [quick, slow] = fleet.nodes as [(typeof fleet.nodes)[0], (typeof fleet.nodes)[0]];
    const report = slow.report.bind(slow);
    slow.report = async (nonce) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      return report(nonce);
    };
    fleet.entries = [await fleet.entryOf(quick, { load: 15 }), fleet.entries[1]!];
    const send = chosen(fleet, { hedgeAfterMs: 200 });
    expect(await nodeOf(await send('hi'))).toBe(0);
    expect(requestCounts(fleet)).toEqual([1, 0]);
    await expect.poll(async () => nodeOf(await send(`q${Math.random()}`)), { timeout: 5_000 }).toBe(1);
    expect([quick.attestations, slow.attestations]).toEqual([1, 1]);
  });
});
