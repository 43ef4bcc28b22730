/** What the parts that act on pods are given. */
import type { ComputeStore } from '../store/store.ts';
import type { Fleet } from './fleet.ts';

export interface ControlTimes {
  /** How long a deploy's engines may take in all to fetch an image, before anything is taken. */
  readonly prepareTimeoutMs: number;
  /** How long an engine may take to create a pod. */
  readonly createTimeoutMs: number;
  /** How long a pod may take from then until it can be reached. */
  readonly startTimeoutMs: number;
  /** For what an engine is asked while somebody waits. */
  readonly callTimeoutMs: number;
  /** For destroying a pod when nobody waits: a disk may have to be overwritten. */
  readonly destroyTimeoutMs: number;
  /** How long a list of machines waits for an engine; one that is slower counts as away this time. */
  readonly probeWaitMs: number;
  /** How long after a process died another takes over what it had; one that lives says so three times as often. */
  readonly leaseMs: number;
  /** Between two passes of the reconciler. */
  readonly reconcileMs: number;
  /** Between two looks at the books. */
  readonly auditMs: number;
}

export const shippedTimes: ControlTimes = {
  // With the other waits of a deploy they stay under five minutes, after which common HTTP clients give up.
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
  /** Whether an SSH server introduces itself at this address. Never throws. */
  readonly answersSsh: (address: { host: string; port: number }, options: { signal: AbortSignal }) => Promise<boolean>;
  /** For operators: a word and identifiers, never what a tenant wrote. */
  readonly note: (what: string, about: Readonly<Record<string, string | number>>, error?: unknown) => void;
}

/** When a job wants to run again; `isRetry` where it could not do what it should, so that its attempts are counted. */
export type Again = { readonly afterMs: number; readonly isRetry: boolean } | undefined;

export function after(ms: number): Again {
  return { afterMs: Math.max(0, ms), isRetry: false };
}

export function retryAfter(ms: number): Again {
  return { afterMs: Math.max(0, ms), isRetry: true };
}
