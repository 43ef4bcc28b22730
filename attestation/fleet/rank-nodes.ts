/**
 * In which order a client tries the nodes of a fleet. With an affinity: rendezvous hashing, so that a node that comes or goes moves
 * only its own share of the prompts, passing over nodes that are far busier than the least busy one. Without: the less busy of two
 * random nodes, which balances nearly as well as knowing every load exactly and does not send all clients to one node. Pure.
 */

/** What a choice depends on. */
export interface RankedNode {
  /** The id in the node's entry. */
  readonly node: string;
  /** Used share of its capacity in sixteenths, and what this client has started there since. */
  readonly load: number;
}

/** A node that is this many sixteenths busier than the least busy one is not preferred for its cached prompts. */
const affinityLoadMargin = 4;

/**
 * @param affinity 0 to 255 from `affinityOf`; undefined for requests without a prompt
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
  const limit = Math.min(...nodes.map(({ load }) => load)) + affinityLoadMargin;
  const ranked = nodes
    .map((node) => ({ node, weight: mixed(`${affinity} ${node.node}`), isBusy: node.load > limit }))
    .toSorted((a, b) => Number(a.isBusy) - Number(b.isBusy) || b.weight - a.weight);
  return ranked.map(({ node }) => node);
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
