/** Constants of CVSS 4.0: the scores of its 270 MacroVectors, the highest vectors of each, and their depths. */

/**
 * Score of a MacroVector, six digits for EQ1…EQ6.
 * @returns undefined for an impossible combination
 * @see FIRST, CVSS v4.0 Specification Document §8.2 and the lookup table of its reference calculator
 */
export function macroVectorScore([eq1, eq2, eq3, eq4, eq5, eq6]: readonly number[]): number | undefined {
  if (eq4! > 2 || eq5! > 2) return undefined;
  const tenths = tenthsOf.get(`${eq1}${eq2}${eq3}${eq6}`)?.[eq4! * 3 + eq5!];
  return tenths === undefined ? undefined : tenths / 10;
}

/** EQ1 EQ2 EQ3 EQ6 → ten times the scores, for EQ4 EQ5 from 00, 01, 02, 10 … 22. */
const tenthsOf = new Map(
  `
0000: 100 98 95 100 93 91 93 89 81
0001: 99 95 92 96 87 81 90 80 68
0010: 98 95 90 93 89 81 88 78 69
0011: 95 92 84 92 81 65 80 70 48
0021: 92 82 72 79 69 50 69 55 27
0100: 99 95 92 95 90 84 92 82 72
0101: 97 92 85 91 83 71 81 71 53
0110: 95 92 85 92 80 70 84 71 50
0111: 93 85 73 82 72 59 70 52 30
0121: 86 75 52 71 52 29 63 29 17
1000: 98 94 91 94 86 77 87 74 63
1001: 95 87 81 89 74 64 75 63 49
1010: 94 88 76 86 74 59 72 57 52
1011: 89 77 67 76 58 50 57 52 25
1021: 83 70 54 65 58 26 53 21 13
1100: 95 88 76 90 75 61 77 68 52
1101: 90 76 70 77 62 53 66 59 30
1110: 89 76 62 74 57 47 61 57 24
1111: 78 67 58 59 57 23 52 29 16
1121: 71 59 30 58 26 15 23 13 6
2000: 93 86 75 86 74 56 70 52 40
2001: 87 72 58 74 61 34 54 40 22
2010: 85 74 62 72 55 46 53 34 19
2011: 75 55 51 57 41 19 36 19 8
2021: 64 51 20 47 21 11 24 9 4
2100: 88 73 60 73 59 41 54 45 20
2101: 75 53 50 55 40 20 43 22 11
2110: 75 58 40 61 48 20 46 17 8
2111: 55 45 21 51 18 9 18 7 2
2121: 53 24 14 24 12 5 10 3 1
`
    .trim()
    .split('\n')
    .map((line) => {
      const [key = '', scores = ''] = line.split(': ');
      return [key, scores.split(' ').map(Number)] as const;
    }),
);

/** Highest severity vectors of a set of equal vectors; EQ3 and EQ6 depend on each other and are combined. @see §8.2, table 30 */
export const highestVectors = {
  eq1: [
    ['AV:N/PR:N/UI:N'],
    ['AV:A/PR:N/UI:N', 'AV:N/PR:L/UI:N', 'AV:N/PR:N/UI:P'],
    ['AV:P/PR:N/UI:N', 'AV:A/PR:L/UI:P'],
  ],
  eq2: [['AC:L/AT:N'], ['AC:H/AT:N', 'AC:L/AT:P']],
  /** [EQ3][EQ6] */
  eq3eq6: [
    [['VC:H/VI:H/VA:H/CR:H/IR:H/AR:H'], ['VC:H/VI:H/VA:L/CR:M/IR:M/AR:H', 'VC:H/VI:H/VA:H/CR:M/IR:M/AR:M']],
    [
      ['VC:L/VI:H/VA:H/CR:H/IR:H/AR:H', 'VC:H/VI:L/VA:H/CR:H/IR:H/AR:H'],
      [
        'VC:L/VI:H/VA:L/CR:H/IR:M/AR:H',
        'VC:L/VI:H/VA:H/CR:H/IR:M/AR:M',
        'VC:H/VI:L/VA:H/CR:M/IR:H/AR:M',
        'VC:H/VI:L/VA:L/CR:M/IR:H/AR:H',
        'VC:L/VI:L/VA:H/CR:H/IR:H/AR:M',
      ],
    ],
    [[], ['VC:L/VI:L/VA:L/CR:H/IR:H/AR:H']],
  ],
  eq4: [['SC:H/SI:S/SA:S'], ['SC:H/SI:H/SA:H'], ['SC:L/SI:L/SA:L']],
} as const satisfies Record<string, readonly (readonly (string | readonly string[])[])[]>;

/** Steps from the highest vector of a set to just past its lowest. @see §8.2, "depth" */
export const depths = {
  eq1: [1, 4, 5],
  eq2: [1, 2],
  /** [EQ3][EQ6] */
  eq3eq6: [
    [7, 6],
    [8, 8],
    [10, 10],
  ],
  eq4: [6, 5, 4],
} as const;
