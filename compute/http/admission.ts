/** Admits requests before their body is read: rate limits per address and account, then the key and its scope, or the session. */
import type { Scope } from '@cloister/accounts/base/scopes';
import type { Caller, Session } from '@cloister/accounts/store';
import { clientNetwork } from '@cloister/server/http/client-network';
import { isOwnOrigin, readSessionCookie } from '@cloister/server/http/session-cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ComputeError, type ErrorFields } from '../base/errors.ts';
import type { ComputeService } from '../service/service.ts';
import type { Access, Operation } from './operation.ts';
import { SharedWindows } from './shared-windows.ts';
import { SlidingWindows, type WindowLimit, type WindowState } from './sliding-window.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    operation?: Operation;
  }
  interface FastifyRequest {
    /** The authenticated account; empty on endpoints without authentication. */
    accountId: string;
    /** The session of a page; undefined for a request with a key. */
    session: Session | undefined;
    /** The rate limits that the request was counted against; undefined before admission. */
    counted: Counted | undefined;
  }
}

export interface RateLimits {
  /** Per endpoint and client address (C-039). */
  readonly perEndpoint: WindowLimit;
  /** Per account (C-040). */
  readonly perAccount: WindowLimit;
  /** Per client address, on endpoints that need no key. */
  readonly keyless: WindowLimit;
  /** Deploys per account that reach an engine (C-041). */
  readonly creations: WindowLimit;
}

export const defaultLimits: RateLimits = {
  perEndpoint: { limit: 10, windowMs: 10_000 },
  perAccount: { limit: 1_000, windowMs: 3_600_000 },
  keyless: { limit: 100, windowMs: 60_000 },
  creations: { limit: 10, windowMs: 60_000 },
};

/** Counts events per key. */
interface Windows {
  take(key: string, now: number): WindowState | Promise<WindowState>;
}

/**
 * Limits per account are shared by all processes on one PostgreSQL. Limits per address are counted in memory, so that
 * unauthenticated clients cause no database writes; each of several processes applies them separately.
 */
export class Admission {
  readonly #service: ComputeService;
  readonly #now: () => number;
  readonly #perEndpoint: SlidingWindows;
  readonly #perAccount: Windows;
  readonly #keyless: Windows;
  readonly #creations: Windows;

  /** @param now milliseconds since 1970 */
  constructor(service: ComputeService, { limits, now }: { limits: RateLimits; now: () => number }) {
    this.#service = service;
    this.#now = now;
    this.#perEndpoint = new SlidingWindows(limits.perEndpoint);
    this.#keyless = new SlidingWindows(limits.keyless);
    const { kind, db } = service.control.store;
    const ofAccounts = (name: string, limit: WindowLimit) =>
      kind === 'postgres' ? new SharedWindows(db, { name, limit }) : new SlidingWindows(limit);
    this.#perAccount = ofAccounts('account', limits.perAccount);
    this.#creations = ofAccounts('creations', limits.creations);
  }

