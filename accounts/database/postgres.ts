/** PostgreSQL: a bounded connection pool for queries, and a separate connection that listens for notifications. */
import { Socket } from 'node:net';
import pg from 'pg';

const connectionsMax = 8;
const connectTimeoutMs = 2_000;
/** Far above the duration of any statement: a connection whose statement exceeds it is considered dead. */
const statementTimeoutMsMax = 5_000;
/** Additional time for the server's timeout error to arrive. */
const answerMsMax = 1_000;
const listenRetryMs = 500;
/** Silence after which TCP asks whether the other end of a connection that listens is still there, once a second, ten times. */
const listenSilenceMs = 10_000;

/** Type OIDs that `pg` returns as text: 64-bit integers, and exact sums of them. */
const int8 = 20;
const numeric = 1700;

/** @param url `postgres://…` */
export function openPool(
  url: string,
  { statementTimeoutMs = statementTimeoutMsMax }: { statementTimeoutMs?: number } = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // Later than the server's statement_timeout, so that this one fires only if the server does not respond.
    query_timeout: statementTimeoutMs + answerMsMax,
    lock_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 4 * statementTimeoutMs,
    application_name: 'cloister',
    allowExitOnIdle: true,
    // Statements that do not wait for one another share a round trip.
    pipeline: true,
    types: { getTypeParser: readExactly as typeof pg.types.getTypeParser },
    stream: () => new ResettingSocket(),
    Client: FailFastClient,
  } as pg.PoolConfig);
  // Without a listener, an error on an idle connection would end the process. The pool replaces the connection.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Resets a TCP connection that is destroyed before it has ended. Otherwise the kernel delivers statements that wait to be sent once the
 * network is whole again, long after their requests have failed.
 */
class ResettingSocket extends Socket {
  #isReset = false;

  override destroy(error?: Error): this {
    // A Unix socket has no address, and no network that could hold statements back.
    const isTcp = this.remoteAddress !== undefined;
    if (!isTcp || this.writableFinished || this.#isReset || this.destroyed) return super.destroy(error);
    this.#isReset = true;
    return this.resetAndDestroy();
  }
}

/** SQLSTATE of a write on a server that follows another one. */
const readOnlyCode = '25006';

/**
 * Closes its connection after a query timeout, since otherwise the pool would reuse the dead connection until TCP gives up, after
 * about 15 minutes; and when it leads to a server that is not the leader, or no longer.
 */
class FailFastClient extends pg.Client {
  override query(...given: unknown[]): never {
    const answer = (super.query as (...given: unknown[]) => unknown)(...given);
    if (answer instanceof Promise) {
      answer.catch((error: Error & { code?: string }) => {
        const isUseless = error.message === 'Query read timeout' || error.code === readOnlyCode;
        // Emit it as a network error, so that the pool discards the connection.
        if (isUseless) this.connection.emit('error', error);
      });
    }
    return answer as never;
  }
}

function readExactly(oid: number, format: 'text' | 'binary' = 'text'): unknown {
  return oid === int8 || oid === numeric ? toNumber : pg.types.getTypeParser(oid, format as 'text');
}

function toNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError('the database returned an integer beyond the safe range');
  return value;
}

export interface Listener {
  /** Closes the connection and stops reconnecting. */
  close(): Promise<void>;
}

/**
 * Calls `onNotification` for each notification on `channel`, and `onReconnect` on each new connection, since earlier
 * notifications may have been missed.
 * @returns after the first attempt to connect, successful or not; reconnects until closed
 */
export async function listen(
  url: string,
  {
    channel,
    onNotification,
    onReconnect,
  }: { channel: string; onNotification: (payload: string) => void; onReconnect: () => void },
): Promise<Listener> {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const retry = () => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, listenRetryMs);
    timer.unref();
  };
  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
      // By default the system asks after two hours: a listener whose connection was lost silently would notice nothing until then.
      keepAliveInitialDelayMillis: listenSilenceMs,
    });
    client = next;
    next.on('notification', ({ payload }) => onNotification(payload ?? ''));
    next.on('error', () => undefined);
    next.on('end', retry);
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      onReconnect();
    } catch {
      await next.end().catch(() => undefined);
      retry();
    }
  };

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
