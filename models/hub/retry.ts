/** Retries failed requests with exponential backoff. */
import { setTimeout as wait } from 'node:timers/promises';
import { ModelError } from '../interface/errors.ts';

/** Time and randomness are arguments, so that tests can replace them. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Rejects when `signal` is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1 */
  readonly random: () => number;
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
  random: Math.random,
};

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Total attempts, including the first. */
  readonly attemptsMax?: number;
  /** Called before each pause, so that the pause can be shown to the user. */
  readonly onRetry?: (failure: ModelError, pauseMs: number) => void;
}

const attemptsMaxDefault = 6;
const firstPauseMs = 500;
const pauseMsMax = 30_000;
/** If a server requests a longer pause than this, the error is reported. */
const retryAfterMsMax = 10 * 60_000;

/** Runs `attempt` until it succeeds, fails permanently, or has had `attemptsMax` network failures. */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { clock, signal, attemptsMax = attemptsMaxDefault, onRetry }: RetryOptions,
): Promise<Result> {
  for (let attempts = 1; ; attempts++) {
    requireRunning(signal);
    try {
      return await attempt();
    } catch (error) {
      requireRunning(signal);
      const transient = error instanceof ModelError && error.code === 'ERR_DOWNLOAD_FAILED';
      if (!transient || attempts >= attemptsMax) throw error;
      const pauseMs = error.details.retryAfterMs ?? pauseAfter(attempts, clock.random());
      if (pauseMs > retryAfterMsMax) throw error;
      onRetry?.(error, pauseMs);
      await clock.sleep(pauseMs, signal).catch(() => requireRunning(signal));
    }
  }
}

/** @throws {ModelError} ERR_ABORTED once `signal` is aborted */
export function requireRunning(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelError('ERR_ABORTED', 'aborted by the caller', { cause: signal.reason });
}

/** Exponential backoff; the upper half is random jitter, so that disconnected clients do not all return at once. */
function pauseAfter(attempts: number, random: number): number {
  const whole = Math.min(pauseMsMax, firstPauseMs * 2 ** (attempts - 1));
  return Math.round(whole * (0.5 + random / 2));
}

/** @returns milliseconds from a `Retry-After` header (seconds or a date); undefined if it is absent or invalid */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
