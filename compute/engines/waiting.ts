/** Deadlines, pauses and an SSH server that answers: how engines wait. */
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { EngineEvent } from './engine.ts';

/** @returns a signal that aborts with the caller's, or with a `TimeoutError` after that time */
export function deadline(signal: AbortSignal, timeoutMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
}

/** Asks until the answer is there. @returns undefined where it was not within `timeoutMs` @throws the signal's reason */
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
 * @returns whether an SSH server introduces itself there; false too where that does not happen in time. A connection alone
 * proves little: a forwarded port is accepted by whoever forwards it.
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
    // RFC 4253 §4.2: other lines may come before the version, but not many.
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
 * Keeps a stream of events open, with longer and longer pauses while it cannot be opened, until the signal aborts.
 * @param open yields once it is connected: first nothing (undefined), then each event
 */
export async function* reconnecting(
  open: (signal: AbortSignal) => AsyncIterable<EngineEvent | undefined>,
  { signal, pauseMs = firstPauseMs }: { signal: AbortSignal; pauseMs?: number },
): AsyncGenerator<EngineEvent> {
  let next = pauseMs;
  while (!signal.aborted) {
    let failure: Error = new Error('the stream of events ended');
    try {
      for await (const event of open(signal)) {
        if (signal.aborted) return;
        next = pauseMs;
        yield event ?? { kind: 'connected' };
      }
    } catch (cause) {
      failure = cause instanceof Error ? cause : new Error('the stream of events broke', { cause });
    }
    if (signal.aborted) return;
    yield { kind: 'disconnected', error: failure };
    // An abort during the pause is the ordinary end.
    await pause(next, undefined, { signal }).catch(() => undefined);
    next = Math.min(next * 2, pauseMsMax);
  }
}
