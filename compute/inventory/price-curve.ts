/** The current price of a tier (C-058). Pure. */

/** Prices in micro-dollars per hour. */
export interface PriceCurve {
  readonly basePrice: number;
  readonly priceMin: number;
  readonly priceMax: number;
  /** 0 for a fixed price. */
  readonly exponent: number;
}

/**
 * The base price applies when half of the tier is rented; the price falls below that rate and rises above it:
 * `base × (0.5 + rentalRate)^k`, clamped to the bounds and rounded up to a hundredth of a cent.
 * @param rentalRate share of the tier's GPUs that is rented, 0…1
 */
export function priceAt({ basePrice, priceMin, priceMax, exponent }: PriceCurve, rentalRate: number): number {
  const moved = basePrice * (0.5 + Math.min(1, Math.max(0, rentalRate))) ** exponent;
  const bounded = Math.min(priceMax, Math.max(priceMin, moved));
  return Math.min(priceMax, Math.ceil(bounded / 100) * 100);
}
