import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { afterEach, describe, expect, it } from 'vitest';
import { announce } from '../../compute/store/announcements.ts';
import { recordEvents } from '../../compute/store/events.ts';
import { inTransaction } from '../../compute/store/store.ts';
import { guardDestination, isPublicAddress } from '../../compute/webhooks/guard.ts';
import { type ComputeApp, computeApps } from '../support/compute/compute-app.ts';
import { hourMs, minuteMs } from '../support/compute/compute-world.ts';
import { listenReachably } from '../support/compute/reachable-port.ts';

const open = computeApps();
const pods = '/api/svc/pods';
const standard = { provider: 'standard', name: 'pod', machine_id: 'm-1' };

interface Delivery {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A tenant's own server. */
class Receiver {
  readonly deliveries: Delivery[] = [];
  status = 204;
  /** Runs while a message is in flight. */
  meanwhile: () => Promise<unknown> = async () => undefined;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      this.deliveries.push({ headers: request.headers, text: Buffer.concat(chunks).toString() });
      void this.meanwhile().then(() => response.writeHead(this.status, { location: 'http://127.0.0.1:1/' }).end());
    });
  });

  async listen(): Promise<string> {
    const port = await listenReachably(async (free) => {
      await once(this.#server.listen(free, '127.0.0.1'), 'listening');
      return free;
    });
    return `http://127.0.0.1:${port}/hook`;
  }

  get types(): string[] {
    return this.deliveries.map(({ text }) => JSON.parse(text).type);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const receivers: Receiver[] = [];
afterEach(() => {
  for (const receiver of receivers.splice(0)) receiver.close();
});

async function listening(app: ComputeApp, key: string) {
  const receiver = new Receiver();
  receivers.push(receiver);
  const { status, body } = await app.call('POST', '/api/svc/webhooks', { key, body: { url: await receiver.listen() } });
  expect(status).toBe(201);
  return { receiver, webhook: body };
}

describe('the feed (C-157)', () => {
  it('reports a pod from its deploy to its refund, in order, and again on replay', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { pod } = (await app.call('POST', pods, { key, body: standard })).body;
    await app.world.pass(minuteMs);
    await app.call('DELETE', `${pods}/${pod.id}`, { key });
    const { body } = await app.get('/api/svc/events', { key });
    expect(body.events.map(({ type }: { type: string }) => type)).toEqual([
      'pod.provisioning',
      'pod.running',
      'pod.stopped',
      'refund.posted',
    ]);
    expect(body.events[2]).toEqual({
      id: expect.stringMatching(/^evt-/),
      sequence: 3,
      type: 'pod.stopped',
      timestamp: new Date(app.world.now).toISOString(),
      data: { pod_id: pod.id, name: 'pod', reason: 'released' },
    });
    expect(body.next).toBe(4);
    expect((await app.get('/api/svc/events?after=2', { key })).body.events).toEqual(body.events.slice(2));
    expect((await app.get('/api/svc/events?after=4', { key })).body).toEqual({ events: [], next: 4 });
    expect((await app.get('/api/svc/events?after=x', { key })).status).toBe(400);
    const other = await app.tenant('other');
    expect((await app.get('/api/svc/events', { key: other.key })).body.events).toEqual([]);
  });
});

describe('webhooks (I-066)', () => {
  it('carry announcements as well as events of pods, and the feed replays them', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { receiver } = await listening(app, key);
    await app.call('POST', pods, { key, body: standard });
    await announce(app.world.store, { kind: 'system.notice', text: 'Hello', startsAt: undefined, endsAt: undefined });
    await app.world.pass(0);
    expect(receiver.types).toEqual(['pod.provisioning', 'system.notice', 'pod.running']);
    expect(receiver.deliveries[1]!.headers['webhook-signature']).toMatch(/^v1,/);
    const { events } = (await app.get('/api/svc/events?after=1', { key })).body;
    expect(events[0]).toEqual(JSON.parse(receiver.deliveries[1]!.text));
  });

  it('are signed in the Standard Webhooks form, in order', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { receiver, webhook } = await listening(app, key);
    await app.call('POST', pods, { key, body: standard });
    await app.world.pass(0);
    expect(receiver.types).toEqual(['pod.provisioning', 'pod.running']);
    const [first] = receiver.deliveries;
    const { headers } = first!;
    expect(headers['webhook-timestamp']).toBe(String(app.world.now / 1000));
    // The library compares with the real clock; the signature covers the time that was sent.
    const signed = new Webhook(webhook.secret).sign(
      String(headers['webhook-id']),
      new Date(Number(headers['webhook-timestamp']) * 1000),
      first!.text,
    );
    expect(headers['webhook-signature']).toBe(signed);
    expect(JSON.parse(first!.text).id).toBe(headers['webhook-id']);
    const rows = JSON.stringify(await app.world.store.db.selectFrom('compute_webhooks').selectAll().execute());
    expect(rows).not.toContain(webhook.secret);
  });

  it('are retried until they are accepted, and stay in order', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { receiver } = await listening(app, key);
    receiver.status = 500;
    await app.call('POST', pods, { key, body: standard });
    await app.world.pass(2 * minuteMs);
    expect(new Set(receiver.types)).toEqual(new Set(['pod.provisioning']));
    expect(receiver.types.length).toBeGreaterThanOrEqual(3);
    receiver.status = 200;
    receiver.deliveries.length = 0;
    await app.world.pass(10 * minuteMs);
    expect(receiver.types).toEqual(['pod.provisioning', 'pod.running']);
  });

  it('keep the delay between attempts when new events arrive, and skip no event', async () => {
    const app = await open();
    const { key, accountId } = await app.tenant('acme');
    const { receiver } = await listening(app, key);
    const low = { kind: 'balance.low', podId: undefined, data: {} } as const;
    const { store } = app.world;
    receiver.meanwhile = () =>
      inTransaction(store, (tx) => recordEvents(tx, { accountId, at: app.world.now, events: [low] }));
    receiver.status = 500;
    await receiver.meanwhile();
    await app.world.pass(30 * minuteMs);
    // Attempts: immediately, then after 5 s, 30 s, 2 min and 10 min; the next would come half an hour later.
    expect(receiver.deliveries.length).toBeLessThanOrEqual(6);
    receiver.meanwhile = async () => undefined;
    receiver.status = 200;
    receiver.deliveries.length = 0;
    await app.world.pass(hourMs);
    const { events } = (await app.get('/api/svc/events', { key })).body;
    expect(receiver.deliveries.map(({ text }) => JSON.parse(text).sequence)).toEqual(
      events.map(({ sequence }: { sequence: number }) => sequence),
    );
  });

  it('become dead letters after the last attempt, and the next one is sent', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { receiver, webhook } = await listening(app, key);
    receiver.status = 302;
    await app.call('POST', pods, { key, body: standard });
    const letters = async () =>
      (await app.get(`/api/svc/webhooks/${webhook.id}/dead-letters`, { key })).body.dead_letters;
    await app.world.pass(18 * hourMs);
    expect(await letters()).toMatchObject([{ attempts: 10, reason: '302' }]);
    expect(new Set(receiver.types)).toEqual(new Set(['pod.provisioning', 'pod.running']));
    const other = await app.tenant('other');
    expect((await app.get(`/api/svc/webhooks/${webhook.id}/dead-letters`, { key: other.key })).status).toBe(404);
  });

  it('stop when the address is deleted', async () => {
    const app = await open();
    const { key } = await app.tenant('acme');
    const { receiver, webhook } = await listening(app, key);
    expect((await app.get('/api/svc/webhooks', { key })).body.webhooks).toMatchObject([{ id: webhook.id }]);
    expect((await app.call('DELETE', `/api/svc/webhooks/${webhook.id}`, { key })).body).toEqual({ success: true });
    expect((await app.call('DELETE', `/api/svc/webhooks/${webhook.id}`, { key })).status).toBe(404);
    await app.call('POST', pods, { key, body: standard });
    await app.world.pass(minuteMs);
    expect(receiver.deliveries).toEqual([]);
  });
});

describe('the address filter (SSRF)', () => {
  it.each([
    '127.0.0.1',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    'fe80::1',
    'fd00::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'not an address',
  ])('treats %s as private', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '93.184.216.34', '2606:4700::1111'])('treats %s as public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  const strict = {
    allowPrivate: false,
    resolveName: async (name: string) =>
      name === 'mixed.example'
        ? [
            { address: '1.1.1.1', family: 4 },
            { address: '127.0.0.1', family: 4 },
          ]
        : [{ address: '1.1.1.1', family: 4 }],
  };

  it.each([
    'http://public.example/',
    'https://user:password@public.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://mixed.example/',
    'ftp://public.example/',
    'file:///etc/passwd',
    'nonsense',
  ])('rejects %s', async (url) => {
    await expect(guardDestination(url, strict)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('connects to the address that it checked', async () => {
    expect(await guardDestination('https://public.example/hook', strict)).toMatchObject({
      address: '1.1.1.1',
      family: 4,
    });
  });
});
