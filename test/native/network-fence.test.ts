/** Tests on the running kernel which network operations a fenced thread can still use, and that other threads are not affected. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readNetworkFence } from '../../native/guest.ts';

const face = join(import.meta.dirname, '../../native/guest.ts');
const localPath = join(tmpdir(), `cloister-fence-${process.pid}.sock`);
let tcp: Server;
let local: Server;

beforeAll(async () => {
  tcp = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  local = createServer((socket) => socket.end()).listen(localPath);
  await Promise.all([once(tcp, 'listening'), once(local, 'listening')]);
});
afterAll(() => {
  tcp.close();
  local.close();
  rmSync(localPath, { force: true });
});

const portOf = (server: Server) => (server.address() as { port: number }).port;

/** The result of each network operation in a thread: `open` or the code of an error. */
const attempts = `
  const { once } = require('node:events');
  const net = require('node:net');
  const dgram = require('node:dgram');
  const told = (emitter, event) => once(emitter, event).then(() => 'open', (error) => error.code);
  module.exports = async ({ port, localPath }) => ({
    tcp: await told(net.connect(port, '127.0.0.1'), 'connect'),
    listening: await told(net.createServer().listen(0, '127.0.0.1'), 'listening'),
    udp: await told(dgram.createSocket('udp4').bind(0, '127.0.0.1'), 'listening'),
    udp6: await told(dgram.createSocket('udp6').bind(0, '::1'), 'listening'),
    local: await told(net.connect(localPath), 'connect'),
  });`;

async function inThread(before: string, { isNested = false } = {}): Promise<Record<string, string>> {
  const tries = `(() => { const module = {}; ${attempts}; return module.exports; })()(workerData)
    .then((found) => { parentPort.postMessage(found); process.exit(); });`;
  const nested = `const { Worker } = require('node:worker_threads');
    const source = ${JSON.stringify(`const { parentPort, workerData } = require('node:worker_threads'); ${tries}`)};
    new Worker(source, { eval: true, workerData }).once('message', (found) => parentPort.postMessage(found));`;
  const worker = new Worker(
    `const { parentPort, workerData } = require('node:worker_threads');
     import(${JSON.stringify(face)}).then(({ fenceNetwork }) => { ${before}; ${isNested ? nested : tries} });`,
    { eval: true, workerData: { port: portOf(tcp), localPath } },
  );
  const [found] = (await once(worker, 'message')) as [Record<string, string>];
  await worker.terminate();
  return found;
}

const open = { tcp: 'open', listening: 'open', udp: 'open', local: 'open' };
const fenced = { tcp: 'EACCES', listening: 'EACCES', udp: 'EACCES', udp6: 'EACCES', local: 'open' };

describe('a thread without a network', () => {
  it('can create every kind of socket before it is fenced', async () => {
    expect(await inThread('')).toMatchObject(open);
  });

  it('can reach only local sockets, and no other by TCP or UDP', async () => {
    const before = readNetworkFence();
    expect(await inThread('fenceNetwork()')).toEqual(fenced);
    const { asked, fenced: got } = readNetworkFence();
    expect([asked, got]).toEqual([before.asked + 1, before.fenced + 1]);
  });

  it('may be fenced twice, and passes the fence on to the threads that it starts', async () => {
    expect(await inThread('fenceNetwork(); fenceNetwork()', { isNested: true })).toEqual(fenced);
  });

  it('does not affect the other threads of the process', async () => {
    await inThread('fenceNetwork()');
    const socket = connect(portOf(tcp), '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
});
