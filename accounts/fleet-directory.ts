/**
 * The directory of a fleet, in the accounts' database: one row per node with its signed entry. The database is not trusted with it:
 * readers verify each entry. PostgreSQL notifies readers of each row, so that they do not poll. A SQLite file has one server, whose
 * own readers are called directly.
 */
import { sql } from 'kysely';
import { type Database, type DatabaseAddress, databaseNow, transactUnflushed } from './database/database.ts';

/** What a node writes. */
export interface FleetRow {
  /** Id of the node: 16 hexadecimal digits. */
  readonly node: string;
  /** Text of the signed entry. */
  readonly entry: string;
  /** PEM of the root of a simulated machine, which other simulated machines accept; undefined on a real one. */
  readonly simulationRoot: string | undefined;
}

export interface FleetFollower {
  /** A row was written. */
  onRow(row: FleetRow): void;
  /** A node withdrew its entry. */
  onWithdrawn(node: string): void;
}

/** Every function throws the error of the database while it is unavailable. */
export interface FleetDirectory {
  /** Writes a node's row for `validMs`, by the database's clock, and deletes the expired rows of all nodes. */
  announce(row: FleetRow, options: { validMs: number }): Promise<void>;
  /** Deletes a node's row. */
  withdraw(node: string): Promise<void>;
  /** Lists at most 1,024 rows that have not expired, those that expire last first. */
  list(): Promise<FleetRow[]>;
  /**
   * Calls the follower for every row that is there now, and then for each change until it is closed. A row that is written meanwhile
   * may be reported twice.
   */
  follow(follower: FleetFollower): Promise<{ close(): Promise<void> }>;
}

const fleetChannel = 'cloister_fleet';
const rowsMax = 1024;
/** PostgreSQL refuses notifications of 8,000 bytes and more. */
const notificationBytesMax = 7_900;

/** Binds the directory to a database that the caller opened. */
export function fleetDirectory(database: Database, address: DatabaseAddress): FleetDirectory {
  const { db, kind } = database;
  const followers = new Set<FleetFollower>();
  const rows = () =>
    db
      .selectFrom('fleet_nodes')
      .select(['node', 'entry', 'simulation_root'])
      .where('expires_at', '>', databaseNow(kind));

  const list = async (): Promise<FleetRow[]> =>
    (await rows().orderBy('expires_at', 'desc').limit(rowsMax).execute()).map(rowOf);
  const notifyFollowers = (message: Message) => {
    for (const one of followers) {
      if (message.kind === 'row') one.onRow(message.row);
      else one.onWithdrawn(message.node);
    }
  };
  const receive = async (payload: string, follower: FleetFollower) => {
    const message = parseMessage(payload);
    if (message === undefined) return;
    if (message.kind === 'row') follower.onRow(message.row);
    else if (message.kind === 'withdrawn') follower.onWithdrawn(message.node);
    else for (const row of await rows().where('node', '=', message.node).execute()) follower.onRow(rowOf(row));
  };

  return {
    list,
    async announce(row, { validMs }) {
      const { node, entry, simulationRoot = null } = row;
      const values = {
        entry,
        simulation_root: simulationRoot,
        expires_at: sql<number>`${databaseNow(kind)} + ${sql.lit(validMs)}`,
      };
      await transactUnflushed(database, async (transaction) => {
        await transaction.deleteFrom('fleet_nodes').where('expires_at', '<=', databaseNow(kind)).execute();
        await transaction
          .insertInto('fleet_nodes')
          .values({ node, ...values })
          .onConflict((conflict) => conflict.column('node').doUpdateSet(values))
          .execute();
        if (kind === 'postgres') {
          await sql`select pg_notify(${fleetChannel}, ${formatMessage({ kind: 'row', row })})`.execute(transaction);
        }
      });
      if (kind === 'sqlite') notifyFollowers({ kind: 'row', row });
    },
    async withdraw(node) {
      await transactUnflushed(database, async (transaction) => {
        await transaction.deleteFrom('fleet_nodes').where('node', '=', node).execute();
        if (kind === 'postgres') {
          await sql`select pg_notify(${fleetChannel}, ${formatMessage({ kind: 'withdrawn', node })})`.execute(
            transaction,
          );
        }
      });
      if (kind === 'sqlite') notifyFollowers({ kind: 'withdrawn', node });
    },
    async follow(follower) {
      const readAll = async () => {
        for (const row of await list()) follower.onRow(row);
      };
      if (address.kind === 'sqlite') {
        followers.add(follower);
        await readAll();
        return { close: async () => void followers.delete(follower) };
      }
      // Imported on demand, so that a server on SQLite does not load the PostgreSQL client.
      const { listen } = await import('./database/postgres.ts');
      return await listen(address.url, {
        channel: fleetChannel,
        // A row that cannot be read now is announced again within seconds, and `onReconnect` follows an outage.
        onNotification: (payload) => void receive(payload, follower).catch(() => undefined),
        onReconnect: () => void readAll().catch(() => undefined),
      });
    },
  };
}

type Message = { readonly kind: 'row'; readonly row: FleetRow } | { readonly kind: 'withdrawn'; readonly node: string };

/** The whole row, so that readers need no query; a row that is too long for a notification by its node alone. */
function formatMessage(message: Message): string {
  const text = JSON.stringify(message);
  if (message.kind !== 'row' || Buffer.byteLength(text) < notificationBytesMax) return text;
  return JSON.stringify({ kind: 'changed', node: message.row.node });
}

/** Anyone with access to the database can notify, so any text may arrive. */
function parseMessage(payload: string): Message | { readonly kind: 'changed'; readonly node: string } | undefined {
  try {
    const { kind, node, row } = Object(JSON.parse(payload)) as Record<string, unknown>;
    if ((kind === 'withdrawn' || kind === 'changed') && typeof node === 'string') return { kind, node };
    const { node: own, entry, simulationRoot } = Object(row) as Record<string, unknown>;
    const isRow = kind === 'row' && typeof own === 'string' && typeof entry === 'string';
    if (!isRow || (simulationRoot !== undefined && typeof simulationRoot !== 'string')) return undefined;
    return { kind, row: { node: own, entry, simulationRoot } };
  } catch {
    return undefined;
  }
}

function rowOf(row: { node: string; entry: string; simulation_root: string | null }): FleetRow {
  return { node: row.node, entry: row.entry, simulationRoot: row.simulation_root ?? undefined };
}
