/** What a tier costs now (C-058, D8). Pure. */

/** Micro-dollars per hour, but for the exponent. */
export interface PriceCurve {
  readonly basePrice: number;
  readonly priceMin: number;
  readonly priceMax: number;
  /** 0: the price does not move. */
  readonly exponent: number;
}

/**
 * The base price is that of a tier of which half is rented; fewer takers make it cheaper, more make it dearer:
 * `base × (0.5 + rentalRate)^k`, kept between the bounds and rounded up to a whole hundredth of a cent.
 * @param rentalRate share of the tier's GPUs that is rented, 0…1
 */
export function priceAt({ basePrice, priceMin, priceMax, exponent }: PriceCurve, rentalRate: number): number {
  const moved = basePrice * (0.5 + Math.min(1, Math.max(0, rentalRate))) ** exponent;
  const bounded = Math.min(priceMax, Math.max(priceMin, moved));
  return Math.min(priceMax, Math.ceil(bounded / 100) * 100);
}
