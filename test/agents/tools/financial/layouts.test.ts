/** Layouts of statements: the positions of labels, totals, units and periods. Texts and figures are our own. */
import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';
import { tieOutFailures } from '../../../../agents/tools/financial/tie-outs.ts';

const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(readStatements([{ message: 0, text }]).figures.get(item) ?? [])].map(([period, { value }]) => [
      period,
      toText(value),
    ]),
  );

describe('labels and totals', () => {
  const balance = `Bilanz (in TEUR)
                                                30.6.2025    30.6.2024
AKTIVA
A. Anlagevermögen
 I. Immaterielle Vermögensgegenstände
    1. Geschäfts- oder Firmenwert                   1.000        1.100
 II. Sachanlagen
    1. Grundstücke und Bauten                       2.000        2.200
    2. Technische Anlagen                           3.000        3.100
                                                    5.000        5.300
                                                    6.000        6.400
B. Umlaufvermögen
 I. Vorräte                                         1.500        1.400
 II. Kassenbestand, Guthaben bei Kreditinstituten     500          600
                                                    2.000        2.000
`;

  it('assign a total without a label to the heading whose rows add up to it', () => {
    expect(read(balance, 'ppe')).toEqual({ 2025: '5000000', 2024: '5300000' });
    expect(read(balance, 'current_assets')).toEqual({ 2025: '2000000', 2024: '2000000' });
  });

  it('do not assign a total that no rows add up to', () => {
    expect(read(balance.replace('    2.000        2.000', '    2.222        2.111'), 'current_assets')).toEqual({});
  });

  it('read the total of a group next to its last row', () => {
    const text = `                                        2024                    2023
                                     €          €            €          €
Vlottende activa
Voorraden                      100.000                  90.000
Handelsdebiteuren              200.000    300.000      210.000    300.000
Liquide middelen                           50.000                  40.000
`;
    expect(read(text, 'current_assets')).toEqual({ 2024: '300000', 2023: '300000' });
    expect(read(text, 'receivables')).toEqual({ 2024: '200000', 2023: '210000' });
  });

  it('join a label that continues on the next line', () => {
    const text = `(in thousands)               2024        2023
Net sales                   5,000       4,500
Cost of goods sold, including buying
  and occupancy costs       3,000       2,800
Creditors: amounts falling due
within one year            (1,200)     (1,100)
`;
    expect(read(text, 'cost_of_sales')).toEqual({ 2024: '3000000', 2023: '2800000' });
    expect(read(text, 'current_liabilities')).toEqual({ 2024: '1200000', 2023: '1100000' });
  });

  it('ignore amounts that a long label displaces from their columns', () => {
    const text = `(in Mio. EUR)                    2024      2023    Veränderung
Umsatzerlöse                    612,4     580,1         +5,6 %
EBIT                             57,1      52,8         +8,1 %
Konzernergebnis                  36,5      33,9         +7,7 %
Cashflow aus laufender Geschäftstätigkeit  78,8      70,4
`;
    expect(read(text, 'operating_cash_flow')).toEqual({});
  });

  it('separate amounts that a long label runs into', () => {
    const text = `SEK m                              Q3 2025    Q3 2024    9M 2025
Net sales                            2,412      2,301      7,105
Operating profit                       301        268        851
Profit for the period                  214        189        599
Cash flow from operating activities 402 355                902
`;
    expect(read(text, 'operating_cash_flow')).toEqual({
      'Q3 2025': '402000000',
      'Q3 2024': '355000000',
      '9M 2025': '902000000',
    });
  });

  it('join thousands that are separated by blanks', () => {
    const text = `En euros                          Brut     Amort.       31/12/2024    31/12/2023
Terrains                        310 000                    310 000       310 000
Immobilisations corporelles   2 960 175  2 218 440         741 735       802 115
Disponibilités                  512 344                    512 344       297 180
`;
    expect(read(text, 'cash')).toEqual({ 2024: '512344', 2023: '297180' });
  });
});

