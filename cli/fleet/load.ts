/** The load of a fleet, from the metrics of its nodes between two readings. Pure. */

/** The metrics of one node that scaling needs. */
export interface NodeMetrics {
  /** Histograms of the time that requests wait, by kind of request: count of requests by upper bound in seconds. */
  readonly queueTimes: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly waiting: number;
  /** Prompt tokens that are not computed yet. */
  readonly waitingTokens: number;
  /** Of the model with the fullest KV cache, 0 to 1. */
  readonly kvUsage: number;
}

export interface FleetLoad {
  readonly nodes: number;
  /** Nodes whose metrics could be read. */
  readonly read: number;
  /** Of the requests that left the queue between the readings, for the slowest kind of request; undefined without any. */
  readonly queueP95S: number | undefined;
  /** Requests that wait now. */
  readonly waiting: number;
  /** Prompt tokens that are not computed yet. */
  readonly waitingTokens: number;
  /** Mean of the nodes. */
  readonly kvUsage: number;
}

const queueTimes = new Set(
  ['request', 'embedding', 'image'].map((kind) => `cloister_${kind}_queue_time_seconds_bucket`),
);
const waitingNames = new Set([
  'cloister_num_requests_waiting',
  'cloister_embedding_texts_waiting',
  'cloister_image_requests_waiting',
]);
const tokensName = 'cloister_num_prompt_tokens_waiting';
const kvName = 'cloister_kv_cache_usage_perc';
const quantile = 0.95;

/** @param text in Prometheus' text format */
export function parseMetrics(text: string): NodeMetrics {
  const times = new Map<string, Map<number, number>>();
  let [waiting, waitingTokens, kvUsage] = [0, 0, 0];
  for (const line of text.split('\n')) {
    const [, name, labels = '', number] = /^(cloister_\w+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
    if (name === undefined) continue;
    const value = Number(number);
    if (waitingNames.has(name)) waiting += value;
    if (name === tokensName) waitingTokens += value;
    if (name === kvName) kvUsage = Math.max(kvUsage, value);
    if (!queueTimes.has(name)) continue;
    const bound = /(?:^|,)le="([^"]+)"/.exec(labels)?.[1];
    const upper = bound === '+Inf' ? Infinity : Number(bound);
    const histogram = times.get(name) ?? new Map<number, number>();
    times.set(name, histogram.set(upper, (histogram.get(upper) ?? 0) + value));
  }
  return { queueTimes: times, waiting, waitingTokens, kvUsage };
}

/** @param now metrics of each node by its name; undefined if it could not be read · @param before the last reading */
export function loadBetween(
  before: ReadonlyMap<string, NodeMetrics | undefined>,
  now: ReadonlyMap<string, NodeMetrics | undefined>,
): FleetLoad {
  const read = [...now.values()].filter((metrics) => metrics !== undefined);
  const p95s = [...queueTimes].map((kind) => {
    const increase = new Map<number, number>();
    for (const [node, metrics] of now) {
      // A node without an earlier reading has just started, so its counts are of this time; if it could not be read, they are not.
      if (before.has(node) && before.get(node) === undefined) continue;
      const earlier = before.get(node)?.queueTimes.get(kind);
      for (const [upper, count] of metrics?.queueTimes.get(kind) ?? [])
        increase.set(upper, (increase.get(upper) ?? 0) + count - (earlier?.get(upper) ?? 0));
    }
    return quantileOf(increase);
  });
  const known = p95s.filter((p95) => p95 !== undefined);
  return {
    nodes: now.size,
    read: read.length,
    queueP95S: known.length === 0 ? undefined : Math.max(...known),
    waiting: sumOf(read.map(({ waiting }) => waiting)),
    waitingTokens: sumOf(read.map(({ waitingTokens }) => waitingTokens)),
    kvUsage: sumOf(read.map(({ kvUsage }) => kvUsage)) / Math.max(1, read.length),
  };
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** As `histogram_quantile` of Prometheus. @param cumulative counts by upper bound */
function quantileOf(cumulative: ReadonlyMap<number, number>): number | undefined {
  const buckets = [...cumulative].sort(([a], [b]) => a - b);
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total <= 0) return undefined;
  let [lower, below] = [0, 0];
  for (const [upper, count] of buckets) {
    if (count >= quantile * total)
      return upper === Infinity ? lower : lower + ((upper - lower) * (quantile * total - below)) / (count - below);
    [lower, below] = [upper, count];
  }
  return lower;
}
