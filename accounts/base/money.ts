/**
 * Money as whole micro-dollars (millionths of a US dollar, C-153) in numbers. Every amount is bounded, so that sums stay
 * below 2^53 and are exact. Pure.
 */
import { AccountError } from './errors.ts';

/** The most that can be paid into one account: a billion dollars, 1/9 of the largest exact integer of a number. */
export const microDollarsMax = 1_000_000_000_000_000;

/** Whole micro-dollars; per million tokens, per image, per denoising step. A missing price is 0. */
export interface Pricing {
  readonly promptPerMillion: number;
  readonly completionPerMillion: number;
  readonly perImage?: number | undefined;
  readonly perStep?: number | undefined;
}

/** Tokens, images and steps that a request has used, or can use at most. */
export interface Counts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly images?: number | undefined;
  /** Denoising steps over all images. */
  readonly steps?: number | undefined;
}

const million = 1_000_000n;

/**
 * Returns the price of `counts`, rounded up once at the end. It never decreases when a count increases, so the price of
 * the maximum counts bounds the price of the actual ones.
 * @param percent share of the model's price that the plan charges, 0…100 000
 * @throws {AccountError} ERR_AMOUNT_INVALID for a count or price that is not a whole number, or above `microDollarsMax`
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
  if (price > microDollarsMax)
    throw new AccountError(
      'ERR_AMOUNT_INVALID',
      `the price exceeds the maximum of ${formatDollars(microDollarsMax)} USD`,
    );
  return price;
}

/** Sums prompt and completion tokens, as token quotas count them. */
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

/** Formats an amount exactly, with six decimals: `12.345678`. */
export function formatDollars(microDollars: number): string {
  const digits = String(Math.abs(microDollars)).padStart(7, '0');
  return `${microDollars < 0 ? '-' : ''}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** @throws {AccountError} ERR_AMOUNT_INVALID unless a whole number of micro-dollars from 1 to `microDollarsMax` */
export function requireAmount(microDollars: number): void {
  if (Number.isSafeInteger(microDollars) && microDollars > 0 && microDollars <= microDollarsMax) return;
  throw new AccountError(
    'ERR_AMOUNT_INVALID',
    'the amount must be above 0 and at most 1000000000 dollars, with at most six decimals',
  );
}

function whole(value: number): bigint {
  if (Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  throw new AccountError('ERR_AMOUNT_INVALID', `counts and prices must be whole numbers of at least 0, got ${value}`);
}
