/**
 * Money as whole micro-dollars (millionths of a US dollar, C-153) in ordinary numbers. Every amount is bounded so that
 * sums stay far below 2^53 and are exact. Pure.
 */
import { AccountError } from './errors.ts';

/** A billion dollars: the most one account can have been paid in, 1/9 of what a number counts exactly. */
export const microDollarsMax = 1_000_000_000_000_000;

/** Whole micro-dollars; per million tokens, per image, per denoising step. A missing price is 0. */
export interface Pricing {
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
  readonly perImage?: number | undefined;
  readonly perStep?: number | undefined;
}

/** What a request uses, or can use at most. */
export interface Counts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly images?: number | undefined;
  /** Denoising steps over all images. */
  readonly steps?: number | undefined;
}

const million = 1_000_000n;

/**
 * The price of `counts`, rounded up once at the end. Never falls when a count rises, so a worst case covers what comes.
 * @param percent share of the model's price that the plan charges, 0…100 000
 * @throws {AccountError} ERR_AMOUNT_INVALID for a count or price that is no whole number, or above `microDollarsMax`
 */
export function priceOf(counts: Counts, pricing: Pricing, { percent = 100 }: { percent?: number } = {}): number {
  const millionths =
    whole(counts.promptTokens) * whole(pricing.promptPerMillion) +
    whole(counts.completionTokens) * whole(pricing.completionPerMillion) +
    (whole(counts.images ?? 0) * whole(pricing.perImage ?? 0) +
      whole(counts.steps ?? 0) * whole(pricing.perStep ?? 0)) *
      million;
  const divisor = million * 100n;
  const price = Number((millionths * whole(percent) + divisor - 1n) / divisor);
  if (price > microDollarsMax) throw new AccountError('ERR_AMOUNT_INVALID', 'the price is above what can be accounted');
  return price;
}

/** Prompt and completion tokens together: what a token quota counts. */
export function tokensOf({ promptTokens, completionTokens }: Counts): number {
  return promptTokens + completionTokens;
}

/** @param text dollars with at most six decimals, `12`, `0.5` · @returns micro-dollars · @throws {AccountError} ERR_AMOUNT_INVALID */
export function parseDollars(text: string): number {
  const match = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text);
  const amount = match === null ? Number.NaN : Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'));
  requireAmount(amount);
  return amount;
}

/** `12.345678`: six decimals, exact. */
export function formatDollars(microDollars: number): string {
  const digits = String(Math.abs(microDollars)).padStart(7, '0');
  return `${microDollars < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** @throws {AccountError} ERR_AMOUNT_INVALID unless a whole number of micro-dollars from 1 to `microDollarsMax` */
export function requireAmount(microDollars: number): void {
  if (Number.isSafeInteger(microDollars) && microDollars > 0 && microDollars <= microDollarsMax) return;
  throw new AccountError(
    'ERR_AMOUNT_INVALID',
    'an amount is above 0 and at most 1000000000 dollars, with no more than six decimals',
  );
}

function whole(value: number): bigint {
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new AccountError('ERR_AMOUNT_INVALID', `counts and prices are whole numbers from 0, got ${value}`);
}
