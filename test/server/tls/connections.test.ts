import { once } from 'node:events';
import { get } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { chatBody, startTestApp, type TestApp } from '../../support/server/test-app.ts';

const connectionsMax = 20;
const clients: Socket[] = [];
let running: TestApp;
let port: number;

async function start(): Promise<void> {
  running = await startTestApp({ overrides: { connectionsMax } });
  port = Number(new URL(await running.listen()).port);
}

afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await running.close();
});

async function openTls(): Promise<TLSSocket> {
  const socket = connect({ host: '127.0.0.1', port, ca: running.identity.certificate });
  socket.on('error', () => undefined);
  clients.push(socket);
  await once(socket, 'secureConnect');
  return socket;
}

async function openPlain(): Promise<Socket> {
  const socket = connectPlain(port, '127.0.0.1');
  socket.on('error', () => undefined);
  clients.push(socket);
  await once(socket, 'connect');
  return socket;
}

function isLive(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const url = `https://127.0.0.1:${port}/health/live`;
    get(url, { ca: running.identity.certificate, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', reject);
  });
}

describe('connections past the limit', () => {
  it('close the longest idle connection, before or after its handshake', async () => {
    await start();
    const first = await openPlain();
    const second = await openTls();
    for (let count = 2; count < connectionsMax; count++) await openPlain();
    const firstClosed = once(first, 'close');
    const secondClosed = once(second, 'close');
    await openPlain();
    await firstClosed;
    await openPlain();
    await secondClosed;
    expect(await isLive()).toBe(200);
  });

  it('that send bytes slowly cannot block other clients', async () => {
    await start();
    for (let count = 0; count < connectionsMax * 3; count++) (await openTls()).write('GET / HTTP/1.1\r\nX-Slow: ');
    expect(await isLive()).toBe(200);
  });

  it('do not interrupt requests in progress', async () => {
    await start();
    const answer = running.post(chatBody());
    const busy = await openTls();
    const body = JSON.stringify(chatBody());
    busy.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${running.secret}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const [first, second] = [await running.engine.nextChat(), await running.engine.nextChat()];
    for (let count = 0; count < connectionsMax * 2; count++) await openPlain();
    first.answer('done');
    second.answer('done');
    const [data] = (await once(busy, 'data')) as [Buffer];
    expect(String(data)).toContain('200 OK');
    expect((await answer).status).toBe(200);
  });
});
