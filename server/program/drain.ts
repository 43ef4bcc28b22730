/** Drains the server without losing an answer: new requests are rejected, running ones finish or get an error. */
import type { Engine } from '@cloister/runtime/pool/engine-state';
import type { FastifyInstance } from 'fastify';

/** Time for the last bytes of finished responses to be sent. */
const flushMs = 2_000;

/** @param timeoutMs after which running responses end with an error event */
export async function drain(
  app: FastifyInstance,
  { engines, timeoutMs }: { engines: readonly Engine<unknown>[]; timeoutMs: number },
): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  // The server keeps listening, so that new requests get a 503 instead of a refused connection.
  await Promise.all(engines.map((engine) => engine.drain({ signal })));
  const lastCall = setTimeout(() => app.server.closeAllConnections(), flushMs);
  await app.close();
  clearTimeout(lastCall);
}
