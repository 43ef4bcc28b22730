/** The dependencies and time limits of the code that acts on pods. */
import type { ComputeStore } from '../store/store.ts';
import type { Fleet } from './fleet.ts';

export interface ControlTimes {
  /** Time limit of fetching the image of a deploy, over all its machines; nothing is charged before. */
  readonly prepareTimeoutMs: number;
  /** Time limit of an engine to create a pod. */
  readonly createTimeoutMs: number;
  /** Time limit of a created pod to get an address. */
  readonly startTimeoutMs: number;
  /** Time limit of engine calls that a request waits for. */
  readonly callTimeoutMs: number;
  /** Time limit of destroying a pod in a job; longer, since the disk may have to be overwritten. */
  readonly destroyTimeoutMs: number;
  /** The time that a list of machines waits for an engine; a slower one counts as unreachable for this list. */
  readonly probeWaitMs: number;
  /** Lease of a job. Its process renews it every third of this time; after it another process takes over. */
  readonly leaseMs: number;
  /** Between two passes of the reconciler. */
  readonly reconcileMs: number;
  /** Between two audits of the books. */
  readonly auditMs: number;
}

export const defaultTimes: ControlTimes = {
  // All waits of a deploy together stay below five minutes, the timeout of common HTTP clients.
  prepareTimeoutMs: 120_000,
  createTimeoutMs: 120_000,
  startTimeoutMs: 20 * 60_000,
  callTimeoutMs: 30_000,
  destroyTimeoutMs: 600_000,
  probeWaitMs: 8_000,
  leaseMs: 60_000,
  reconcileMs: 30_000,
  auditMs: 60_000,
};

export interface Control {
  readonly store: ComputeStore;
  readonly fleet: Fleet;
  readonly times: ControlTimes;
  /** Whether an SSH server sends its banner at this address. Never throws. */
  readonly answersSsh: (address: { host: string; port: number }, options: { signal: AbortSignal }) => Promise<boolean>;
  /** Writes a log line for the operator: a fixed message and identifiers, never a tenant's text. */
  readonly note: (what: string, about: Readonly<Record<string, string | number>>, error?: unknown) => void;
}

/** When to run a job again; undefined if it is done. `isRetry` after a failure, so that attempts are counted. */
export type Again = { readonly afterMs: number; readonly isRetry: boolean } | undefined;

export function after(ms: number): Again {
  return { afterMs: Math.max(0, ms), isRetry: false };
}

export function retryAfter(ms: number): Again {
  return { afterMs: Math.max(0, ms), isRetry: true };
}
