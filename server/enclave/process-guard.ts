/** What the process forbids itself, and what of it the kernel made true: read back, never assumed. */
import { guardProcess } from '../../native/guest.ts';

export interface ProcessGuard {
  /** Bytes that a core dump may have. */
  readonly coreLimitBytes: number | 'unlimited';
  /** What the process could raise it to. */
  readonly coreLimitHardBytes: number | 'unlimited';
  /** Whether the kernel may dump this process, and others of its user may trace it. */
  readonly dumpable: boolean;
  /** Whether private keys that are made from now on lie in memory that is never written to a disk. */
  readonly keysLocked: boolean;
  /** Bytes that the process may lock; where keys are not locked, the reason is mostly here. */
  readonly lockLimitBytes: number | 'unlimited';
}

/** Forbids core dumps and tracing, and locks the memory of keys, once and for good: call it before anything secret is in memory. */
export function closeProcess(): ProcessGuard {
  const { coreLimit, coreLimitHard, dumpable, keysLocked, lockLimit } = guardProcess();
  return {
    coreLimitBytes: coreLimit ?? 'unlimited',
    coreLimitHardBytes: coreLimitHard ?? 'unlimited',
    dumpable: dumpable !== 0,
    keysLocked,
    lockLimitBytes: lockLimit ?? 'unlimited',
  };
}
