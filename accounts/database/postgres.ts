/** PostgreSQL: a bounded pool for queries, and one connection of its own that listens for revoked keys. */
import pg from 'pg';

const connectionsMax = 8;
const connectTimeoutMs = 2_000;
/** Longer than any statement of ours takes: past it the connection is taken for dead. */
const statementTimeoutMsMax = 5_000;
/** For the server's word that a statement took too long. */
const answerMsMax = 1_000;
const listenRetryMs = 500;

/** Both come as text: 64-bit integers, and the exact sums over them. */
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
    // Later than the server's own, which comes first as long as there is a server.
    query_timeout: statementTimeoutMs + answerMsMax,
    lock_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 4 * statementTimeoutMs,
    application_name: 'cloister',
    allowExitOnIdle: true,
    types: { getTypeParser: readExactly as typeof pg.types.getTypeParser },
    Client: MortalClient,
  } as pg.PoolConfig);
  // Without a listener a connection that breaks while nobody uses it would end the process; the pool replaces it.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Ends its connection when an answer does not come: otherwise the pool would hand it out again and again until the network
 * gives it up, which takes a quarter of an hour.
 */
class MortalClient extends pg.Client {
  override query(...given: unknown[]): never {
    const answer = (super.query as (...given: unknown[]) => unknown)(...given);
    if (answer instanceof Promise) {
      answer.catch((error: Error) => {
        // As if the network had said so: the pool takes nothing back that is broken.
        if (error.message === 'Query read timeout') this.connection.emit('error', error);
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
  if (!Number.isSafeInteger(value)) throw new RangeError('the database holds a number that cannot be read exactly');
  return value;
}

export interface Listener {
  /** Ends the connection and tries no other. */
  close(): Promise<void>;
}

/**
 * Calls `hear` for each notification on `channel`, and `lose` when some may have been missed: on each new connection.
 * @returns when it listens, or failed to once; it goes on trying until closed
 */
export async function listen(
  url: string,
  { channel, hear, lose }: { channel: string; hear: (payload: string) => void; lose: () => void },
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
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs, keepAlive: true });
    client = next;
    next.on('notification', ({ payload }) => hear(payload ?? ''));
    next.on('error', () => undefined);
    next.on('end', retry);
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(channel)}`);
      lose();
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
