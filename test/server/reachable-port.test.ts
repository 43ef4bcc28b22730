import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { canConnect, listenReachably, reachablePort } from '../support/compute/reachable-port.ts';

describe('a port for a test server', () => {
  it('accepts connections, also where other ports are redirected to a closed one', async () => {
    const asked: number[] = [];
    const isReachable = async (port: number) => asked.push(port) > 2;
    expect(await reachablePort({ isReachable })).toBe(asked.at(-1));
    expect(new Set(asked).size).toBe(3);
    expect(await reachablePort({ isReachable: async () => false }).catch(String)).toMatch(/none of 20/);
  });

  it('is not a port that refuses connections', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await canConnect(port)).toBe(true);
    await once(server.close(), 'close');
    expect(await canConnect(port)).toBe(false);
  });

  it('is another one if the first is taken in the meantime', async () => {
    const tried: number[] = [];
    const taken = Object.assign(new Error('taken'), { code: 'EADDRINUSE' });
    const port = await listenReachably(async (port) => {
      if (tried.push(port) < 3) throw taken;
      return port;
    });
    expect([tried.length, tried.at(-1)]).toEqual([3, port]);
    await expect(listenReachably(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  });
});
