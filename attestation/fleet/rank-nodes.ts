/**
 * In which order a client tries the nodes of a fleet. With an affinity: the less busy of the two nodes that rendezvous hashing puts
 * first, so that clients agree on two nodes, and a node that comes or goes moves only its own share. Without: the less busy of two
 * random nodes. Two choices balance nearly as well as knowing every load exactly, and do not send all clients to the least busy node.
 * `bench/fleet.ts` compares the rules. Pure.
 */

/** What a choice depends on. */
export interface RankedNode {
  /** The id in the node's entry. */
  readonly node: string;
  /** Used share of its capacity in sixteenths, and what this client has started there since. */
  readonly load: number;
}

/**
 * With an affinity, the second node is preferred if it is less busy by more than this. With smaller margins, clients that do not
 * remember where a conversation went lose its cached prompt; with larger ones, more requests wait (`bench/fleet.ts`).
 */
const affinityLoadMargin = 7;

/**
 * @param affinity an integer from `nodeAffinity`; undefined for requests without a prompt
 * @param random returns 0 (inclusive) to 1 (exclusive)
 * @returns all nodes, the one to try first at the front
 */
export function rankNodes<N extends RankedNode>(
  nodes: readonly N[],
  affinity: number | undefined,
  random: () => number = Math.random,
): N[] {
  return affinity === undefined ? byTwoChoices(nodes, random) : byAffinity(nodes, affinity);
}

function byAffinity<N extends RankedNode>(nodes: readonly N[], affinity: number): N[] {
  const weighted = nodes.map((node) => ({ node, weight: mixed(`${affinity} ${node.node}`) }));
  const [first, second, ...others] = weighted.toSorted((a, b) => b.weight - a.weight).map(({ node }) => node);
  if (first === undefined || second === undefined) return [...nodes];
  return second.load + affinityLoadMargin < first.load ? [second, first, ...others] : [first, second, ...others];
}

function byTwoChoices<N extends RankedNode>(nodes: readonly N[], random: () => number): N[] {
  const left = [...nodes];
  const ranked: N[] = [];
  while (left.length > 0) {
    const one = Math.floor(random() * left.length);
    const other = (one + 1 + Math.floor(random() * Math.max(left.length - 1, 0))) % left.length;
    const chosen = left[other]!.load < left[one]!.load ? other : one;
    ranked.push(...left.splice(chosen, 1));
  }
  return ranked;
}

/** 32 bits that depend on every character (FNV-1a, with the finalizer of MurmurHash3). Clients only need to agree. */
function mixed(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
