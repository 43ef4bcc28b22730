import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  albuminCorrectedCalcium,
  anionGap,
  bmiClass,
  bodyMassIndex,
  correctedQt,
  creatinineClearance,
  egfrCkdEpi2021,
  gfrCategory,
  qtClass,
} from '../../../../agents/tools/medical/formulas.ts';
import { meld, meld3, meldNa } from '../../../../agents/tools/medical/meld.ts';
import { roundSignificant, roundTo } from '../../../../agents/tools/medical/rounding.ts';
import { strokeRisk } from '../../../../agents/tools/medical/stroke-risk.ts';

describe('eGFR by CKD-EPI 2021', () => {
  it('agrees with the calculator of the National Kidney Foundation', () => {
    // kidney.org: creatinine 1.2 mg/dL, 55 years, male: 71, G2.
    expect(egfrCkdEpi2021(1.2, 55, 'male')).toBe(71);
    expect(gfrCategory(71)).toBe('G2');
  });

  it.each([
    // The equation of Inker et al. 2021 evaluated by hand at its knots, where one factor is 1.
    [0.9, 50, 'male', 104],
    [0.7, 50, 'female', 105],
    [1.8, 50, 'male', 45],
    [1.4, 50, 'female', 46],
  ] as const)(
    'is correct at the thresholds of the formula: %d mg/dL, %d years, %s',
    (creatinine, age, sex, expected) => {
      expect(egfrCkdEpi2021(creatinine, age, sex)).toBe(expected);
    },
  );

  it('decreases with creatinine and with age', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 150 }),
        fc.integer({ min: 18, max: 99 }),
        fc.constantFrom('male' as const, 'female' as const),
        (tenths, age, sex) => {
          expect(egfrCkdEpi2021((tenths + 1) / 10, age, sex)).toBeLessThanOrEqual(
            egfrCkdEpi2021(tenths / 10, age, sex),
          );
          expect(egfrCkdEpi2021(tenths / 10, age + 1, sex)).toBeLessThanOrEqual(egfrCkdEpi2021(tenths / 10, age, sex));
        },
      ),
    );
  });

  it.each([
    [90, 'G1'],
    [89, 'G2'],
    [59, 'G3a'],
    [44, 'G3b'],
    [29, 'G4'],
    [14, 'G5'],
  ] as const)('assigns %d to category %s', (egfr, category) => {
    expect(gfrCategory(egfr)).toBe(category);
  });
});

describe('Cockcroft–Gault', () => {
  it('is (140 − age) · weight / (72 · creatinine), and 0.85 of it in women', () => {
    expect(creatinineClearance(1, 68, 72, 'male')).toBe(72);
    expect(creatinineClearance(1, 68, 72, 'female')).toBe(61);
  });
});

describe('body mass index', () => {
  it.each([
    // WHO's own boundaries.
    [70, 175, 22.9, 'normal range'],
    [53.5, 170, 18.5, 'normal range'],
    [90, 173, 30.1, 'obesity class I'],
    [45, 170, 15.6, 'underweight'],
    [120, 170, 41.5, 'obesity class III'],
  ])('of %d kg and %d cm is %d: %s', (weight, height, bmi, name) => {
    expect(bodyMassIndex(weight, height)).toBe(bmi);
    expect(bmiClass(bmi)).toBe(name);
  });
});

describe('corrected QT', () => {
  it('equals the QT at 60 beats per minute, by every formula', () => {
    fc.assert(
      fc.property(fc.integer({ min: 250, max: 700 }), (qt) => {
        expect(correctedQt(qt, 60)).toEqual({ bazettMs: qt, fridericiaMs: qt, framinghamMs: qt, hodgesMs: qt });
      }),
    );
  });

  it('equals manual calculations by the four formulas at 100 and at 50 beats per minute', () => {
    // RR 0.6 s: 360/√0.6, 360/∛0.6, 360 + 154·0.4, 360 + 1.75·40; RR 1.2 s likewise.
    expect(correctedQt(360, 100)).toEqual({ bazettMs: 465, fridericiaMs: 427, framinghamMs: 422, hodgesMs: 430 });
    expect(correctedQt(440, 50)).toEqual({ bazettMs: 402, fridericiaMs: 414, framinghamMs: 409, hodgesMs: 423 });
  });

  it('is classified as long from 450 ms in men and 460 ms in women', () => {
    expect([qtClass(450, 'male'), qtClass(450, 'female'), qtClass(500, 'female'), qtClass(380, undefined)]).toEqual([
      'prolonged',
      'within limits',
      'markedly prolonged',
      'short',
    ]);
  });
});

