/** A stop that loses no answer: new requests are refused, running ones finish or are told why they do not. */
import type { Engine } from '@cloister/runtime/pool/engine-state';
import type { FastifyInstance } from 'fastify';

/** Time for the last bytes of finished answers to reach their readers. */
const flushMs = 2_000;

/** @param timeoutMs after it, running answers end with an error event */
export async function drain(
  app: FastifyInstance,
  { engines, timeoutMs }: { engines: readonly Engine<unknown>[]; timeoutMs: number },
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  // Still listening, so that whoever asks now is told 503 instead of finding the door shut.
  await Promise.all(engines.map((engine) => engine.drain({ signal })));
  const lastCall = setTimeout(() => app.server.closeAllConnections(), flushMs);
  await app.close();
  clearTimeout(lastCall);
}
