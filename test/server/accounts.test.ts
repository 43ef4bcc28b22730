import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { hasKeyForm, keyDigest, keyPreview, newKey } from '../../server/accounts/keys.ts';
import { type AccountStore, openAccountStore } from '../../server/accounts/store.ts';

const now = 1_800_000_000_000;
const open: AccountStore[] = [];

async function store(path = ':memory:'): Promise<AccountStore> {
  const accounts = await openAccountStore(path);
  open.push(accounts);
  return accounts;
}

afterEach(async () => {
  for (const accounts of open.splice(0)) await accounts.close();
});

describe('a key', () => {
  it('has a fixed prefix and 256 random bits (I-060)', () => {
    expect(newKey()).toMatch(/^clst_[\w-]{43}$/);
    expect(newKey()).not.toBe(newKey());
  });

  it('is previewed by its ends', () => {
    expect(keyPreview(`clst_ab${'x'.repeat(39)}yz`)).toBe('clst_ab…yz');
  });

  it.each(['', 'clst_', `clst_${'a'.repeat(42)}`, `clst_${'a'.repeat(44)}`, `sk-${'a'.repeat(45)}`])(
    '%j has not the form of one',
    (text) => {
      expect(hasKeyForm(text)).toBe(false);
    },
  );
});

describe('the store', () => {
  it('knows whose a key is, and nobody by a wrong one', async () => {
    const accounts = await store();
    const { key, secret } = await accounts.createKey({ account: 'acme', name: 'laptop', now });
    const caller = accounts.findCaller(secret);
    expect(caller?.keyId).toBe(key.id);
    expect(accounts.findCaller(newKey())).toBeUndefined();
    expect(accounts.findCaller('clst_')).toBeUndefined();
    const second = await accounts.createKey({ account: 'acme', name: 'server', now });
    expect(accounts.findCaller(second.secret)?.accountId).toBe(caller?.accountId);
    const other = await accounts.createKey({ account: 'other', name: 'server', now });
    expect(accounts.findCaller(other.secret)?.accountId).not.toBe(caller?.accountId);
  });

  it('stores the SHA-256 of a key and nothing else of it (I-062)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-accounts-'));
    const accounts = await store(join(folder, 'accounts.sqlite'));
    const { secret } = await accounts.createKey({ account: 'acme', name: 'laptop', now });
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(files.some((file) => file.includes(keyDigest(secret)))).toBe(true);
    expect(files.some((file) => file.includes(secret.slice(5)))).toBe(false);
  });

  it('is readable by its owner alone', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'cloister-accounts-')), 'state');
    await store(join(folder, 'accounts.sqlite'));
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('holds at most 10 live keys per account, and a revoked one makes room (I-061)', async () => {
    const accounts = await store();
    const create = () => accounts.createKey({ account: 'acme', name: 'key', now });
    const keys = [];
    for (let count = 0; count < 10; count++) keys.push(await create());
    await expect(create()).rejects.toMatchObject({ code: 'ERR_KEY_LIMIT' });
    await accounts.createKey({ account: 'other', name: 'key', now });
    await accounts.revokeKey(keys[0]!.key.id, { now });
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'ERR_KEY_LIMIT' });
  });

  it('keeps the limit when many are made at once', async () => {
    const accounts = await store(join(mkdtempSync(join(tmpdir(), 'cloister-accounts-')), 'a.sqlite'));
    const attempts = Array.from({ length: 15 }, () => accounts.createKey({ account: 'acme', name: 'key', now }));
    const results = await Promise.allSettled(attempts);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });

  it('a key revoked by another process is refused at the next look (I-063)', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'cloister-accounts-')), 'accounts.sqlite');
    const [server, commandLine] = [await store(path), await store(path)];
    const { key, secret } = await server.createKey({ account: 'acme', name: 'laptop', now });
    expect(server.findCaller(secret)).toBeDefined();
    await commandLine.revokeKey(key.id, { now });
    expect(server.findCaller(secret)).toBeUndefined();
  });

  it('lists keys by account, oldest first, with preview and dates', async () => {
    const accounts = await store();
    const { key: second } = await accounts.createKey({ account: 'acme', name: 'second', now: now + 1 });
    await accounts.createKey({ account: 'acme', name: 'first', now });
    await accounts.createKey({ account: 'other', name: 'third', now });
    await accounts.revokeKey(second.id, { now: now + 2 });
    const keys = await accounts.listKeys({ account: 'acme' });
    expect(keys.map(({ name, revokedAt }) => [name, revokedAt])).toEqual([
      ['first', undefined],
      ['second', now + 2],
    ]);
    expect(await accounts.listKeys({})).toHaveLength(3);
  });

  it('refuses to revoke what is unknown or revoked already', async () => {
    const accounts = await store();
    const { key } = await accounts.createKey({ account: 'acme', name: 'key', now });
    await accounts.revokeKey(key.id, { now });
    await expect(accounts.revokeKey(key.id, { now })).rejects.toMatchObject({ code: 'ERR_KEY_UNKNOWN' });
    await expect(accounts.revokeKey('x', { now })).rejects.toMatchObject({ code: 'ERR_KEY_UNKNOWN' });
  });

  it.each(['', 'a\nb', 'x'.repeat(65)])('refuses the name %j', async (name) => {
    const accounts = await store();
    await expect(accounts.createKey({ account: 'acme', name, now })).rejects.toMatchObject({
      code: 'ERR_NAME_INVALID',
    });
  });

  it('opens a database again without migrating twice', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'cloister-accounts-')), 'accounts.sqlite');
    const { secret } = await (await store(path)).createKey({ account: 'acme', name: 'key', now });
    expect((await store(path)).findCaller(secret)).toBeDefined();
  });

  it('says which file cannot be opened', async () => {
    await expect(store('/dev/null/accounts.sqlite')).rejects.toMatchObject({ code: 'ERR_STORE' });
  });
});
