/** Simulates where requests go, and what the nodes' prompt caches save: the client's rule, and rules to compare it with. */
import { rankNodes } from '../../attestation/fleet/rank-nodes.ts';
import { routeHints } from '../../attestation/fleet/route-hints.ts';
import { randomSource } from './random.ts';
import { type NodeSpeed, SimulatedNode } from './simulated-node.ts';
import { blockTokens, type TurnRequest } from './traffic.ts';

/** Entries of the directory are this old at most, in seconds. */
const entrySeconds = 5;

/** Chooses among nodes with loads that are up to `entrySeconds` old. */
export type Placement = (request: TurnRequest, nodes: readonly NodeView[], affinity: number) => SimulatedNode;

export interface NodeView {
  readonly node: string;
  readonly load: number;
  readonly actual: SimulatedNode;
}

/** Rules with their memory, made anew for each run. */
export const placements = {
  /** What `attestedFetch` does, each account with one client. */
  affinity: () => {
    const places = new Map<string, SimulatedNode>();
    return ({ beginning }, nodes, affinity) => {
      const place = places.get(beginning) ?? rankNodes(nodes, affinity)[0]!.actual;
      places.set(beginning, place);
      return place;
    };
  },
  /** The same, with a new client for each request. */
  'affinity without memory': () => (_, nodes, affinity) => rankNodes(nodes, affinity)[0]!.actual,
  /** Without reading prompts: the less busy of two random nodes. */
  'two choices': () => {
    const random = randomSource(7);
    return (_, nodes) => rankNodes(nodes, undefined, random)[0]!.actual;
  },
  /** Each connection to the next node, as a TCP load balancer does. */
  'round robin': () => {
    let next = 0;
    return (_, nodes) => nodes[next++ % nodes.length]!.actual;
  },
  /** A router that reads every prompt and knows every cache and the exact load at this moment: no client can do better. */
  'reads every prompt': () => (request, nodes) => {
    const rated = nodes.map(({ actual }) => ({
      actual,
      cached: actual.cachedTokensOf(request),
      isFull: actual.loadAt(request.at) > 15,
      load: actual.loadAt(request.at),
    }));
    const best = rated.toSorted(
      (a, b) => Number(a.isFull) - Number(b.isFull) || b.cached - a.cached || a.load - b.load,
    );
    return best[0]!.actual;
  },
} satisfies Record<string, () => Placement>;

export interface PlacementResult {
  /** Share of all prompt tokens that were not computed again. */
  readonly cachedPromptShare: number;
  /** Share of requests that waited for a slot. */
  readonly waitedShare: number;
  /** Requests of the busiest node over the mean. */
  readonly busiestOverMean: number;
}

export async function simulatePlacement(
  traffic: readonly TurnRequest[],
  { nodes: count, speed, place }: { nodes: number; speed: NodeSpeed; place: Placement },
): Promise<PlacementResult> {
  const nodes = Array.from({ length: count }, (_, index) => new SimulatedNode(`node-${index}`, speed));
  const served = new Map(nodes.map((node) => [node, 0]));
  let views: NodeView[] = [];
  let viewedAt = Number.NEGATIVE_INFINITY;
  let [promptTokens, cachedTokens, waited] = [0, 0, 0];
  for (const request of traffic) {
    if (request.at - viewedAt >= entrySeconds) {
      views = nodes.map((actual) => ({ node: actual.node, load: Math.min(actual.loadAt(request.at), 15), actual }));
      viewedAt = request.at;
    }
    const node = place(request, views, await affinityFor(request));
    const result = node.serve(request);
    served.set(node, served.get(node)! + 1);
    promptTokens += request.blocks.length * blockTokens;
    cachedTokens += result.cachedTokens;
    if (result.waits > 0) waited += 1;
  }
  return {
    cachedPromptShare: cachedTokens / promptTokens,
    waitedShare: waited / traffic.length,
    busiestOverMean: (Math.max(...served.values()) * count) / traffic.length,
  };
}

async function affinityFor({ account, beginning }: TurnRequest): Promise<number> {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: beginning }] });
  return (await routeHints(new TextEncoder().encode(body), `key of ${account}`)).affinity!;
}
