/**
 * Checks a request against the limits of its plan and the balance, on a snapshot of the account's meter. Pure: the time
 * is an argument and may jump. Requests per minute use a sliding window (`request-window.ts`); days and months are UTC.
 */
import { AccountError, type AccountErrorCode, type ErrorDetails } from '../base/errors.ts';
import { formatDollars } from '../base/money.ts';
import type { Tables } from '../base/tables.ts';
import type { Plan } from './plans.ts';
import { type RequestWindow, readWindow } from './request-window.ts';

/** A row of `meters`. */
export type Meter = Tables['meters'];

const dayMs = 86_400_000;
/** A stored day or month further in the future than this came from a wrong clock and is ignored. */
const windowsAheadMax = 1;

/** Upper bounds of a request's price and tokens. */
export interface Claim {
  /** Micro-dollars. */
  readonly price: number;
  readonly tokens: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Reserves the claim in `meter`. @throws {AccountError} ERR_RATE_LIMIT, ERR_QUOTA, ERR_BALANCE, without a reservation */
export function claim(meter: Meter, plan: Plan, { price, tokens, now }: Claim): void {
  openWindows(meter, now);
  const window = windowAt(meter, plan, now);
  // Stored even for a rejected request: after a clock went back, the minute's wait starts at the first request.
  if (window !== undefined) meter.recent_requests = window.text;
  const refusal =
    exceededRequestLimit(meter, plan, { window, now }) ??
    exceededTokenQuota(meter, plan, tokens) ??
    insufficientBalance(meter, price);
  if (refusal !== undefined) {
    const { code, message, details } = refusal;
    throw new AccountError(code, message, {
      details: { plan: plan.id, ...details },
      headers: limitHeaders(meter, plan, now),
    });
  }
  if (window !== undefined) meter.recent_requests = window.withOneMore();
  meter.day_requests += 1;
  meter.running += 1;
  meter.tokens_held += tokens;
  meter.available -= price;
  meter.held += price;
}

/** Builds the `X-RateLimit-*` headers of the tightest request limit (C-042) and OpenAI's variants; empty without limits. */
export function limitHeaders(meter: Meter, plan: Plan, now: number): Record<string, string> {
  const view = { ...meter };
  openWindows(view, now);
  const window = windowAt(view, plan, now);
  const limits: { limit: number; remaining: number; resetMs: number }[] = [];
  if (window !== undefined) {
    limits.push({ limit: window.limit, remaining: window.remaining, resetMs: window.fullAt - now });
  }
  if (plan.requestsPerDay !== undefined) {
    const remaining = Math.max(0, plan.requestsPerDay - view.day_requests);
    limits.push({ limit: plan.requestsPerDay, remaining, resetMs: (view.day + 1) * dayMs - now });
  }
  const tightest = limits.sort((a, b) => a.remaining - b.remaining)[0];
  const headers: Record<string, string> = {};
  if (tightest !== undefined) {
    headers['x-ratelimit-limit'] = String(tightest.limit);
    headers['x-ratelimit-remaining'] = String(tightest.remaining);
    headers['x-ratelimit-reset'] = String(Math.ceil((now + tightest.resetMs) / 1000));
    headers['x-ratelimit-limit-requests'] = String(tightest.limit);
    headers['x-ratelimit-remaining-requests'] = String(tightest.remaining);
    headers['x-ratelimit-reset-requests'] = duration(tightest.resetMs);
  }
  if (plan.tokensPerMonth !== undefined) {
    const remaining = Math.max(0, plan.tokensPerMonth - view.month_tokens - view.tokens_held);
    headers['x-ratelimit-limit-tokens'] = String(plan.tokensPerMonth);
    headers['x-ratelimit-remaining-tokens'] = String(remaining);
    headers['x-ratelimit-reset-tokens'] = duration(monthStart(view.month + 1) - now);
  }
  return headers;
}

/** Resets the counters of a day or month that is over. After a clock goes back by up to one, counting continues in the later one. */
export function openWindows(meter: Meter, now: number): void {
  const day = Math.floor(now / dayMs);
  if (isOver(meter.day, day)) Object.assign(meter, { day, day_requests: 0 });
  const month = monthOf(now);
  if (isOver(meter.month, month)) Object.assign(meter, { month, month_tokens: 0 });
}

function isOver(stored: number, current: number): boolean {
  return current > stored || stored - current > windowsAheadMax;
}

function windowAt(meter: Meter, { requestsPerMinute: limit }: Plan, now: number): RequestWindow | undefined {
  return limit === undefined ? undefined : readWindow(meter.recent_requests, { limit, now });
}

interface Refusal {
  readonly code: AccountErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

function exceededRequestLimit(
  meter: Meter,
  plan: Plan,
  { window, now }: { window: RequestWindow | undefined; now: number },
): Refusal | undefined {
  if (window !== undefined && window.remaining < 1) {
    const waitS = Math.max(1, Math.ceil((window.freeAt - now) / 1000));
    return limited(`the plan allows ${window.limit} requests a minute`, waitS);
  }
  if (plan.requestsPerDay !== undefined && meter.day_requests >= plan.requestsPerDay) {
    const waitS = Math.ceil(((meter.day + 1) * dayMs - now) / 1000);
    return limited(`the plan allows ${plan.requestsPerDay} requests a day`, waitS);
  }
  if (plan.concurrentRequestsMax !== undefined && meter.running >= plan.concurrentRequestsMax) {
    return limited(`the plan allows ${plan.concurrentRequestsMax} requests at a time`, 1);
  }
  return undefined;
}

/** Counts the tokens reserved by requests in flight as used, so the quota is never exceeded. A used-up quota also rejects requests without tokens. */
function exceededTokenQuota(meter: Meter, plan: Plan, tokens: number): Refusal | undefined {
  const limit = plan.tokensPerMonth;
  const { month_tokens: used, tokens_held: held } = meter;
  if (limit === undefined || (used < limit && used + held + tokens <= limit)) return undefined;
  return {
    code: 'ERR_QUOTA',
    message:
      `the plan allows ${limit} tokens a month: ${used} are used, ${held} are reserved by requests in flight, and this ` +
      `request can use ${tokens}`,
    details: { usage: { tokens_used: used, tokens_limit: limit } },
  };
}

function insufficientBalance({ available }: Meter, price: number): Refusal | undefined {
  if (price <= available) return undefined;
  return {
    code: 'ERR_BALANCE',
    message:
      `this request can cost up to ${formatDollars(price)} USD, and the balance is ${formatDollars(available)} USD: ` +
      'add funds, or lower max_tokens',
    details: { balance_micro_dollars: available, needed_micro_dollars: price },
  };
}

function limited(message: string, retryAfterSeconds: number): Refusal {
  return {
    code: 'ERR_RATE_LIMIT',
    message: `${message}: retry after ${retryAfterSeconds} s`,
    details: { retryAfterSeconds },
  };
}

/** Months since year 0. */
function monthOf(now: number): number {
  const date = new Date(now);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function monthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

/** Formats a duration as OpenAI does: `1s`, `6m0s`, `23h59m59s`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return `${h > 0 ? `${h}h` : ''}${h > 0 || m > 0 ? `${m}m` : ''}${s}s`;
}
