import { describe, expect, it } from 'vitest';
import { microDollarsMax } from '../../accounts/base/money.ts';
import { type PlanChange, shippedPlans } from '../../accounts/plans/plans.ts';
import { describeStores, halfUsed, makeAccount, noon } from '../support/accounts/account-stores.ts';

describeStores('an account', (store) => {
  it('is created on a plan, listed, moved to another plan and closed', async () => {
    const accounts = await store.open();
    const made = await accounts.createAccount({ name: 'acme', plan: 'pro', now: noon });
    expect(made).toMatchObject({ name: 'acme', plan: 'pro', createdAt: noon, closedAt: undefined });
    await accounts.createAccount({ name: 'beta', now: noon });
    expect((await accounts.listAccounts()).map(({ name, plan }) => [name, plan])).toEqual([
      ['acme', 'pro'],
      ['beta', 'free'],
    ]);
    expect(await accounts.moveToPlan({ account: 'acme', plan: 'team' })).toMatchObject({ plan: 'team' });
    expect(await accounts.closeAccount({ account: 'acme', now: noon + 1 })).toMatchObject({ closedAt: noon + 1 });
  });

  it('cannot be created with a taken, empty or unknown name, or an unknown plan', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    const codeOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'none',
        ({ code }) => code,
      );
    expect([
      await codeOf(accounts.createAccount({ name: 'acme', now: noon })),
      await codeOf(accounts.createAccount({ name: '', now: noon })),
      await codeOf(accounts.createAccount({ name: 'beta', plan: 'gold', now: noon })),
      await codeOf(accounts.findAccount('beta')),
      await codeOf(accounts.moveToPlan({ account: 'beta', plan: 'pro' })),
      await codeOf(accounts.moveToPlan({ account: 'acme', plan: 'gold' })),
      await codeOf(accounts.closeAccount({ account: 'beta', now: noon })),
    ]).toEqual([
      'ERR_ACCOUNT_EXISTS',
      'ERR_NAME_INVALID',
      'ERR_PLAN_UNKNOWN',
      'ERR_ACCOUNT_UNKNOWN',
      'ERR_ACCOUNT_UNKNOWN',
      'ERR_PLAN_UNKNOWN',
      'ERR_ACCOUNT_UNKNOWN',
    ]);
  });

  it('has no live keys after closing, and rejects new keys and payments', async () => {
    const accounts = await store.open();
    const { secret } = await makeAccount(accounts);
    await accounts.closeAccount({ account: 'acme', now: noon });
    await expect.poll(() => accounts.findCaller(secret)).toBeUndefined();
    const code = { code: 'ERR_ACCOUNT_CLOSED' };
    await expect(accounts.createKey({ account: 'acme', name: 'key', now: noon })).rejects.toMatchObject(code);
    await expect(accounts.credit({ account: 'acme', microDollars: 1, now: noon })).rejects.toMatchObject(code);
    await expect(accounts.closeAccount({ account: 'acme', now: noon })).rejects.toMatchObject(code);
  });

  it('is credited once per payment reference', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    await accounts.createAccount({ name: 'beta', now: noon });
    const payment = { account: 'acme', microDollars: 500, reference: 'invoice 7', now: noon };
    const both = await Promise.all([accounts.credit(payment), accounts.credit(payment)]);
    expect(both.map(({ alreadyBooked }) => alreadyBooked).sort()).toEqual([false, true]);
    expect(await accounts.credit(payment)).toMatchObject({
      alreadyBooked: true,
      balance: { paidIn: 500, available: 500, held: 0, spent: 0 },
    });
    const used = { code: 'ERR_REFERENCE_USED' };
    await expect(accounts.credit({ ...payment, microDollars: 501 })).rejects.toMatchObject(used);
    await expect(accounts.credit({ ...payment, account: 'beta' })).rejects.toMatchObject(used);
    expect(await accounts.audit()).toMatchObject({ sum: 0, paidIn: 500, faults: [] });
  });

  it('books a payment reference for only one of several concurrently credited accounts', async () => {
    const accounts = await store.open();
    const names = ['acme', 'beta', 'gamma', 'delta', 'epsilon', 'zeta'];
    for (const name of names) await accounts.createAccount({ name, now: noon });
    const payment = { microDollars: 500, reference: 'invoice 8', now: noon };
    const booked = await Promise.allSettled(names.map((account) => accounts.credit({ account, ...payment })));
    const refused = booked.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refused).toEqual(Array(5).fill('ERR_REFERENCE_USED'));
    expect(await accounts.audit()).toMatchObject({ sum: 0, paidIn: 500, faults: [] });
  });

  it('accepts whole amounts up to a billion dollars in total', async () => {
    const accounts = await store.open();
    await accounts.createAccount({ name: 'acme', now: noon });
    for (const microDollars of [0, -1, 0.5, microDollarsMax + 1, Number.NaN]) {
      await expect(accounts.credit({ account: 'acme', microDollars, now: noon })).rejects.toMatchObject({
        code: 'ERR_AMOUNT_INVALID',
      });
    }
    await accounts.credit({ account: 'acme', microDollars: microDollarsMax, now: noon });
    await expect(accounts.credit({ account: 'acme', microDollars: 1, now: noon })).rejects.toMatchObject({
      code: 'ERR_AMOUNT_INVALID',
    });
    expect((await accounts.findAccount('acme')).balance.available).toBe(microDollarsMax);
  });

  it('gets the price of a request refunded once', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { microDollars: 1_000 });
    await (await admit({ requestId: 'r1' })).settle(halfUsed);
    const results = await Promise.allSettled([1, 2].map(() => accounts.refund({ requestId: 'r1', now: noon })));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await accounts.findAccount('acme')).balance).toEqual({
      paidIn: 1_000,
      available: 1_000,
      held: 0,
      spent: 0,
    });
    for (const requestId of ['r1', 'r2']) {
      await expect(accounts.refund({ requestId, now: noon })).rejects.toMatchObject({ code: 'ERR_USAGE_UNKNOWN' });
    }
    expect(await accounts.audit()).toMatchObject({ sum: 0, faults: [] });
  });
});