  /** @throws {ComputeError} RATE_LIMITED, INVALID_API_KEY, SESSION_REQUIRED, ORIGIN_REFUSED, MISSING_SCOPE */
  async admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { config, url = 'unknown' } = request.routeOptions;
    const { operation } = config;
    const counted = new Counted(reply, this.#now());
    request.counted = counted;
    await counted.take(this.#perEndpoint, `${request.method} ${url} ${clientNetwork(request.ip)}`);
    const access = operation?.access ?? 'open';
    if (access === 'open') {
      await counted.take(this.#keyless, clientNetwork(request.ip));
      return;
    }
    request.accountId = await this.#authenticate(request, access);
    await counted.take(this.#perAccount, request.accountId);
  }

  /** Counts a deploy that passed all checks. @throws {ComputeError} RATE_LIMITED */
  async countCreation({ counted, accountId }: FastifyRequest): Promise<void> {
    await counted?.take(this.#creations, accountId, { charged: false });
  }

  /** Counts a request that was refused before it reached a route. @throws {ComputeError} RATE_LIMITED */
  async countUnrouted({ ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    await new Counted(reply, this.#now()).take(this.#perEndpoint, `stray ${clientNetwork(ip)}`);
  }

  /** Counts a request that is not valid HTTP. @returns the headers of its limit, and the error if the limit is exceeded */
  countInvalid(address = ''): { readonly headers: Readonly<Record<string, string>>; readonly limited?: ComputeError } {
    const now = this.#now();
    const state = this.#perEndpoint.take(`stray ${clientNetwork(address)}`, now);
    const headers = limitHeaders(state);
    return state.isRefused ? { headers, limited: rateLimited(state, now) } : { headers };
  }

  /** @returns the id of the account */
  async #authenticate(request: FastifyRequest, access: Exclude<Access, 'open'>): Promise<string> {
    if (access === 'session' || access === 'signed-in') {
      const session = await this.#session(request);
      // An API key must not create or revoke keys: neither with a session, nor by opening one (C-086).
      if (access === 'session' && session.keyId !== undefined) throw sessionRequired();
      return session.accountId;
    }
    if (hasKey(request) || readSessionCookie(request) === undefined) return await this.#key(request, access);
    const { accountId, scopes } = await this.#session(request);
    if (!scopes.includes(access)) throw missingScope(access);
    return accountId;
  }

  async #key(request: FastifyRequest, scope: Scope): Promise<string> {
    const caller = await this.#callerOf(request);
    if (caller === undefined) {
      throw new ComputeError(
        'INVALID_API_KEY',
        'the API key is missing, malformed, unknown or revoked: send a live key as `X-API-Key`',
      );
    }
    if (!caller.scopes.includes(scope)) throw missingScope(scope);
    return caller.accountId;
  }

  async #callerOf(request: FastifyRequest): Promise<Caller | undefined> {
    const { headers } = request;
    const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
    const further = isShortcut(request) ? [headers['x-service-key'], bearer] : [];
    const sent = [headers['x-api-key'], ...further].filter((key) => key !== undefined);
    const [key] = sent;
    // With two different keys the account is ambiguous (I-058).
    if (typeof key !== 'string' || sent.some((other) => other !== key)) return undefined;
    return await this.#service.accounts.findCaller(key);
  }

  /** The session of a request without a key; one that changes something must come from a page of this service (C-091). */
  async #session(request: FastifyRequest): Promise<Session> {
    const secret = readSessionCookie(request);
    const session = secret === undefined || hasKey(request) ? undefined : await this.#useSession(secret);
    if (session === undefined) throw sessionRequired();
    if (request.method !== 'GET' && request.method !== 'HEAD' && !isOwnOrigin(request, this.#service.options)) {
      throw new ComputeError(
        'ORIGIN_REFUSED',
        'the request must come from a page of this service: check the `Origin` header',
      );
    }
    request.session = session;
    return session;
  }

  async #useSession(secret: string) {
    const { accounts, control } = this.#service;
    return await accounts.useSession({ secret, now: await control.store.now() });
  }
}

/** The rate limits of one request. The response headers show the tightest (C-042). */
class Counted {
  readonly #reply: FastifyReply;
  readonly #now: number;
  #tightest: WindowState | undefined;

  constructor(reply: FastifyReply, now: number) {
    this.#reply = reply;
    this.#now = now;
  }

  /** @throws {ComputeError} RATE_LIMITED */
  async take(windows: Windows, key: string, fields: ErrorFields = {}): Promise<void> {
    const state = await windows.take(key, this.#now);
    if (this.#tightest === undefined || state.isRefused || state.remaining < this.#tightest.remaining) {
      this.#tightest = state;
      this.#reply.headers(limitHeaders(state));
    }
    if (state.isRefused) throw rateLimited(state, this.#now, fields);
  }
}

/** The shortcut belongs to the inference API, which takes keys in two further headers (I-057). */
function isShortcut({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith('/v1/') === true;
}

function hasKey(request: FastifyRequest): boolean {
  const names = isShortcut(request) ? ['x-api-key', 'x-service-key', 'authorization'] : ['x-api-key'];
  return names.some((name) => request.headers[name] !== undefined);
}

function sessionRequired(): ComputeError {
  return new ComputeError(
    'SESSION_REQUIRED',
    'sign in: this endpoint requires the session cookie and takes no API key',
  );
}

function missingScope(scope: Scope): ComputeError {
  const message = `insufficient permissions: this key lacks the scope ${scope}: use a key that has it`;
  return new ComputeError('MISSING_SCOPE', message, { fields: { scope } });
}

function limitHeaders({ limit, remaining, resetAt }: WindowState): Readonly<Record<string, string>> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  };
}

function rateLimited({ resetAt }: WindowState, now: number, fields: ErrorFields = {}): ComputeError {
  const retryAfterSeconds = Math.max(1, Math.ceil((resetAt - now) / 1000));
  return new ComputeError('RATE_LIMITED', `too many requests: try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
    fields,
  });
}
