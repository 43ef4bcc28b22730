/**
 * Medicines that require caution with a laboratory value or an age. Written from the European product information of the
 * medicines (sections 4.2 to 4.4), with its thresholds. Not complete.
 */
import type { Drug } from './drugs.ts';

/** A value that was read or computed; NaN if it is unknown, so that every comparison is false. */
export interface Readings {
  readonly egfr: number;
  readonly qtc: number;
  readonly age: number;
  lab(key: string): number;
}

export interface DrugLabRule {
  applies(drug: Drug): boolean;
  when(readings: Readings): boolean;
  reason(readings: Readings): string;
}

const named =
  (...names: readonly string[]) =>
  ({ name }: Drug) =>
    names.includes(name);
const inGroup =
  (...groups: readonly string[]) =>
  (drug: Drug) =>
    groups.some((group) => drug.groups.includes(group));

export const drugLabRules: readonly DrugLabRule[] = [
  {
    applies: named('metformin'),
    when: ({ egfr }) => egfr < 30,
    reason: ({ egfr }) => `contraindicated below an eGFR of 30 (here ${egfr}): lactic acidosis`,
  },
  {
    applies: named('metformin'),
    when: ({ egfr }) => egfr >= 30 && egfr < 45,
    reason: ({ egfr }) => `at most 1,000 mg daily at an eGFR of 30 to 44 (here ${egfr})`,
  },
  {
    applies: named('dabigatran'),
    when: ({ egfr }) => egfr < 30,
    reason: ({ egfr }) => `contraindicated below a clearance of 30 (eGFR here ${egfr}; the label uses Cockcroft–Gault)`,
  },
  {
    applies: named('apixaban', 'rivaroxaban', 'edoxaban'),
    when: ({ egfr }) => egfr < 30,
    reason: ({ egfr }) => `adjust the dose to the clearance, not recommended below 15 (eGFR here ${egfr})`,
  },
  {
    applies: inGroup('nsaid'),
    when: ({ egfr }) => egfr < 60,
    reason: ({ egfr }) => `${egfr < 30 ? 'contraindicated' : 'avoid'} with an eGFR of ${egfr}`,
  },
  {
    applies: named('nitrofurantoin'),
    when: ({ egfr }) => egfr < 45,
    reason: ({ egfr }) => `ineffective and neurotoxic below an eGFR of 45 (here ${egfr})`,
  },
  {
    applies: inGroup('gabapentinoid'),
    when: ({ egfr }) => egfr < 60,
    reason: ({ egfr }) => `reduce by kidney function (eGFR here ${egfr})`,
  },
  {
    applies: named('methotrexate', 'lithium carbonate', 'colchicine'),
    when: ({ egfr }) => egfr < 60,
    reason: ({ egfr }) => `accumulates with kidney failure (eGFR here ${egfr}): level or blood count, dose`,
  },
  {
    applies: named('digoxin', 'allopurinol', 'enoxaparin', 'levofloxacin', 'gentamicin', 'vancomycin'),
    when: ({ egfr }) => egfr < 50,
    reason: ({ egfr }) => `dose by kidney function (eGFR here ${egfr})`,
  },
  {
    applies: inGroup('raas', 'potassiumsparing', 'potassium', 'trimethoprim'),
    when: ({ lab }) => lab('potassium') > 5,
    reason: ({ lab }) => `raises potassium, which is ${lab('potassium')} mmol/L`,
  },
  {
    applies: inGroup('diuretic', 'glycoside', 'qt'),
    when: ({ lab }) => lab('potassium') < 3.5,
    reason: ({ lab }) => `risk with low potassium (${lab('potassium')} mmol/L)`,
  },
  {
    applies: inGroup('thiazide', 'ssri', 'snri'),
    when: ({ lab }) => lab('sodium') < 130,
    reason: ({ lab }) => `can cause low sodium, which is ${lab('sodium')} mmol/L`,
  },
  {
    applies: inGroup('qt'),
    when: ({ qtc }) => qtc >= 500,
    reason: ({ qtc }) => `prolongs QT, which is ${qtc} ms corrected`,
  },
  {
    applies: inGroup('vka'),
    when: ({ lab }) => lab('inr') > 4.5,
    reason: ({ lab }) => `INR is ${lab('inr')}`,
  },
  {
    applies: inGroup('anticoagulant', 'antiplatelet'),
    when: ({ lab }) => lab('platelets') < 50,
    reason: ({ lab }) => `platelets are ${lab('platelets')} · 10⁹/L: bleeding`,
  },
  {
    applies: inGroup('benzodiazepine', 'hypnotic'),
    when: ({ age }) => age >= 65,
    reason: ({ age }) => `risk of falls and confusion in older patients (age ${age})`,
  },
  {
    applies: named('glibenclamide', 'glimepiride'),
    when: ({ age, egfr }) => age >= 75 || egfr < 60,
    reason: () => 'long-acting sulfonylurea: risk of hypoglycaemia in older patients and in kidney failure',
  },
  {
    applies: named('citalopram'),
    when: ({ age }) => age > 65,
    reason: ({ age }) => `at most 20 mg daily above 65 years (age ${age})`,
  },
];
