/** The types that queries run on: a database connection or a transaction. Types only. */
import type { Kysely, Transaction } from 'kysely';
import type { ComputeTables } from './tables.ts';

export type Queries = Kysely<ComputeTables>;
export type Tx = Transaction<ComputeTables>;
