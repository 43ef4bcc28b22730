/** Compares what clients received with what the accounts were charged. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { priceOf } from '../../../accounts/base/money.ts';
import { type Accounts, openAccounts } from '../../../accounts/store.ts';
import type { Outcome } from './load.ts';

/** Of the demo model. */
const pricing = { promptPerMillion: 100_000, completionPerMillion: 200_000 };
/** Reservations of a dead node come back within 30 seconds. */
const settledMs = 40_000;

/** The result of comparing answers with charges; each mistake is one line. */
export interface BooksCheck {
  readonly mistakes: readonly string[];
  /** Complete answers, and the micro-dollars that they cost. */
  readonly answers: number;
  readonly charged: number;
}

interface UsageRow {
  readonly request_id: string;
  readonly price: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly finish_reason: string;
}

/**
 * Audits the ledger, and requires one charge of the right amount for each complete answer, at most one for each other request, none
 * that belongs to no request, and no reservation. Waits for reservations to come back and for charges that a node owes: one that lost
 * the database makes them when it has the database again, also after another node has released its reservations.
 */
export async function checkBooks(url: string, outcomes: readonly Outcome[]): Promise<BooksCheck> {
  const accounts = await openAccounts({ kind: 'postgres', url });
  try {
    const deadline = Date.now() + settledMs;
    for (;;) {
      const check = compareBooks(await accounts.audit(), await readUsage(url), outcomes);
      if (check.mistakes.length === 0 || Date.now() >= deadline) return check;
      await sleep(250);
    }
  } finally {
    await accounts.close();
  }
}

function compareBooks(
  { faults, held, spent, sum }: Awaited<ReturnType<Accounts['audit']>>,
  rows: readonly UsageRow[],
  outcomes: readonly Outcome[],
): BooksCheck {
  const charged = rows.reduce((total, { price }) => total + Number(price), 0);
  return {
    mistakes: [
      ...faults,
      ...(held === 0 ? [] : [`${held} micro-dollars are still held`]),
      ...(sum === 0 ? [] : [`the sum of all sides is ${sum}`]),
      ...(spent === charged ? [] : [`accounts spent ${spent}, usage rows charge ${charged}`]),
      ...compare(outcomes, rows),
    ],
    answers: outcomes.filter(({ usage }) => usage).length,
    charged,
  };
}

function compare(outcomes: readonly Outcome[], rows: readonly UsageRow[]): string[] {
  const byRequest = Map.groupBy(rows, (row) => row.request_id);
  const mistakes: string[] = [];
  for (const { requestId, usage } of outcomes) {
    const charges = (byRequest.get(requestId ?? '') ?? []).filter(({ price }) => Number(price) > 0);
    if (charges.length > 1) mistakes.push(`${requestId} was charged ${charges.length} times`);
    if (usage === undefined) continue;
    const counts = { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens };
    const price = priceOf(counts, pricing, { percent: 100 });
    const paid = charges.map((row) => Number(row.price));
    if (paid.length !== 1 || paid[0] !== price) mistakes.push(`${requestId} costs ${price}, charged [${paid}]`);
  }
  // The answer of a request that failed without a response has no id that the client knows.
  const known = new Set(outcomes.map(({ requestId }) => requestId));
  const unknown = rows.filter(({ request_id, price }) => !known.has(request_id) && Number(price) > 0);
  const nameless = outcomes.filter(({ requestId }) => requestId === undefined).length;
  if (unknown.length > nameless) {
    mistakes.push(`${unknown.length} charges belong to no answer, and ${nameless} requests had none`);
  }
  return mistakes;
}

async function readUsage(url: string): Promise<UsageRow[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<UsageRow>('select * from usage')).rows;
  } finally {
    await client.end();
  }
}
