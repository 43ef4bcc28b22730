/**
 * One verification per server and keyset, however many requests wait for it, and none of them older than a maximum age. Pure:
 * who verifies, and when, are arguments.
 */
import { AttestationError } from '../base/errors.ts';

/** What a verified server is known by until it changes its keys. */
export interface Session {
  /** `sha256:…` of the keyset. */
  readonly keysetDigest: string;
  /** Milliseconds since 1970: when the first piece of what was relied on expires. */
  readonly expiresAtMs: number;
  /** Frees what belongs to it, once nobody uses it for new requests. */
  close(): void;
}

export interface SessionsOptions<S extends Session> {
  /** Verifies a server; rejects where it may not be used. */
  readonly attest: (origin: string, signal: AbortSignal) => Promise<S>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds that never go back. Default: the process's. */
  readonly clock?: (() => number) | undefined;
  /** For one verification, the fetching included. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** From asking for the evidence to its last use. Default: `sessionAgeMaxMs`. */
  readonly ageMaxMs?: number | undefined;
}

/** How long a server is believed by default before it proves itself again. */
export const sessionAgeMaxMs = 10 * 60_000;
/** Between two attempts to renew a session in the background. */
const retryMs = 10_000;
const dayMs = 86_400_000;

interface Held<S> {
  readonly session: S;
  /** When its evidence was requested, by both clocks: one stops while the machine sleeps, the other can be set back. */
  readonly askedAt: Instant;
  /** From the end of its verification. */
  readonly lifetimeMs: number;
  /** By `clock`: when it was verified, or last tried to be renewed. */
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
  readonly #held = new Map<string, Held<S>>();

  /** @throws {RangeError} where `ageMaxMs` is not from 1 second to 1 day */
  constructor(options: SessionsOptions<S>) {
    const { attest, now, clock = () => performance.now(), timeoutMs = 60_000, ageMaxMs = sessionAgeMaxMs } = options;
    if (!(ageMaxMs >= 1000 && ageMaxMs <= dayMs)) {
      throw new RangeError(`the maximum age of a session must be 1,000 to ${dayMs} ms, got ${ageMaxMs}`);
    }
    this.#attest = attest;
    this.#now = now;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#ageMaxMs = ageMaxMs;
  }

  /**
   * The session of an origin, verified now where there is none that holds. In the second half of its life it is renewed in the
   * background, and no request waits for that. Rejects with the signal's reason on abort.
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

  /** Forgets a session, so that the next request verifies again; another that took its place stays. */
  drop(origin: string, session: S): void {
    if (this.#held.get(origin)?.session !== session) return;
    this.#held.delete(origin);
    session.close();
  }

  /** Forgets all. */
  close(): void {
    for (const [origin, { session }] of this.#held) this.drop(origin, session);
  }

  #leftMs({ session, askedAt }: Pick<Held<S>, 'session' | 'askedAt'>): number {
    const wallMs = this.#now();
    // A clock that was set back to before the session began cannot tell its age.
    if (wallMs < askedAt.wallMs) return 0;
    const ageMs = Math.max(wallMs - askedAt.wallMs, this.#clock() - askedAt.clockMs);
    return Math.min(this.#ageMaxMs - ageMs, session.expiresAtMs - wallMs);
  }

  #renew(origin: string, held: Held<S>): void {
    const nowMs = this.#clock();
    if (this.#running.has(origin) || nowMs - held.triedAtMs < retryMs) return;
    held.triedAtMs = nowMs;
    this.#verify(origin).catch((error: unknown) => {
      // Evidence that fails ends the session now; a server that does not answer keeps it until it expires.
      if (error instanceof AttestationError && error.code === 'ERR_NOT_VERIFIED') this.drop(origin, held.session);
    });
  }

  /** Whoever asks while a verification is running waits for the same one. */
  #verify(origin: string): Promise<S> {
    let running = this.#running.get(origin);
    if (running === undefined) {
      running = this.#attestNow(origin).finally(() => this.#running.delete(origin));
      this.#running.set(origin, running);
    }
    return running;
  }

  async #attestNow(origin: string): Promise<S> {
    const askedAt = { wallMs: this.#now(), clockMs: this.#clock() };
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    const session = await raceAbort(this.#attest(origin, deadline), deadline).catch((error: unknown) => {
      if (!deadline.aborted) throw error;
      const message = `${origin} could not be verified within ${this.#timeoutMs} ms`;
      throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', message, { cause: error });
    });
    const lifetimeMs = this.#leftMs({ session, askedAt });
    if (lifetimeMs <= 0) {
      session.close();
      throw new AttestationError('ERR_NOT_VERIFIED', `the evidence of ${origin} has expired`);
    }
    const before = this.#held.get(origin);
    this.#held.set(origin, { session, askedAt, lifetimeMs, triedAtMs: this.#clock() });
    before?.session.close();
    return session;
  }
}

/** The promise, or a rejection with the signal's reason as soon as it is aborted. */
export function raceAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
