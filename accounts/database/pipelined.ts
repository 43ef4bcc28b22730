/** Transactions on PostgreSQL in two round trips. */
import type { CompiledQuery } from 'kysely';
import type { Pool } from 'pg';

/** Sends a statement at once, without waiting for the answers to earlier ones. */
export type SendStatement = <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;

/**
 * Runs a transaction: `begin` travels with the first statements of `read`, and `commit` with the statement that `read`
 * returns. If that statement fails, the database turns the commit into a rollback.
 * @throws the database's error; the transaction was then rolled back, or committed with its response lost
 */
export async function transactPipelined<Result>(
  pool: Pool,
  read: (send: SendStatement) => Promise<{ result: Result; last: CompiledQuery }>,
): Promise<Result> {
  const client = await pool.connect();
  const send: SendStatement = async <Row>({ sql, parameters }: CompiledQuery<Row>) =>
    (await client.query(sql, [...parameters])).rows as Row[];
  try {
    const [, { result, last }] = await Promise.all([client.query('begin'), read(send)]);
    await Promise.all([send(last), client.query('commit')]);
    client.release();
    return result;
  } catch (error) {
    // The pool replaces a connection whose transaction cannot be ended.
    await client.query('rollback').then(
      () => client.release(),
      (fault: Error) => client.release(fault),
    );
    throw error;
  }
}
