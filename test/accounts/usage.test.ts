import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../accounts/database/database.ts';
import { rootFromProof } from '../../accounts/ledger/merkle.ts';
import { usageEntry } from '../../accounts/ledger/statement.ts';
import { sumMonth } from '../../accounts/ledger/usage-month.ts';
import type { Accounts } from '../../accounts/store.ts';
import { describeStores, makeAccount, noon, type TestAccount } from '../support/accounts/account-stores.ts';

const dayMs = 86_400_000;
const free = { promptPerMillion: 1_000_000, completionPerMillion: 1_000_000 };

interface Use {
  readonly model?: string;
  readonly agent?: string;
  readonly days?: number;
  readonly tokens: number;
}

/** Requests that ran, with ids `use-0`, `use-1`, … */
async function use(account: TestAccount, uses: readonly Use[]) {
  for (const [index, { model = 'a-TEE', agent, days = 0, tokens }] of uses.entries()) {
    const now = noon + days * dayMs;
    const admission = await account.admit({
      requestId: `use-${index}`,
      model: { id: model, plans: ['*'], pricing: free },
      agent,
      now,
    });
    await admission.settle({ counts: { promptTokens: tokens, completionTokens: 1 }, finishReason: 'stop', now });
  }
}

async function setUp(accounts: Accounts, uses: readonly Use[]) {
  const account = await makeAccount(accounts);
  await use(account, uses);
  return account;
}

describeStores('usage', (store) => {
  it('is summed by day, model and key, or in total', async () => {
    const accounts = await store.open();
    const uses = [{ tokens: 1 }, { tokens: 2, model: 'b-TEE' }, { tokens: 4, days: 1 }, { tokens: 8, days: 1 }];
    const { accountId, keyId } = await setUp(accounts, uses);
    const range = { accountId, from: '2030-06-15', to: '2030-06-16' };
    const counts = { completionTokens: 1, images: 0, steps: 0, requests: 1 };
    expect(await accounts.sumUsage({ ...range, groups: ['model', 'day', 'key'] })).toEqual([
      { ...counts, day: '2030-06-15', model: 'a-TEE', key: keyId, promptTokens: 1, price: 2 },
      { ...counts, day: '2030-06-15', model: 'b-TEE', key: keyId, promptTokens: 2, price: 3 },
      {
        ...counts,
        day: '2030-06-16',
        model: 'a-TEE',
        key: keyId,
        requests: 2,
        promptTokens: 12,
        completionTokens: 2,
        price: 14,
      },
    ]);
    const whole = await accounts.sumUsage({ ...range, groups: [] });
    expect(whole).toEqual([{ requests: 4, promptTokens: 15, completionTokens: 4, images: 0, steps: 0, price: 19 }]);
    expect(await accounts.sumUsage({ ...range, to: '2030-06-15', groups: ['model'] })).toHaveLength(2);
  });

  it('is summed by agent, with one sum for the requests without an agent', async () => {
    const address = await store.address();
    const accounts = await store.open(address);
    const database = await openDatabase(address);
    onTestFinished(() => database.db.destroy());
    const uses = [{ tokens: 1, agent: 'tax-analyst' }, { tokens: 2 }, { tokens: 4, agent: 'eu-legal' }];
    const { accountId } = await setUp(accounts, [...uses, { tokens: 8, agent: 'tax-analyst' }]);
    const range = { accountId, from: '2030-06-15', to: '2030-06-15' };
    const sums = await accounts.sumUsage({ ...range, groups: ['agent'] });
    expect(sums.map(({ agent, requests, promptTokens }) => [agent, requests, promptTokens])).toEqual([
      [null, 1, 2],
      ['eu-legal', 1, 4],
      ['tax-analyst', 2, 9],
    ]);
    const ofMonth = await sumMonth(database.db, { month: '2030-06', groups: ['account', 'agent'] });
    expect(ofMonth.map(({ agent, price }) => [agent, price])).toEqual([
      [null, 3],
      ['eu-legal', 5],
      ['tax-analyst', 11],
    ]);
  });

  it('excludes other accounts', async () => {
    const accounts = await store.open();
    await setUp(accounts, [{ tokens: 1 }]);
    const other = await makeAccount(accounts, { name: 'other' });
    const range = { accountId: other.accountId, from: '2030-06-15', to: '2030-06-15' };
    expect(await accounts.sumUsage({ ...range, groups: ['day'] })).toEqual([]);
    expect(await accounts.proveUsage({ accountId: other.accountId, requestId: 'use-0' })).toBeUndefined();
  });

  it.each([
    ['2030-06-16', '2030-06-15'],
    ['2030-06-15', '2031-06-16'],
    ['2030-02-30', '2030-03-01'],
    ['yesterday', '2030-03-01'],
  ])('from %s to %s is rejected', async (from, to) => {
    const accounts = await store.open();
    const { accountId } = await setUp(accounts, []);
    const sum = accounts.sumUsage({ accountId, from, to, groups: [] });
    await expect(sum).rejects.toMatchObject({ code: 'ERR_RANGE_INVALID' });
  });

  it('of a day has a Merkle root that the proof of each request leads to', async () => {
    const accounts = await store.open();
    const { accountId, keyId } = await setUp(accounts, [
      { tokens: 1 },
      { tokens: 2 },
      { tokens: 3 },
      { tokens: 4, days: 1 },
    ]);
    const statement = await accounts.readStatement({ accountId, day: '2030-06-15' });
    expect(statement).toMatchObject({ rows: 3, promptTokens: 6, completionTokens: 3, price: 9 });
    for (const requestId of ['use-0', 'use-1', 'use-2']) {
      const found = (await accounts.proveUsage({ accountId, requestId }))!;
      expect(found).toMatchObject({ day: '2030-06-15', size: 3, root: statement.root, row: { requestId, keyId } });
      const proof = found.proof.map((node) => Buffer.from(node, 'hex'));
      const root = rootFromProof(usageEntry(accountId, found.row), { ...found, proof });
      expect(root.toString('hex')).toBe(statement.root);
    }
    expect((await accounts.readStatement({ accountId, day: '2030-06-16' })).root).not.toBe(statement.root);
    expect((await accounts.readStatement({ accountId, day: '2030-06-17' })).rows).toBe(0);
  });

  it('of a day sums the images and steps of its rows', async () => {
    const accounts = await store.open();
    const { accountId, admit } = await makeAccount(accounts);
    const pricing = { promptPerMillion: 0, completionPerMillion: 0, perImage: 10, perStep: 1 };
    const model = { id: 'image-TEE', plans: ['*'], pricing };
    for (const images of [1, 2]) {
      const counts = { promptTokens: 0, completionTokens: 0, images, steps: images * 20 };
      const admission = await admit({ surface: 'images', model, countsMax: counts });
      await admission.settle({ counts, finishReason: 'stop', now: noon });
    }
    const statement = await accounts.readStatement({ accountId, day: '2030-06-15' });
    expect(statement).toMatchObject({ rows: 2, images: 3, steps: 60, price: 90 });
  });

  it('has only columns for counts and ids, none for prompts or completions', async () => {
    const accounts = await store.open();
    const { accountId, keyId } = await setUp(accounts, [{ tokens: 5 }]);
    const { row } = (await accounts.proveUsage({ accountId, requestId: 'use-0' }))!;
    expect(row).toEqual({
      id: expect.any(String),
      requestId: 'use-0',
      keyId,
      model: 'a-TEE',
      at: noon / 1000,
      promptTokens: 5,
      completionTokens: 1,
      images: 0,
      steps: 0,
      price: 6,
      finishReason: 'stop',
    });
  });
});
