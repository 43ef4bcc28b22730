import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Accounts } from '../../../../accounts/store.ts';
import { openAccounts } from '../../../../accounts/store.ts';
import { openReadiness } from '../../../../server/features/health/open-readiness.ts';
import { buildLogger } from '../../../../server/http/request-log.ts';
import { describePostgres, makeAccount } from '../../../support/accounts/account-stores.ts';
import { mountSmallDisk } from '../../../support/accounts/small-disk.ts';

const waiting = { timeout: 25_000, interval: 50 };
const opened: { close(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.close();
});

/** The readiness of a server with these accounts and no models. */
function open(accounts: Accounts, { readyGraceS = 0 }: { readyGraceS?: number } = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const registry = new Registry();
  const { readiness, close } = openReadiness({
    config: { readyStepS: 60, readyGraceS, memoryLimitMb: 'auto' },
    models: new Map(),
    accounts,
    enclave: () => undefined,
    logger: buildLogger({ level: 'info', destination }),
    registry,
  });
  opened.push({ close });
  const logged = () => lines.map(({ level, msg, check, cause }) => ({ level, msg, check, cause }));
  return { readiness, logged, metrics: () => registry.metrics() };
}

describePostgres('a stopped database', (store) => {
  it('makes the server unready with the cause, is logged and counted, and the server becomes ready again afterwards', async () => {
    const accounts = await store.open(undefined, { role: 'server' });
    const { readiness, logged, metrics } = open(accounts);
    expect(readiness.failures().size).toBe(0);
    store.postgres?.stop();
    await expect
      .poll(() => readiness.failures().get('accounts'), waiting)
      .toMatch(/^the account database is unavailable \([A-Z0-9_]+\)$/);
    const stopped = await metrics();
    expect(stopped).toContain('cloister_ready_check{check="accounts"} 0');
    expect(stopped).toContain('cloister_accounts_failing 1');
    expect(stopped).toMatch(/cloister_accounts_outages_total\{cause="[A-Z0-9_]+"\} 1/);
    store.postgres?.start();
    await expect.poll(() => readiness.failures().size, waiting).toBe(0);
    expect(await metrics()).toContain('cloister_accounts_failing 0');
    const cause = expect.stringMatching(/^[A-Z0-9_]+$/);
    expect(logged()).toMatchObject([
      { level: 'info', msg: 'ready' },
      { level: 'warn', msg: 'check fails', check: 'accounts', cause },
      { level: 'error', msg: 'check fails for longer than the grace period', check: 'accounts', cause },
      { level: 'warn', msg: 'not ready' },
      { level: 'info', msg: 'check passes again', check: 'accounts' },
      { level: 'info', msg: 'ready' },
    ]);
  });

  it('leaves the server ready within the grace period, and is reported at once', async () => {
    const accounts = await store.open(undefined, { role: 'server' });
    const { readiness, logged, metrics } = open(accounts, { readyGraceS: 3600 });
    store.postgres?.stop();
    await expect.poll(metrics, waiting).toContain('cloister_accounts_failing 1');
    expect(readiness.failures().size).toBe(0);
    expect(logged()).toContainEqual(expect.objectContaining({ level: 'warn', check: 'accounts' }));
    expect(logged()).not.toContainEqual(expect.objectContaining({ level: 'error' }));
    store.postgres?.start();
    await expect.poll(metrics, waiting).toContain('cloister_accounts_failing 0');
  });
});

const disk = mountSmallDisk();
if ('missing' in disk) console.warn(`readiness on a full disk is skipped: ${disk.missing}`);

describe.skipIf('missing' in disk)('a full disk (SQLite)', () => {
  const small = disk as Exclude<typeof disk, { missing: string }>;
  afterAll(() => small.remove());

  it('makes the server unready with the cause until there is free space', async () => {
    const path = join(small.folder, 'accounts.sqlite');
    const accounts = await openAccounts({ kind: 'sqlite', path }, { role: 'server' });
    const account = await makeAccount(accounts, { microDollars: 1_000_000 });
    const { readiness, logged, metrics } = open(accounts);
    small.fill();
    // The allocated space allows a few more commits; then a request finds the disk full before the probe does.
    const isRefused = () =>
      account.admit().then(
        () => false,
        () => true,
      );
    while (!(await isRefused()));
    await expect
      .poll(() => readiness.failures().get('accounts'), waiting)
      .toBe('the account database is unavailable (SQLITE_FULL)');
    expect(await metrics()).toContain('cloister_accounts_outages_total{cause="SQLITE_FULL"} 1');
    expect(logged()).toContainEqual(
      expect.objectContaining({ level: 'error', check: 'accounts', cause: 'SQLITE_FULL' }),
    );
    small.empty();
    await expect.poll(() => readiness.failures().size, waiting).toBe(0);
    expect(logged().at(-1)).toMatchObject({ level: 'info', msg: 'ready' });
    await accounts.close();
  });
});
