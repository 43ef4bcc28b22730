/** In which order a client tries the nodes of a fleet. */
import { describe, expect, it } from 'vitest';
import { rankNodes } from '../../attestation/fleet/rank-nodes.ts';
import { nodeAffinity } from '../../attestation/fleet/route-hints.ts';

const fleet = (count: number, load = (_: number) => 0) =>
  Array.from({ length: count }, (_, index) => ({ node: `node-${index}`, load: load(index) }));
const affinities = Array.from({ length: 256 }, (_, index) => index);
/** Numbers from 0 to 1 that repeat in every run. */
function seeded() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 48_271) >>> 0) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
const homeOf = (nodes: ReturnType<typeof fleet>, affinity: number) => rankNodes(nodes, affinity)[0]!.node;

describe('prompts that begin alike', () => {
  it('go to one node, and different ones to all nodes about equally', () => {
    const nodes = fleet(4);
    const counts = Object.values(Object.groupBy(affinities, (affinity) => homeOf(nodes, affinity)));
    expect(counts.map((each) => each!.length).toSorted((a, b) => a - b)[0]).toBeGreaterThan(40);
    expect(counts).toHaveLength(4);
  });

  it('of many accounts go to each of 300 nodes', () => {
    const nodes = fleet(300);
    const homes = new Set<string>();
    for (let accountOrder = 0; accountOrder < 20; accountOrder++) {
      for (const affinity of affinities) homes.add(homeOf(nodes, nodeAffinity({ accountOrder, affinity })!));
    }
    expect(homes.size).toBe(300);
  });

  it('stay where they are when another node comes or goes', () => {
    const [four, five] = [fleet(4), fleet(5)];
    const moved = affinities.filter((affinity) => homeOf(four, affinity) !== homeOf(five, affinity));
    expect(moved.every((affinity) => homeOf(five, affinity) === 'node-4')).toBe(true);
    expect(moved.length).toBeLessThan(256 / 3);
  });

  it('go to the second node in their order if that is far less busy, and to no other', () => {
    const quiet = fleet(4);
    const [first, second] = rankNodes(quiet, 7).map(({ node }) => node);
    const busy = (loads: Record<string, number>) => quiet.map((node) => ({ ...node, load: loads[node.node] ?? 0 }));
    expect(homeOf(busy({ [first!]: 7 }), 7)).toBe(first);
    expect(homeOf(busy({ [first!]: 8 }), 7)).toBe(second);
    expect(homeOf(busy({ [first!]: 15, [second!]: 8 }), 7)).toBe(first);
    expect(homeOf(busy({ [first!]: 15, [second!]: 7 }), 7)).toBe(second);
  });

  it('have every node in their order, for when the first cannot be reached', () => {
    expect(
      rankNodes(fleet(5), 3)
        .map(({ node }) => node)
        .toSorted(),
    ).toEqual(fleet(5).map(({ node }) => node));
  });
});

describe('other requests', () => {
  it('go to the less busy of two random nodes', () => {
    const random = seeded();
    const nodes = fleet(4, (index) => index);
    const firsts = Array.from({ length: 1000 }, () => rankNodes(nodes, undefined, random)[0]!.node);
    const share = (node: string) => firsts.filter((each) => each === node).length / 1000;
    // Of two distinct random nodes of four, node 0 is in half of the pairs and always wins; node 3 never wins.
    expect(share('node-0')).toBeGreaterThan(0.42);
    expect(share('node-0')).toBeLessThan(0.58);
    expect(share('node-3')).toBe(0);
  });

  it('spread evenly over nodes that are equally busy', () => {
    const random = seeded();
    const nodes = fleet(3);
    const firsts = Array.from({ length: 900 }, () => rankNodes(nodes, undefined, random)[0]!.node);
    for (const { node } of nodes) expect(firsts.filter((each) => each === node).length).toBeGreaterThan(230);
  });

  it('work with one node', () => {
    expect(rankNodes(fleet(1), undefined)).toEqual(fleet(1));
  });
});
