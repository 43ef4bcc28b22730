/**
 * Free ports of the loopback interface that reach the process that listens on them. A killed container can leave rules that
 * redirect its host's ports to an unused address: the kernel treats such a port as free and the listener listens, but every
 * connection is refused.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';

const triesMax = 20;
/** The kernel detects a redirection into a network without the container after three seconds. */
const connectTimeoutMs = 5_000;

/** Listens by `listen` on a port that can be connected to. @returns what `listen` returns */
export async function listenReachably<Result>(listen: (port: number) => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await listen(await reachablePort());
    } catch (error) {
      // Another process bound the port in the meantime.
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries >= triesMax) throw error;
    }
  }
}

/** @param isReachable replaces the connection attempt in tests */
export async function reachablePort({ isReachable = canConnect } = {}): Promise<number> {
  // Kept open until a port is found, so that the kernel returns none twice.
  const servers: Server[] = [];
  try {
    while (servers.length < triesMax) {
      const server = createServer((socket) => socket.destroy());
      servers.push(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      if (await isReachable(port)) return port;
    }
    throw new Error(`none of ${triesMax} free ports of the loopback interface can be connected to`);
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

export async function canConnect(port: number): Promise<boolean> {
  const socket = connect({ port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectTimeoutMs) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
