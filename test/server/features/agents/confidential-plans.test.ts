/** The effect of plans on the confidential surface: access, rates, and the model that answers for an agent. */
import { afterEach, describe, expect, it } from 'vitest';
import type { ServedChatModel } from '../../../../server/serving/served-model.ts';
import { FakeEngine } from '../../../support/runtime/fake-engine.ts';
import { type ConfidentialApp, messages, startConfidentialApp } from '../../../support/server/confidential-app.ts';
import { terms } from '../../../support/server/test-app.ts';

let running: ConfidentialApp | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const now = 1_800_000_000_000;

function model(id: string, plans: readonly string[]): ServedChatModel {
  const engine = new FakeEngine({ script: (chat) => void chat.answer(id) });
  return { kind: 'chat', id, engine, created: 0, fingerprint: 'fp', terms: { ...terms, plans } };
}

/** @returns a caller's headers, on the plan of this name */
async function callerOn(plan: string, app: ConfidentialApp): Promise<Record<string, string>> {
  await app.accounts.createAccount({ name: plan, plan, now });
  await app.accounts.credit({ account: plan, microDollars: 100_000_000, reference: plan, now });
  const { secret } = await app.accounts.createKey({ account: plan, name: 'first', now });
  return { authorization: `Bearer ${secret}` };
}

async function start(...models: readonly ServedChatModel[]): Promise<ConfidentialApp> {
  running = await startConfidentialApp(
    models.length === 0
      ? { script: (chat) => void chat.answer('yes') }
      : { models: new Map(models.map((one) => [one.id, one])) },
  );
  return running;
}

describe('the request rate of the confidential routes (I-077)', () => {
  it.each([
    ['developer', 60],
    ['team', 300],
  ])('limits the plan %s to %i requests per minute', async (plan, perMinute) => {
    const app = await start();
    const caller = await callerOn(plan, app);
    const body = { messages: [{ role: 'user', content: 'Good day.' }], max_tokens: 4 };
    const statuses: number[] = [];
    for (let count = 0; count < perMinute; count++) statuses.push((await app.ask(body, caller)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { status, headers, json } = await app.ask(body, caller);
    expect([status, json().details.code]).toEqual([429, 'ERR_RATE_LIMIT']);
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
  });
});

describe('the model behind an agent', () => {
  const answer = async (app: ConfidentialApp, plan: string) =>
    (await app.ask({ messages }, await callerOn(plan, app))).json();

  it('is the first model of the plan', async () => {
    const app = await start(model('large-TEE', ['team']), model('small-TEE', ['*']));
    expect((await answer(app, 'developer')).choices[0]?.message.content).toBe('small-TEE');
    expect((await answer(app, 'team')).choices[0]?.message.content).toBe('large-TEE');
  });

  it('is the first model that the plan names for this surface', async () => {
    const app = await start(model('a-TEE', ['*']), model('b-TEE', ['*']));
    const change = { models: { confidential: ['gone-TEE', 'b-TEE', 'a-TEE'] } };
    await app.accounts.changePlan({ id: 'team', change, now });
    expect(await answer(app, 'team')).toMatchObject({ model: 'b-TEE', agent: { slug: 'parcel-clerk' } });
  });

  it('is missing if the plan has no model, and the request is rejected', async () => {
    const app = await start(model('a-TEE', ['team']), model('b-TEE', ['team']));
    expect(await answer(app, 'developer')).toMatchObject({ details: { status: 400, code: 'ERR_MODEL_NOT_IN_PLAN' } });
  });

  it('is the model that the list shows to this caller', async () => {
    const app = await start(model('large-TEE', ['team']), model('small-TEE', ['*']));
    const { authorization } = await callerOn('developer', app);
    const { text } = await app.get('/v1/confidential/models', authorization!.slice('Bearer '.length));
    expect(JSON.parse(text).data[0]).toMatchObject({ id: 'parcel-clerk', model: 'small-TEE' });
  });
});

describe('the tiers of the contract (I-010)', () => {
  const tiers = [
    ['free', 'tier-32b-TEE'],
    ['plus', 'tier-397b-TEE'],
    ['team-starter', 'tier-397b-TEE'],
    ['pro', 'tier-397b-TEE'],
    ['enterprise', 'tier-reasoning-TEE'],
  ] as const;

  it.each(tiers)('map the plan %s to %s by the catalogue alone', async (plan, id) => {
    const app = await start(
      ...[...new Set(tiers.map(([, tier]) => tier))].map((tier) =>
        model(
          tier,
          tiers.filter(([, name]) => name === tier).map(([name]) => name),
        ),
      ),
    );
    const caller = await callerOn(plan, app);
    expect((await app.ask({ messages }, caller)).json()).toMatchObject({ model: id });
    for (const path of ['/v1/models', '/v1/confidential/models']) {
      const { text } = await app.get(path, caller.authorization!.slice('Bearer '.length));
      const ids = JSON.parse(text).data.flatMap((one: { id: string }) => (one.id.endsWith('-TEE') ? [one.id] : []));
      expect(ids).toEqual([id]);
    }
  });

  it('leave an agent unavailable on a plan without a model', async () => {
    const app = await start(model('a-TEE', ['team']));
    const { authorization } = await callerOn('developer', app);
    const { text } = await app.get('/v1/confidential/models', authorization!.slice('Bearer '.length));
    const { data } = JSON.parse(text);
    expect(data.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
      ['parcel-clerk', 'unavailable'],
    ]);
  });
});

describe('an account', () => {
  it('without balance is rejected with the reason (I-075)', async () => {
    const app = await start();
    await app.accounts.createAccount({ name: 'poor', plan: 'developer', now });
    const { secret } = await app.accounts.createKey({ account: 'poor', name: 'first', now });
    const { status } = await app.ask({ messages }, { authorization: `Bearer ${secret}` });
    expect(status).toBe(402);
  });
});
