import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { Admissions } from '../../accounts/admission.ts';
import type { MeteringQueue } from '../../accounts/ledger/metering-queue.ts';
import type { Accounts } from '../../accounts/store.ts';
import { describeStores, halfUsed, makeAccount, noon, requestOf } from '../support/accounts/account-stores.ts';

async function moneyOf(accounts: Accounts, name = 'acme') {
  const { available, held, spent } = (await accounts.findAccount(name)).balance;
  return { available, held, spent };
}

async function expectConsistentLedger(accounts: Accounts) {
  expect(await accounts.audit()).toMatchObject({ sum: 0, faults: [] });
}

describeStores('a request', (store) => {
  it('reserves its maximum price while it runs and is charged its usage', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { microDollars: 1_000 });
    const admission = await admit();
    expect(admission.reserved).toBe(100);
    expect(await moneyOf(accounts)).toEqual({ available: 900, held: 100, spent: 0 });
    expect(await admission.settle(halfUsed)).toBe(50);
    expect(await moneyOf(accounts)).toEqual({ available: 950, held: 0, spent: 50 });
    await expectConsistentLedger(accounts);
  });

  it('is settled once, however often settle is called', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { microDollars: 1_000 });
    const admission = await admit();
    const prices = await Promise.all([admission.settle(halfUsed), admission.settle(halfUsed)]);
    await admission.release({ now: noon });
    expect([...prices, await admission.settle(halfUsed)]).toEqual([50, 50, 50]);
    expect(await moneyOf(accounts)).toEqual({ available: 950, held: 0, spent: 50 });
    await expectConsistentLedger(accounts);
  });

  it('is charged its usage also if the response does not wait for the settlement', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { microDollars: 1_000 });
    const admission = await admit();
    const onFailure = vi.fn();
    expect(await admission.settleInBackground(halfUsed, { onFailure })).toBe(50);
    await setImmediate();
    expect(await moneyOf(accounts)).toEqual({ available: 950, held: 0, spent: 50 });
    expect(await admission.settle(halfUsed)).toBe(50);
    expect(onFailure).not.toHaveBeenCalled();
    await expectConsistentLedger(accounts);
  });

  it('costs nothing and leaves no usage row if rejected before its first token (I-082)', async () => {
    const accounts = await store.open();
    const { admit, accountId } = await makeAccount(accounts, { plan: 'free' });
    const admission = await admit();
    expect(admission.headers).toMatchObject({ 'x-ratelimit-remaining': '99' });
    await admission.release({ now: noon });
    expect(await admission.settle(halfUsed)).toBe(0);
    expect((await admit()).headers).toMatchObject({ 'x-ratelimit-remaining': '99' });
    const query = { accountId, from: '2030-06-15', to: '2030-06-15', groups: [] };
    expect(await accounts.sumUsage(query)).toEqual([]);
    await expectConsistentLedger(accounts);
  });

  it('is never charged more than was reserved', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { microDollars: 100 });
    const admission = await admit();
    const end = { ...halfUsed, counts: { promptTokens: 500, completionTokens: 500 } };
    expect(await admission.settle(end)).toBe(100);
    expect(await moneyOf(accounts)).toEqual({ available: 0, held: 0, spent: 100 });
    await expectConsistentLedger(accounts);
  });

  it('is one of exactly 50 admitted when 200 arrive at once and the balance covers 50', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { microDollars: 5_000 });
    const results = await Promise.allSettled(Array.from({ length: 200 }, () => admit()));
    const served = results.filter((result) => result.status === 'fulfilled');
    const refused = results.filter((result) => result.status === 'rejected');
    expect(served).toHaveLength(50);
    expect(new Set(refused.map(({ reason }) => reason.code))).toEqual(new Set(['ERR_BALANCE']));
    expect(await moneyOf(accounts)).toEqual({ available: 0, held: 5_000, spent: 0 });
    await Promise.all(served.map(({ value }) => value.settle(halfUsed)));
    expect(await moneyOf(accounts)).toEqual({ available: 2_500, held: 0, spent: 2_500 });
    await expectConsistentLedger(accounts);
  });

  it('shares balance and concurrency limit exactly with other processes on the same database', async () => {
    const address = await store.address();
    const [one, two] = [await store.open(address), await store.open(address)];
    const account = await makeAccount(one, { microDollars: 5_000 });
    const caller = (await two.findCaller(account.secret))!;
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? account.admit() : two.admit(requestOf(caller)))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    await expectConsistentLedger(two);
  });

  it("is charged its plan's percentage of the price, and nothing if tokens are included", async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { plan: 'free', microDollars: 0 });
    expect(await (await admit()).settle(halfUsed)).toBe(0);
    await accounts.changePlan({ id: 'free', change: { pricePercent: 50 }, now: noon });
    await expect(admit()).rejects.toMatchObject({ code: 'ERR_BALANCE' });
    await accounts.credit({ account: 'acme', microDollars: 100, now: noon });
    expect(await (await admit()).settle(halfUsed)).toBe(25);
    await expectConsistentLedger(accounts);
  });

  it('is limited by a changed plan immediately', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts);
    await admit();
    await accounts.changePlan({ id: 'operator', change: { concurrentRequestsMax: 1 }, now: noon });
    await expect(admit()).rejects.toMatchObject({ code: 'ERR_RATE_LIMIT', details: { retryAfterSeconds: 1 } });
    await accounts.changePlan({ id: 'operator', change: { concurrentRequestsMax: null }, now: noon });
    await admit();
  });

  it('releases its concurrency slot and reserved tokens when it ends', async () => {
    const accounts = await store.open();
    const { admit, accountId } = await makeAccount(accounts);
    await accounts.changePlan({
      id: 'operator',
      change: { concurrentRequestsMax: 1, tokensPerMonth: 140 },
      now: noon,
    });
    await (await admit()).settle(halfUsed);
    const standing = await accounts.readStanding({ accountId, now: noon });
    expect([standing.running, standing.tokensHeld, standing.tokensThisMonth]).toEqual([0, 0, 50]);
    await expect(admit()).rejects.toMatchObject({ details: { usage: { tokens_used: 50, tokens_limit: 140 } } });
    await admit({ countsMax: { promptTokens: 50, completionTokens: 40 } });
  });

  it('is rejected for a model outside its plan (I-013)', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts, { plan: 'pro' });
    const model = { id: 'big-TEE', plans: ['pro'], pricing: { promptPerMillion: 0, completionPerMillion: 0 } };
    await admit({ model });
    await expect(admit({ model: { ...model, plans: ['free'] } })).rejects.toMatchObject({
      code: 'ERR_MODEL_NOT_IN_PLAN',
      details: { plan: 'pro' },
    });
    await accounts.changePlan({ id: 'pro', change: { models: { chat: ['other-TEE'] } }, now: noon });
    await expect(admit({ model })).rejects.toMatchObject({ code: 'ERR_MODEL_NOT_IN_PLAN' });
    await admit({ model, surface: 'embeddings' });
  });

  it('finishes and is charged when its key is revoked or its account closed while it runs', async () => {
    const accounts = await store.open();
    const { admit, keyId, secret } = await makeAccount(accounts, { microDollars: 1_000 });
    const [first, second] = [await admit(), await admit()];
    await accounts.revokeKey(keyId, { now: noon });
    await expect.poll(() => accounts.findCaller(secret)).toBeUndefined();
    expect(await first.settle(halfUsed)).toBe(50);
    await accounts.closeAccount({ account: 'acme', now: noon });
    expect(await second.settle(halfUsed)).toBe(50);
    await expect(admit()).rejects.toMatchObject({ code: 'ERR_ACCOUNT_CLOSED' });
    await expectConsistentLedger(accounts);
  });

  it('with an invalid price or count is rejected without affecting others', async () => {
    const accounts = await store.open();
    const { admit } = await makeAccount(accounts);
    const bad = admit({ countsMax: { promptTokens: -1, completionTokens: 0 } });
    const [wrong, right] = await Promise.allSettled([bad, admit()]);
    expect(wrong).toMatchObject({ reason: { code: 'ERR_AMOUNT_INVALID' } });
    expect(right.status).toBe('fulfilled');
  });
});

