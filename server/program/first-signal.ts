/** Waits for the signal that stops the server. */
import { once } from 'node:events';

/**
 * The first signal requests a stop. The handler is then removed, so that a second signal ends the process at once, as
 * signals do: `process.exit` would tear down a thread that may be inside the model, and abort with a core dump.
 */
export async function firstSignal(): Promise<void> {
  const arrived = new AbortController();
  const { signal } = arrived;
  await Promise.race(['SIGTERM', 'SIGINT'].map((name) => once(process, name, { signal })));
  arrived.abort();
}