describe('MELD', () => {
  const healthy = { bilirubinMgDl: 1, creatinineMgDl: 1, inr: 1, dialysis: false };

  it('reproduces a published example', () => {
    // calculatorlib.com, "MELD score calculator": bilirubin 1.9, INR 1.2, creatinine 1.3: 13.41, so 13.
    expect(meld({ bilirubinMgDl: 1.9, creatinineMgDl: 1.3, inr: 1.2, dialysis: false })).toBe(13);
  });

  it('is 6 if every value is normal, 7 for a woman by MELD 3.0, and never above 40', () => {
    expect([
      meld(healthy),
      meldNa(healthy, 140),
      meld3(healthy, 140, 4, 'male'),
      meld3(healthy, 140, 4, 'female'),
    ]).toEqual([6, 6, 6, 7]);
    const worst = { bilirubinMgDl: 50, creatinineMgDl: 9, inr: 9, dialysis: false };
    expect([meld(worst), meldNa(worst, 120), meld3(worst, 120, 1, 'female')]).toEqual([40, 40, 40]);
  });

  it('reproduces a manual calculation by the policy', () => {
    // 9.57·ln 2 + 3.78·ln 3 + 11.2·ln 1.5 + 6.43 = 21.76: 22; with sodium 130: 22 + 9.24 − 5.082 = 26.16: 26.
    const input = { bilirubinMgDl: 3, creatinineMgDl: 2, inr: 1.5, dialysis: false };
    expect(meld(input)).toBe(22);
    expect(meldNa(input, 130)).toBe(26);
    // MELD 3.0, woman, albumin 2.5: 1.33 + 5.010 + 5.74 − 1.846 + 3.686 + 7.722 + 1.85 − 1.268 + 6 = 28.22.
    expect(meld3(input, 130, 2.5, 'female')).toBe(28);
  });

  it('counts dialysis as the upper bound of creatinine', () => {
    expect(meld({ ...healthy, dialysis: true })).toBe(meld({ ...healthy, creatinineMgDl: 4 }));
    expect(meld3({ ...healthy, dialysis: true }, 137, 3.5, 'male')).toBe(
      meld3({ ...healthy, creatinineMgDl: 3 }, 137, 3.5, 'male'),
    );
  });

  it('adds nothing for sodium up to a MELD of 11, nor above 137', () => {
    expect(meldNa({ ...healthy, bilirubinMgDl: 2 }, 120)).toBe(meld({ ...healthy, bilirubinMgDl: 2 }));
    fc.assert(
      fc.property(fc.integer({ min: 137, max: 160 }), (sodium) => {
        const input = { bilirubinMgDl: 6, creatinineMgDl: 2, inr: 2, dialysis: false };
        expect(meldNa(input, sodium)).toBe(meld(input));
      }),
    );
  });
});

describe('CHA₂DS₂-VASc', () => {
  const none = {
    heartFailure: false,
    hypertension: false,
    diabetes: false,
    strokeOrTia: false,
    vascularDisease: false,
  };

  it.each([
    // Lip et al. 2010, table 2: the points of each factor.
    [{ ...none, ageYears: 60, sex: 'male' }, 0, 0],
    [{ ...none, ageYears: 60, sex: 'female' }, 1, 0],
    [{ ...none, ageYears: 65, sex: 'male' }, 1, 1],
    [{ ...none, ageYears: 75, sex: 'male' }, 2, 2],
    [{ ...none, ageYears: 60, sex: 'male', strokeOrTia: true }, 2, 2],
    [
      {
        heartFailure: true,
        hypertension: true,
        diabetes: true,
        strokeOrTia: true,
        vascularDisease: true,
        ageYears: 80,
        sex: 'female',
      },
      9,
      8,
    ],
  ] as const)('of %j is %d, without sex %d', (input, vasc, va) => {
    expect(strokeRisk(input)).toMatchObject({ cha2ds2Vasc: vasc, cha2ds2Va: va });
  });
});

describe('other formulas', () => {
  it('anion gap and corrected calcium', () => {
    expect(anionGap(140, 104, 24)).toBe(12);
    expect(albuminCorrectedCalcium(2.1, 30)).toBe(2.3);
    expect(albuminCorrectedCalcium(2.1, 40)).toBe(2.1);
  });

  it('rounds without binary floating-point noise', () => {
    expect([roundTo(1.005, 2), roundTo(-1.005, 2), roundTo(2.5, 0), roundTo(-0.001, 1)]).toEqual([1.01, -1.01, 3, 0]);
    expect([roundSignificant(0.12345), roundSignificant(123.45), roundSignificant(12345), roundSignificant(0)]).toEqual(
      [0.123, 123, 12345, 0],
    );
  });
});
