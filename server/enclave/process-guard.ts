/** What the process forbids itself, and what of it the kernel made true: read back, never assumed. */
import { fenceNetwork, guardProcess, readNetworkFence, wipeUnusedStack } from '@cloister/native/guest';

export interface ProcessGuard {
  /** Bytes that a core dump may have. */
  readonly coreLimitBytes: number | 'unlimited';
  /** What the process could raise it to. */
  readonly coreLimitHardBytes: number | 'unlimited';
  /** Whether the kernel may dump this process, and others of its user may trace it. */
  readonly dumpable: boolean;
  /** Whether private keys that are made from now on lie in memory that is never written to a disk. */
  readonly keysLocked: boolean;
  /** Whether native memory is zeroed when it is freed, by the preloaded library of `native/heap`. */
  readonly freedMemoryZeroed: boolean;
  /** Bytes that the process may lock; where keys are not locked, the reason is mostly here. */
  readonly lockLimitBytes: number | 'unlimited';
}

/** Forbids core dumps and tracing, and locks the memory of keys, once and for good: call it before anything secret is in memory. */
export function closeProcess(): ProcessGuard {
  const { coreLimit, coreLimitHard, dumpable, keysLocked, freedMemoryZeroed, lockLimit } = guardProcess();
  return {
    coreLimitBytes: coreLimit ?? 'unlimited',
    coreLimitHardBytes: coreLimitHard ?? 'unlimited',
    dumpable: dumpable !== 0,
    keysLocked,
    freedMemoryZeroed,
    lockLimitBytes: lockLimit ?? 'unlimited',
  };
}

/**
 * Whether the threads that parse models could make a socket that leads out of the machine: `fenced` where none can, `open` where
 * the kernel refused the fence to one of them at least, `none` where there is no such thread.
 */
export type ModelThreads = 'fenced' | 'open' | 'none';

/** Takes the network from this thread and all that it starts, for good: for threads that parse models, before they do. */
export function closeModelThread(): void {
  fenceNetwork();
}

/** By what the kernel answered to each of them so far. */
export function readModelThreads(): ModelThreads {
  const { asked, fenced } = readNetworkFence();
  if (asked === 0) return 'none';
  return asked === fenced ? 'fenced' : 'open';
}

/** Zeroes the unused part of this thread's stack, where earlier calls left pieces of requests. */
export function wipeThreadStack(): void {
  wipeUnusedStack();
}
