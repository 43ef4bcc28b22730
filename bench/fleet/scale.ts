/**
 * A fleet of up to 1,000 nodes and 1,000,000 accounts, simulated request by request: where clients send conversations, how many nodes a
 * client verifies, and how long requests wait for the row of their account. The order of nodes is that of the client's own code; times
 * of one operation are measured in the same run (`costs.ts`). docs/explanation/fleet.md explains the model.
 */
import { fleetLoadMax } from '../../attestation/fleet/entry.ts';
import { type RankedNode, rankNodes } from '../../attestation/fleet/rank-nodes.ts';
import { nodeAffinity } from '../../attestation/fleet/route-hints.ts';
import { quantile } from '../statistics.ts';
import type { DatabaseRates } from './costs.ts';
import { randomSource } from './random.ts';

export interface ScaleOptions {
  /** Ids as in the directory. */
  readonly nodes: readonly string[];
  readonly accounts: number;
  readonly seconds: number;
  readonly slots: number;
  /** Share of all slots that the traffic keeps busy on average. */
  readonly busyShare: number;
  readonly cost: ScaleCost;
  readonly seed: number;
}

/** Measured on one machine. */
export interface ScaleCost extends DatabaseRates {
  /** To verify the evidence of a node. */
  readonly evidenceMs: number;
}

export interface ScaleResult {
  readonly requestsPerSecond: number;
  /** Share of requests that waited for a slot. */
  readonly waitedShare: number;
  /** Requests of the busiest node over the mean. */
  readonly busiestOverMean: number;
  /** Nodes that the clients of an account verify: the mean, and of the busiest account. */
  readonly nodesPerAccount: number;
  readonly nodesOfBusiestAccount: number;
  /** The time in which the client of the busiest account verifies the evidence of its nodes, every ten minutes. */
  readonly evidenceOfBusiestMs: number;
  /** Announcements that the database writes, and notifications that it sends, in a second. */
  readonly announcementsPerSecond: number;
  readonly notificationsPerSecond: number;
  /** Requests that the database admits and settles, over those that the measured one does. */
  readonly databaseShare: number;
  readonly busiestAccountPerSecond: number;
  /** Share of the time in which the row of the busiest account is locked. */
  readonly busiestRowShare: number;
  /** Of requests, for the row of their account. */
  readonly rowWaitP99Ms: number;
}

interface Conversation {
  readonly account: number;
  readonly affinity: number;
  /** Index of the node that has its prompt. */
  node: number | undefined;
}

interface Request {
  readonly at: number;
  readonly seconds: number;
  readonly conversation: Conversation;
}

/** Loads that clients see are up to this old, in seconds. */
const entrySeconds = 5;
const turnsMean = 3;
/** Of a request: 40 to 400 tokens at 40 tokens a second. */
const answerSeconds = { min: 1, max: 10 };
/** Accounts have one of this many orders of nodes, so that the orders fit into memory. */
const accountOrders = 64;
/** Until conversations begin and end at the same rate. */
const warmUpSeconds = 180;

