/** What statements are run on: the database, or a transaction in it. Types only. */
import type { Kysely, Transaction } from 'kysely';
import type { ComputeTables } from './tables.ts';

export type Queries = Kysely<ComputeTables>;
export type Tx = Transaction<ComputeTables>;
