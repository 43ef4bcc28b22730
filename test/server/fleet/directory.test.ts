/** The nodes of a fleet in memory, from rows that nobody vouches for. */
import { describe, expect, it } from 'vitest';
import { parseFleetList } from '../../../attestation/fleet/entry.ts';
import { NodeDirectory } from '../../../server/fleet/directory.ts';
import { fleetNodeKeys, fleetNowMs } from '../../support/attestation/fleet-entry.ts';

const own = await fleetNodeKeys();
const other = await fleetNodeKeys();
const seconds = fleetNowMs / 1000;

function openDirectory() {
  let time = fleetNowMs;
  const directory = new NodeDirectory({ now: () => time });
  return {
    directory,
    advance: (ms: number) => {
      time += ms;
    },
    /** Rows are verified one after the other: this one shows that those before it were read. */
    async settle() {
      const last = await fleetNodeKeys();
      const { signal } = new AbortController();
      const issuedAt = Math.floor(time / 1000);
      const entry = await last.text({ issuedAt, expiresAt: issuedAt + 20 });
      directory.onRow({ node: last.node, entry, simulationRoot: undefined });
      await directory.seen(last.node, () => true, { signal });
      directory.onWithdrawn(last.node);
      await expect.poll(() => directory.find(last.node)).toBeUndefined();
    },
  };
}

const rowOf = (node: string, entry: string) => ({ node, entry, simulationRoot: undefined });

describe('the directory of a node', () => {
  it('keeps the entry that was announced last', async () => {
    const { directory, settle } = openDirectory();
    directory.onRow(rowOf(own.node, await own.text({ load: 1 })));
    directory.onRow(rowOf(own.node, await own.text({ load: 2 })));
    directory.onRow(rowOf(own.node, await own.text({ load: 9, issuedAt: seconds - 3 })));
    await settle();
    expect(directory.nodes.map(({ entry }) => entry.load)).toEqual([2]);
  });

  it('ignores rows that are malformed, stale, from the future, or signed by another node', async () => {
    const { directory, settle } = openDirectory();
    const forged = (await own.text()).replace('"load":3', '"load":0');
    const rows = [
      rowOf(own.node, '{'),
      rowOf(own.node, forged),
      rowOf(own.node, await own.text({ issuedAt: seconds - 40, expiresAt: seconds - 20 })),
      rowOf(own.node, await own.text({ issuedAt: seconds + 60, expiresAt: seconds + 80 })),
      rowOf(own.node, await other.text()),
      rowOf(own.node, await other.text({ node: own.node })),
      { ...rowOf(own.node, await own.text()), simulationRoot: 'x'.repeat(8_193) },
    ];
    for (const row of rows) directory.onRow(row);
    await settle();
    expect(directory.nodes).toEqual([]);
  });

  it('forgets an entry when it has expired and when it is withdrawn', async () => {
    const { directory, advance, settle } = openDirectory();
    directory.onRow(rowOf(own.node, await own.text()));
    directory.onRow(rowOf(other.node, await other.text()));
    await settle();
    directory.onWithdrawn(other.node);
    await expect.poll(() => directory.nodes.map(({ entry }) => entry.node)).toEqual([own.node]);
    advance(24_999);
    expect(directory.find(own.node)).toBeDefined();
    advance(1);
    expect(directory.find(own.node)).toBeUndefined();
  });

  it('serves a list that is a second old at most', async () => {
    const { directory, advance, settle } = openDirectory();
    expect(directory.listText).toBe('{"api_version":"cloister.fleet/1","entries":[]}');
    directory.onRow(rowOf(own.node, await own.text()));
    await settle();
    advance(999);
    expect(directory.listText).toContain('"entries":[]');
    advance(1);
    const listed = parseFleetList(directory.listText, { nowMs: fleetNowMs, clockSkewMs: 0 });
    expect(listed.map(({ node }) => node)).toEqual([own.node]);
  });

  it('stops waiting for an entry when the signal aborts', async () => {
    const { directory } = openDirectory();
    const left = new AbortController();
    const waiting = directory.seen(own.node, () => true, left);
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
  });

  it('keeps at most 1,024 nodes', async () => {
    const { directory, settle } = openDirectory();
    const nodes = await Promise.all(Array.from({ length: 1_024 }, () => fleetNodeKeys()));
    for (const one of nodes) directory.onRow(rowOf(one.node, await one.text()));
    await expect.poll(() => directory.nodes.length, { timeout: 10_000 }).toBe(1_024);
    directory.onRow(rowOf(own.node, await own.text()));
    directory.onWithdrawn(nodes[0]!.node);
    await settle();
    expect(directory.find(own.node)).toBeUndefined();
  }, 30_000);
});
