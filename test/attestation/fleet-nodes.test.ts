/** Which nodes a client tries first, after what it has seen of them. */
import { describe, expect, it } from 'vitest';
import { FleetNodes } from '../../attestation/client/fleet-nodes.ts';
import { formatFleetList } from '../../attestation/fleet/entry.ts';
import { fleetNodeKeys, fleetNowMs } from '../support/attestation/fleet-entry.ts';

const [a, b] = ['https://a.example.org', 'https://b.example.org'];

/** A client of two nodes whose conversation is at the first. */
function client() {
  const time = { clock: 0 };
  const hints = { conversation: 'c', affinity: 7 };
  const nodes = new FleetNodes({
    addresses: [a, b],
    fetchList: () => Promise.reject(new Error('there is no directory')),
    now: () => fleetNowMs,
    clock: () => time.clock,
  });
  const ranked = async () => (await nodes.ranked(a, '/v1/chat', hints)).map(({ address }) => address);
  const node = async (address: string) =>
    (await nodes.ranked(a, '/v1/chat', hints)).find((each) => each.address === address)!;
  return { nodes, time, ranked, node, hints };
}

describe('a node that failed', () => {
  it('is tried last for ten seconds, for twice as long after each further failure, and for five minutes at most', async () => {
    const { nodes, time, ranked, node, hints } = client();
    nodes.answered(await node(a), hints);
    expect(await ranked()).toEqual([a, b]);
    for (const seconds of [10, 20, 40, 80, 160, 300, 300]) {
      nodes.failed(a);
      time.clock += 1000 * seconds - 1;
      expect(await ranked()).toEqual([b, a]);
      // Failures of requests that were under way count once.
      nodes.failed(a);
      time.clock += 1;
      expect(await ranked()).toEqual([a, b]);
    }
  });

  it('is forgiven when it answers', async () => {
    const { nodes, time, ranked, node, hints } = client();
    nodes.failed(a);
    time.clock += 10_000;
    nodes.failed(a);
    nodes.answered(await node(a), hints);
    expect(await ranked()).toEqual([a, b]);
    nodes.failed(a);
    time.clock += 10_000;
    expect(await ranked()).toEqual([a, b]);
  });

  it('is tried last while a connection to it takes long', async () => {
    const { nodes, ranked, node, hints } = client();
    nodes.answered(await node(a), hints);
    const ends = [nodes.slow(await node(a)), nodes.slow(await node(a))];
    ends[0]!();
    expect(await ranked()).toEqual([b, a]);
    ends[1]!();
    expect(await ranked()).toEqual([a, b]);
  });
});

describe('a request whose body names a node', () => {
  it('is for that node only, and for any other if that node is gone', async () => {
    const keys = await Promise.all([fleetNodeKeys(), fleetNodeKeys(), fleetNodeKeys()]);
    const listed = keys.slice(1).map((each) => each.text({ address: `https://${each.node}.example.org` }));
    const list = new TextEncoder().encode(formatFleetList(await Promise.all(listed)));
    const nodes = new FleetNodes({ fetchList: async () => list, now: () => fleetNowMs, clock: () => 0 });
    const ranked = async (node: string) =>
      (await nodes.ranked('https://a.example.org', '/v1/responses', { node })).map((each) => each.node);
    for (const { node } of keys.slice(1)) expect(await ranked(node)).toEqual([node]);
    expect(await ranked(keys[0]!.node)).toHaveLength(2);
  });
});
