/** Money through the API, on both databases: rows C-027, C-061, C-137, C-143 to C-145, C-151 to C-153. */
import { expect, it } from 'vitest';
import { rentUntil } from '../../compute/store/rent.ts';
import { describeStores } from '../support/accounts/account-stores.ts';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { inventoryFile, standardMachine } from '../support/compute/compute-fixtures.ts';
import { confidential, pods, standard, svc } from '../support/compute/compute-scenes.ts';
import { hourMs } from '../support/compute/compute-world.ts';

/** A price that is a whole number neither of cents per hour nor of millionths per second. */
const odd = '0.333337';
const inventory = {
  ...inventoryFile,
  tiers: [{ ...inventoryFile.tiers[0], base_price: odd }],
  machines: [
    ...Array.from({ length: 12 }, (_, index) => ({ ...standardMachine, id: `m-${index + 1}`, price_per_hour: odd })),
    ...inventoryFile.machines.filter(({ provider }) => provider === 'confidential'),
  ],
};

describeStores('the money of the API', (store) => {
  const open = computeApps(store);
  const micro = 10_000_000;

  async function pod(app: ComputeApp, key: string, body: object): Promise<string> {
    const answer = await app.call('POST', pods, { key, body });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body.pod?.id ?? answer.body.podId;
  }

  it.each([
    ['standard', standard, `${svc}/machines?provider=standard`, 'price_per_hour'],
    ['confidential', confidential, `${svc}/machines`, 'price'],
  ])(
    'C-061: the listed price of a %s machine is the price of a deploy and of each hour',
    async (_, body, list, name) => {
      const app = await open({ inventory });
      const { key } = await app.tenant('acme', { micro });
      const price = Math.round((await app.get(list, { key })).body[0][name] * 1e6);
      expect(price).toBe(333_337);
      const id = await pod(app, key, body);
      expect(await app.world.balance('acme')).toMatchObject({ available: micro - price, held: price, spent: 0 });
      await app.world.pass(0);
      await app.world.pass(3 * hourMs);
      expect((await app.get(`${pods}/${id}`, { key })).body.hourly_price).toBe(price / 1e6);
      expect(await app.world.balance('acme')).toMatchObject({
        available: micro - 3 * price,
        held: 0,
        spent: 3 * price,
      });
    },
  );

  it.each([1, 1_000, 1_001, 59_999, 1_234_567, hourMs - 1_000, hourMs - 1, hourMs, hourMs + 1, 5_000_000])(
    'C-143 to C-145: %i ms cost their started seconds, and the rest of the first hour comes back',
    async (ms) => {
      const app = await open({ inventory });
      const { key } = await app.tenant('acme', { micro });
      const id = await pod(app, key, standard);
      await app.world.pass(0);
      const runningAt = app.world.now;
      app.world.sleep(ms);
      const { body } = await app.call('DELETE', `${pods}/${id}`, { key });
      const rent = rentUntil({ price: 333_337, runningAt }, runningAt + ms);
      expect(body).toEqual({ success: true, prepaidRefund: Math.max(0, 333_337 - rent) / 1e6 });
      expect(await app.world.balance('acme')).toMatchObject({ available: micro - rent, held: 0, spent: rent });
      expect(await app.world.wrongs()).toEqual([]);
    },
  );

  it.each([
    ['standard', standard],
    ['confidential', confidential],
  ])('C-027 and C-152: 402 for a %s deploy states both amounts, as numbers', async (_, body) => {
    const app = await open({ inventory });
    const { key } = await app.tenant('acme', { micro: 123_456 });
    const answer = await app.call('POST', pods, { key, body });
    expect(answer).toMatchObject({ status: 402, body: { required: 0.333337, balance: 0.123456, charged: false } });
    await app.world.accounts.credit({ account: 'acme', microDollars: 333_337 - 123_456, now: app.world.now });
    await pod(app, key, body);
    expect(await app.world.balance('acme')).toMatchObject({ available: 0, held: 333_337 });
  });

  it('C-152: a deploy needs a balance of 0.10, even for a cheaper machine', async () => {
    const machines = [{ ...standardMachine, price_per_hour: '0.01' }];
    const app = await open({ inventory: { ...inventory, machines } });
    const { key } = await app.tenant('acme', { micro: 99_999 });
    const refused = await app.call('POST', pods, { key, body: standard });
    const error =
      'a deploy needs a balance of at least 0.100000 USD and the balance is 0.099999 USD: top up, then deploy again';
    expect(refused).toMatchObject({ status: 402, body: { required: 0.1, balance: 0.099999, error } });
    await app.world.accounts.credit({ account: 'acme', microDollars: 1, now: app.world.now });
    await pod(app, key, standard);
    expect(await app.world.balance('acme')).toMatchObject({ available: 90_000, held: 10_000 });
  });

  it('C-151: charges nothing for an unavailable machine', async () => {
    const app = await open({ inventory, loadTemplates: () => Promise.reject(new Error('no file')) });
    const { key } = await app.tenant('acme', { micro });
    const withoutTemplates = await app.call('POST', pods, { key, body: standard });
    app.world.engine.fateOf = () => 'unreachable';
    const withoutEngines = await app.call('POST', pods, { key, body: confidential });
    app.faults.push('one micro-dollar is missing');
    const withWrongBooks = await app.call('POST', pods, { key, body: standard });
    for (const answer of [withoutTemplates, withoutEngines, withWrongBooks]) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE', charged: false } });
      expect(String(answer.headers['retry-after'])).toMatch(/^\d+$/);
    }
    expect(await app.world.balance('acme')).toMatchObject({ available: micro, held: 0 });
  });

  it('C-153: amounts are whole millionths, each movement has two sides, and all accounts together are zero', async () => {
    const app = await open({ inventory });
    const { key } = await app.tenant('acme', { micro: 1_500_001 });
    const other = await app.tenant('other', { micro: 777_777 });
    const first = await pod(app, key, standard);
    await pod(app, key, { ...standard, name: 'b', machine_id: 'm-2' });
    await pod(app, other.key, confidential);
    await app.world.pass(hourMs + 1_234_567);
    await app.call('DELETE', `${pods}/${first}`, { key });
    app.world.engine.fateOf = (call) => (call === 'create' ? 'refused' : 'done');
    await app.call('POST', pods, { key, body: standard });
    app.world.engine.fateOf = () => 'done';
    await app.world.pass(5 * hourMs);
    const { db } = app.world.store;
    const sides = ['funding', 'available', 'held', 'spent'] as const;
    const booked = new Map<string, Record<(typeof sides)[number], number>>();
    for (const one of await db.selectFrom('movements').selectAll().execute()) {
      expect(Number.isSafeInteger(one.micro_dollars) && one.micro_dollars > 0, one.id).toBe(true);
      expect(one.from_side, one.id).not.toBe(one.to_side);
      const account = booked.get(one.account_id) ?? { funding: 0, available: 0, held: 0, spent: 0 };
      account[one.from_side] -= one.micro_dollars;
      account[one.to_side] += one.micro_dollars;
      booked.set(one.account_id, account);
    }
    let sum = 0;
    for (const meter of await db.selectFrom('meters').selectAll().execute()) {
      expect(booked.get(meter.account_id)).toEqual(Object.fromEntries(sides.map((side) => [side, meter[side]])));
      expect(meter.available).toBeGreaterThanOrEqual(0);
      sum += sides.reduce((total, side) => total + meter[side], 0);
    }
    expect(sum).toBe(0);
    expect(booked.size).toBe(2);
    expect((await app.world.accounts.audit()).sum).toBe(0);
    expect(await app.world.wrongs()).toEqual([]);
  });

  it('C-144: twelve concurrent deploys with funds for four rent four machines and hold four hours', async () => {
    const app = await open({ inventory });
    const { key, accountId } = await app.tenant('acme', { micro: 4 * 333_337 });
    const keys = [key];
    for (const name of ['b', 'c']) {
      keys.push((await app.world.accounts.createKey({ account: 'acme', name, now: app.world.now })).secret);
    }
    // Ten creations a minute are allowed, so the last two follow a minute later.
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        app.call('POST', pods, { key: keys[index % 3]!, body: { ...standard, machine_id: `m-${index + 1}` } }),
      ),
    );
    app.world.sleep(60_000);
    for (const machine_id of ['m-11', 'm-12']) {
      answers.push(await app.call('POST', pods, { key, body: { ...standard, machine_id } }));
    }
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(4).fill(201), ...Array(8).fill(402)]);
    expect(await app.world.balance('acme')).toMatchObject({ available: 0, held: 4 * 333_337 });
    expect(app.world.engine.pods.size).toBe(4);
    const events = await app.world.events(accountId);
    expect(events).toEqual(Array(4).fill('pod.provisioning'));
    expect(await app.world.wrongs()).toEqual([]);
  });

  it('C-136 and C-137: one request sent ten times at once rents once, and its release returns money once', async () => {
    const app = await open({ inventory });
    const { key } = await app.tenant('acme', { micro });
    const send = () => app.call('POST', pods, { key, body: standard, headers: { 'idempotency-key': 'a' } });
    const sent = await Promise.all(Array.from({ length: 10 }, send));
    for (const { status } of sent) expect(status).toBeOneOf([201, 409]);
    expect(app.world.engine.pods.size).toBe(1);
    expect((await app.world.balance('acme')).held).toBe(333_337);
    const [id = ''] = app.world.engine.pods.keys();
    await app.world.pass(1_000);
    const released = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        app.call('DELETE', `${pods}/${id}`, { key, headers: { 'idempotency-key': `r-${index}` } }),
      ),
    );
    expect(released.filter(({ body }) => body.prepaidRefund > 0)).toHaveLength(1);
    expect(released.every(({ status }) => status === 200)).toBe(true);
    expect(await app.world.wrongs()).toEqual([]);
  });
});
