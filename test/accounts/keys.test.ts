import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireScope, scopes } from '../../accounts/base/scopes.ts';
import { hasKeyForm, keyDigest, keyPreview, newKey } from '../../accounts/keys/keys.ts';
import { openAccountStore } from '../../accounts/store.ts';
import { describeStores, noon } from '../support/accounts/account-stores.ts';

const dayMs = 86_400_000;

describe('a key', () => {
  it('has a fixed prefix and 256 random bits (I-060)', () => {
    expect(newKey()).toMatch(/^clst_[\w-]{43}$/);
    expect(newKey()).not.toBe(newKey());
  });

  it('has a preview of its first and last characters', () => {
    expect(keyPreview(`clst_ab${'x'.repeat(39)}yz`)).toBe('clst_ab…yz');
  });

  it.each(['', 'clst_', `clst_${'a'.repeat(42)}`, `clst_${'a'.repeat(44)}`, `sk-${'a'.repeat(45)}`])(
    'rejects the format of %j',
    (text) => {
      expect(hasKeyForm(text)).toBe(false);
    },
  );
});

describeStores('keys', (store) => {
  it('identify their caller, and a wrong key identifies none', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    const { key, secret } = await accounts.createKey({ account: 'acme', name: 'laptop', now: noon });
    const caller = await accounts.findCaller(secret);
    expect(caller?.keyId).toBe(key.id);
    expect(await accounts.findCaller(newKey())).toBeUndefined();
    expect(await accounts.findCaller('clst_')).toBeUndefined();
    const second = await accounts.createKey({ account: 'acme', name: 'server', now: noon });
    expect((await accounts.findCaller(second.secret))?.accountId).toBe(caller?.accountId);
    await accounts.createAccount({ name: 'other', now: noon });
    const other = await accounts.createKey({ account: 'other', name: 'server', now: noon });
    expect((await accounts.findCaller(other.secret))?.accountId).not.toBe(caller?.accountId);
  });

  it('are created only for existing accounts', async () => {
    const accounts = await store.open();
    const made = accounts.createKey({ account: 'nobody', name: 'key', now: noon });
    await expect(made).rejects.toMatchObject({ code: 'ERR_ACCOUNT_UNKNOWN' });
    expect(await accounts.listAccounts()).toEqual([]);
  });

  it('are limited to ten live keys per account (I-061), also if created concurrently', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    const make = () => accounts.createKey({ account: 'acme', name: 'key', now: noon });
    const made = await Promise.allSettled(Array.from({ length: 15 }, make));
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    await expect(make()).rejects.toMatchObject({ code: 'ERR_KEY_LIMIT' });
    const [first] = await accounts.listKeys({ account: 'acme' });
    await accounts.revokeKey(first!.id, { now: noon });
    await make();
  });

  it('are rejected after they are revoked', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    const { key, secret } = await accounts.createKey({ account: 'acme', name: 'laptop', now: noon });
    expect(await accounts.findCaller(secret)).toBeDefined();
    await accounts.revokeKey(key.id, { now: noon + 1 });
    await expect.poll(() => accounts.findCaller(secret)).toBeUndefined();
    await expect(accounts.revokeKey(key.id, { now: noon })).rejects.toMatchObject({ code: 'ERR_KEY_UNKNOWN' });
    await expect(accounts.revokeKey('x', { now: noon })).rejects.toMatchObject({ code: 'ERR_KEY_UNKNOWN' });
  });

  it('expire at their time and no longer count against the limit', async () => {
    let now = noon;
    const accounts = await store.open(undefined, { clock: () => now });
    await accounts.createAccount({ name: 'acme', now: noon });
    const wanted = { account: 'acme', name: 'key', now: noon, expiresAt: noon + 1_000 };
    const { secret } = await accounts.createKey(wanted);
    expect(await accounts.findCaller(secret)).toBeDefined();
    now = noon + 1_000;
    expect(await accounts.findCaller(secret)).toBeUndefined();
    for (let count = 0; count < 10; count++) await accounts.createKey({ account: 'acme', name: 'key', now });
    await expect(accounts.createKey({ ...wanted, now })).rejects.toMatchObject({ code: 'ERR_EXPIRY_INVALID' });
  });

  it('have every scope by default, or the given ones (C-014, C-015)', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    const whole = await accounts.createKey({ account: 'acme', name: 'whole', now: noon });
    expect((await accounts.findCaller(whole.secret))?.scopes).toEqual(scopes);
    const named = ['inference', 'pods'];
    const part = await accounts.createKey({ account: 'acme', name: 'part', scopes: named, now: noon });
    const caller = await accounts.findCaller(part.secret);
    expect(caller?.scopes).toEqual(['pods', 'inference']);
    expect(() => requireScope(caller!, 'pods')).not.toThrow();
    expect(() => requireScope(caller!, 'balance')).toThrow(
      expect.objectContaining({ code: 'ERR_SCOPE_MISSING', details: { scope: 'balance' } }),
    );
    for (const wrong of [[], ['fly']]) {
      const made = accounts.createKey({ account: 'acme', name: 'key', scopes: wrong, now: noon });
      await expect(made).rejects.toMatchObject({ code: 'ERR_SCOPE_INVALID' });
    }
  });

  it('store only the day of their last use', async () => {
    let now = noon;
    const accounts = await store.open(undefined, { clock: () => now });
    await accounts.createAccount({ name: 'acme', now: noon });
    const { secret } = await accounts.createKey({ account: 'acme', name: 'key', now });
    const lastUsed = async () => (await accounts.listKeys({}))[0]?.lastUsedAt;
    expect(await lastUsed()).toBeUndefined();
    await accounts.findCaller(secret);
    await accounts.maintain({ now });
    expect(await lastUsed()).toBe(Math.floor(noon / dayMs) * dayMs);
    now += dayMs;
    await accounts.findCaller(secret);
    await accounts.maintain({ now });
    expect(await lastUsed()).toBe((Math.floor(noon / dayMs) + 1) * dayMs);
  });

  it('are listed by account, oldest first, with all fields except the secret', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    const second = await accounts.createKey({ account: 'acme', name: 'second', now: noon + 1 });
    await accounts.createKey({ account: 'acme', name: 'first', expiresAt: noon + 9, now: noon });
    await accounts.createAccount({ name: 'other', now: noon });
    await accounts.createKey({ account: 'other', name: 'third', now: noon });
    await accounts.revokeKey(second.key.id, { now: noon + 2 });
    const keys = await accounts.listKeys({ account: 'acme' });
    expect(keys.map(({ name, expiresAt, revokedAt }) => [name, expiresAt, revokedAt])).toEqual([
      ['first', noon + 9, undefined],
      ['second', undefined, noon + 2],
    ]);
    expect(await accounts.listKeys({})).toHaveLength(3);
  });

  it.each(['', 'a\nb', 'x'.repeat(65)])('reject the name %j', async (name) => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    for (const wanted of [
      { account: 'acme', name },
      { account: name, name: 'key' },
    ]) {
      await expect(accounts.createKey({ ...wanted, now: noon })).rejects.toMatchObject({ code: 'ERR_NAME_INVALID' });
    }
  });

  it('are rejected immediately after revocation in another process on the same database', async () => {
    const address = await store.address();
    const [server, other] = [await store.open(address), await store.open(address)];
    await server.createAccount({ name: 'acme', now: noon });
    const { key, secret } = await server.createKey({ account: 'acme', name: 'laptop', now: noon });
    expect(await other.findCaller(secret)).toBeDefined();
    expect(await other.findCaller(secret)).toBeDefined();
    await server.revokeKey(key.id, { now: noon });
    await expect.poll(() => other.findCaller(secret)).toBeUndefined();
  });
});

describe('the file of a SQLite store', () => {
  it('holds the SHA-256 of a key and nothing else of it (I-062)', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-accounts-'));
    const accounts = await openAccountStore(join(folder, 'accounts.sqlite'));
    await accounts.createAccount({ name: 'acme', now: noon });
    const { secret } = await accounts.createKey({ account: 'acme', name: 'laptop', now: noon });
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    expect(files.some((file) => file.includes(keyDigest(secret)))).toBe(true);
    expect(files.some((file) => file.includes(secret.slice(5)))).toBe(false);
    await accounts.close();
  });

  it('has a folder and files that only the owner can read', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'cloister-accounts-')), 'state', 'accounts.sqlite');
    const accounts = await openAccountStore(path);
    await accounts.createAccount({ name: 'acme', now: noon });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    await accounts.close();
  });

  it('is named in the error if it cannot be opened', async () => {
    await expect(openAccountStore('/dev/null/accounts.sqlite')).rejects.toMatchObject({ code: 'ERR_STORE' });
  });
});
