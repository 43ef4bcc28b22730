/** Simulates where requests go, and what the nodes' prompt caches save: the client's rule, and rules to compare it with. */
import { fleetLoadMax } from '../../attestation/fleet/entry.ts';
import { rankNodes } from '../../attestation/fleet/rank-nodes.ts';
import { nodeAffinity, type RouteHints, routeHints } from '../../attestation/fleet/route-hints.ts';
import { FleetClients, servedModel } from './clients.ts';
import { randomSource } from './random.ts';
import { type NodeSpeed, SimulatedNode } from './simulated-node.ts';
import { blockTokens, type TurnRequest } from './traffic.ts';

/** Entries of the directory are this old at most, in seconds. */
const entrySeconds = 5;

/** Chooses among nodes with loads that are up to `entrySeconds` old. */
export type Placement = (
  request: TurnRequest,
  view: FleetView,
  hints: RouteHints,
) => SimulatedNode | Promise<SimulatedNode>;

export interface FleetView {
  /** When the loads were read, in seconds. */
  readonly at: number;
  readonly nodes: readonly NodeView[];
}

export interface NodeView {
  readonly node: string;
  readonly load: number;
  readonly actual: SimulatedNode;
}

/** Rules with their memory, made anew for each run. */
export const placements = {
  /** The code of `attestedFetch`, which reads signed entries: one client for each account. */
  'clients choose': () => {
    const clients = new FleetClients();
    return (request, view, hints) => clients.choose(request, view, hints);
  },
  /** The same rule, with a new client for each request. */
  'clients without memory':
    () =>
    (_, { nodes }, hints) =>
      rankNodes(nodes, nodeAffinity(hints))[0]!.actual,
  /** Without reading prompts: the less busy of two random nodes. */
  'two choices': () => {
    const random = randomSource(7);
    return (_, { nodes }) => rankNodes(nodes, undefined, random)[0]!.actual;
  },
  /** Each connection to the next node, as a TCP load balancer does. */
  'round robin': () => {
    let next = 0;
    return (_, { nodes }) => nodes[next++ % nodes.length]!.actual;
  },
  /** A router that reads every prompt and knows every cache and the exact load at this moment: no client can do better. */
  'reads every prompt':
    () =>
    (request, { nodes }) => {
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
  /** Bits of a prompt's hash on which the choice of a node depends: the logarithm of the number of affinities that occurred. */
  readonly revealedBits: number;
}

export async function simulatePlacement(
  traffic: readonly TurnRequest[],
  { nodes: count, speed, place }: { nodes: number; speed: NodeSpeed; place: Placement },
): Promise<PlacementResult> {
  const nodes = Array.from({ length: count }, (_, index) => new SimulatedNode(`node-${index}`, speed));
  const served = new Map(nodes.map((node) => [node, 0]));
  let view: FleetView = { at: Number.NEGATIVE_INFINITY, nodes: [] };
  const affinities = new Set<number>();
  let [promptTokens, cachedTokens, waited] = [0, 0, 0];
  for (const request of traffic) {
    if (request.at - view.at >= entrySeconds) {
      const load = (node: SimulatedNode) => Math.min(node.loadAt(request.at), fleetLoadMax);
      view = { at: request.at, nodes: nodes.map((actual) => ({ node: actual.node, load: load(actual), actual })) };
    }
    const hints = await hintsFor(request);
    affinities.add(hints.affinity!);
    const node = await place(request, view, hints);
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
    revealedBits: Math.log2(affinities.size),
  };
}

async function hintsFor({ account, beginning }: TurnRequest): Promise<RouteHints> {
  const body = JSON.stringify({ model: servedModel, messages: [{ role: 'user', content: beginning }] });
  return await routeHints(new TextEncoder().encode(body), `key of ${account}`);
}
