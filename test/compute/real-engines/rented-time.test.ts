/** Time and money of pods that run on a real podman, rented through the whole service, whose clock the tests advance. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ComputeServer } from '../../support/compute/compute-server.ts';
import { ComputeTenant, rentOf } from '../../support/compute/compute-tenant.ts';
import { startDockerPods } from '../../support/compute/docker-pods.ts';
import { describeOn } from '../../support/compute/engine-suite.ts';
import { containersOf, podmanPod, podmanService } from '../../support/compute/podman-service.ts';
import { runOverSsh } from '../../support/compute/ssh-login.ts';

const hourMs = 3_600_000;
const price = 600_000;

describeOn('time and money of pods on podman', await startDockerPods(), (pods) => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-time-'));
  const server = new ComputeServer(folder, podmanService(pods, folder, { instance: 'time' }));
  const tenant = new ComputeTenant(server);

  beforeAll(async () => {
    await server.start();
    await tenant.register(pods.key.public);
  });

  afterAll(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Sets the service's clock to this time. */
  const moveTo = (time: number) => server.moveClock(time - server.now());
  const audit = async () => expect(await server.run('compute', 'audit')).toMatch(/agree/);

  it('C-140 destroys a pod at its hard stop, not before, and refunds the rest of the hour', async () => {
    const before = tenant.available();
    const id = await tenant.deploy({ ...podmanPod, auto_terminate_hours: 1 });
    const address = await tenant.reached(id);
    moveTo(tenant.books(id).hard_stop_at - 20_000);
    expect(await runOverSsh(address, pods.key.private, 'hostname')).toBe('pod\n');
    expect((await tenant.details(id)).status).toBe('RUNNING');
    moveTo(tenant.books(id).hard_stop_at);
    expect(await tenant.gone(id)).toBe('hard_stop');
    expect(containersOf(pods)).toEqual([]);
    const books = tenant.books(id);
    expect(books.ended_at).toBe(books.hard_stop_at);
    // The hour of rent began when the pod was reachable, after the hour of the hard stop.
    expect(books.ended_at - books.running_at).toBeLessThan(hourMs);
    expect(books).toMatchObject({ billed: rentOf(books), hold: 0 });
    expect(tenant.available()).toBe(before - rentOf(books));
    await audit();
  });

  it('C-140 catches up on a hard stop that passed while it was down, and charges no rent beyond it', async () => {
    const before = tenant.available();
    const id = await tenant.deploy({ ...podmanPod, auto_terminate_hours: 1 });
    await tenant.reached(id);
    await server.kill();
    moveTo(tenant.books(id).hard_stop_at + 2 * hourMs);
    expect(containersOf(pods)).toHaveLength(1);
    await server.start();
    expect(await tenant.gone(id)).toBe('hard_stop');
    expect(containersOf(pods)).toEqual([]);
    const books = tenant.books(id);
    expect(books.ended_at).toBe(books.hard_stop_at);
    expect(tenant.available()).toBe(before - rentOf(books));
    await audit();
  });

  it('C-146 charges the seconds after the first hour as they pass', async () => {
    const before = tenant.available();
    const id = await tenant.deploy(podmanPod);
    await tenant.reached(id);
    const { running_at } = tenant.books(id);
    moveTo(running_at + hourMs + 30_000);
    await expect.poll(() => tenant.books(id).billed, { timeout: 10_000 }).toBeGreaterThanOrEqual(price);
    moveTo(running_at + 2 * hourMs);
    await expect.poll(() => tenant.books(id).billed, { timeout: 10_000 }).toBeGreaterThanOrEqual(2 * price);
    expect(await tenant.release(id)).toBe(0);
    const books = tenant.books(id);
    expect(books.billed).toBe(rentOf(books));
    expect(tenant.available()).toBe(before - rentOf(books));
    await audit();
  });

  it('C-147 destroys the pods of an account whose money is used up, in that second, at a balance of zero', async () => {
    await server.run('accounts', 'create', 'acme', '--plan', 'operator');
    await server.run('accounts', 'credit', 'acme', '0.70');
    const key = (await server.run('keys', 'create', '--account', 'acme')).trim();
    const poor = new ComputeTenant(server, { account: 'acme', key });
    await poor.register(pods.key.public);
    const id = await poor.deploy(podmanPod);
    const address = await poor.reached(id);
    expect(poor.available()).toBe(100_000);
    const { running_at } = poor.books(id);
    // Ten cents last for ten minutes.
    const exhaustedAt = running_at + hourMs + 600_000;
    moveTo(exhaustedAt - 20_000);
    await expect.poll(() => poor.books(id).billed, { timeout: 10_000 }).toBeGreaterThan(price);
    expect(await runOverSsh(address, pods.key.private, 'hostname')).toBe('pod\n');
    moveTo(exhaustedAt);
    expect(await poor.gone(id)).toBe('balance_exhausted');
    expect(containersOf(pods)).toEqual([]);
    const books = poor.books(id);
    expect(books.ended_at - exhaustedAt).toBeLessThan(5_000);
    expect(books).toMatchObject({ billed: 700_000, hold: 0 });
    expect(poor.available()).toBe(0);
    const { body } = await poor.call('GET', 'events?after=0');
    const kinds = (body.events as { type: string }[]).map(({ type }) => type);
    expect(kinds).toEqual(expect.arrayContaining(['balance.low', 'balance.exhausted', 'pod.stopped']));
    const broke = await poor.call('POST', 'pods', podmanPod);
    expect(broke).toMatchObject({ status: 402, body: { charged: false, balance: 0, required: 0.6 } });
    await audit();
  });
});