it('reports a charge that fails after the response was sent, and rejects one that the response waits for', async () => {
  const fault = new Error('metering failed');
  const queue = {
    do: async ({ kind }: { kind: string }) => {
      if (kind === 'settle') throw fault;
      return { kind: 'admitted', admitted: { plan: { id: 'free', pricePercent: 100 }, headers: {} } };
    },
  } as unknown as MeteringQueue;
  const request = requestOf({ keyId: 'key', accountId: 'account' } as never);
  const onFailure = vi.fn();
  const beside = await new Admissions(queue, { instanceId: 'one', commitsInTurn: true }).admit(request);
  expect(await beside.settleInBackground(halfUsed, { onFailure })).toBe(50);
  await vi.waitFor(() => expect(onFailure).toHaveBeenCalledExactlyOnceWith(fault));
  const before = await new Admissions(queue, { instanceId: 'two', commitsInTurn: false }).admit(request);
  await expect(before.settleInBackground(halfUsed, { onFailure })).rejects.toBe(fault);
  expect(onFailure).toHaveBeenCalledTimes(1);
});

describeStores('requests per minute', (store) => {
  it('are counted across all servers on one database, in any 60 seconds', async () => {
    const address = await store.address();
    const servers = [await store.open(address), await store.open(address)];
    await servers[0]!.changePlan({ id: 'developer', change: { requestsPerMinute: 6 }, now: noon });
    const { accountId, keyId } = await makeAccount(servers[0]!, { plan: 'developer' });
    const caller = { accountId, keyId, scopes: [] };
    const admittedAt = async (now: number, times: number) => {
      let admitted = 0;
      for (let index = 0; index < times; index++) {
        const admission = await servers[index % 2]!.admit(requestOf(caller, { now })).catch(({ code }) => code);
        if (admission === 'ERR_RATE_LIMIT') continue;
        admitted += 1;
        await admission.settle({ ...halfUsed, now });
      }
      return admitted;
    };
    expect(await admittedAt(noon, 4)).toBe(4);
    expect(await admittedAt(noon + 50_000, 8)).toBe(2);
    expect(await admittedAt(noon + 59_999, 4)).toBe(0);
    expect(await admittedAt(noon + 60_000, 8)).toBe(4);
    expect(await admittedAt(noon + 110_000, 8)).toBe(2);
  });
});