describe('periods of columns', () => {
  it('read year-to-date columns up to the adjacent month', () => {
    const text = 'GBP thousands;Mar 2025 Actual;Mar 2025 Budget;YTD 2025 Actual\nRevenue;1,204.5;1,250.0;3,488.1\n';
    expect(read(text, 'revenue')).toEqual({ '1M 2025-03-31': '1204500', 'Q1 2025': '3488100' });
  });

  it('read actual and prior year of a monthly report as months', () => {
    const text =
      "Management accounts - September 2025\nEUR'000\tActual\tBudget\tPrior year\tYTD actual\nNet sales\t2,410\t2,500\t2,305\t21,330\nEBIT\t210\t240\t180\t1,830\n";
    expect(read(text, 'revenue')).toEqual({
      '1M 2025-09-30': '2410000',
      '1M 2024-09-30': '2305000',
      '9M 2025': '21330000',
    });
  });

  it('do not read the date of a press release as a period', () => {
    const text = `Communiqué de presse - Lyon, le 12 mars 2025
En M€                     2024      2023
Chiffre d'affaires       612,4     580,1
`;
    expect(read(text, 'revenue')).toEqual({ 2024: '612400000', 2023: '580100000' });
  });

  it('do not read budgets and note numbers as figures', () => {
    const text = 'EUR 1.000;Werkelijk 2024;Begroot 2024;Werkelijk 2023\nBedrijfsresultaat;870;1.000;734\n';
    expect(read(text, 'ebit')).toMatchObject({ 2024: expect.stringMatching(/^870/) });
  });

  it('read rows of years below headings with items and units', () => {
    const text = `Fiscal year ended        Net sales            Operating profit
                       Million yen     %    Million yen     %
March 31, 2025              84,512   6.2          7,310   9.8
March 31, 2024              79,577   3.1          6,657   4.0
`;
    expect(read(text, 'revenue')).toEqual({ 2025: '84512000000', 2024: '79577000000' });
  });

  it('read a comparison in parentheses after a line', () => {
    const text =
      'For the year ended 31 December 2024 (€ thousand)\n\nTotal assets: 38,900 (31 December 2023: 37,450)\nNet profit: 3,500 (2023: 3,190)\n';
    expect(read(text, 'net_income')).toEqual({ 2024: '3500000', 2023: '3190000' });
    expect(read(text, 'total_assets')).toEqual({ 2024: '38900000', 2023: '37450000' });
  });
});

describe('two lines of one statement', () => {
  it('are not a contradiction', () => {
    const text = '| | 2024 |\n|---|---|\n| Resultat d’exploitation | 61,0 |\n| Résultat opérationnel | 57,1 |\n';
    expect(tieOutFailures(readStatements([{ message: 0, text }]))).toEqual([]);
  });
});

describe('units and currencies of columns', () => {
  it('are those of each column', () => {
    const text =
      '| Posten | 31.12.2024 EUR | 31.12.2023 TEUR |\n|---|---:|---:|\n| Vorräte | 1.234.567,89 | 1.111 |\n| Bilanzsumme | 5.432.100,00 | 5.210 |\n';
    expect(read(text, 'inventories')).toEqual({ 2024: '1234567.89', 2023: '1111000' });
  });

  it('exclude a translation into another currency', () => {
    const text = `(C$ millions; US$ for convenience)
                                2024      2024      2023
                                 US$        C$        C$
Revenue                        402.1     551.0     530.2
Operating income                40.2      55.1      50.3
`;
    expect(read(text, 'revenue')).toEqual({ 2024: '551000000', 2023: '530200000' });
  });

  it('read amounts after a yen sign', () => {
    const text = `                     Millions of yen
                    2025          2024
Net sales       ¥ 84,512      ¥ 79,577
Gross profit      26,102        24,277
`;
    expect(read(text, 'revenue')).toEqual({ 2025: '84512000000', 2024: '79577000000' });
  });
});

