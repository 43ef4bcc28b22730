/** A server as a node of its fleet: what it announces, serves and does before it stops. */
import { afterEach, describe, expect, it } from 'vitest';
import { openAccountStore } from '../../../accounts/store.ts';
import { parseFleetList, verifyFleetEntry } from '../../../attestation/fleet/entry.ts';
import type { Enclave } from '../../../server/enclave/enclave.ts';
import { Fleet } from '../../../server/fleet/fleet.ts';
import { usedShare } from '../../../server/start/fleet.ts';
import { type AttestedApp, startAttestedApp } from '../../support/server/attested-app.ts';
import { answering } from '../../support/server/sealed-app.ts';
import { chatBody } from '../../support/server/test-app.ts';

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

async function openNode({ isDown = false } = {}): Promise<{ app: AttestedApp; fleet: Fleet }> {
  const accounts = await openAccountStore(':memory:');
  open.push(() => accounts.close());
  const enclave: { current: Enclave | undefined } = { current: undefined };
  const fleet = new Fleet({
    rows: isDown ? { ...accounts.fleet, announce: () => Promise.reject(new Error('no database')) } : accounts.fleet,
    enclave: () => enclave.current,
    address: 'https://node-1.example.org',
    policy: undefined,
    facts: () => ({ models: [], load: 0.5 }),
    simulationRoot: () => undefined,
    onFailed: () => undefined,
    now: Date.now,
    clock: () => performance.now(),
    drainServesMs: 200,
  });
  const app = await startAttestedApp({ ...answering, fleet });
  open.push(() => app.close());
  enclave.current = app.enclave;
  await fleet.start();
  open.push(() => fleet.close());
  return { app, fleet };
}

describe('a node of a fleet', () => {
  it('serves its own entry without a key, to any page, for a second', async () => {
    const { app, fleet } = await openNode();
    const { node } = fleet.own.current!;
    await fleet.directory.seen(node, () => true, { signal: AbortSignal.timeout(5_000) });
    const { status, headers, text } = await app.get('/v1/fleet');
    expect([status, headers['cache-control'], headers['access-control-allow-origin']]).toEqual([
      ...[200, 'public, max-age=1', '*'],
    ]);
    const [entry, ...rest] = parseFleetList(text, { nowMs: Date.now(), clockSkewMs: 0 });
    await verifyFleetEntry(entry!, { nowMs: Date.now(), clockSkewMs: 0 });
    expect(entry).toMatchObject({ node, load: 8, draining: false });
    expect(rest).toEqual([]);
  });

  it('answers 429 to a client that requests the list more than 60 times in a burst', async () => {
    const { app } = await openNode();
    const answers = await Promise.all(Array.from({ length: 200 }, () => app.get('/v1/fleet')));
    const refused = answers.filter(({ status }) => status === 429);
    const given = answers.length - refused.length;
    expect([given >= 60, given < 200]).toEqual([true, true]);
    expect(refused[0]!.headers['retry-after']).toBe('1');
    expect(JSON.parse(refused[0]!.text).details.code).toBe('ERR_RATE_LIMIT');
  });

  it('names itself in the ids of answers and receipts, and finds its own receipts by them', async () => {
    const { app, fleet } = await openNode();
    const { node } = fleet.own.current!;
    const answer = await app.post(chatBody());
    expect(answer.json().id).toMatch(new RegExp(`^chatcmpl-${node}-[\\w-]{24}$`));
    expect(answer.headers['x-receipt-id']).toMatch(new RegExp(`^rcpt-${node}-[\\w-]{24}$`));
    const found = await app.get(`/v1/aci/receipts/${answer.json().id}`, app.secret);
    expect(JSON.parse(found.text).receipt_id).toBe(answer.headers['x-receipt-id']);
    const unknown = `/v1/aci/receipts/rcpt-${'0'.repeat(16)}-${'r'.repeat(24)}`;
    expect((await app.get(unknown, app.secret)).status).toBe(404);
  });

  it('gives its evidence for its own keyset, and 404 for one that no node has', async () => {
    const { app } = await openNode();
    const { digest } = app.enclave.identity;
    expect((await app.get(`/v1/aci/attestation?keyset=${digest}`)).status).toBe(200);
    const foreign = await app.get(`/v1/aci/attestation?keyset=sha256:${'0'.repeat(64)}`);
    expect([foreign.status, JSON.parse(foreign.text).details.code]).toEqual([404, 'ERR_NODE_UNKNOWN']);
    expect((await app.get('/v1/aci/attestation?keyset=sha256:00')).status).toBe(400);
  });

  it('announces that it drains and serves on, and returns when readers have seen it', async () => {
    const { app, fleet } = await openNode();
    expect((await app.post(chatBody())).headers.connection).toBe('keep-alive');
    await fleet.drain();
    expect(fleet.directory.find(fleet.own.current!.node)?.entry.draining).toBe(true);
    const answer = await app.post(chatBody());
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close']);
    const streamed = await app.post(chatBody({ stream: true }));
    expect([streamed.status, streamed.headers.connection]).toEqual([200, 'close']);
  });

  it('stops waiting after five seconds if the database does not answer', async () => {
    const { fleet } = await openNode({ isDown: true });
    const started = performance.now();
    await fleet.drain();
    expect(performance.now() - started).toBeLessThan(6_000);
  }, 10_000);
});

describe('a server without a fleet', () => {
  it('has no list of nodes, and ids that name none', async () => {
    const app = await startAttestedApp(answering);
    open.push(() => app.close());
    expect((await app.get('/v1/fleet')).status).toBe(404);
    expect((await app.post(chatBody())).headers['x-receipt-id']).toMatch(/^rcpt-[\w-]{24}$/);
  });
});

describe('the load of a node', () => {
  const limits = { sequences: 16, embeddingQueue: 100, imageQueue: 3 };
  const models = (...stats: { kind: string; stats: object }[]) =>
    stats.map(({ kind, stats: counts }) => ({ kind, engine: { stats: counts } })) as never;
  it.each([
    ['no models', models(), 0],
    ['half of the sequences', models({ kind: 'chat', stats: { preparing: 1, running: 5, waiting: 2 } }), 0.5],
    ['a full queue', models({ kind: 'chat', stats: { preparing: 0, running: 16, waiting: 200 } }), 1],
    [
      'the busiest of several',
      models({ kind: 'embedding', stats: { waitingTexts: 25 } }, { kind: 'image', stats: { running: 1, waiting: 2 } }),
      0.75,
    ],
  ])('is that of %s', (_what, served, share) => {
    expect(usedShare(served, limits)).toBe(share);
  });
});
