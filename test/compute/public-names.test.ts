import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { guardDestination } from '../../compute/webhooks/guard.ts';
import { resolvePublicName } from '../../compute/webhooks/public-names.ts';

const open: Socket[] = [];
afterEach(() => {
  for (const server of open.splice(0)) server.close();
});

const types = { 4: 1, 6: 28 } as const;

/** A name server that returns these addresses for any name, and does not answer for address families in `silent`. */
async function nameServer(known: { 4?: readonly Buffer[]; 6?: readonly Buffer[] }, silent: readonly number[] = []) {
  const server = createSocket('udp4');
  open.push(server);
  server.on('message', (question, { port, address }) => {
    // RFC 1035 §4.1: a header of 12 bytes, then the name, its type and class.
    const end = question.indexOf(0, 12) + 5;
    const type = question.readUInt16BE(end - 4);
    if (silent.includes(type)) return;
    const found = type === types[4] ? (known[4] ?? []) : type === types[6] ? (known[6] ?? []) : [];
    const header = Buffer.from(question.subarray(0, 12));
    header.writeUInt16BE(0x8180, 2);
    header.writeUInt16BE(found.length, 6);
    header.writeUInt32BE(0, 8);
    const records = found.map((data) => {
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    server.send(Buffer.concat([header, question.subarray(12, end), ...records]), port, address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return [`127.0.0.1:${server.address().port}`];
}

const publicFour = Buffer.from([93, 184, 216, 34]);
const loopback = Buffer.from([127, 0, 0, 1]);
const loopbackSix = Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);

describe('the names of webhooks', () => {
  it('have the addresses of both families', async () => {
    const servers = await nameServer({ 4: [publicFour, loopback], 6: [loopbackSix] });
    expect(await resolvePublicName('hooks.example', { servers })).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it('may have one family only', async () => {
    const servers = await nameServer({ 4: [publicFour] });
    expect(await resolvePublicName('hooks.example', { servers })).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('do not delay requests while a name server does not answer', async () => {
    const servers = await nameServer({ 4: [publicFour] }, [types[6]]);
    const options = { servers, timeoutMs: 200 };
    expect(await resolvePublicName('hooks.example', options)).toEqual([{ address: '93.184.216.34', family: 4 }]);
    const silent = await nameServer({}, [types[4], types[6]]);
    await expect(resolvePublicName('hooks.example', { ...options, servers: silent })).rejects.toMatchObject({
      code: 'ECANCELLED',
    });
  });

  it('are rejected if they have no address', async () => {
    const servers = await nameServer({});
    await expect(resolvePublicName('hooks.example', { servers })).rejects.toMatchObject({ code: 'ENODATA' });
  });

  it('are rejected if only this machine resolves them', async () => {
    const servers = await nameServer({});
    await expect(resolvePublicName('localhost', { servers })).rejects.toThrow();
  });

  it('are rejected if one of several addresses is private', async () => {
    const servers = await nameServer({ 4: [publicFour], 6: [loopbackSix] });
    const resolveName = (name: string) => resolvePublicName(name, { servers });
    const guarded = guardDestination('https://hooks.example/', { allowPrivate: false, resolveName });
    await expect(guarded).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });
});
