/** Hardens the process, and reports the settings that the kernel applied, as read back from it. */
import { fenceNetwork, guardProcess, readNetworkFence, wipeUnusedStack } from '@cloister/native/guest';

export interface ProcessGuard {
  /** Limit of core dumps, bytes. */
  readonly coreLimitBytes: number | 'unlimited';
  /** Hard limit of core dumps, bytes. */
  readonly coreLimitHardBytes: number | 'unlimited';
  /** Whether the kernel may dump this process, and others of its user may trace it. */
  readonly dumpable: boolean;
  /** Whether private keys created from now on are in memory that is never swapped. */
  readonly keysLocked: boolean;
  /** Whether native memory is zeroed when it is freed, by the preloaded library of `native/heap`. */
  readonly freedMemoryZeroed: boolean;
  /** Limit of locked memory, bytes; usually the reason if keys are not locked. */
  readonly lockLimitBytes: number | 'unlimited';
}

/** Disables core dumps and tracing, and locks the memory of keys, permanently. Call it before secrets are in memory. */
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
 * Network access of the threads that parse models: `fenced` if none has it, `open` if the kernel refused the restriction for at least
 * one of them, `none` without such threads.
 */
export type ModelThreads = 'fenced' | 'open' | 'none';

/** Permanently removes network access from this thread and the threads that it starts. For threads that parse models. */
export function closeModelThread(): void {
  fenceNetwork();
}

/** Computed from the kernel's answers to all of them so far. */
export function readModelThreads(): ModelThreads {
  const { asked, fenced } = readNetworkFence();
  if (asked === 0) return 'none';
  return asked === fenced ? 'fenced' : 'open';
}

/** Zeroes the unused part of this thread's stack, which may contain data of requests. */
export function wipeThreadStack(): void {
  wipeUnusedStack();
}
