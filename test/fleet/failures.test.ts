/**
 * A fleet of real servers, HAProxy, and PostgreSQL with Patroni and etcd, each on a host of its own: one part fails under load. No
 * charge is lost or made twice, failures have codes, and requests that begin ten seconds later succeed.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { checkBooks } from './support/books.ts';
import { emptyDisk, fillDisk } from './support/disk.ts';
import { clockCommand, Fleet, whyNoFleet } from './support/fleet.ts';
import { Load, type LoadOptions, type Outcome } from './support/load.ts';

const missing = whyNoFleet();
if (missing !== undefined) console.warn(`the failures of a fleet are skipped: ${missing}`);

const fakeTime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const noFakeTime = existsSync(fakeTime) ? undefined : 'libfaketime is not installed (.ci/install-fleet.sh)';
if (noFakeTime !== undefined) console.warn(`a wrong clock is skipped: ${noFakeTime}`);

/** After a failure, requests that begin this much later succeed. */
const recoveredMs = 10_000;
/**
 * After the loss of the machine that leads the database. Patroni's smallest ttl is seven seconds, the promotion takes one to three,
 * and the tests share a machine with everything that they test.
 */
const promotedMs = 15_000;
/** How the line of a request ends that a node without the database refused. */
const unavailable = ' 503 ERR_STORE_UNAVAILABLE';
/** Clients of each kind. */
const clients = 2;
/** Plain clients that have connections to every node, with answers long enough that some run at any moment. */
const throughBalancer: Partial<LoadOptions> = { kinds: ['plain'], clients: 6, maxTokens: 400 };

/** On a machine that does other work meanwhile, everything takes longer. */
const slownessMax = 3;
const slowness = () => Math.min(slownessMax, Math.max(1, loadavg()[0]! / availableParallelism()));

