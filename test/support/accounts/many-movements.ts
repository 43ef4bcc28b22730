/** Adds charges to an account much faster than requests would. */
import { sql } from 'kysely';
import { type DatabaseAddress, openDatabase } from '../../../accounts/database/database.ts';
import { noon } from './account-stores.ts';

/** Adds usage rows and charges of a micro-dollar each, over ten days, and keeps the books consistent. SQLite only. */
export async function addMovements(
  address: DatabaseAddress,
  { accountId, count }: { accountId: string; count: number },
): Promise<void> {
  const { db } = await openDatabase(address);
  const at = sql`(${noon / 1000} + (n % 10) * 86400)`;
  await db.transaction().execute(async (transaction) => {
    const numbers = sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
    await sql`insert into usage ${numbers} select printf('many.%08d', n), ${accountId}, 'k', printf('r%d', n), 'm', ${at},
      1, 0, 0, 0, 1, 'stop', null from numbers`.execute(transaction);
    await sql`insert into movements ${numbers} select printf('charge:many.%08d', n), ${accountId}, 'charge', 'available',
      'spent', 1, ${at} * 1000 from numbers`.execute(transaction);
    await sql`update meters set available = available - ${count}, spent = spent + ${count}
      where account_id = ${accountId}`.execute(transaction);
  });
  await db.destroy();
}
