/** The pool of connections to servers that were approved before any request. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PinnedAgent, type PinnedAgentOptions } from '../../attestation/client/pinned-agent.ts';
import { sendPinned } from '../../attestation/client/pinned-https.ts';
import { makeIdentity, tlsOptions } from '../../server/tls/tls.ts';
import { startRelay } from '../support/attestation/test-fleet.ts';

let server: Server;
let url: URL;
const connections = new Set<Socket>();
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  const identity = makeIdentity({ host: 'localhost', now: Date.now() });
  server = createServer(tlsOptions(identity), (request, response) => {
    request.resume();
    if (request.url !== '/wait') response.end(request.url);
  });
  server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`https://localhost:${(server.address() as AddressInfo).port}/a?b=c`);
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
  server.closeAllConnections();
  server.close();
});

function agentWith<Peer>(options: PinnedAgentOptions<Peer>): PinnedAgent<Peer> {
  const agent = new PinnedAgent<Peer>(options);
  ends.push(() => agent.destroy());
  return agent;
}
const get = { method: 'GET', headers: new Headers() };

describe('a connection', () => {
  it('is used again by the next request, and by one that waits because there are too many', async () => {
    const agent = agentWith({ accept: () => undefined, connectionsMax: 1 });
    const paths = ['/1', '/2', '/3'].map(async (path) =>
      (await sendPinned(agent, { ...get, url: new URL(path, url) })).text(),
    );
    expect(await Promise.all(paths)).toEqual(['/1', '/2', '/3']);
    expect(await (await sendPinned(agent, { ...get, url })).text()).toBe('/a?b=c');
    expect(connections.size).toBe(1);
  });

  it('is closed at once when the only caller that waits for it gives up during its approval', async () => {
    const approval = Promise.withResolvers<AbortSignal>();
    const agent = agentWith({
      accept: (_, { signal }) => {
        approval.resolve(signal);
        return new Promise<undefined>(() => {});
      },
    });
    const leaving = new AbortController();
    const waiting = agent.acquire(url, leaving.signal);
    const signal = await approval.promise;
    const reason = new Error('the caller left');
    leaving.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(signal.reason).toBe(reason);
    await expect.poll(() => connections.size).toBe(0);
  });

  it('that a caller no longer waits for is given to one that has none', async () => {
    const approved = Promise.withResolvers<undefined>();
    const agent = agentWith({ accept: () => approved.promise, connectionsMax: 1 });
    const leaving = new AbortController();
    const first = agent.acquire(url, leaving.signal);
    const second = agent.acquire(url);
    await expect.poll(() => connections.size).toBe(1);
    leaving.abort();
    await expect(first).rejects.toMatchObject({ name: 'AbortError' });
    approved.resolve(undefined);
    (await second).release();
    expect(connections.size).toBe(1);
  });

  it('is not used again if its server was retired', async () => {
    const peer = {};
    const agent = agentWith({ accept: () => peer });
    const busy = await agent.acquire(url);
    (await agent.acquire(url)).release();
    agent.retire(peer);
    await expect.poll(() => connections.size).toBe(1);
    busy.release();
    await expect.poll(() => connections.size).toBe(0);
  });

  it('and those who wait for one end with the agent', async () => {
    const agent = agentWith({ accept: () => new Promise<undefined>(() => {}), connectionsMax: 2 });
    const waiting = Array.from({ length: 5 }, () => agent.acquire(url));
    await expect.poll(() => connections.size).toBe(2);
    agent.destroy();
    const ended = await Promise.allSettled([...waiting, agent.acquire(url)]);
    expect(ended.map(({ status }) => status)).toEqual(Array(6).fill('rejected'));
    await expect.poll(() => connections.size).toBe(0);
  });

  it('is closed when it was idle for as long as its server keeps it', async () => {
    const agent = agentWith({ accept: () => undefined });
    (await agent.acquire(url)).release(50);
    await expect.poll(() => connections.size).toBe(0);
  });

  it('is closed if it was idle when its host fell silent, and the origin is reported', async () => {
    const relay = await startRelay(Number(url.port));
    ends.push(() => relay.close());
    const silent: string[] = [];
    const agent = agentWith({ accept: () => undefined, silenceMs: 100, onSilent: (origin) => silent.push(origin) });
    const [idle, busy] = [await agent.acquire(new URL(relay.origin)), await agent.acquire(new URL(relay.origin))];
    idle.release();
    relay.cut();
    expect(await agent.isSilent(busy.address)).toBe(true);
    expect([silent, idle.socket.destroyed, busy.socket.destroyed]).toEqual([[relay.origin], true, false]);
  });
});

describe('a host', () => {
  it.each([
    ['completes handshakes', () => {}],
    ['refuses connections', () => void server.close()],
  ])('that %s is not silent', async (_, change) => {
    const agent = agentWith({ accept: () => undefined, silenceMs: 2_000 });
    const { address } = await agent.acquire(url);
    change();
    expect(await agent.isSilent(address)).toBe(false);
  });

  it('whose other connections receive bytes is not silent, however long handshakes take', async () => {
    const agent = agentWith({ accept: () => undefined, silenceMs: 300 });
    const { address, release } = await agent.acquire(url);
    release();
    const mute = createTcpServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    ends.push(() => mute.close());
    const withoutHandshakes = { ...address, port: (mute.address() as AddressInfo).port };
    const checked = agent.isSilent(withoutHandshakes);
    await sendPinned(agent, { ...get, url });
    expect(await checked).toBe(false);
    expect(await agent.isSilent(withoutHandshakes)).toBe(true);
  });
});

describe('a request', () => {
  it('rejects with the reason of its signal when the caller gives up on the answer', async () => {
    const agent = agentWith({ accept: () => undefined });
    const leaving = new AbortController();
    const answer = sendPinned(agent, { ...get, url: new URL('/wait', url), signal: leaving.signal });
    await expect.poll(() => connections.size).toBe(1);
    leaving.abort('left');
    await expect(answer).rejects.toBe('left');
  });

  it('fails with ERR_NO_ANSWER when the host stops answering', async () => {
    const relay = await startRelay(Number(url.port));
    ends.push(() => relay.close());
    const agent = agentWith({ accept: () => undefined, silenceMs: 100 });
    (await agent.acquire(new URL(relay.origin))).release();
    relay.cut();
    await expect(sendPinned(agent, { ...get, url: new URL(relay.origin) })).rejects.toMatchObject({
      code: 'ERR_NO_ANSWER',
    });
  });
});
