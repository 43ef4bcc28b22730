/** The operator's API, as `/admin/…` of the admin port. The token exists only in the memory of this page. */
import { signal } from '@preact/signals';
import { errorOf, send } from '../api/request.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly closedAt?: number;
  /** Micro-dollars. */
  readonly balance: {
    readonly paidIn: number;
    readonly available: number;
    readonly held: number;
    readonly spent: number;
  };
}

export interface Plan {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly contextTokensMax?: number;
  readonly requestsPerMinute?: number;
  readonly requestsPerDay?: number;
  readonly tokensPerMonth?: number;
  readonly concurrentRequestsMax?: number;
  readonly pricePercent: number;
}

export interface OperatorKey {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly preview: string;
  readonly createdAt: number;
  readonly expiresAt?: number;
  readonly lastUsedAt?: number;
  readonly revokedAt?: number;
}

export interface Audit {
  readonly accounts: number;
  readonly movements: number;
  readonly reservations: number;
  readonly paidIn: number;
  readonly available: number;
  readonly held: number;
  readonly spent: number;
  readonly faults: readonly string[];
}

export interface Invoice {
  readonly number: number;
  readonly account: string;
  /** `YYYY-MM`, UTC. */
  readonly month: string;
  readonly issuedAt: number;
  /** Micro-dollars. */
  readonly refunded: number;
  readonly total: number;
}

export interface Movement {
  readonly id: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly microDollars: number;
  readonly at: number;
}

export interface FleetNode {
  readonly node: string;
  readonly address: string;
  readonly isSelf: boolean;
  /** In sixteenths. */
  readonly load: number;
  readonly draining: boolean;
  readonly models: readonly string[];
  readonly announcedAt: number;
}

export interface AdminModel {
  readonly id: string;
  readonly kind: string;
  readonly status: 'loading' | 'ready' | 'draining' | 'failed' | 'unloading' | 'unloaded';
  /** Null unless the model loads. */
  readonly loadedPercent: number | null;
  /** Seconds until the idle model is unloaded; null if it will not be. */
  readonly expiresSeconds: number | null;
  /** Bytes of main memory. */
  readonly memoryBytes: number;
  readonly running: number;
  readonly waiting: number;
  readonly stalledMs: number;
  readonly losses: number;
}

/** Undefined until the operator has entered a token that the server accepts. */
export const token = signal<string | undefined>(undefined);

/** @param given may be empty, if the port asks for a client certificate instead · @throws {ApiError} if the token is wrong */
export async function enter(given: string): Promise<void> {
  await request('GET', '/admin/plans', undefined, given);
  token.value = given;
}

/** @throws {ApiError} */
export async function admin<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<Answer> {
  return (await request(method, path, body, token.value ?? '')) as Answer;
}

/** @returns the bytes of an answer that is a file · @throws {ApiError} */
export async function adminFile(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await authorized(path, {});
  if (!response.ok) throw await errorOf(response);
  return new Uint8Array(await response.arrayBuffer());
}

/** Sends a request of the reference with the token. */
export async function authorized(path: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (token.value) headers.set('authorization', `Bearer ${token.value}`);
  return await send(path, { ...init, credentials: 'omit', headers });
}

async function request(method: string, path: string, body: object | undefined, secret: string): Promise<unknown> {
  const response = await send(path, {
    method,
    credentials: 'omit',
    headers: { ...(secret !== '' && { authorization: `Bearer ${secret}` }), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw await errorOf(response);
  return await response.json();
}
