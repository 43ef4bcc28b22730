/**
 * Caches verifications per server, up to a maximum age. Concurrent requests share one verification. Pure: the verifier and the
 * clocks are arguments.
 */
import { AttestationError } from '../base/errors.ts';

/** A verified server, until it changes its keys. */
export interface Session {
  /** `sha256:…` of the keyset. */
  readonly keysetDigest: string;
  /** Milliseconds since 1970: when the first part of the evidence expires. */
  readonly expiresAtMs: number;
  /** Releases the session's resources. New requests no longer use it. */
  close(): void;
}

export interface SessionsOptions<S extends Session> {
  /** Verifies a server; rejects if the server is not acceptable. */
  readonly attest: (origin: string, signal: AbortSignal) => Promise<S>;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  /** A monotonic clock in milliseconds. Default: `performance.now`. */
  readonly clock?: (() => number) | undefined;
  /** Time limit of one verification, including the fetches. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum time from the request for the evidence to its last use. Default: `sessionAgeMaxMs`. */
  readonly ageMaxMs?: number | undefined;
}

/** How long a verification is valid by default. */
export const sessionAgeMaxMs = 10 * 60_000;
/** Minimum time between two background renewals of a session. */
const retryMs = 10_000;
const dayMs = 86_400_000;

interface CachedSession<S> {
  readonly session: S;
  /** When the evidence was requested, by both clocks: one stops while the machine sleeps, the other can be set back. */
  readonly requestedAt: Instant;
  /** Measured from the end of the verification. */
  readonly lifetimeMs: number;
  /** By `clock`: when the session was verified, or its last renewal began. */
  triedAtMs: number;
}

interface Instant {
  readonly wallMs: number;
  readonly clockMs: number;
}

export class Sessions<S extends Session> {
  readonly #attest: SessionsOptions<S>['attest'];
  readonly #now: () => number;
  readonly #clock: () => number;
  readonly #timeoutMs: number;
  readonly #ageMaxMs: number;
  readonly #running = new Map<string, Promise<S>>();
  readonly #held = new Map<string, CachedSession<S>>();

  /** @throws {RangeError} unless `ageMaxMs` is 1 second to 1 day */
  constructor(options: SessionsOptions<S>) {
    const { attest, now, clock = () => performance.now(), timeoutMs = 60_000, ageMaxMs = sessionAgeMaxMs } = options;
    if (!(ageMaxMs >= 1000 && ageMaxMs <= dayMs)) {
      throw new RangeError(`sessionAgeMaxMs must be 1,000 to ${dayMs}, got ${ageMaxMs}`);
    }
    this.#attest = attest;
    this.#now = now;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#ageMaxMs = ageMaxMs;
  }

  /**
   * Returns the session of an origin, and verifies the server first if there is no valid session. In the second half of its
   * lifetime, a session is renewed in the background. Rejects with the signal's reason on abort.
   */
  async open(origin: string, signal: AbortSignal | undefined): Promise<S> {
    signal?.throwIfAborted();
    const held = this.#held.get(origin);
    if (held !== undefined) {
      const leftMs = this.#leftMs(held);
      if (leftMs > 0) {
        if (leftMs <= held.lifetimeMs / 2) this.#renew(origin, held);
        return held.session;
      }
      this.drop(origin, held.session);
    }
    return raceAbort(this.#verify(origin), signal);
  }

  /** Removes a session, so that the next request verifies the server. A newer session of the origin stays. */
  drop(origin: string, session: S): void {
    if (this.#held.get(origin)?.session !== session) return;
    this.#held.delete(origin);
    session.close();
  }

  /** Removes all sessions. */
  close(): void {
    for (const [origin, { session }] of this.#held) this.drop(origin, session);
  }

  #leftMs({ session, requestedAt }: Pick<CachedSession<S>, 'session' | 'requestedAt'>): number {
    const wallMs = this.#now();
    // If the clock was set back to before the session began, the session's age is unknown.
    if (wallMs < requestedAt.wallMs) return 0;
    const ageMs = Math.max(wallMs - requestedAt.wallMs, this.#clock() - requestedAt.clockMs);
    return Math.min(this.#ageMaxMs - ageMs, session.expiresAtMs - wallMs);
  }

  #renew(origin: string, held: CachedSession<S>): void {
    const nowMs = this.#clock();
    if (this.#running.has(origin) || nowMs - held.triedAtMs < retryMs) return;
    held.triedAtMs = nowMs;
    this.#verify(origin).catch((error: unknown) => {
      // Failed evidence ends the session now; if the server does not respond, the session lasts until it expires.
      if (error instanceof AttestationError && error.code === 'ERR_NOT_VERIFIED') this.drop(origin, held.session);
    });
  }

  /** Starts a verification, or joins the one that is running. */
  #verify(origin: string): Promise<S> {
    let running = this.#running.get(origin);
    if (running === undefined) {
      running = this.#attestNow(origin).finally(() => this.#running.delete(origin));
      this.#running.set(origin, running);
    }
    return running;
  }

  async #attestNow(origin: string): Promise<S> {
    const requestedAt = { wallMs: this.#now(), clockMs: this.#clock() };
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    const session = await raceAbort(this.#attest(origin, deadline), deadline).catch((error: unknown) => {
      if (!deadline.aborted) throw error;
      const message = `${origin} could not be verified within ${this.#timeoutMs} ms`;
      throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', message, { cause: error });
    });
    const lifetimeMs = this.#leftMs({ session, requestedAt });
    if (lifetimeMs <= 0) {
      session.close();
      throw new AttestationError('ERR_NOT_VERIFIED', `the evidence of ${origin} has expired`);
    }
    const before = this.#held.get(origin);
    this.#held.set(origin, { session, requestedAt, lifetimeMs, triedAtMs: this.#clock() });
    before?.session.close();
    return session;
  }
}

/** Settles like the promise, or rejects with the signal's reason on abort. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
