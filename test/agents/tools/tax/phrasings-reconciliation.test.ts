/** How annual reports lay out the reconciliation of the tax rate: each of these says 25 % or its own rate, items, and an end. */
import { describe, expect, it } from 'vitest';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readLayout } from '../../../../agents/tools/tax/layout.ts';
import { findReconciliations } from '../../../../agents/tools/tax/reconciliation.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const show = (value: Parameters<typeof toText>[0] | undefined) => (value === undefined ? '-' : toText(value));
const read = (text: string) =>
  findReconciliations(readLayout(documentOf(text))).map(({ period, unit, statutory, items, effective }) =>
    [
      period,
      `${unit.currency ?? '?'}${unit.zeros}`,
      `${show(statutory.amount)}/${show(statutory.rate)}`,
      ...items.map(({ label, amount, points }) => `${label} ${show(amount)}/${show(points)}`),
      `${show(effective.amount)}/${show(effective.rate)}`,
    ].join('; '),
  );

it.each([
  [
    'German, amounts in thousands, rate below',
    `Überleitungsrechnung (in TEUR)                2025        2024
Ergebnis vor Ertragsteuern                   10.000       8.000
Erwarteter Steueraufwand (30 %)               3.000       2.400
Steuerfreie Erträge                            -200         -50
Nicht abzugsfähige Aufwendungen                 150         100
Tatsächlicher Steueraufwand                   2.950       2.450
Effektiver Steuersatz                        29,5 %      30,6 %
`,
    [
      '2025; EUR3; 3000/30; Steuerfreie Erträge -200/-; Nicht abzugsfähige Aufwendungen 150/-; 2950/29.5',
      '2024; EUR3; 2400/30; Steuerfreie Erträge -50/-; Nicht abzugsfähige Aufwendungen 100/-; 2450/30.6',
    ],
  ],
  [
    'a table of bars in millions, percentages of their own',
    `Tax reconciliation (€ million)

| | FY 2025 | % | FY 2024 | % |
|---|--:|--:|--:|--:|
| Profit before tax | 400.0 | | 300.0 | |
| Theoretical tax at the French rate | 100.0 | 25.0 | 75.0 | 25.0 |
| Permanent differences | 6.0 | 1.5 | 3.0 | 1.0 |
| Rate differential of foreign subsidiaries | (10.0) | (2.5) | (9.0) | (3.0) |
| Income tax expense / effective tax rate | 96.0 | 24.0 | 69.0 | 23.0 |
`,
    [
      '2025; EUR6; 100/25; Permanent differences 6/1.5; Rate differential of foreign subsidiaries -10/-2.5; 96/24',
      '2024; EUR6; 75/25; Permanent differences 3/1; Rate differential of foreign subsidiaries -9/-3; 69/23',
    ],
  ],
  [
    'percentages only',
    `Reconciliation of effective tax rate          2025      2024
Swiss statutory tax rate                      19.6%     19.6%
Effect of different rates abroad               2.1%      1.8%
Tax-exempt income                             -1.0%     -0.4%
Effective tax rate                            20.7%     21.0%
`,
    [
      '2025; ?0; -/19.6; Effect of different rates abroad -/2.1; Tax-exempt income -/-1; -/20.7',
      '2024; ?0; -/19.6; Effect of different rates abroad -/1.8; Tax-exempt income -/-0.4; -/21',
    ],
  ],
  [
    'tax as a deduction, French, one year',
    `Preuve d'impôt (en milliers d'euros)               31/12/2025
Résultat avant impôt                                     5 000
Charge d'impôt théorique au taux de 25,83 %            (1 292)
Différences permanentes                                   (108)
Crédits d'impôt                                            150
Charge d'impôt effective                               (1 250)
`,
    ["2025; EUR3; 1292/25.83; Différences permanentes 108/-; Crédits d'impôt -150/-; 1250/-"],
  ],
  [
    'Norwegian',
    `Avstemming av skattekostnad (NOK 1 000)          2025       2024
Resultat før skatt                              20 000     10 000
Forventet skatt etter nominell skattesats 22 %   4 400      2 200
Permanente forskjeller                            -400        100
Skattekostnad                                    4 000      2 300
Effektiv skattesats                             20,0 %     23,0 %
`,
    [
      '2025; NOK3; 4400/22; Permanente forskjeller -400/-; 4000/20',
      '2024; NOK3; 2200/22; Permanente forskjeller 100/-; 2300/23',
    ],
  ],
  [
    'a loss, with the rate in the label',
    `(in thousands of GBP)                        2025
Loss before tax                            (2,000)
Tax on loss at standard UK rate of 25%       (500)
Losses not recognised                          450
Total tax credit                              (50)
`,
    ['2025; GBP3; -500/25; Losses not recognised 450/-; -50/-'],
  ],
  [
    'Swedish in MSEK with the year of each column',
    `MSEK                                    2025    2024
Resultat före skatt                      500     400
Skatt enligt gällande skattesats 20,6 %  103      82
Ej avdragsgilla kostnader                  7       5
Redovisad skattekostnad                  110      87
`,
    [
      '2025; SEK6; 103/20.6; Ej avdragsgilla kostnader 7/-; 110/-',
      '2024; SEK6; 82/20.6; Ej avdragsgilla kostnader 5/-; 87/-',
    ],
  ],
  [
    'HTML',
    `<html><body><p>Amounts in CHF thousand</p><table><tr><th></th><th>2025</th><th>2024</th></tr><tr><td>Profit before income tax</td><td>1'000</td><td>900</td></tr><tr><td>Expected tax at weighted average rate</td><td>150</td><td>140</td></tr><tr><td>Non-deductible expenses</td><td>10</td><td>5</td></tr><tr><td>Total income tax</td><td>160</td><td>145</td></tr></table></body></html>`,
    ['2025; CHF3; 150/-; Non-deductible expenses 10/-; 160/-', '2024; CHF3; 140/-; Non-deductible expenses 5/-; 145/-'],
  ],
  [
    'Dutch',
    `Aansluiting effectieve belastingdruk (x € 1.000)      2025      2024
Resultaat voor belastingen                            4.000     3.000
Belasting tegen het nominale tarief van 25,8%         1.032       774
Deelnemingsvrijstelling                                (100)      (50)
Winstbelasting                                          932       724
`,
    [
      '2025; EUR3; 1032/25.8; Deelnemingsvrijstelling -100/-; 932/-',
      '2024; EUR3; 774/25.8; Deelnemingsvrijstelling -50/-; 724/-',
    ],
  ],
  [
    'CSV',
    `Konzern;2025;2024
Ergebnis vor Steuern (Mio. €);50,0;40,0
Rechnerischer Ertragsteueraufwand (31,5 %);15,8;12,6
Steuersatzunterschiede;-1,2;-0,6
Ausgewiesener Ertragsteueraufwand;14,6;12,0
`,
    [
      '2025; EUR6; 15.8/31.5; Steuersatzunterschiede -1.2/-; 14.6/-',
      '2024; EUR6; 12.6/31.5; Steuersatzunterschiede -0.6/-; 12/-',
    ],
  ],
  [
    'Polish',
    `                                                 2025        2024
Zysk przed opodatkowaniem (tys. zł)             2 000       1 000
Podatek według ustawowej stawki 19%               380         190
Koszty niestanowiące kosztów uzyskania             40          10
Podatek dochodowy wykazany w rachunku zysków      420         200
`,
    [
      '2025; PLN3; 380/19; Koszty niestanowiące kosztów uzyskania 40/-; 420/-',
      '2024; PLN3; 190/19; Koszty niestanowiące kosztów uzyskania 10/-; 200/-',
    ],
  ],
  [
    'US style in percentages, dollars in thousands',
    `                                          2025               2024
                                     Amount     %        Amount     %
Income tax at federal statutory rate   2,100   21.0        1,050   21.0
State taxes, net                         300    3.0          150    3.0
Foreign rate differential               (150)  (1.5)         (75)  (1.5)
Income tax expense                     2,250   22.5        1,125   22.5
`,
    [
      '2025; ?0; 2100/21; State taxes, net 300/3; Foreign rate differential -150/-1.5; 2250/22.5',
      '2024; ?0; 1050/21; State taxes, net 150/3; Foreign rate differential -75/-1.5; 1125/22.5',
    ],
  ],
  [
    'German, labels in two lines of which the second is set in, expense with a minus sign',
    `                                     2025               2024
                                  T€    in %         T€    in %
Ergebnis vor Ertragsteuern    10.000              8.000
Erwarteter Ertragsteueraufwand
  (Steuersatz 30 %)           -3.000    30,0     -2.400    30,0
Unterschiedliche Steuersätze der
  Tochtergesellschaften          400    -4,0        160    -2,0
Steuerfreie Erträge und Verlust-
vorträge                         100    -1,0         -       -
Ausgewiesene Ertragsteuern /
  effektiver Steuersatz       -2.500    25,0     -2.240    28,0
`,
    [
      '2025; EUR3; 3000/30; Unterschiedliche Steuersätze der Tochtergesellschaften -400/-4; Steuerfreie Erträge und Verlustvorträge -100/-1; 2500/25',
      '2024; EUR3; 2400/30; Unterschiedliche Steuersätze der Tochtergesellschaften -160/-2; 2240/28',
    ],
  ],
  [
    'items set in under a heading, a label that goes on in the next line',
    `                                             2025
                                            £'000
Profit before tax                           4,000
Tax at the UK rate of 25%                   1,000
Effects of
  Expenses not deductible                     100
  Recognition of previously unrecognised
    tax losses                               (300)
Tax charge                                    800
`,
    [
      '2025; GBP3; 1000/25; Expenses not deductible 100/-; Recognition of previously unrecognised tax losses -300/-; 800/-',
    ],
  ],
  [
    'the rate in a row of its own above the tax at that rate',
    `| (en millions d'euros) | 2025 |
|---|---|
| Résultat avant impôts | 100,0 |
| Taux d'impôt théorique | 25,83 % |
| Charge d'impôt théorique | (25,8) |
| Différences permanentes | 1,8 |
| Charge d'impôt effective | (24,0) |
`,
    ['2025; EUR6; 25.8/25.83; Différences permanentes -1.8/-; 24/-'],
  ],
  [
    'a list with plus signs',
    `Tax rate reconciliation, year ended 31 March 2026

Statutory rate: 25.0%
Overseas rates: -2.1%
Non-deductible costs: +1.2%
Effective tax rate: 24.1%
`,
    ['2026; ?0; -/25; Overseas rates -/-2.1; Non-deductible costs -/1.2; -/24.1'],
  ],
  [
    'Swedish, percentages before amounts',
    `                                          2025              2024
                                     Procent    Mkr    Procent   Mkr
Resultat före skatt                             900              800
Skatt enligt gällande skattesats        20,6   -185       20,6  -165
Ej avdragsgilla kostnader                0,8     -7        0,5    -4
Redovisad effektiv skatt                21,4   -192       21,1  -169
`,
    [
      '2025; SEK6; 185/20.6; Ej avdragsgilla kostnader 7/0.8; 192/21.4',
      '2024; SEK6; 165/20.6; Ej avdragsgilla kostnader 4/0.5; 169/21.1',
    ],
  ],
  [
    'Dutch percentages without signs',
    `in % | 2025 | 2024
--- | --- | ---
Nominaal belastingtarief | 25,8 | 25,8
Niet-belastbare baten | (2,0) | (1,5)
Effectief belastingtarief | 23,8 | 24,3
`,
    ['2025; ?0; -/25.8; Niet-belastbare baten -/-2; -/23.8', '2024; ?0; -/25.8; Niet-belastbare baten -/-1.5; -/24.3'],
  ],
  [
    'cells below each other, as converters write them',
    `Reconciliation of tax
2025
2024
CHF 000
%
CHF 000
%
Profit before tax
1,000
-
900
-
Expected tax at the applicable rate
180
18.0
162
18.0
Non-deductible expenses
10
1.0
9
1.0
Prior-year items
(5)
(0.5)
-
-
Income tax expense
185
18.5
171
19.0
`,
    [
      '2025; CHF3; 180/18; Non-deductible expenses 10/1; Prior-year items -5/-0.5; 185/18.5',
      '2024; CHF3; 162/18; Non-deductible expenses 9/1; 171/19',
    ],
  ],
])('is read from %s', (_, text, expected) => {
  expect(read(text)).toEqual(expected);
});

describe('texts that are not reconciliations', () => {
  it.each([
    [
      'an analysis of the charge',
      '            2025  2024\nCurrent tax   10    9\nDeferred tax   2    1\nTotal tax     12   10\n',
    ],
    ['rates in a sentence', 'The statutory rate is 25% and the effective tax rate was 23%.\n'],
    ['deferred tax', '            2025  2024\nAt 1 January  10    9\nCredited       2    1\nAt 31 December 12   10\n'],
  ])('%s', (_, text) => {
    expect(read(text)).toEqual([]);
  });
});
