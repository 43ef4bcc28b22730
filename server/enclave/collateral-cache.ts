/** Intel's collateral for this machine, fetched once and kept for a while: a tenant's question must not wait for Intel. */
import type { Collateral } from '../../attestation/collateral/collateral.ts';
import { type PlatformFamily, platformFamilyOfChain } from '../../attestation/collateral/platform-family.ts';
import { AttestationError } from '../../attestation/errors.ts';
import { parseQuote } from '../../attestation/quote/quote.ts';

export interface CollateralCacheOptions {
  /** @throws {AttestationError} */
  readonly fetchCollateral: (family: PlatformFamily) => Promise<Collateral>;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** Intel publishes new collateral about once a month and dates it for as long. */
const freshMs = 6 * 3_600_000;
/** Past `freshMs` a copy is still served while nothing better is to be had. */
const staleMs = 7 * 86_400_000;
/** Between two attempts after a failure. */
const retryMs = 60_000;

export class CollateralCache {
  readonly #options: CollateralCacheOptions;
  #kept: { readonly collateral: Collateral; readonly fetchedAt: number } | undefined;
  #running: Promise<Collateral> | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(options: CollateralCacheOptions) {
    this.#options = options;
  }

  /** Whoever asks while it is being fetched waits for the same answer. @throws {AttestationError} */
  async get(quote: Uint8Array): Promise<Collateral> {
    const now = this.#options.now();
    if (this.#kept !== undefined && now - this.#kept.fetchedAt < freshMs) return this.#kept.collateral;
    try {
      return await this.#refresh(quote, now);
    } catch (error) {
      if (this.#kept !== undefined && now - this.#kept.fetchedAt < staleMs) return this.#kept.collateral;
      throw error;
    }
  }

  async #refresh(quote: Uint8Array, now: number): Promise<Collateral> {
    if (this.#failure !== undefined && now - this.#failure.at < retryMs) throw this.#failure.error;
    this.#running ??= this.#renew(quote, now).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #renew(quote: Uint8Array, now: number): Promise<Collateral> {
    try {
      const collateral = await this.#options.fetchCollateral(platformFamilyOfChain(parseQuote(quote)));
      this.#kept = { collateral, fetchedAt: now };
      this.#failure = undefined;
      return collateral;
    } catch (cause) {
      const error =
        cause instanceof AttestationError
          ? cause
          : new AttestationError('ERR_COLLATERAL_UNAVAILABLE', 'collateral could not be fetched', { cause });
      this.#failure = { error, at: now };
      throw error;
    }
  }
}
