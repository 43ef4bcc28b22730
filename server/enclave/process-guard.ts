/** What the process forbids itself, and what of it the kernel made true: read back, never assumed. */
import { guardProcess } from '../../native/guest.ts';

export interface ProcessGuard {
  /** Bytes that a core dump may have. */
  readonly coreLimitBytes: number | 'unlimited';
  /** What the process could raise it to. */
  readonly coreLimitHardBytes: number | 'unlimited';
  /** Whether the kernel may dump this process, and others of its user may trace it. */
  readonly dumpable: boolean;
}

/** Forbids core dumps and tracing, once and for good: call it before anything secret is in memory. */
export function closeProcess(): ProcessGuard {
  const { coreLimit, coreLimitHard, dumpable } = guardProcess();
  return {
    coreLimitBytes: coreLimit ?? 'unlimited',
    coreLimitHardBytes: coreLimitHard ?? 'unlimited',
    dumpable: dumpable !== 0,
  };
}
