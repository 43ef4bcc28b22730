/** Adds and removes nodes of a fleet by its load, one at a time. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type FleetLoad, loadBetween, type NodeMetrics, parseMetrics } from './load.ts';
import { readMetrics } from './nodes.ts';
import type { FleetOptions, FleetPlatform } from './platform.ts';

export interface ScalingRule {
  readonly min: number;
  readonly max: number;
  /** Queue time above which a node is added, seconds. */
  readonly upAboveS: number;
  /** Waiting prompt tokens per node above which a node is added. */
  readonly upAboveTokens: number;
  /** Queue time below which a node may be removed, seconds. */
  readonly downBelowS: number;
  /** Between two readings. */
  readonly intervalMs: number;
  /** After a change of the number of nodes nothing changes for this time, and a removal requires a low load for as long. */
  readonly cooldownMs: number;
}

export interface Reading extends FleetLoad {
  /** By a monotonic clock. */
  readonly atMs: number;
}

export interface Decision {
  readonly count: number;
  readonly reason: string;
}

/** Mean share of the KV cache above which a node is added, and below which the other nodes must stay after a removal. */
const kvUsageHigh = 0.9;
const kvUsageLow = 0.7;
/** Readings in a row with a high load that add a node: one may be a burst. */
const highReadings = 2;

/**
 * @param readings since the last change, the newest last, at least one · @param isOnce decide by one reading alone
 * @param changedAtMs time of the last change of the number of nodes, if there was one
 */
export function decide(
  readings: readonly Reading[],
  rule: ScalingRule,
  { changedAtMs, isOnce = false }: { changedAtMs?: number | undefined; isOnce?: boolean } = {},
): Decision {
  const { min, max, cooldownMs, intervalMs } = rule;
  const last = readings.at(-1)!;
  const { nodes, atMs } = last;
  const keep = (reason: string) => ({ count: nodes, reason });
  if (nodes < min) return { count: min, reason: `fewer nodes than --min ${min}` };
  if (nodes > max) return { count: max, reason: `more nodes than --max ${max}` };
  if (last.read === 0) return keep('the metrics of no node could be read');
  const waitsMs = changedAtMs === undefined ? 0 : changedAtMs + cooldownMs - atMs;
  if (waitsMs > 0) return keep(`cooling down for ${Math.ceil(waitsMs / 1000)} s`);
  const recent = readings.slice(-(isOnce ? 1 : highReadings));
  if (isHigh(last, rule)) {
    if (nodes === max) return keep(`the load is high, and --max ${max} nodes run`);
    if (recent.every((reading) => isHigh(reading, rule)) && (isOnce || recent.length === highReadings))
      return { count: nodes + 1, reason: 'the load is high' };
    return keep('the load is high, for the first time');
  }
  if (!isLow(last, rule)) return keep('the load fits');
  if (nodes === min) return keep(`the load is low, and --min ${min} nodes run`);
  const lowSince = readings.findLast((reading) => !isLow(reading, rule))?.atMs ?? readings[0]!.atMs - intervalMs;
  const lowMs = atMs - lowSince;
  if (isOnce || lowMs >= cooldownMs) return { count: nodes - 1, reason: 'the load is low' };
  return keep(`the load is low for ${Math.round(lowMs / 1000)} s of ${cooldownMs / 1000} s`);
}

/** Requests that wait while none leaves the queue wait at least for the time between two readings. */
function queueTimeS({ queueP95S, waiting }: Reading, { intervalMs }: ScalingRule): number {
  return queueP95S ?? (waiting > 0 ? intervalMs / 1000 : 0);
}

function isHigh(reading: Reading, rule: ScalingRule): boolean {
  const tokensPerNode = reading.waitingTokens / reading.nodes;
  return (
    queueTimeS(reading, rule) > rule.upAboveS || tokensPerNode > rule.upAboveTokens || reading.kvUsage > kvUsageHigh
  );
}

function isLow(reading: Reading, rule: ScalingRule): boolean {
  const { nodes, read, waiting, waitingTokens, kvUsage } = reading;
  const nodesAfter = Math.max(1, nodes - 1);
  const fits = (kvUsage * nodes) / nodesAfter < kvUsageLow && waitingTokens / nodesAfter <= rule.upAboveTokens;
  return read === nodes && waiting === 0 && fits && queueTimeS(reading, rule) < rule.downBelowS;
}

export interface AutoscaleOptions extends FleetOptions {
  readonly rule: ScalingRule;
  /** Decide once, by the load between two readings. */
  readonly isOnce: boolean;
  /** Only report what would be done. */
  readonly isDryRun: boolean;
  readonly onDecision: (reading: Reading, decision: Decision) => void;
}

/** Runs until the signal, or one decision. @throws the reason of the signal · @throws if `isOnce` and it fails */
export async function autoscale(
  fleet: Pick<FleetPlatform<never>, 'nodes' | 'scale'>,
  { rule, isOnce, isDryRun, signal, onStep, onDecision }: AutoscaleOptions,
): Promise<void> {
  let before = await readNodes(fleet, signal);
  let readings: Reading[] = [];
  let changedAtMs: number | undefined;
  do {
    await sleep(rule.intervalMs, undefined, { signal });
    try {
      const now = await readNodes(fleet, signal);
      const reading = { ...loadBetween(before, now), atMs: performance.now() };
      before = now;
      readings = [...readings, reading].filter(({ atMs }) => atMs >= reading.atMs - rule.cooldownMs - rule.intervalMs);
      const decision = decide(readings, rule, { changedAtMs, isOnce });
      onDecision(reading, decision);
      if (decision.count === reading.nodes || isDryRun) continue;
      // After a failure too, so that it is not repeated at once.
      [changedAtMs, readings] = [performance.now(), []];
      await fleet.scale(decision.count);
      changedAtMs = performance.now();
      before = await readNodes(fleet, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isOnce) throw error;
      onStep(`not scaled: ${(error as Error).message}`);
    }
  } while (!isOnce);
}

async function readNodes(
  fleet: Pick<FleetPlatform<never>, 'nodes'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, NodeMetrics | undefined>> {
  const nodes = await fleet.nodes();
  const read = nodes.map(async ({ address, metricsUrl }) => {
    const text = metricsUrl === undefined ? undefined : await readMetrics(metricsUrl, signal).catch(() => undefined);
    return [address, text === undefined ? undefined : parseMetrics(text)] as const;
  });
  return new Map(await Promise.all(read));
}
