/** The MELD scores, which determine the allocation of livers. Pure. */
import type { Sex } from './formulas.ts';
import { roundTo } from './rounding.ts';

export interface MeldInput {
  readonly bilirubinMgDl: number;
  readonly creatinineMgDl: number;
  readonly inr: number;
  /** Dialysis twice within a week, or 24 hours of continuous haemodialysis: creatinine then counts as its upper bound. */
  readonly dialysis: boolean;
}

/**
 * 9.57 · ln(creatinine) + 3.78 · ln(bilirubin) + 11.2 · ln(INR) + 6.43, values below 1 as 1, creatinine at most 4.
 *
 * @returns 6 to 40 @see Kamath et al., Hepatology 2001;33:464–470; OPTN Policy 9.1.D (2016)
 */
export function meld(input: MeldInput): number {
  return between(6, roundTo(unrounded(input), 0), 40);
}

/**
 * MELD + 1.32 · (137 − Na) − 0.033 · MELD · (137 − Na), where the MELD is above 11; sodium from 125 to 137.
 *
 * @returns 6 to 40 @see Biggins et al., Gastroenterology 2006;130:1652–1660; OPTN Policy 9.1.D (2016)
 */
export function meldNa(input: MeldInput, sodium: number): number {
  // The policy rounds the first part to a hundredth, which is an integer after the multiplication by ten.
  const score = roundTo(unrounded(input), 0);
  if (score <= 11) return between(6, score, 40);
  const missing = 137 - between(125, sodium, 137);
  return between(6, roundTo(score + 1.32 * missing - 0.033 * score * missing, 0), 40);
}

/**
 * 1.33 [female] + 4.56 · ln(bilirubin) + 0.82 · (137 − Na) − 0.24 · (137 − Na) · ln(bilirubin) + 9.09 · ln(INR)
 * + 11.14 · ln(creatinine) + 1.85 · (3.5 − albumin) − 1.83 · (3.5 − albumin) · ln(creatinine) + 6; values below 1 as 1, creatinine at
 * most 3, sodium from 125 to 137, albumin from 1.5 to 3.5 g/dL.
 *
 * @returns 6 to 40 @see Kim et al., Gastroenterology 2021;161:1887–1895; OPTN Policy 9.1.D (2023)
 */
export function meld3(
  { bilirubinMgDl, creatinineMgDl, inr, dialysis }: MeldInput,
  sodium: number,
  albuminGDl: number,
  sex: Sex,
): number {
  const bilirubin = Math.log(Math.max(1, bilirubinMgDl));
  const creatinine = Math.log(dialysis ? 3 : between(1, creatinineMgDl, 3));
  const missingSodium = 137 - between(125, sodium, 137);
  const missingAlbumin = 3.5 - between(1.5, albuminGDl, 3.5);
  const score =
    (sex === 'female' ? 1.33 : 0) +
    4.56 * bilirubin +
    0.82 * missingSodium -
    0.24 * missingSodium * bilirubin +
    9.09 * Math.log(Math.max(1, inr)) +
    11.14 * creatinine +
    1.85 * missingAlbumin -
    1.83 * missingAlbumin * creatinine +
    6;
  return between(6, roundTo(score, 0), 40);
}

function unrounded({ bilirubinMgDl, creatinineMgDl, inr, dialysis }: MeldInput): number {
  const creatinine = dialysis ? 4 : between(1, creatinineMgDl, 4);
  return (
    9.57 * Math.log(creatinine) + 3.78 * Math.log(Math.max(1, bilirubinMgDl)) + 11.2 * Math.log(Math.max(1, inr)) + 6.43
  );
}

function between(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
