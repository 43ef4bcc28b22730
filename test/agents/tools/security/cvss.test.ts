import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { severityOf } from '../../../../agents/tools/security/cvss-metrics.ts';
import { scoreCvss3 } from '../../../../agents/tools/security/cvss3.ts';
import { scoreCvss4 } from '../../../../agents/tools/security/cvss4.ts';

/** FIRST, "Common Vulnerability Scoring System v3.1: Examples". */
const examples31: readonly (readonly [string, string, number])[] = [
  ['CVE-2013-0375', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4],
  ['CVE-2014-3566', 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N', 3.1],
  ['CVE-2012-1516', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:C/C:H/I:H/A:H', 9.9],
  ['CVE-2009-0783', 'CVSS:3.1/AV:L/AC:L/PR:H/UI:N/S:U/C:L/I:L/A:L', 4.2],
  ['CVE-2012-0384', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8],
  ['CVE-2014-2019', 'CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6],
  ['CVE-2014-0160', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N', 7.5],
  ['CVE-2014-6271', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 9.8],
  ['CVE-2008-1447', 'CVSS:3.1/AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:H/A:N', 6.8],
  ['CVE-2014-2005', 'CVSS:3.1/AV:P/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 6.8],
  ['CVE-2010-0467', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:L/I:N/A:N', 5.8],
  ['CVE-2013-6014', 'CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:C/C:H/I:N/A:H', 9.3],
  ['CVE-2014-9253', 'CVSS:3.1/AV:N/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N', 5.4],
  ['CVE-2009-0658', 'CVSS:3.1/AV:L/AC:L/PR:N/UI:R/S:U/C:H/I:H/A:H', 7.8],
  ['CVE-2011-1265', 'CVSS:3.1/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.8],
];

/** Base, temporal, environmental; from the test vectors of Red Hat's cvss library, which FIRST's 3.0 calculator gave. */
const groups30: readonly (readonly [string, number, number, number])[] = [
  ['CVSS:3.0/AV:L/AC:L/PR:L/UI:R/S:C/C:L/I:L/A:N/MAV:A/MAC:L/MPR:N/MUI:N/MS:U/MC:L/MI:N/MA:N', 4.6, 4.6, 4.3],
  [
    'CVSS:3.0/AV:L/AC:H/PR:H/UI:N/S:C/C:N/I:H/A:N/E:P/RL:U/RC:U/CR:H/IR:L/AR:H/MAV:L/MUI:R/MS:C/MC:N/MI:L/MA:N',
    5.3,
    4.6,
    1.3,
  ],
  ['CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:H', 9.6, 9.6, 9.6],
  ['CVSS:3.0/AV:N/AC:H/PR:N/UI:N/S:C/C:N/I:H/A:N', 6.8, 6.8, 6.8],
  ['CVSS:3.0/AV:L/AC:L/PR:H/UI:R/S:U/C:H/I:N/A:H/MPR:N', 5.8, 5.8, 7.1],
  ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:C/C:L/I:L/A:N', 6.4, 6.4, 6.4],
  ['CVSS:3.0/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H', 8.8, 8.8, 8.8],
  ['CVSS:3.0/AV:A/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', 8.8, 8.8, 8.8],
  ['CVSS:3.0/AV:P/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N', 4.6, 4.6, 4.6],
  ['CVSS:3.0/S:U/AV:N/AC:L/PR:H/UI:N/C:L/I:L/A:N/E:F/RL:X', 3.8, 3.7, 3.7],
  [
    'CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:H/I:H/A:N/E:H/RL:O/RC:C/CR:H/IR:H/AR:H/MAV:N/MAC:L/MPR:L/MUI:N/MS:C/MC:H/MI:H/MA:H',
    9.3,
    8.9,
    9.5,
  ],
];

/** From the test vectors of Red Hat's cvss library, which FIRST's 4.0 calculator gave. */
const examples40: readonly (readonly [string, number])[] = [
  ['CVSS:4.0/AV:L/AC:H/AT:N/PR:N/UI:P/VC:N/VI:L/VA:H/SC:H/SI:H/SA:H', 7.1],
  ['CVSS:4.0/AV:A/AC:L/AT:N/PR:L/UI:P/VC:L/VI:H/VA:N/SC:N/SI:H/SA:N', 6.7],
  ['CVSS:4.0/AV:P/AC:L/AT:N/PR:L/UI:P/VC:H/VI:L/VA:N/SC:L/SI:L/SA:L', 5.2],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:L/UI:N/VC:L/VI:L/VA:H/SC:L/SI:L/SA:H', 7.2],
  ['CVSS:4.0/AV:N/AC:H/AT:N/PR:N/UI:N/VC:L/VI:N/VA:H/SC:H/SI:L/SA:H', 9.1],
  ['CVSS:4.0/AV:N/AC:H/AT:N/PR:H/UI:N/VC:N/VI:N/VA:L/SC:L/SI:L/SA:H', 5.1],
  ['CVSS:4.0/AV:L/AC:H/AT:P/PR:L/UI:P/VC:L/VI:L/VA:L/SC:L/SI:H/SA:H', 2.3],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:L/UI:A/VC:N/VI:N/VA:N/SC:L/SI:N/SA:H', 4.5],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:N/VC:L/VI:N/VA:N/SC:H/SI:N/SA:N', 1.8],
  ['CVSS:4.0/AV:A/AC:H/AT:N/PR:L/UI:P/VC:H/VI:L/VA:H/SC:N/SI:H/SA:L', 5.8],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:N/VI:L/VA:L/SC:H/SI:L/SA:L', 7],
  ['CVSS:4.0/AV:N/AC:H/AT:N/PR:L/UI:P/VC:H/VI:N/VA:N/SC:N/SI:L/SA:L', 5.9],
  ['CVSS:4.0/AV:P/AC:L/AT:P/PR:L/UI:A/VC:N/VI:H/VA:N/SC:L/SI:L/SA:H', 5.8],
  ['CVSS:4.0/AV:P/AC:L/AT:P/PR:N/UI:A/VC:L/VI:L/VA:H/SC:N/SI:N/SA:H', 5.7],
  ['CVSS:4.0/AV:N/AC:L/AT:P/PR:H/UI:A/VC:N/VI:N/VA:H/SC:L/SI:H/SA:L', 6.9],
  ['CVSS:4.0/AV:A/AC:H/AT:P/PR:N/UI:A/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N', 2],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/CR:H/IR:H/AR:L', 7.2],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/CR:M/IR:L/AR:L', 5.5],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/CR:M/IR:M/AR:M', 5.5],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/CR:H/IR:H/AR:M', 7.2],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N/E:U', 0],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N/E:A', 0],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/E:A', 7.3],
  ['CVSS:4.0/AV:P/AC:H/AT:P/PR:H/UI:A/VC:H/VI:H/VA:H/SC:H/SI:H/SA:H/S:N/AU:N/R:U/V:D/RE:M/U:Red', 7.3],
  ['CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:N/VI:N/VA:N/SC:N/SI:N/SA:N/S:P/AU:N/R:I/V:D/RE:H/U:Red', 0],
];

describe('CVSS 3.x', () => {
  it.each(examples31)("scores %s like FIRST's calculator", (_cve, vector, score) => {
    expect(scoreCvss3(vector)).toMatchObject({ base: score, overall: score });
  });

  it.each(groups30)('scores all groups of %s', (vector, base, temporal, environmental) => {
    const score = scoreCvss3(vector);
    if ('error' in score) throw new Error(score.error);
    expect(score.base).toBe(base);
    expect(score.temporal ?? score.base).toBe(temporal);
    expect(score.environmental ?? score.temporal ?? score.base).toBe(environmental);
  });

  it('rounds 10 × 0.92 to 9.2, which in binary floating point is slightly more', () => {
    const metrics = 'AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H/RC:U';
    expect(scoreCvss3(`CVSS:3.1/${metrics}`)).toMatchObject({ base: 10, temporal: 9.2 });
    expect(scoreCvss3(`CVSS:3.0/${metrics}`)).toMatchObject({ base: 10, temporal: 9.2 });
  });

  it('scores a vector without impact as none', () => {
    expect(scoreCvss3('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N')).toMatchObject({ base: 0, severity: 'none' });
  });

  it('accepts metrics in any order and returns them in the order of the specification', () => {
    expect(scoreCvss3('CVSS:3.1/A:H/I:H/C:H/S:U/UI:N/PR:N/AC:L/AV:N')).toMatchObject({
      vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
      overall: 9.8,
    });
  });

  it.each([
    ['a metric given twice', 'CVSS:3.1/AV:N/AV:L/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', /twice/],
    ['a missing metric', 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H', /not computable: A missing/],
    [
      'an unknown metric',
      'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H/XX:N',
      /metric that its version does not define/,
    ],
    ['a value of another metric', 'CVSS:3.1/AV:H/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', /metric AV/],
    ['another prefix', 'CVSS:2.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H', /must begin/],
  ])('refuses %s', (_what, vector, message) => {
    expect(scoreCvss3(vector)).toEqual({ error: expect.stringMatching(message) });
  });
});

describe('CVSS 4.0', () => {
  it.each(examples40)('scores %s', (vector, score) => {
    expect(scoreCvss4(vector)).toMatchObject({ overall: score, severity: severityOf(score) });
  });

  it('names the metric groups in the score', () => {
    const base = 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';
    expect(scoreCvss4(base)).toMatchObject({ nomenclature: 'CVSS-B', overall: 9.3 });
    expect(scoreCvss4(`${base}/E:P`)).toMatchObject({ nomenclature: 'CVSS-BT' });
    expect(scoreCvss4(`${base}/MAV:L`)).toMatchObject({ nomenclature: 'CVSS-BE' });
    expect(scoreCvss4(`${base}/E:U/CR:L`)).toMatchObject({ nomenclature: 'CVSS-BTE' });
  });

  it('never scores a vector lower for a more severe value of one base metric', () => {
    const order = { AV: 'NALP', AC: 'LH', AT: 'NP', PR: 'NLH', UI: 'NPA', VC: 'HLN', VI: 'HLN', VA: 'HLN' } as const;
    const metrics = Object.entries(order);
    const values = fc.tuple(...metrics.map(([, letters]) => fc.nat(letters.length - 1)));
    const vectorOf = (chosen: readonly number[]) =>
      `CVSS:4.0/${metrics.map(([metric, letters], index) => `${metric}:${letters[chosen[index]!]}`).join('/')}/SC:N/SI:N/SA:N`;
    const score = (chosen: readonly number[]) => (scoreCvss4(vectorOf(chosen)) as { overall: number }).overall;
    fc.assert(
      fc.property(values, fc.nat(metrics.length - 1), (chosen, index) => {
        if (chosen[index] === 0) return;
        const worse = chosen.map((value, at) => (at === index ? value - 1 : value));
        // The specification's own rounding and interpolation let neighbours differ by a tenth.
        expect(score(worse)).toBeGreaterThanOrEqual(score(chosen) - 0.1);
      }),
    );
  });

  it.each(['', '/', 'CVSS:4.0/', 'CVSS:4.0/AV:N', 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:S/SA:N'])(
    'refuses %j',
    (vector) => {
      expect(scoreCvss4(vector)).toHaveProperty('error');
    },
  );
});

it('answers any text with a score or an error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const vector of [text, `CVSS:3.1/${text}`, `CVSS:4.0/${text}`]) {
        expect(scoreCvss3(vector)).toBeTypeOf('object');
        expect(scoreCvss4(vector)).toBeTypeOf('object');
      }
    }),
  );
});
