/** Deadlines, polling, reconnecting event streams, and the check for an SSH server. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineEvent } from './engine.ts';

/** @returns a signal that aborts with the caller's signal, or with a `TimeoutError` after `timeoutMs` */
export function deadline(signal: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** Calls `ask` until it returns a value. @returns undefined after `timeoutMs` · @throws the signal's reason */
export async function poll<Answer>(
  ask: () => Promise<Answer | undefined>,
  { everyMs, timeoutMs, signal }: { everyMs: number; timeoutMs: number; signal: AbortSignal },
): Promise<Answer | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() + everyMs > end) return undefined;
    await pause(everyMs, undefined, { signal });
  }
}

/**
 * @returns whether an SSH server sends its banner in time. An accepted connection is not enough: the forwarder of a port accepts
 * connections even if no server listens behind it.
 */
export function answersSsh(
  { host, port }: { readonly host: string; readonly port: number },
  { signal, timeoutMs = 3000 }: { signal: AbortSignal; timeoutMs?: number },
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const limited = deadline(signal, timeoutMs);
  const socket = connect({ host, port });
  let greeting = '';
  const end = (answers: boolean): void => {
    limited.removeEventListener('abort', giveUp);
    socket.destroy();
    resolve(answers);
  };
  const giveUp = (): void => end(false);
  limited.addEventListener('abort', giveUp, { once: true });
  socket.once('error', giveUp).once('close', giveUp);
  socket.on('data', (chunk) => {
    greeting += chunk.toString('latin1');
    // RFC 4253 §4.2: the server may send other lines before its version.
    if (/^SSH-/m.test(greeting)) end(true);
    else if (greeting.length > greetingCharsMax) end(false);
  });
  if (limited.aborted) giveUp();
  return promise;
}

const greetingCharsMax = 4096;
const firstPauseMs = 500;
const pauseMsMax = 30_000;

/**
 * Keeps an event stream open until the signal aborts; reconnects with exponential backoff.
 * @param open yields undefined once it is connected, then each event
 */
export async function* reconnecting(
  open: (signal: AbortSignal) => AsyncIterable<EngineEvent | undefined>,
  { signal, pauseMs = firstPauseMs }: { signal: AbortSignal; pauseMs?: number },
): AsyncGenerator<EngineEvent> {
  let next = pauseMs;
  while (!signal.aborted) {
    let failure: Error = new Error('the event stream ended');
    try {
      for await (const event of open(signal)) {
        if (signal.aborted) return;
        next = pauseMs;
        yield event ?? { kind: 'connected' };
      }
    } catch (cause) {
      failure = cause instanceof Error ? cause : new Error('the event stream failed', { cause });
    }
    if (signal.aborted) return;
    yield { kind: 'disconnected', error: failure };
    // An abort during the pause is the regular end.
    await pause(next, undefined, { signal }).catch(() => undefined);
    next = Math.min(next * 2, pauseMsMax);
  }
}