describe('monthly reports', () => {
  it('read columns headed by abbreviated months next to budgets', () => {
    const text =
      'Tableau de bord (en k€);;;;\n;Réel avr-25;Budget avr-25;Écart;Cumul réel 2025\nChiffre d’affaires;1 204;1 250;-46;4 710\nEBITDA;150;170;-20;602\n';
    expect(read(text, 'revenue')).toEqual({ '1M 2025-04-30': '1204000', '4M 2025-04-30': '4710000' });
  });

  it('read the unit below the table', () => {
    const text =
      'Voce;Consuntivo giu-25;Budget giu-25;Progr. 2025\nRicavi netti;812,4;830,0;4.810,3\nEBIT;80,2;87,0;465,1\nImporti in migliaia di euro;;;\n';
    expect(read(text, 'revenue')).toEqual({ '1M 2025-06-30': '812400', 'H1 2025': '4810300' });
  });

  it('assign the balance between two others to the year-end', () => {
    const text =
      'Flash report,,,\n"USD, thousands",,,\n,31-May-25,31-Dec-24,31-May-24\nCash,"1,210","1,030",980\nInventory,"5,440","5,390","5,210"\n';
    expect(read(text, 'cash')).toEqual({ '2025-05-31': '1210000', 2024: '1030000', '2024-05-31': '980000' });
  });
});

describe('half-year reports', () => {
  it('date flows and balances by the title and by the adjacent year-end', () => {
    const text = `Relazione finanziaria semestrale al 30 giugno 2025

CONTO ECONOMICO (migliaia di euro)                30/06/2025     30/06/2024
Ricavi                                                98.410         94.220
Risultato operativo                                    9.330          8.110

STATO PATRIMONIALE (migliaia di euro)             30/06/2025     31/12/2024
Rimanenze                                             30.220         28.880
Totale attivo                                        160.220        158.880

RENDICONTO FINANZIARIO (migliaia di euro)         30/06/2025     30/06/2024
Flusso di cassa operativo                              7.110          6.220
Flusso di cassa da investimenti                       -3.330         -2.980
`;
    expect(read(text, 'revenue')).toEqual({ 'H1 2025': '98410000', 'H1 2024': '94220000' });
    expect(read(text, 'total_assets')).toEqual({ '2025-06-30': '160220000', 2024: '158880000' });
    expect(read(text, 'operating_cash_flow')).toEqual({ 'H1 2025': '7110000', 'H1 2024': '6220000' });
  });

  it('find the end of a year that is not the calendar year', () => {
    const text = `Consolidated results for the nine months ended December 31, 2025 (millions of yen)
                     Nine months ended      Nine months ended      Fiscal year ended
                     December 31, 2024      December 31, 2025      March 31, 2025
Revenue                         48,210                 51,330                 65,120
Operating profit                 4,110                  4,880                  5,630
`;
    expect(read(text, 'revenue')).toMatchObject({ 2025: '65120000000' });
  });

  it('use the caption as the unit where a heading repeats the currency alone', () => {
    const text = '(in thousands)\n\n| | 2024 EUR | 2023 EUR |\n|---|---|---|\n| Revenue | 1,400 | 1,200 |\n';
    expect(read(text, 'revenue')).toEqual({ 2024: '1400000', 2023: '1200000' });
  });
});

describe('numbers of notes', () => {
  const text = `Konzernbilanz                          Anhang   31.12.2024   31.12.2023
in Tausend Euro
Langfristige Vermögenswerte
Geschäfts- oder Firmenwerte                11       22.110       22.110
Sachanlagen                                12       61.330       60.220
                                                    83.440       82.330
Kurzfristige Vermögenswerte
Vorräte                                    14       31.220       30.110
Forderungen aus Lieferungen und Leistungen 15       28.330       27.220
Zahlungsmittel und Zahlungsmitteläquivalente 16     11.110        9.880
                                                    70.660       67.210
`;

  it('are not amounts, where the headings are separate and a label extends to them', () => {
    expect(read(text, 'inventories')).toEqual({ 2024: '31220000', 2023: '30110000' });
    expect(read(text, 'receivables')).toEqual({ 2024: '28330000', 2023: '27220000' });
    expect(read(text, 'cash')).toEqual({ 2024: '11110000', 2023: '9880000' });
    expect(read(text, 'current_assets')).toEqual({ 2024: '70660000', 2023: '67210000' });
  });

  it('read "£000" above a column as its unit', () => {
    const text = `                     52 weeks to    53 weeks to
                    28 June 2025   29 June 2024
                            £000           £000
Revenue                  310,220        305,110
Gross profit             100,110         97,780
`;
    expect(read(text, 'revenue')).toEqual({ 2025: '310220000', 2024: '305110000' });
  });
});
