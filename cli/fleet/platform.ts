/**
 * What `roll` and `scale` need from the place where a fleet runs: processes on this machine (`local-fleet.ts`) or a service of a
 * Docker Swarm (`swarm-fleet.ts`).
 */
import { ServerError } from '@cloister/server/http/errors';

/** How a command on a fleet runs. */
export interface FleetOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends every wait. */
  readonly signal: AbortSignal;
  /** Time limit for a new node to serve with evidence that satisfies the policy. */
  readonly evidenceTimeoutMs: number;
  /** Receives a line for each step. */
  readonly onStep: (text: string) => void;
}

/** Time limit for the old release to come back. It has served before, so it is slow rather than broken. */
export const backTimeoutMs = 300_000;

export interface FleetNode {
  /** As the platform names it to people. */
  readonly name: string;
  /** Origin of the node, which its directory entry announces. */
  readonly address: string;
  /** Undefined while the node starts. */
  readonly metricsUrl: string | undefined;
}

export interface FleetPlatform<Release> {
  /** The nodes that run, without those that drain. */
  nodes(): Promise<readonly FleetNode[]>;
  /**
   * Adds nodes, whose evidence must satisfy the policy, or drains some, until `count` run.
   * @throws {ServerError} ERR_START if a new node does not prove itself; the nodes that ran before still run
   */
  scale(count: number): Promise<void>;
  rollout(release: Release): Promise<Rollout>;
}

/** The replacement of all nodes by ones with another release. */
export interface Rollout {
  /**
   * Replaces one node and resolves when the evidence of the new one satisfies the policy and the old one has drained.
   * @returns false if no node with the old release is left · @throws if the new node does not prove itself; it has ended then
   */
  replaceNext(): Promise<boolean>;
  /** Replaces all new nodes by ones with the old release, at the same time. @throws {ServerError} ERR_START */
  rollBack(): Promise<void>;
  /** Records the new release as that of the fleet. */
  finish(): Promise<void>;
}

/**
 * Replaces the nodes one by one. If a new node does not prove itself in time, all get the old release again.
 * @throws {ServerError} ERR_START with the reason, after the fleet is back at the old release · @throws the reason of the signal
 */
export async function roll(rollout: Rollout, { signal, onStep }: FleetOptions): Promise<void> {
  try {
    while (await rollout.replaceNext());
  } catch (error) {
    signal.throwIfAborted();
    const reason = (error as Error).message;
    onStep(`rolling back: ${reason}`);
    const startedAt = performance.now();
    await rollout.rollBack();
    onStep(`rolled back after ${secondsSince(startedAt)}`);
    const message = `the fleet runs the old release again, because a node with the new one failed: ${reason}`;
    throw new ServerError('ERR_START', message, { cause: error });
  }
  await rollout.finish();
}

/** @param startedAt by `performance.now` */
export function secondsSince(startedAt: number): string {
  return `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}