export function simulateScale(options: ScaleOptions): ScaleResult {
  const { nodes: ids, slots, seconds, cost } = options;
  const requests = makeRequests(options);
  const nodes = ids.map((node, index) => ({ node, index, load: 0, ends: [] as number[] }));
  const orderOf = memoizedOrders(nodes);
  const rowSeconds = 1 / cost.hotAccountPerSecond;
  const rowFreeAt = new Map<number, number>();
  const byAccount = new Map<number, { requests: number; nodes: Set<number> }>();
  const served = new Float64Array(nodes.length);
  const rowWaits: number[] = [];
  let [viewedAt, waited, counted] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (const { at, seconds: answers, conversation } of requests) {
    if (at - viewedAt >= entrySeconds) {
      for (const node of nodes) {
        node.ends = node.ends.filter((end) => end > at);
        node.load = Math.min(fleetLoadMax, Math.floor((node.ends.length * (fleetLoadMax + 1)) / slots));
      }
      viewedAt = at;
    }
    const { account } = conversation;
    conversation.node ??= rankNodes(orderOf(conversation), conversation.affinity)[0]!.index;
    const node = nodes[conversation.node]!;
    const row = Math.max(at, rowFreeAt.get(account) ?? 0);
    rowFreeAt.set(account, row + rowSeconds);
    node.ends = node.ends.filter((end) => end > at);
    const isWaiting = node.ends.length >= slots;
    const free = isWaiting ? node.ends.toSorted((a, b) => a - b)[node.ends.length - slots]! : at;
    node.ends.push(free + answers);
    if (at < warmUpSeconds) continue;
    counted += 1;
    if (isWaiting) waited += 1;
    served[node.index]! += 1;
    rowWaits.push((row - at) * 1000);
    const known = byAccount.get(account) ?? byAccount.set(account, { requests: 0, nodes: new Set() }).get(account)!;
    known.requests += 1;
    known.nodes.add(node.index);
  }
  const accounts = [...byAccount.values()].sort((a, b) => b.requests - a.requests);
  const busiestAccountPerSecond = accounts[0]!.requests / seconds;
  return {
    requestsPerSecond: counted / seconds,
    waitedShare: waited / counted,
    busiestOverMean: (Math.max(...served) * nodes.length) / counted,
    nodesPerAccount: accounts.reduce((sum, one) => sum + one.nodes.size, 0) / accounts.length,
    nodesOfBusiestAccount: accounts[0]!.nodes.size,
    evidenceOfBusiestMs: accounts[0]!.nodes.size * cost.evidenceMs,
    announcementsPerSecond: nodes.length / entrySeconds,
    notificationsPerSecond: (nodes.length * nodes.length) / entrySeconds,
    databaseShare: counted / seconds / cost.requestsPerSecond,
    busiestAccountPerSecond,
    busiestRowShare: busiestAccountPerSecond * rowSeconds,
    rowWaitP99Ms: quantile(rowWaits, 0.99),
  };
}

/** In the order of their time: conversations begin at a constant rate, and a few accounts begin most of them. */
function makeRequests({ nodes, accounts, seconds, slots, busyShare, seed }: ScaleOptions): Request[] {
  const random = randomSource(seed);
  const until = warmUpSeconds + seconds;
  const requestSeconds = (answerSeconds.min + answerSeconds.max) / 2;
  const requestsPerSecond = (nodes.length * slots * busyShare) / requestSeconds;
  // A geometric number of turns, of which the first is certain.
  const turnsPerConversation = 1 + 1 / (Math.exp(1 / turnsMean) - 1);
  const requests: Request[] = [];
  for (let count = 0; count < (requestsPerSecond / turnsPerConversation) * until; count++) {
    const account = Math.floor(accounts * random() ** 3);
    const hints = { accountOrder: account % accountOrders, affinity: Math.floor(random() * 256) };
    const conversation: Conversation = { account, affinity: nodeAffinity(hints)!, node: undefined };
    let at = random() * until;
    for (let turns = 1 + Math.floor(-Math.log(1 - random()) * turnsMean); turns > 0 && at < until; turns--) {
      requests.push({
        at,
        seconds: answerSeconds.min + random() * (answerSeconds.max - answerSeconds.min),
        conversation,
      });
      at += 5 + random() * 60;
    }
  }
  return requests.sort((a, b) => a.at - b.at);
}

/** The two nodes between which a conversation's client chooses, with their current loads. */
function memoizedOrders<N extends RankedNode>(nodes: readonly N[]) {
  const orders = new Map<number, readonly N[]>();
  const idle = nodes.map((node) => ({ node: node.node, load: 0, actual: node }));
  return ({ affinity }: Conversation): readonly N[] => {
    const known = orders.get(affinity);
    if (known !== undefined) return known;
    const order = rankNodes(idle, affinity)
      .slice(0, 2)
      .map(({ actual }) => actual);
    orders.set(affinity, order);
    return order;
  };
}