describe.skipIf(missing !== undefined)(
  `a fleet of which a part fails${missing === undefined ? '' : ` (${missing})`}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'cloister-clock-'));
    const clock = join(folder, 'offset');
    /** Of all loads, because the books have the charges of all. */
    const outcomes: Outcome[] = [];
    let fleet: Fleet;
    let starting: Promise<Fleet>;
    let load: Load | undefined;

    beforeAll(async () => {
      const through = noFakeTime === undefined ? { 2: clockCommand(fakeTime, clock) } : {};
      starting = Fleet.start({ nodes: 3, accounts: 3, through });
      fleet = await starting;
    }, 180_000);
    afterEach(async () => {
      await load?.stop();
      load = undefined;
      await fleet?.database.repair();
    }, 120_000);
    afterAll(async () => {
      // Also if the start took longer than its hook may.
      await (await starting).close();
      rmSync(folder, { recursive: true });
    });

    /** Fails a part under load. @returns the requests that failed, with times since the failure */
    async function outcomesAround(
      fail: () => unknown,
      { withinMs = recoveredMs, ...options }: { withinMs?: number } & Partial<LoadOptions> = {},
    ) {
      const prompt = (number: number) => `Question ${number}: what can you do for me?`;
      load = new Load(fleet, { clients, prompt, ...options });
      await load.succeeded(2 * clients, { timeoutMs: 30_000 });
      const failedAt = load.now;
      await fail();
      const limitMs = withinMs * slowness();
      await load.succeeded(2 * clients, { since: failedAt + limitMs, timeoutMs: limitMs + 60_000 });
      const ended = await load.stop();
      outcomes.push(...ended);
      load = undefined;
      const around = ended.map((one) => ({
        ...one,
        startedAt: one.startedAt - failedAt,
        endedAt: one.endedAt - failedAt,
      }));
      const failed = around.filter(({ usage }) => usage === undefined);
      const lines = (some: readonly Outcome[]) =>
        some.map(({ startedAt, endedAt, client, status, code }) =>
          [Math.round(startedAt), Math.round(endedAt), client, status, code].join(' '),
        );
      expect(lines(failed.filter(({ endedAt }) => endedAt < 0))).toEqual([]);
      expect(lines(failed.filter(({ startedAt }) => startedAt >= limitMs))).toEqual([]);
      expect(lines(failed.filter(({ code }) => code === undefined))).toEqual([]);
      const last = Math.max(0, ...failed.map(({ endedAt }) => endedAt));
      console.log(
        `${failed.length} of ${around.length} requests failed, the last one ${Math.round(last)} ms after the failure`,
      );
      return { failed: lines(failed) };
    }

    async function expectExactBooks(): Promise<void> {
      const { mistakes, answers, charged } = await checkBooks(fleet.database.url, outcomes);
      expect(mistakes).toEqual([]);
      expect(answers).toBeGreaterThan(0);
      expect(charged).toBeGreaterThan(0);
    }

    it('a node is killed: only the requests that it was answering fail', async () => {
      const [node] = fleet.nodes;
      const { failed } = await outcomesAround(() => node!.server.signalAndWait('SIGKILL'));
      // One request of each client at most was at this node; the balancer tries another node if this one refuses a connection.
      expect(failed.length).toBeLessThanOrEqual(2 * clients);
      await expectExactBooks();
      await fleet.restart(node!);
    });

    it('the balancer is killed: clients that choose nodes go on, and the others when it runs again', async () => {
      const { failed } = await outcomesAround(async () => {
        await fleet.balancer.kill();
        await fleet.startBalancer();
      });
      expect(failed.filter((line) => line.includes('verified'))).toEqual([]);
      await expectExactBooks();
    });

    it('the balancer of the database is killed: nodes answer 503 until it runs again', async () => {
      const { failed } = await outcomesAround(async () => {
        await fleet.database.proxy.kill();
        await fleet.database.startProxy();
      });
      expect(failed.filter((line) => !line.endsWith(unavailable))).toEqual([]);
      await expectExactBooks();
    });

    it('PostgreSQL is killed on the leader: nodes answer 503 until another server leads', async () => {
      const leader = await fleet.database.leader();
      const { failed } = await outcomesAround(() => fleet.database.kill(leader, ['postgres']));
      expect(failed.filter((line) => !line.endsWith(unavailable))).toEqual([]);
      await expectExactBooks();
    });

    it('the leader of the database is killed with its Patroni: nodes answer 503 until another server leads', async () => {
      const leader = await fleet.database.leader();
      const kill = () => fleet.database.kill(leader, ['patroni', 'postgres']);
      const { failed } = await outcomesAround(kill, { withinMs: promotedMs });
      expect(failed.length).toBeGreaterThan(0);
      expect(failed.filter((line) => !line.endsWith(unavailable))).toEqual([]);
      expect(await fleet.database.leader()).not.toBe(leader);
      await expectExactBooks();
    });

    it('a node loses the database: it answers 503, and clients reach the others', async () => {
      const [, node] = fleet.nodes;
      try {
        const { failed } = await outcomesAround(() => fleet.network.cut(node!.host, 'data'));
        expect(failed.length).toBeGreaterThan(0);
        expect(failed.filter((line) => !line.endsWith(unavailable))).toEqual([]);
      } finally {
        fleet.network.heal(node!.host, 'data');
      }
      await expectExactBooks();
      await expect.poll(async () => await fleet.isReady(node!), { timeout: 30_000 }).toBe(true);
    });

    it('the cable of a node to the balancer is cut: requests at this node fail, new ones reach the others', async () => {
      const [, node] = fleet.nodes;
      try {
        const { failed } = await outcomesAround(() => fleet.network.cut(node!.host, 'front'), throughBalancer);
        expect(failed.length).toBeGreaterThan(0);
        expect(failed.filter((line) => !line.endsWith(' ECONNRESET'))).toEqual([]);
      } finally {
        fleet.network.heal(node!.host, 'front');
      }
      await expectExactBooks();
      await expect.poll(() => fleet.isUp(node!), { timeout: 30_000 }).toBe(true);
    });

    it('a node fails its health checks, but lives: the requests at this node succeed', async () => {
      const [, node] = fleet.nodes;
      const { failed } = await outcomesAround(async () => {
        node!.server.process.kill('SIGSTOP');
        try {
          await expect.poll(() => fleet.isUp(node!), { timeout: 20_000 }).toBe(false);
        } finally {
          node!.server.process.kill('SIGCONT');
        }
      }, throughBalancer);
      expect(failed).toEqual([]);
      await expectExactBooks();
      await expect.poll(() => fleet.isUp(node!), { timeout: 30_000 }).toBe(true);
    });

    it('a node stops: it finishes what it answers, and no request fails', async () => {
      const [, node] = fleet.nodes;
      const { failed } = await outcomesAround(async () => {
        expect(await node!.server.signalAndWait('SIGTERM')).toBe(0);
      });
      expect(failed).toEqual([]);
      await expectExactBooks();
      await fleet.restart(node!);
      await expect.poll(() => fleet.isUp(node!), { timeout: 30_000 }).toBe(true);
    });

    it.skipIf(noFakeTime !== undefined)(
      `the clock of a node jumps by a minute: no request fails${noFakeTime === undefined ? '' : ` (${noFakeTime})`}`,
      async () => {
        for (const offset of ['+60', '-60', '+0']) {
          const { failed } = await outcomesAround(() => writeFileSync(clock, `${offset}\n`));
          expect(failed).toEqual([]);
        }
        await expectExactBooks();
      },
    );

    it('the disk of a node is full: it serves all requests, and refuses to load a further model', async () => {
      const [node] = fleet.nodes;
      try {
        const { failed } = await outcomesAround(() => fillDisk(node!.disk));
        expect(failed).toEqual([]);
        expect(await fleet.isReady(node!)).toBe(true);
        const { status, body } = fleet.loadModel(node!, 'cloister-demo-embedding-TEE');
        expect([status, JSON.parse(body).details.code, body]).toEqual([
          ...[409, 'ERR_MODEL_STATE'],
          expect.stringContaining('no space left on device'),
        ]);
      } finally {
        emptyDisk(node!.disk);
      }
      expect(fleet.loadModel(node!, 'cloister-demo-embedding-TEE').status).toBe(201);
      await expectExactBooks();
    });

    it('the disk of the leading database server is full: another server leads', async () => {
      const leader = await fleet.database.leader();
      const { failed } = await outcomesAround(() => fillDisk(leader.folder));
      expect(failed.filter((line) => !line.endsWith(unavailable))).toEqual([]);
      expect(await fleet.database.leader()).not.toBe(leader);
      await expectExactBooks();
    });
  },
);
