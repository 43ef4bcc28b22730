/** When `cloister fleet scale --auto` adds and removes nodes, by readings of their metrics. */
import { describe, expect, it } from 'vitest';
import { decide, type Reading, type ScalingRule } from '../../../cli/fleet/autoscale.ts';
import { loadBetween, type NodeMetrics, parseMetrics } from '../../../cli/fleet/load.ts';

const rule: ScalingRule = {
  ...{ min: 2, max: 4, upAboveS: 1.5, upAboveTokens: 10_000, downBelowS: 0.2 },
  ...{ intervalMs: 15_000, cooldownMs: 120_000 },
};

/** Readings 15 s apart, from 15 s on. */
function readings(...loads: readonly Partial<Reading>[]): readonly Reading[] {
  const idle = { nodes: 3, read: 3, queueP95S: 0.5, waiting: 0, waitingTokens: 0, kvUsage: 0.3 };
  return loads.map((load, index) => ({ ...idle, ...load, atMs: (index + 1) * 15_000 }));
}

const high = { queueP95S: 2 };
const low = { queueP95S: 0.1 };

describe('decide', () => {
  it('adds a node after two readings in a row above the threshold', () => {
    expect(decide(readings({}, high), rule)).toMatchObject({
      count: 3,
      reason: 'the load is high, for the first time',
    });
    expect(decide(readings(high, {}, high), rule).count).toBe(3);
    expect(decide(readings(high, high), rule)).toEqual({ count: 4, reason: 'the load is high' });
    expect(decide(readings(high), rule, { isOnce: true }).count).toBe(4);
  });

  it('adds a node when more prompt tokens wait than the nodes may have, on average', () => {
    const long = { queueP95S: 0, waitingTokens: 31_000 };
    expect(decide(readings(long, long), rule).count).toBe(4);
    expect(decide(readings(long, long), { ...rule, upAboveTokens: Infinity }).count).toBe(3);
  });

  it('adds a node when the KV cache is almost full', () => {
    const full = { kvUsage: 0.95, queueP95S: 0 };
    expect(decide(readings(full, full), rule).count).toBe(4);
  });

  it('counts requests that wait while none leaves the queue as waiting since the last reading', () => {
    const stuck = { queueP95S: undefined, waiting: 5 };
    expect(decide(readings(stuck, stuck), rule).count).toBe(4);
    expect(decide(readings({ queueP95S: undefined }), rule, { isOnce: true }).count).toBe(2);
  });

  it('removes a node after a low load for as long as the cool-down', () => {
    const quiet = readings(...Array.from({ length: 8 }, () => low));
    expect(decide(quiet.slice(0, 7), rule)).toMatchObject({ count: 3, reason: 'the load is low for 105 s of 120 s' });
    expect(decide(quiet, rule)).toEqual({ count: 2, reason: 'the load is low' });
    expect(decide(readings({}, ...Array.from({ length: 7 }, () => low)), rule).count).toBe(3);
  });

  it.each([
    ['requests wait', { ...low, waiting: 1 }],
    ['the other nodes would have too many prompt tokens', { ...low, waitingTokens: 21_000 }],
    ['a node could not be read', { ...low, read: 2 }],
    ['the KV cache would be too full on the other nodes', { ...low, kvUsage: 0.5 }],
  ])('removes no node while %s', (_, load) => {
    expect(decide(readings(load), rule, { isOnce: true })).toMatchObject({ count: 3, reason: 'the load fits' });
  });

  it('changes nothing during the cool-down after a change', () => {
    expect(decide(readings(high, high), rule, { changedAtMs: 0 })).toEqual({
      ...{ count: 3, reason: 'cooling down for 90 s' },
    });
  });

  it('stays between the limits, and restores them at once', () => {
    const at = (nodes: number, load: Partial<Reading>) =>
      decide(readings({ ...load, nodes, read: nodes }), rule, { isOnce: true, changedAtMs: undefined }).count;
    expect([at(4, high), at(2, low), at(1, {}), at(6, high)]).toEqual([4, 2, 2, 4]);
    expect(decide(readings({ nodes: 1 }), rule, { changedAtMs: 14_000 }).count).toBe(2);
  });

  it('keeps the nodes while no metrics can be read', () => {
    expect(decide(readings({ read: 0, queueP95S: undefined }), rule, { isOnce: true }).count).toBe(3);
  });
});

/** Metrics as a node prints them. @param counts of requests with a queue time of at most 0.1 s, 1 s, and any */
function metrics(counts: readonly [number, number, number], more = ''): NodeMetrics {
  const bucket = 'cloister_request_queue_time_seconds_bucket';
  const lines = ['0.1', '1', '+Inf'].map((le, index) => `${bucket}{le="${le}",model_name="m"} ${counts[index]}`);
  return parseMetrics(['# HELP x', ...lines, `vllm:${bucket.slice(9)}{le="1"} 1000000`, more, ''].join('\n'));
}

describe('loadBetween', () => {
  it('takes the 95th percentile over the requests of all nodes between the readings, as Prometheus does', () => {
    const before = new Map([['a', metrics([100, 100, 100])]]);
    const now = new Map([
      ['a', metrics([140, 150, 150])],
      ['b', metrics([40, 50, 50])],
    ]);
    // 80 of 100 took at most 0.1 s and 20 at most 1 s: three quarters of the way through the second bucket.
    expect(loadBetween(before, now)).toMatchObject({ nodes: 2, read: 2, queueP95S: 0.1 + 0.9 * 0.75 });
    expect(loadBetween(now, now).queueP95S).toBeUndefined();
    expect(loadBetween(new Map(), new Map([['a', metrics([0, 0, 3])]])).queueP95S).toBe(1);
  });

  it('adds what waits, and takes the mean of the KV caches, each of the fullest model', () => {
    const kv = 'cloister_kv_cache_usage_perc';
    const waits = 'cloister_num_requests_waiting';
    const busy = metrics(
      [0, 0, 0],
      `${waits}{model_name="m"} 2\n${waits}{model_name="n"} 1\ncloister_num_prompt_tokens_waiting{model_name="n"} 3000\n${kv}{model_name="m"} 0.8`,
    );
    const other = metrics(
      [0, 0, 0],
      `${kv}{model_name="m"} 0.2\n${kv}{model_name="n"} 0.4\ncloister_image_requests_waiting 4`,
    );
    const load = loadBetween(
      new Map(),
      new Map([
        ['a', busy],
        ['b', other],
      ]),
    );
    expect(load).toEqual({
      nodes: 2,
      read: 2,
      queueP95S: undefined,
      waiting: 7,
      waitingTokens: 3000,
      kvUsage: expect.closeTo(0.6),
    });
  });

  it('leaves out the queue times of a node that could not be read before', () => {
    const before = new Map([['a', undefined]]);
    expect(loadBetween(before, new Map([['a', metrics([0, 0, 9])]])).queueP95S).toBeUndefined();
    expect(loadBetween(before, before)).toMatchObject({ nodes: 1, read: 0, kvUsage: 0 });
  });
});
