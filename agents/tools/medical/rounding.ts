/** Rounding for results that people read: half away from zero, without floating-point noise. */

/** @param places decimal places, 0 to 6 */
export function roundTo(value: number, places: number): number {
  const scale = 10 ** places;
  const scaled = Math.abs(value) * scale;
  // The margin corrects 1.005 · 100 = 100.49999….
  const rounded = Math.round(scaled + 1e-9 * Math.max(1, scaled)) / scale;
  return value < 0 && rounded !== 0 ? -rounded : rounded;
}

/** Three significant digits, for converted laboratory values. */
export function roundSignificant(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return 0;
  const places = Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value)))));
  return roundTo(value, places);
}
