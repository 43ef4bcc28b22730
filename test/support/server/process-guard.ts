import type { ProcessGuard } from '../../../server/enclave/process-guard.ts';

/** As a guarded process reports itself. */
export const guarded: ProcessGuard = {
  coreLimitBytes: 0,
  coreLimitHardBytes: 0,
  dumpable: false,
  keysLocked: true,
  freedMemoryZeroed: true,
  lockLimitBytes: 'unlimited',
};
