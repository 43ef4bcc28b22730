/**
 * Caches verifications, up to a maximum age. Several servers may share one origin, behind a load balancer: each has a session of
 * its own. Concurrent requests share one verification. Pure: the verifier and the clocks are arguments.
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

/** A server that a connection has reached. */
export interface ReachedServer<S> {
  /** The same for every connection to this server: its connections share one verification. */
  readonly key: string;
  /** Whether a session is one of this server. */
  readonly matches: (session: S) => boolean;
  /** Verifies this server. */
  readonly attest: (signal: AbortSignal) => Promise<S>;
  /** Aborts when the connection over which `attest` verifies is given up: those who share the verification then start their own. */
  readonly abandoned?: AbortSignal | undefined;
}

export interface SessionsOptions<S extends Session> {
  /** Verifies any one of the servers at an origin; rejects if it is not acceptable. */
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
/** Maximum number of servers at one origin with a session; further ones displace the oldest. */
const serversMax = 64;
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

/** A verification that runs, and whether it was given up. */
interface Verification<S> {
  readonly session: Promise<S>;
  readonly abandoned: AbortSignal | undefined;
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
  readonly #running = new Map<string, Verification<S>>();
  /** By origin, then by keyset digest; the latest verification is the last. */
  readonly #held = new Map<string, Map<string, CachedSession<S>>>();

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
   * Returns a session of an origin, and verifies a server first if there is none that is valid. In the second half of its
   * lifetime, a session is renewed in the background. Rejects with the signal's reason on abort.
   * @param reached the server to use; without it, the one that was verified last
   */
  async open(origin: string, signal: AbortSignal | undefined, reached?: ReachedServer<S>): Promise<S> {
    signal?.throwIfAborted();
    this.prune(origin);
    const held = this.#sessionsOf(origin).findLast(({ session }) => reached?.matches(session) ?? true);
    if (held !== undefined && this.isUsable(origin, held.session)) return held.session;
    const key = `${origin} ${reached?.key ?? ''}`;
    const shared = this.#running.get(key);
    const { session, abandoned } = shared ?? this.#verify(origin, key, reached);
    return raceAbort(session, signal).catch((error: unknown) => {
      if (shared === undefined || abandoned?.aborted !== true) throw error;
      return this.open(origin, signal, reached);
    });
  }

  /** Whether a session can be used now. Renews it in the background in the second half of its lifetime. */
  isUsable(origin: string, session: S): boolean {
    const held = this.#held.get(origin)?.get(session.keysetDigest);
    if (held?.session !== session) return false;
    const leftMs = this.#leftMs(held);
    if (leftMs > 0 && leftMs <= held.lifetimeMs / 2) this.#renew(origin, held);
    return leftMs > 0;
  }

  /** Whether an origin has a session. */
  has(origin: string): boolean {
    return this.#held.has(origin);
  }

  /** Removes the sessions of an origin that can no longer be used. */
  prune(origin: string): void {
    for (const held of this.#sessionsOf(origin)) if (this.#leftMs(held) <= 0) this.drop(origin, held.session);
  }

  /** Removes a session, so that the server is verified before its next use. A newer session of the server stays. */
  drop(origin: string, session: S): void {
    const servers = this.#held.get(origin);
    if (servers?.get(session.keysetDigest)?.session !== session) return;
    servers.delete(session.keysetDigest);
    if (servers.size === 0) this.#held.delete(origin);
    session.close();
  }

  /** Removes all sessions. */
  close(): void {
    for (const origin of this.#held.keys())
      for (const { session } of this.#sessionsOf(origin)) this.drop(origin, session);
  }

  /** In the order of their verification. */
  #sessionsOf(origin: string): CachedSession<S>[] {
    return [...(this.#held.get(origin)?.values() ?? [])];
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
    const key = `${origin} `;
    if (this.#running.has(key) || nowMs - held.triedAtMs < retryMs) return;
    held.triedAtMs = nowMs;
    this.#verify(origin, key).session.catch((error: unknown) => {
      // Failed evidence ends the session now; if the server does not respond, the session lasts until it expires.
      if (error instanceof AttestationError && error.code === 'ERR_NOT_VERIFIED') this.drop(origin, held.session);
    });
  }

  /** Starts a verification, which others can share while it runs. */
  #verify(origin: string, key: string, reached?: ReachedServer<S>): Verification<S> {
    const attest = reached?.attest ?? ((signal: AbortSignal) => this.#attest(origin, signal));
    const session = this.#attestNow(origin, attest, reached?.abandoned).finally(() => this.#running.delete(key));
    const verification = { session, abandoned: reached?.abandoned };
    this.#running.set(key, verification);
    return verification;
  }

  async #attestNow(
    origin: string,
    attest: (signal: AbortSignal) => Promise<S>,
    abandoned: AbortSignal | undefined,
  ): Promise<S> {
    const requestedAt = { wallMs: this.#now(), clockMs: this.#clock() };
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    const end = abandoned === undefined ? deadline : AbortSignal.any([deadline, abandoned]);
    const session = await raceAbort(attest(end), end).catch((error: unknown) => {
      if (!deadline.aborted) throw error;
      const message = `${origin} could not be verified within ${this.#timeoutMs} ms`;
      throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', message, { cause: error });
    });
    const lifetimeMs = this.#leftMs({ session, requestedAt });
    if (lifetimeMs <= 0) {
      session.close();
      throw new AttestationError('ERR_NOT_VERIFIED', `the evidence of ${origin} has expired`);
    }
    this.#hold(origin, { session, requestedAt, lifetimeMs, triedAtMs: this.#clock() });
    return session;
  }

  #hold(origin: string, held: CachedSession<S>): void {
    const servers = this.#held.get(origin) ?? new Map<string, CachedSession<S>>();
    this.#held.set(origin, servers);
    const { keysetDigest } = held.session;
    const before = servers.get(keysetDigest);
    servers.delete(keysetDigest);
    servers.set(keysetDigest, held);
    before?.session.close();
    const [oldest] = servers.values();
    if (servers.size > serversMax) this.drop(origin, oldest!.session);
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