describeStores('plans', (store) => {
  it('are the shipped plans by default, and change field by field', async () => {
    const accounts = await store.open();
    expect(await accounts.listPlans()).toEqual(shippedPlans.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    const change = { requestsPerMinute: 10, contextTokensMax: null, models: { chat: ['a-TEE'] }, priority: 5 };
    const changed = await accounts.changePlan({ id: 'free', change, now: noon });
    expect(changed).toMatchObject({ requestsPerMinute: 10, contextTokensMax: undefined, requestsPerDay: 100 });
    expect(await accounts.findPlan('free')).toEqual(changed);
  });

  it('are created once per id', async () => {
    const accounts = await store.open();
    const change = { title: 'Campus', monthlyPrice: 9_000_000, concurrentRequestsMax: 2 };
    await accounts.createPlan({ id: 'campus', change, now: noon });
    await expect(accounts.createPlan({ id: 'campus', change, now: noon })).rejects.toMatchObject({
      code: 'ERR_PLAN_EXISTS',
    });
    await expect(accounts.changePlan({ id: 'campsu', change, now: noon })).rejects.toMatchObject({
      code: 'ERR_PLAN_UNKNOWN',
    });
    await makeAccount(accounts, { plan: 'campus' });
    expect(await accounts.findAccount('acme')).toMatchObject({ plan: 'campus' });
    await expect(accounts.findPlan('gold')).rejects.toThrow('these exist: campus, developer, enterprise');
  });

  it.each<[string, PlanChange]>([
    ['free', { requestsPerMinute: 0.5 }],
    ['free', { requestsPerDay: -1 }],
    ['free', { pricePercent: null }],
    ['free', { priority: 101 }],
    ['free', { title: '' }],
    ['free', { description: 'a\nb' }],
    ['free', { models: { flight: ['a'] } as never }],
    ['free', { models: { chat: [''] } }],
    ['free', { models: null }],
  ])('reject %s with %j', async (id, change) => {
    const accounts = await store.open();
    await expect(accounts.changePlan({ id, change, now: noon })).rejects.toMatchObject({ code: 'ERR_PLAN_INVALID' });
  });
});

describeStores('a refund', (store) => {
  it('accepts the id of the usage row and the request id', async () => {
    const accounts = await store.open();
    const { admit, accountId } = await makeAccount(accounts, { microDollars: 1_000 });
    for (const requestId of ['r1', 'r2']) await (await admit({ requestId })).settle(halfUsed);
    const shown = await accounts.proveUsage({ accountId, requestId: 'r1' });
    expect((await accounts.refund({ requestId: shown!.row.id, now: noon })).balance.available).toBe(950);
    await expect(accounts.refund({ requestId: 'r1', now: noon })).rejects.toMatchObject({ code: 'ERR_USAGE_UNKNOWN' });
    expect((await accounts.refund({ requestId: 'r2', now: noon })).balance.available).toBe(1_000);
    expect(await accounts.audit()).toMatchObject({ sum: 0, faults: [] });
  });
});

describe('an invalid database', () => {
  it('fails with ERR_STORE', async () => {
    const { openAccounts } = await import('../../accounts/store.ts');
    const url = 'postgres://nobody@127.0.0.1:1/nothing';
    await expect(openAccounts({ kind: 'postgres', url })).rejects.toMatchObject({ code: 'ERR_STORE' });
  });
});
