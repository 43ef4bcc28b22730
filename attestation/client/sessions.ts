/** One verification per server and keyset, however many requests wait for it. Pure: who verifies, and when, are arguments. */
import { AttestationError } from '../errors.ts';

/** What a verified server is known by until it changes its keys. */
export interface Session {
  /** `sha256:…` of the keyset. */
  readonly keysetDigest: string;
  /** Milliseconds since 1970: when the keyset, or the evidence about it, expires. */
  readonly expiresAtMs: number;
  /** Frees what belongs to it, once nobody uses it for new requests. */
  close(): void;
}

export interface SessionsOptions<S extends Session> {
  /** Verifies a server; rejects where it may not be used. */
  readonly attest: (origin: string, signal: AbortSignal) => Promise<S>;
  readonly now: () => number;
  /** For one verification, the fetching included. */
  readonly timeoutMs: number;
}

export class Sessions<S extends Session> {
  readonly #options: SessionsOptions<S>;
  readonly #running = new Map<string, Promise<S>>();
  readonly #verified = new Map<string, S>();

  constructor(options: SessionsOptions<S>) {
    this.#options = options;
  }

  /** The session of an origin, verified now where there is none that holds. Rejects with the signal's reason on abort. */
  async open(origin: string, signal: AbortSignal | undefined): Promise<S> {
    signal?.throwIfAborted();
    const known = this.#verified.get(origin);
    if (known !== undefined) {
      if (this.#options.now() < known.expiresAtMs) return known;
      this.drop(origin, known);
    }
    let running = this.#running.get(origin);
    if (running === undefined) {
      running = this.#attest(origin).finally(() => this.#running.delete(origin));
      this.#running.set(origin, running);
    }
    return raceAbort(running, signal);
  }

  /** Forgets a session, so that the next request verifies again; another that took its place stays. */
  drop(origin: string, session: S): void {
    if (this.#verified.get(origin) !== session) return;
    this.#verified.delete(origin);
    session.close();
  }

  /** Forgets all. */
  close(): void {
    for (const [origin, session] of this.#verified) this.drop(origin, session);
  }

  async #attest(origin: string): Promise<S> {
    const { attest, now, timeoutMs } = this.#options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const session = await raceAbort(attest(origin, deadline), deadline).catch((error: unknown) => {
      if (!deadline.aborted) throw error;
      const message = `${origin} could not be verified within ${timeoutMs} ms`;
      throw new AttestationError('ERR_EVIDENCE_UNAVAILABLE', message, { cause: error });
    });
    if (now() >= session.expiresAtMs) {
      session.close();
      throw new AttestationError('ERR_NOT_VERIFIED', `the evidence of ${origin} has expired`);
    }
    this.#verified.set(origin, session);
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
