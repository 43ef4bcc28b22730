/** Counts the round trips between nodes and PostgreSQL, on a socket in between. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The name of PostgreSQL's socket in its folder. */
const socketName = '.s.PGSQL.5432';

export interface RoundTrips {
  /** The address of the database by way of the counter. */
  readonly url: string;
  /** Since the start: how often a client sent something after it had received everything that it had asked for. */
  readonly count: number;
  close(): Promise<void>;
}

/** @param url of a database on a UNIX socket: `postgres://…?host=FOLDER` */
export async function countRoundTrips(url: string): Promise<RoundTrips> {
  const folder = new URL(url.replace('@/', '@localhost/')).searchParams.get('host')!;
  const own = mkdtempSync(join(tmpdir(), 'cloister-trips-'));
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((client) => {
    const database = connect(join(folder, socketName));
    let isAnswered = true;
    client.on('data', () => {
      if (isAnswered) count += 1;
      isAnswered = false;
    });
    database.on('data', () => (isAnswered = true));
    client.pipe(database).pipe(client);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
    }
  });
  await once(server.listen(join(own, socketName)), 'listening');
  return {
    url: url.replace(encodeURIComponent(folder), encodeURIComponent(own)),
    get count() {
      return count;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      rmSync(own, { recursive: true, force: true });
    },
  };
}
