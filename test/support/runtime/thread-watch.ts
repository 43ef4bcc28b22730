/** How tests watch the threads of engines. */
import type { ThreadWatch } from '../../../runtime/pool/watchdog.ts';

/** For threads that are not expected to hang, on a machine however busy. */
export const patientWatch: ThreadWatch = {
  stepTimeoutMs: 600_000,
  onStuck: () => {
    throw new Error('a thread does not end');
  },
};

/** Restarts without a pause that a test would notice. */
export const quickRestarts = { firstMs: 1, longestMs: 1, steadyMs: 60_000 };
