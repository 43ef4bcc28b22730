import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureDemoAccount } from '../../accounts/demo-account.ts';
import { type AccountStore, openAccountStore } from '../../accounts/store.ts';
import { openStartKey } from '../../server/program/start-key.ts';

let accounts: AccountStore;
let path: string;

beforeEach(async () => {
  accounts = await openAccountStore(':memory:');
  await ensureDemoAccount(accounts, { now: 1 });
  path = join(mkdtempSync(join(tmpdir(), 'cloister-key-')), 'development-key');
});
afterEach(() => accounts.close());

describe('the development key', () => {
  it('is the same at every start, in a file that only its owner can read', async () => {
    const first = await openStartKey(accounts, { path, now: 1 });
    expect(accounts.findCaller(first!)).toBeDefined();
    expect(await openStartKey(accounts, { path, now: 2 })).toBe(first);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toBe(`${first}\n`);
    expect(await accounts.listKeys({})).toHaveLength(1);
  });

  it('is shared by processes that start at the same time', async () => {
    const first = await openStartKey(accounts, { path, now: 1 });
    const both = await Promise.all([1, 2].map((now) => openStartKey(accounts, { path, now })));
    expect(both).toEqual([first, first]);
  });

  it('is replaced if it was revoked or its file is missing or invalid', async () => {
    const first = await openStartKey(accounts, { path, now: 1 });
    const [key] = await accounts.listKeys({});
    await accounts.revokeKey(key!.id, { now: 2 });
    const second = await openStartKey(accounts, { path, now: 3 });
    expect(second).not.toBe(first);
    rmSync(path);
    const third = await openStartKey(accounts, { path, now: 4 });
    expect(accounts.findCaller(second!)).toBeUndefined();
    await accounts.createAccount({ name: 'acme', now: 5 });
    const { secret } = await accounts.createKey({ account: 'acme', name: 'key', now: 5 });
    writeFileSync(path, secret);
    const fourth = await openStartKey(accounts, { path, now: 6 });
    expect([third, secret]).not.toContain(fourth);
    expect(accounts.findCaller(fourth!)).toBeDefined();
    expect(accounts.findCaller(secret)).toBeDefined();
  });

  it('differs at every start if it is not stored, and replaces the previous one', async () => {
    const first = await openStartKey(accounts, { path: undefined, now: 1 });
    const second = await openStartKey(accounts, { path: undefined, now: 2 });
    expect(accounts.findCaller(first!)).toBeUndefined();
    for (let count = 0; count < 9; count++) await accounts.createKey({ account: 'default', name: 'key', now: 3 });
    const third = await openStartKey(accounts, { path: undefined, now: 4 });
    expect(accounts.findCaller(second!)).toBeUndefined();
    expect(accounts.findCaller(third!)).toBeDefined();
  });
});
