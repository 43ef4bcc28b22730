/** Caches Intel's collateral by platform family, so that requests do not wait for Intel. */
import { AttestationError } from '../base/errors.ts';
import type { Collateral } from './collateral.ts';
import type { PlatformFamily } from './platform-family.ts';

export interface CollateralCacheOptions {
  /** @throws {AttestationError} */
  readonly fetchCollateral: (family: PlatformFamily) => Promise<Collateral>;
  /** A monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** Intel publishes new collateral about once a month, valid for about a month. */
const freshMs = 6 * 3_600_000;
/** After `freshMs`, a copy is still served while the source does not respond. */
const staleMs = 7 * 86_400_000;
/** Minimum time between two attempts after a failure. */
const retryMs = 60_000;
/** Above the number of families of any server or client; beyond it, the oldest entry is evicted. */
const familiesMax = 16;

interface Entry {
  kept?: { readonly collateral: Collateral; readonly fetchedAt: number };
  running?: Promise<Collateral> | undefined;
  failure?: { readonly error: unknown; readonly at: number } | undefined;
}

export class CollateralCache {
  readonly #options: CollateralCacheOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: CollateralCacheOptions) {
    this.#options = options;
  }

  /** Concurrent callers share one fetch. @throws {AttestationError} */
  async get(family: PlatformFamily): Promise<Collateral> {
    const entry = this.#entryOf(family);
    const now = this.#options.now();
    const { kept } = entry;
    if (kept !== undefined && now - kept.fetchedAt < freshMs) return kept.collateral;
    try {
      return await this.#refresh(entry, family, now);
    } catch (error) {
      if (kept !== undefined && now - kept.fetchedAt < staleMs) return kept.collateral;
      throw error;
    }
  }

  #entryOf({ fmspc, ca }: PlatformFamily): Entry {
    const name = `${ca} ${fmspc}`;
    const entry = this.#entries.get(name) ?? {};
    this.#entries.set(name, entry);
    if (this.#entries.size > familiesMax) this.#entries.delete(this.#entries.keys().next().value!);
    return entry;
  }

  async #refresh(entry: Entry, family: PlatformFamily, now: number): Promise<Collateral> {
    if (entry.failure !== undefined && now - entry.failure.at < retryMs) throw entry.failure.error;
    entry.running ??= this.#renew(entry, family, now).finally(() => {
      entry.running = undefined;
    });
    return entry.running;
  }

  async #renew(entry: Entry, family: PlatformFamily, now: number): Promise<Collateral> {
    try {
      const collateral = await this.#options.fetchCollateral(family);
      entry.kept = { collateral, fetchedAt: now };
      entry.failure = undefined;
      return collateral;
    } catch (cause) {
      const error =
        cause instanceof AttestationError
          ? cause
          : new AttestationError('ERR_COLLATERAL_UNAVAILABLE', 'collateral could not be fetched', { cause });
      entry.failure = { error, at: now };
      throw error;
    }
  }
}
