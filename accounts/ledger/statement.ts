/**
 * Daily statement of an account: the sums and the Merkle root of its usage rows, for the caller to sign. Usage rows never
 * change, and a past day gets no new ones unless a clock goes back, so its root is final.
 */
import type { Kysely } from 'kysely';
import type { Tables } from '../base/tables.ts';
import { merkleProof, merkleRoot } from './merkle.ts';
import { findUsageRow, formatDay, readUsageDay, type UsageRow } from './usage.ts';

export interface Statement {
  readonly accountId: string;
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
  readonly rows: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly images: number;
  /** Denoising steps over all images. */
  readonly steps: number;
  /** Micro-dollars. */
  readonly price: number;
  /** RFC 6962 root over the `usageEntry` of each row, 64 hexadecimal digits. */
  readonly root: string;
}

/** Inclusion proof of one request in a day's statement. */
export interface UsageProof {
  readonly day: string;
  readonly row: UsageRow;
  /** Index of the row among `size` rows. */
  readonly index: number;
  readonly size: number;
  /** Siblings from the row to the root, hexadecimal. */
  readonly proof: readonly string[];
  readonly root: string;
}

/** Serializes a row for hashing: a versioned JSON array in this order. */
export function usageEntry(accountId: string, row: UsageRow): Buffer {
  const { id, requestId, keyId, model, at, promptTokens, completionTokens, images, steps, price, finishReason } = row;
  const counts = [promptTokens, completionTokens, images, steps, price];
  return Buffer.from(
    JSON.stringify(['cloister-usage-1', id, accountId, keyId, requestId, model, at, ...counts, finishReason]),
  );
}

/** @throws {AccountError} ERR_RANGE_INVALID */
export async function readStatement(
  db: Kysely<Tables>,
  { accountId, day }: { accountId: string; day: string },
): Promise<Statement> {
  const rows = await readUsageDay(db, { accountId, day });
  const sum = (value: (row: UsageRow) => number) => rows.reduce((total, row) => total + value(row), 0);
  return {
    accountId,
    day,
    rows: rows.length,
    promptTokens: sum(({ promptTokens }) => promptTokens),
    completionTokens: sum(({ completionTokens }) => completionTokens),
    images: sum(({ images }) => images),
    steps: sum(({ steps }) => steps),
    price: sum(({ price }) => price),
    root: merkleRoot(rows.map((row) => usageEntry(accountId, row))).toString('hex'),
  };
}

/** Returns the inclusion proof of a request; undefined if the account has no such request. */
export async function proveUsage(
  db: Kysely<Tables>,
  { accountId, requestId }: { accountId: string; requestId: string },
): Promise<UsageProof | undefined> {
  const found = await findUsageRow(db, { accountId, requestId });
  if (found === undefined) return undefined;
  const day = formatDay(Math.floor(found.at / 86_400));
  const rows = await readUsageDay(db, { accountId, day });
  const entries = rows.map((row) => usageEntry(accountId, row));
  const index = rows.findIndex(({ id }) => id === found.id);
  return {
    day,
    row: found,
    index,
    size: rows.length,
    proof: merkleProof(entries, index).map((node) => node.toString('hex')),
    root: merkleRoot(entries).toString('hex'),
  };
}
