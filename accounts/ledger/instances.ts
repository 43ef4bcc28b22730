/**
 * Leases of server processes, and the sweep that releases the reservations of dead ones. A process renews its lease by
 * the database's clock. A reservation is lost when its process's lease is over or, without a lease, after its deadline.
 * Lost reservations are released in full, because the usage of the request is unknown.
 */
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '../base/tables.ts';
import { type Database, databaseNow } from '../database/database.ts';
import { openWindows } from '../plans/limits.ts';
import { endReservation, lockMeters, type Reservation, writeMeters } from './meters.ts';
import { usageRow } from './round.ts';
import { lostReason } from './usage.ts';

/** Most reservations released in one transaction. */
const sweepMax = 256;

export interface Lease {
  readonly instanceId: string;
  /** Id of the node on which the process runs, if it has one. */
  readonly node?: string | undefined;
  readonly leaseMs: number;
}

/** Renews the lease for another `leaseMs`. @returns whether the lease was still valid */
export async function renewLease({ db, kind }: Database, { instanceId, node, leaseMs }: Lease): Promise<boolean> {
  const until = sql<number>`${databaseNow(kind)} + ${sql.lit(leaseMs)}`;
  const { numUpdatedRows } = await db
    .updateTable('instances')
    .set({ lease_until: until })
    .where('id', '=', instanceId)
    .where('lease_until', '>=', databaseNow(kind))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 1n) return true;
  await db
    .insertInto('instances')
    .values({ id: instanceId, node_id: node ?? '', lease_until: until })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ lease_until: until }))
    .execute();
  return false;
}

/** Probes whether the database is writable: shortens the lease by a millisecond, a write that SQLite does not skip. */
export async function touchLease(db: Kysely<Tables>, instanceId: string): Promise<void> {
  await db
    .updateTable('instances')
    .set({ lease_until: sql<number>`lease_until - 1` })
    .where('id', '=', instanceId)
    .execute();
}

/** Ends the lease of a process that shuts down; the next sweep releases the reservations that it could not settle. */
export async function endLease(database: Database, instanceId: string): Promise<void> {
  await database.db.updateTable('instances').set({ lease_until: 0 }).where('id', '=', instanceId).execute();
  await deleteEndedInstances(database);
}

/** Ends the leases of earlier processes on this node, on which only one process runs at a time. */
export async function replaceInstances({ db }: Database, { instanceId, node }: Lease): Promise<void> {
  if (node === undefined) return;
  await db
    .updateTable('instances')
    .set({ lease_until: 0 })
    .where('node_id', '=', node)
    .where('id', '!=', instanceId)
    .execute();
}

/**
 * Releases the reservations of dead processes.
 * @param options.node restricts the sweep to processes of this node
 * @returns the number of lost requests
 */
export async function sweepLost(
  database: Database,
  { now, node }: { now: number; node?: string | undefined },
): Promise<number> {
  const { db, kind } = database;
  let lost = 0;
  for (;;) {
    const found = await findLost(db, database, now)
      .$if(node !== undefined, (query) => query.where('instances.node_id', '=', node ?? ''))
      .limit(sweepMax)
      .execute();
    if (found.length === 0) break;
    lost += await db.transaction().execute(async (transaction) => {
      const accounts = await lockMeters(transaction, [...new Set(found.map((one) => one.account_id))], { kind });
      // Read them again under the lock: another process may have released them.
      const ids = found.map(({ id }) => id);
      const still = await findLost(transaction, database, now).where('reservations.id', 'in', ids).execute();
      const meters = [...accounts.values()].map(({ meter }) => meter);
      for (const reservation of still) {
        const { meter } = accounts.get(reservation.account_id)!;
        openWindows(meter, now);
        endReservation(meter, reservation);
      }
      if (still.length > 0) {
        await writeMeters(transaction, meters);
        await transaction
          .deleteFrom('reservations')
          .where(
            'id',
            'in',
            still.map(({ id }) => id),
          )
          .execute();
        await transaction
          .insertInto('usage')
          .values(still.map((one) => lostRow(one, now)))
          .execute();
      }
      return still.length;
    });
    if (found.length < sweepMax) break;
  }
  await deleteEndedInstances(database);
  return lost;
}

function findLost(db: Kysely<Tables>, { kind }: Database, now: number) {
  return db
    .selectFrom('reservations')
    .leftJoin('instances', 'instances.id', 'reservations.instance_id')
    .selectAll('reservations')
    .where(({ or, and, eb }) =>
      or([
        eb('instances.lease_until', '<', databaseNow(kind)),
        and([eb('instances.id', 'is', null), eb('reservations.deadline', '<=', now)]),
      ]),
    );
}

/** Builds the usage row of a lost request, with a price of 0. */
function lostRow(reservation: Reservation, now: number): Tables['usage'] {
  const { id, account_id: accountId, key_id: keyId, request_id: requestId, model } = reservation;
  const counts = { promptTokens: 0, completionTokens: 0 };
  return usageRow(
    { accountId, keyId, requestId, model, counts, finishReason: lostReason, now },
    { id: `${id}.lost`, price: 0 },
  );
}

async function deleteEndedInstances({ db, kind }: Database): Promise<void> {
  await db
    .deleteFrom('instances')
    .where('lease_until', '<', databaseNow(kind))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reservations')
            .select('reservations.id')
            .whereRef('reservations.instance_id', '=', 'instances.id'),
        ),
      ),
    )
    .execute();
}
