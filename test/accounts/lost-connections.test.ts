import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { openPool } from '../../accounts/database/postgres.ts';
import { describePostgres } from '../support/accounts/account-stores.ts';

const closings: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close();
});

/** A proxy in front of a server that can drop traffic silently. */
async function quietNetwork(url: string) {
  const to = join(decodeURIComponent(/host=(.*)/.exec(url)![1]!), '.s.PGSQL.5432');
  const folder = mkdtempSync(join(tmpdir(), 'cloister-network-'));
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(to);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    }
  });
  server.listen(join(folder, '.s.PGSQL.5432'));
  closings.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: url.replace(/host=.*/, `host=${encodeURIComponent(folder)}`),
    /** Keeps open connections, but drops all their traffic. */
    loseAll: () => {
      for (const socket of open) socket.unpipe().on('data', () => undefined);
    },
  };
}

describePostgres('a connection without responses', (store) => {
  it('is closed after one query timeout, and the next query uses another connection', async () => {
    const { url } = (await store.address()) as { url: string };
    const network = await quietNetwork(url);
    const pool = openPool(network.url, { statementTimeoutMs: 100 });
    const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
    closings.push(() => db.destroy());
    const ask = async () => (await sql<{ one: number }>`select 1 as one`.execute(db)).rows;
    expect(await ask()).toEqual([{ one: 1 }]);
    network.loseAll();
    await expect(ask()).rejects.toThrow('timeout');
    expect(await ask()).toEqual([{ one: 1 }]);
    expect(pool.totalCount).toBe(1);
  });
});

it('a connection over TCP without responses is reset, so that no statement arrives when its request has failed', async () => {
  const authenticated = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
  const ends: Promise<string | undefined>[] = [];
  const server = createServer((client) => {
    client.once('data', () => client.write(authenticated));
    client.resume();
    ends.push(
      new Promise((resolve) => {
        client.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code)).on('end', () => resolve('end'));
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closings.push(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const pool = openPool(`postgres://nobody@127.0.0.1:${port}/none`, { statementTimeoutMs: 100 });
  closings.push(() => pool.end());
  const client = await pool.connect();
  await expect(client.query('select 1')).rejects.toThrow('timeout');
  client.release(true);
  expect(await Promise.all(ends)).toEqual(['ECONNRESET']);
});
