/** Time limits and restart delays for engines in tests. */
import type { ThreadWatch } from '../../../runtime/pool/watchdog.ts';

/** For threads that are not expected to hang, on a machine under any load. */
export const patientWatch: ThreadWatch = {
  stepTimeoutMs: 600_000,
  onStuck: () => {
    throw new Error('a thread does not end');
  },
};

/** Restarts with pauses that are negligible for a test. */
export const quickRestarts = { firstMs: 1, longestMs: 1, steadyMs: 60_000 };
