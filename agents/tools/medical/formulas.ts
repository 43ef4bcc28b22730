/** Clinical formulas. Pure functions of numbers, each with its publication. None of them makes a diagnosis. */
import { roundTo } from './rounding.ts';

export type Sex = 'female' | 'male';

/**
 * Estimated glomerular filtration rate by creatinine, CKD-EPI 2021 without race:
 * 142 · min(Scr/κ, 1)^α · max(Scr/κ, 1)^−1.200 · 0.9938^age · 1.012 [female]; κ 0.7 or 0.9, α −0.241 or −0.302.
 *
 * @param creatinineMgDl above 0 · @param ageYears 18 and more · @returns mL/min/1.73 m², whole, as laboratories report it
 * @see Inker et al., N Engl J Med 2021;385:1737–1749
 */
export function egfrCkdEpi2021(creatinineMgDl: number, ageYears: number, sex: Sex): number {
  const female = sex === 'female';
  const ratio = creatinineMgDl / (female ? 0.7 : 0.9);
  const low = Math.min(ratio, 1) ** (female ? -0.241 : -0.302);
  const high = Math.max(ratio, 1) ** -1.2;
  return roundTo(142 * low * high * 0.9938 ** ageYears * (female ? 1.012 : 1), 0);
}

/**
 * @returns the GFR category of chronic kidney disease, if it persists for three months @see KDIGO 2024, CKD guideline, table 1
 */
export function gfrCategory(egfr: number): 'G1' | 'G2' | 'G3a' | 'G3b' | 'G4' | 'G5' {
  if (egfr >= 90) return 'G1';
  if (egfr >= 60) return 'G2';
  if (egfr >= 45) return 'G3a';
  if (egfr >= 30) return 'G3b';
  return egfr >= 15 ? 'G4' : 'G5';
}

/**
 * Creatinine clearance, to which product labels refer: (140 − age) · weight / (72 · Scr), times 0.85 in women.
 * @returns mL/min, whole @see Cockcroft, Gault, Nephron 1976;16:31–41
 */
export function creatinineClearance(creatinineMgDl: number, ageYears: number, weightKg: number, sex: Sex): number {
  return roundTo((((140 - ageYears) * weightKg) / (72 * creatinineMgDl)) * (sex === 'female' ? 0.85 : 1), 0);
}

/** Weight divided by the square of height. @returns kg/m², one decimal @see WHO Technical Report Series 894 (2000) */
export function bodyMassIndex(weightKg: number, heightCm: number): number {
  return roundTo(weightKg / (heightCm / 100) ** 2, 1);
}

/** Categories for adults. @see WHO Technical Report Series 894 (2000), table 2.1 */
export function bmiClass(bmi: number): string {
  if (bmi < 18.5) return 'underweight';
  if (bmi < 25) return 'normal range';
  if (bmi < 30) return 'pre-obese';
  if (bmi < 35) return 'obesity class I';
  return bmi < 40 ? 'obesity class II' : 'obesity class III';
}

export interface CorrectedQt {
  /** QT / √RR. @see Bazett, Heart 1920;7:353–370 */
  readonly bazettMs: number;
  /** QT / ∛RR. @see Fridericia, Acta Med Scand 1920;53:469–486 */
  readonly fridericiaMs: number;
  /** QT + 154 · (1 − RR). @see Sagie et al., Am J Cardiol 1992;70:797–801 (Framingham) */
  readonly framinghamMs: number;
  /** QT + 1.75 · (rate − 60). @see Hodges et al., J Am Coll Cardiol 1983;1:694 */
  readonly hodgesMs: number;
}

/** @param ratePerMinute above 0; RR is 60 s over it · @returns milliseconds, whole */
export function correctedQt(qtMs: number, ratePerMinute: number): CorrectedQt {
  const rr = 60 / ratePerMinute;
  return {
    bazettMs: roundTo(qtMs / Math.sqrt(rr), 0),
    fridericiaMs: roundTo(qtMs / Math.cbrt(rr), 0),
    framinghamMs: roundTo(qtMs + 154 * (1 - rr), 0),
    hodgesMs: roundTo(qtMs + 1.75 * (ratePerMinute - 60), 0),
  };
}

/**
 * For adults: long from 450 ms in men and 460 ms in women, short up to 390. @see Rautaharju et al., AHA/ACCF/HRS 2009, part IV
 */
export function qtClass(correctedMs: number, sex: Sex | undefined): string {
  if (correctedMs >= 500) return 'markedly prolonged';
  if (correctedMs >= (sex === 'male' ? 450 : 460)) return 'prolonged';
  return correctedMs <= 390 ? 'short' : 'within limits';
}

/** Na − (Cl + HCO₃), all mmol/L. @returns mmol/L, one decimal @see Emmett, Narins, Medicine 1977;56:38–54 */
export function anionGap(sodium: number, chloride: number, bicarbonate: number): number {
  return roundTo(sodium - chloride - bicarbonate, 1);
}

/** Total calcium + 0.02 · (40 − albumin g/L). @returns mmol/L, two decimals @see Payne et al., BMJ 1973;4:643–646 */
export function albuminCorrectedCalcium(calciumMmolL: number, albuminGL: number): number {
  return roundTo(calciumMmolL + 0.02 * (40 - albuminGL), 2);
}
