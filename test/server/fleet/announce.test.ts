/** When a node announces itself, and what it says while it drains and after a key was rotated. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { FleetRow } from '../../../accounts/store.ts';
import { parseFleetEntry, type SignedFleetEntry, verifyFleetEntry } from '../../../attestation/fleet/entry.ts';
import { Announcer } from '../../../server/fleet/announce.ts';
import { OwnNodes } from '../../../server/fleet/own-nodes.ts';
import { type FleetNodeKeys, fleetNodeKeys, fleetNowMs } from '../../support/attestation/fleet-entry.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: fleetNowMs });
});
afterEach(() => {
  vi.useRealTimers();
});

const [before, after] = [await fleetNodeKeys(), await fleetNodeKeys()];

function openAnnouncer() {
  const rows: FleetRow[] = [];
  const withdrawn: string[] = [];
  const failures: unknown[] = [];
  const state = { load: 0, isDown: false, keys: undefined as FleetNodeKeys | undefined };
  const own = new OwnNodes({
    identity: () => (state.keys === undefined ? undefined : { keyset: state.keys.keyset, digest: state.keys.digest }),
    keepMs: 600_000,
    clock: () => Date.now(),
  });
  const announcer = new Announcer({
    rows: {
      async announce(row, { validMs }) {
        expect(validMs).toBe(20_000);
        if (state.isDown) throw new Error('no database');
        rows.push(row);
      },
      async withdraw(node) {
        withdrawn.push(node);
      },
    },
    own,
    address: 'https://node-1.example.org',
    policyDigest: () => undefined,
    facts: () => ({ models: [{ id: 'chat-TEE', digest: `sha256:${'33'.repeat(32)}` }], load: state.load }),
    signer: () => ({ keyId: 'receipt-1', sign: state.keys!.sign }),
    simulationRoot: () => 'PEM',
    now: Date.now,
    onFailed: (error) => failures.push(error),
  });
  const entries = (): readonly SignedFleetEntry[] => rows.map(({ entry }) => parseFleetEntry(entry));
  return { announcer, state, own, rows, withdrawn, failures, entries };
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
/** Signatures are made outside of the event loop. */
const count = (list: readonly unknown[], length: number) =>
  vi.waitFor(() => expect(list).toHaveLength(length), { timeout: 5_000 });

describe('a node', () => {
  it('is announced once its start is measured, and then every five seconds', async () => {
    const { announcer, state, rows, entries } = openAnnouncer();
    announcer.start();
    await wait(2_000);
    expect(rows).toEqual([]);
    state.keys = before;
    await wait(500);
    await count(rows, 1);
    const [entry] = entries();
    expect(entry).toMatchObject({ node: before.node, load: 0, draining: false, address: 'https://node-1.example.org' });
    expect(entry!.expiresAt - entry!.issuedAt).toBe(20);
    await verifyFleetEntry(entry!, { nowMs: Date.now(), clockSkewMs: 1_000 });
    expect(rows[0]!.simulationRoot).toBe('PEM');
    await wait(4_000);
    expect(rows).toHaveLength(1);
    await wait(1_000);
    await count(rows, 2);
    await announcer.close();
  });

  it('announces a change of the load of two sixteenths at once, a smaller one later', async () => {
    const { announcer, state, rows, entries } = openAnnouncer();
    state.keys = before;
    announcer.start();
    await count(rows, 1);
    state.load = 1.99 / 16;
    await wait(500);
    expect(rows).toHaveLength(1);
    state.load = 2 / 16;
    await wait(500);
    await count(rows, 2);
    state.load = 5;
    await wait(500);
    await count(rows, 3);
    expect(entries().map(({ load }) => load)).toEqual([0, 2, 15]);
    await announcer.close();
  });

  it('announces at once that it drains, and goes on until it is withdrawn', async () => {
    const { announcer, state, rows, withdrawn, entries } = openAnnouncer();
    state.keys = before;
    announcer.start();
    await count(rows, 1);
    await announcer.drain();
    expect(entries().map(({ draining }) => draining)).toEqual([false, true]);
    await wait(5_000);
    await count(rows, 3);
    expect(entries().at(-1)?.draining).toBe(true);
    await announcer.close();
    expect(withdrawn).toEqual([before.node]);
    await wait(10_000);
    expect(rows).toHaveLength(3);
  });

  it('announces its earlier id as draining after a rotation, while its ids are in use', async () => {
    const { announcer, state, own, rows, entries } = openAnnouncer();
    state.keys = before;
    announcer.start();
    await count(rows, 1);
    state.keys = { ...after, sign: after.sign };
    expect([own.has(before.node), own.has(after.node), own.has('0'.repeat(16))]).toEqual([true, true, false]);
    await wait(5_000);
    await count(rows, 3);
    const [, current, earlier] = entries();
    expect([current!.node, current!.draining]).toEqual([after.node, false]);
    expect([earlier!.node, earlier!.draining]).toEqual([before.node, true]);
    await announcer.close();
    await wait(600_000);
    expect([own.has(before.node), own.has(after.node)]).toEqual([false, true]);
  });

  it('reports an outage of the database once, and is announced again after it', async () => {
    const { announcer, state, rows, failures } = openAnnouncer();
    Object.assign(state, { keys: before, isDown: true });
    announcer.start();
    await count(failures, 1);
    await wait(15_000);
    expect(failures).toHaveLength(1);
    state.isDown = false;
    await wait(5_000);
    await vi.waitFor(() => expect(rows.length).toBeGreaterThan(0));
    await announcer.close();
  });
});
