import type { ProcessGuard } from '../../../server/enclave/process-guard.ts';

/** The report of a hardened process. */
export const guarded: ProcessGuard = {
  coreLimitBytes: 0,
  coreLimitHardBytes: 0,
  dumpable: false,
  keysLocked: true,
  freedMemoryZeroed: true,
  lockLimitBytes: 'unlimited',
};
