/** What single operations of a fleet cost on this machine, for the simulation of large fleets. */
import { type Accounts, openAccounts } from '../../accounts/store.ts';
import { prepareCollateral, verifyPreparedQuote } from '../../attestation/index.ts';
import { createSimulatedPlatform } from '../../attestation/simulate/platform.ts';
import type { PostgresServer } from '../../test/support/accounts/postgres.ts';

export interface DatabaseRates {
  /** Requests of many accounts that are admitted and settled in a second. */
  readonly requestsPerSecond: number;
  /** The same of one account, whose row all servers lock. */
  readonly hotAccountPerSecond: number;
}

const servers = 4;
const requestsInFlight = 32;
const accountsCount = 50;
const microDollars = 1_000_000_000_000;
const model = { id: 'bench-TEE', plans: ['*'], pricing: { promptPerMillion: 150_000, completionPerMillion: 600_000 } };

/** Admits and settles requests as four servers do, in this process. @throws if the audit finds a fault */
export async function measureDatabase(postgres: PostgresServer, seconds: number): Promise<DatabaseRates> {
  const url = await postgres.emptyDatabase();
  const opened: Accounts[] = [];
  try {
    for (let index = 0; index < servers; index++) {
      opened.push(await openAccounts({ kind: 'postgres', url }, { role: 'server' }));
    }
    const secrets = await createKeys(opened[0]!);
    const requestsPerSecond = await measureRate(opened, secrets, seconds);
    const hotAccountPerSecond = await measureRate(opened, secrets.slice(0, 1), seconds);
    const { faults, sum } = await opened[0]!.audit();
    if (faults.length > 0 || sum !== 0) throw new Error(`the audit found ${faults.join('; ')}, sum ${sum}`);
    return { requestsPerSecond, hotAccountPerSecond };
  } finally {
    for (const accounts of opened) await accounts.close();
  }
}

async function createKeys(accounts: Accounts): Promise<string[]> {
  const now = Date.now();
  const keys: string[] = [];
  for (let index = 0; index < accountsCount; index++) {
    const account = `account-${index}`;
    await accounts.createAccount({ name: account, plan: 'operator', now });
    await accounts.credit({ account, microDollars, now });
    keys.push((await accounts.createKey({ account, name: 'bench', now })).secret);
  }
  return keys;
}

async function measureRate(opened: readonly Accounts[], secrets: readonly string[], seconds: number): Promise<number> {
  const startedAt = performance.now();
  let done = 0;
  const loop = async (lane: number) => {
    for (let index = lane; performance.now() < startedAt + seconds * 1000; index += requestsInFlight) {
      await oneRequest(opened[index % opened.length]!, secrets[index % secrets.length]!, `bench${index}`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: requestsInFlight }, (_, lane) => loop(lane)));
  return done / ((performance.now() - startedAt) / 1000);
}

async function oneRequest(accounts: Accounts, secret: string, requestId: string): Promise<void> {
  const caller = await accounts.findCaller(secret);
  if (caller === undefined) throw new Error('the key is unknown');
  const now = Date.now();
  const countsMax = { promptTokens: 2_000, completionTokens: 500 };
  const request = { caller, requestId, surface: 'chat' as const, model, countsMax, now, deadline: now + 600_000 };
  const admission = await accounts.admit(request);
  await admission.settle({ counts: { promptTokens: 1_200, completionTokens: 180 }, finishReason: 'stop', now });
}

/** The verification of a node's quote with collateral that its evidence contains, in milliseconds. */
export async function measureEvidence(runs = 50): Promise<number> {
  const nowMs = Date.now();
  const platform = await createSimulatedPlatform(nowMs);
  const quote = await platform.quote(new Uint8Array(64).fill(1));
  const verify = async () => {
    const prepared = await prepareCollateral(platform.collateral, [platform.rootCa]);
    if (!(await verifyPreparedQuote(quote, prepared, nowMs)).genuine) throw new Error('the quote is not genuine');
  };
  await verify();
  const startedAt = performance.now();
  for (let run = 0; run < runs; run++) await verify();
  return (performance.now() - startedAt) / runs;
}
