/** A sealed request is accepted once during the lifetime of its key, in bounded memory, and no account can block others. */
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operatorPlanId } from '../../../accounts/plans/plans.ts';
import { fromHex } from '../../../attestation/base/bytes.ts';
import { parseKeyConfig } from '../../../attestation/sealed/key-config.ts';
import { ReplayGuard } from '../../../server/enclave/replay-guard.ts';
import { createSealingKey, type SealingKeyOptions } from '../../../server/enclave/sealing-key.ts';
import { postSealed, sealedChat, sendChat } from '../../support/attestation/sealed.ts';
import { startAttestedApp } from '../../support/server/attested-app.ts';
import { answering, appPerTest, question } from '../../support/server/sealed-app.ts';

const start = appPerTest();

describe('a replayed sealed request', () => {
  it('is rejected when sent sequentially or concurrently, and the model runs once', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const statuses = (await Promise.all([1, 2, 3].map(() => sendChat(app, bytes, headers)))).map(
      (one) => one.statusCode,
    );
    expect(statuses.sort()).toEqual([200, 400, 400]);
    const late = await sendChat(app, bytes, headers);
    expect([late.statusCode, app.engine.chats.length]).toEqual([400, 1]);
    // The error is sealed: only the sender of the first request can read it.
    expect(late.headers['ehbp-response-nonce']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('is rejected from every account and path, whether or not the first request succeeded', async () => {
    const app = await start();
    const { secret } = await app.accounts.createKey({ account: 'tests', name: 'other', now: Date.now() });
    const { headers, bytes } = await sealedChat(app, { ...question, temperature: 9 });
    expect((await sendChat(app, bytes, headers)).statusCode).toBe(400);
    const again = await app.app.inject({
      ...{ method: 'POST', url: '/v1/embeddings', payload: bytes },
      headers: { ...headers, authorization: `Bearer ${secret}` },
    });
    expect(again.statusCode).toBe(400);
    expect(app.log()).toContain('ERR_SEALED_REPLAY');
  });

  it('does not count as used if it was sent without a valid API key', async () => {
    const app = await start();
    const { headers, bytes } = await sealedChat(app, question);
    const stranger = await sendChat(app, bytes, { ...headers, authorization: 'Bearer clst_no' });
    expect([stranger.statusCode, (await sendChat(app, bytes, headers)).statusCode]).toEqual([401, 200]);
  });
});

it('requests without an API key use no replay memory on public paths', async () => {
  const key = createSealingKey({ requestsMax: 2, accountRequestsMax: 1, lifetimeMsMin: 0 });
  const app = await start({ ...answering, overrides: { sealing: { key, sealedOnly: false } } });
  const before = key.publicKey;
  for (const path of ['/nothing', '/../nothing', '/../nothing', '/../nothing', '/../health/live']) {
    const { wire } = await postSealed(app, question, { key: key.publicKey, path, headers: { authorization: '' } });
    expect(wire.status).toBeGreaterThanOrEqual(400);
  }
  expect(key.publicKey).toBe(before);
});

describe('the replay memory is bounded', () => {
  let time = 0;
  const limits = { requestsMax: 6, accountRequestsMax: 2, lifetimeMsMin: 1000, clock: () => time };

  async function limited(options: Partial<SealingKeyOptions> = {}) {
    const key = createSealingKey({ ...limits, ...options });
    const app = await start({ ...answering, overrides: { sealing: { key, sealedOnly: false } } });
    await app.accounts.createAccount({ name: 'others', plan: operatorPlanId, now: Date.now() });
    await app.accounts.credit({ account: 'others', microDollars: 1_000_000, reference: 'x', now: Date.now() });
    const { secret } = await app.accounts.createKey({ account: 'others', name: 'x', now: Date.now() });
    const ask = async (who = app.secret) => {
      const sent = { key: key.publicKey, headers: { authorization: `Bearer ${who}` } };
      return (await postSealed(app, question, sent)).wire;
    };
    return { key, app, ask, others: secret };
  }

  it('an account that exhausted its share must wait, other accounts need not', async () => {
    const { ask, others, key } = await limited();
    const before = key.publicKey;
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
    const full = await ask();
    expect([full.status, full.headers.get('retry-after')]).toEqual([429, '60']);
    expect((await ask(others)).status).toBe(200);
    expect(key.publicKey).toBe(before);
  });

  it('a full key is replaced after its minimum lifetime, and its requests cannot be replayed', async () => {
    const { ask, key, app } = await limited();
    const captured = await sealedChat({ secret: app.secret, sealingKey: key }, question);
    expect((await sendChat(app, captured.bytes, captured.headers)).statusCode).toBe(200);
    expect((await ask()).status).toBe(200);
    time += 1000;
    const changing = await ask();
    expect(changing.status).toBe(422);
    expect(await changing.json()).toMatchObject({ type: 'urn:ietf:params:ehbp:error:key-config' });
    const { rawPayload } = await app.app.inject({ url: '/.well-known/hpke-keys' });
    expect(parseKeyConfig(new Uint8Array(rawPayload))).toEqual(key.publicKey);
    expect((await ask()).status).toBe(200);
    expect((await sendChat(app, captured.bytes, captured.headers)).statusCode).toBe(422);
  });

  it('a replayed request that began under the old key is not accepted under the new one', async () => {
    const { key, app } = await limited();
    const captured = await sealedChat({ secret: app.secret, sealingKey: key }, question);
    const encapsulated = fromHex(captured.headers['ehbp-encapsulated-key']!)!;
    const [first, held] = [key.receive(encapsulated)!, key.receive(encapsulated)!];
    expect(first.admit('a')).toBe('fresh');
    expect(key.receive(encapsulated)!.admit('b')).toBe('replayed');
    const other = () => key.receive(createSealingKey().publicKey)!;
    expect(other().admit('a')).toBe('fresh');
    time += 1000;
    expect(other().admit('a')).toBe('retired');
    expect(held.admit('a')).toBe('retired');
  });

  it('the keyset names the new key at once, so that clients verify it', async () => {
    const sealingKey = createSealingKey(limits);
    const app = await startAttestedApp({ enclave: { sealingKey } });
    const before = app.enclave.identity;
    const other = () => sealingKey.receive(createSealingKey().publicKey)!.admit('a');
    other();
    other();
    time += 1000;
    expect(other()).toBe('retired');
    const { keyset, digest } = app.enclave.identity;
    expect(digest).not.toBe(before.digest);
    expect(fromHex(keyset.e2eePublicKeys[0]!.publicKey)).toEqual(sealingKey.publicKey);
    expect((await app.get('/health/live')).headers['x-aci-keyset-digest']).toBe(digest);
    await app.close();
  });

  it('rejects exactly the recorded requests until it is full', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 300 }), (numbers) => {
        const guard = new ReplayGuard({ requestsMax: 64, accountRequestsMax: 64 });
        const seen = new Set<number>();
        for (const number of numbers) {
          const key = new Uint8Array(32).fill(number % 7);
          key[31] = number;
          const expected = seen.has(number) ? 'replayed' : seen.size === 64 ? 'full' : 'fresh';
          expect(guard.admit(`account ${number % 3}`, key)).toBe(expected);
          if (expected === 'fresh') seen.add(number);
        }
      }),
    );
  });

  it('uses 32 bytes per request', () => {
    const requestsMax = 2 ** 16;
    const guard = new ReplayGuard({ requestsMax, accountRequestsMax: requestsMax });
    const before = process.memoryUsage().arrayBuffers;
    for (let count = 0; count < requestsMax; count++) expect(guard.admit('a', randomBytes(32))).toBe('fresh');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * 16 * requestsMax + 8 * 1024 * 1024);
    expect(guard.admit('a', randomBytes(32))).toBe('full');
  });
});
