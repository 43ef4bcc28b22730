/** CHA₂DS₂-VASc, the risk of stroke in atrial fibrillation. Pure. */
import type { Sex } from './formulas.ts';

export interface StrokeRiskInput {
  readonly ageYears: number;
  readonly sex: Sex;
  readonly heartFailure: boolean;
  readonly hypertension: boolean;
  readonly diabetes: boolean;
  readonly strokeOrTia: boolean;
  readonly vascularDisease: boolean;
}

export interface StrokeRisk {
  /** 0 to 9. */
  readonly cha2ds2Vasc: number;
  /** Without the point for female sex, as the ESC recommends since 2024; 0 to 8. */
  readonly cha2ds2Va: number;
  /** The items that scored, in the order of the score's name. */
  readonly points: readonly string[];
}

/**
 * Heart failure 1, hypertension 1, age from 75 2, diabetes 1, stroke or TIA 2, vascular disease 1, age 65 to 74 1, female sex 1.
 *
 * @see Lip et al., Chest 2010;137:263–272; ESC guidelines on atrial fibrillation 2020 §11.1 and 2024 §6.1
 */
export function strokeRisk(input: StrokeRiskInput): StrokeRisk {
  const { ageYears } = input;
  const rows: readonly (readonly [boolean, number, string])[] = [
    [input.heartFailure, 1, 'heart failure'],
    [input.hypertension, 1, 'hypertension'],
    [ageYears >= 75, 2, 'age 75 or more'],
    [input.diabetes, 1, 'diabetes'],
    [input.strokeOrTia, 2, 'stroke or TIA'],
    [input.vascularDisease, 1, 'vascular disease'],
    [ageYears >= 65 && ageYears < 75, 1, 'age 65 to 74'],
  ];
  const given = rows.filter(([holds]) => holds);
  const cha2ds2Va = given.reduce((sum, [, points]) => sum + points, 0);
  const female = input.sex === 'female';
  return {
    cha2ds2Vasc: cha2ds2Va + (female ? 1 : 0),
    cha2ds2Va,
    points: [...given.map(([, points, what]) => `${what} ${points}`), ...(female ? ['female sex 1'] : [])],
  };
}
