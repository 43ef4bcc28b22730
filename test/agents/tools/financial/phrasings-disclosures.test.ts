/** Covenant tests, segments and forecasts as documents write them. Texts and figures are our own. */
import { describe, expect, it } from 'vitest';
import { disclosuresTool } from '../../../../agents/tools/financial/tools.ts';

interface Disclosures {
  readonly covenants: readonly {
    covenant: string;
    limit: string;
    bound: string;
    actual: string;
    outcome: string;
    test_date?: string;
  }[];
  readonly segments: readonly { segment: string; item: string; period: string; value: string }[];
  readonly guidance: readonly { measure: string; low: string; high: string; period?: string }[];
}

const read = (text: string) => disclosuresTool.run([{ message: 0, text }]).result as unknown as Disclosures;

describe('covenant tests', () => {
  it.each([
    [
      '1. Ratio Deuda Financiera Neta / EBITDA: 3,12x (máximo permitido: 3,50x). Cumple.',
      'leverage',
      '3.12',
      'maximum',
      '3.5',
      'met',
    ],
    [
      '2. Ratio de Cobertura de Intereses: 4,05x (mínimo exigido: 4,50x). No cumple.',
      'interest-cover',
      '4.05',
      'minimum',
      '4.5',
      'breached',
    ],
    [
      'Ratio R1 (dettes financières nettes / EBITDA) : 2,85 pour un maximum autorisé de 3,00',
      'leverage',
      '2.85',
      'maximum',
      '3',
      'met',
    ],
    [
      'Ratio R3 (couverture du service de la dette) : 0,98 ; seuil minimum 1,05',
      'debt-service-cover',
      '0.98',
      'minimum',
      '1.05',
      'breached',
    ],
    [
      'The loan-to-value ratio at the test date was 58.2%, against a maximum of 65%.',
      'loan-to-value',
      '58.2',
      'maximum',
      '65',
      'met',
    ],
    [
      'Kennzahl | Vereinbart | Ist\n---|---|---\nEigenkapitalquote | mind. 25,0 % | 27,3 %\n',
      'equity-ratio',
      '27.3',
      'minimum',
      '25',
      'met',
    ],
    [
      '| Covenant | Required | Actual |\n|---|---|---|\n| Fixed Charge Coverage Ratio | ≥ 1.20x | 1.08x |\n',
      'fixed-charge-cover',
      '1.08',
      'minimum',
      '1.2',
      'breached',
    ],
  ])('%s', (text, covenant, actual, bound, limit, outcome) => {
    expect(read(`Compliance certificate, credit agreement\n\n${text}\n`).covenants).toEqual([
      expect.objectContaining({ covenant, actual, bound, limit, outcome }),
    ]);
  });

  it('are read with their components from worksheets', () => {
    const text = `Compliance certificate under the Credit Agreement dated as of March 3, 2023
as of September 30, 2025 (the "Computation Date"):

I.   Section 7.11(a) - Consolidated Total Net Leverage Ratio
     A. Consolidated Funded Indebtedness                    $ 214,500,000
     B. Unrestricted cash (not to exceed $25,000,000)       $  18,200,000
     C. Consolidated EBITDA                                 $  56,900,000
     D. Ratio ((A - B) / C)                                 3.45 to 1.00
     Maximum permitted                                      3.75 to 1.00
`;
    expect(read(text).covenants).toEqual([
      expect.objectContaining({
        covenant: 'leverage',
        actual: '3.45',
        limit: '3.75',
        outcome: 'met',
        test_date: '2025-09-30',
      }),
    ]);
  });

  it.each([
    'By way of example, if Total Net Debt were 60 and EBITDA 20, Leverage would be 3.00:1, against a maximum of 3.50:1.',
    '"Leverage" means the ratio of Total Net Debt to EBITDA, which shall not exceed 3.50:1.',
  ])('are not taken from examples and definitions: %s', (text) => {
    expect(read(`Compliance certificate\n\n${text}\n`).covenants).toEqual([]);
  });
});

describe('segments', () => {
  it.each([
    [
      'measures over columns',
      '## Segments 2025 (£m)\n\n| Division | Revenue 2025 | Adjusted operating profit 2025 |\n|---|---|---|\n| Bakery | 412.1 | 41.0 |\n| Dairy | 230.4 | 18.3 |\n| Group | 642.5 | 59.3 |\n',
      {
        'Bakery revenue': '412100000',
        'Bakery result': '41000000',
        'Dairy revenue': '230400000',
        'Dairy result': '18300000',
      },
    ],
    [
      'a block for each segment',
      'Segmentberichterstattung (in TEUR)\n                         2025\nBau\n  Umsatzerlöse         88.110\n  Segmentergebnis       6.220\nUmwelt\n  Umsatzerlöse         41.330\n  Segmentergebnis       3.110\nKonzern\n  Umsatzerlöse        129.440\n  Ergebnis              9.330\n',
      { 'Bau revenue': '88110000', 'Bau result': '6220000', 'Umwelt revenue': '41330000', 'Umwelt result': '3110000' },
    ],
    [
      'the measure before the name',
      'in Mio. EUR\n\nSegmente                2025      2024\nUmsatz Antriebe        110,1     105,0\nEBIT Antriebe           10,0       9,1\nUmsatz Pumpen           40,0      35,0\nEBIT Pumpen              4,0       3,1\nKonzernumsatz          150,1     140,0\n',
      {
        'Antriebe revenue': '110100000',
        'Antriebe result': '10000000',
        'Pumpen revenue': '40000000',
        'Pumpen result': '4000000',
      },
    ],
    [
      'segments as columns',
      'Operating segments (CHF million)\nYear ended 31 December 2025\n                          Packaging   Services    Group\nSales to third parties        402.1       96.3    498.4\nOperating result (EBIT)        41.2       15.5     56.7\n',
      {
        'Packaging revenue': '402100000',
        'Packaging result': '41200000',
        'Services revenue': '96300000',
        'Services result': '15500000',
      },
    ],
  ])('%s', (_, text, expected) => {
    const found = read(text).segments.filter(({ period }) => period === '2025');
    expect(Object.fromEntries(found.map(({ segment, item, value }) => [`${segment} ${item}`, value]))).toEqual(
      expected,
    );
  });
});

describe('forecasts', () => {
  it.each([
    [
      'Der Vorstand erwartet für 2025 weiterhin Umsatzerlöse von 725 bis 740 Mio. EUR.',
      'revenue',
      '725000000',
      '740000000',
    ],
    [
      "Pour 2025, le Groupe vise un chiffre d'affaires compris entre 630 et 645 M€.",
      'revenue',
      '630000000',
      '645000000',
    ],
    ['For 2025 we expect revenue of £430m to £440m.', 'revenue', '430000000', '440000000'],
  ])('%s', (text, measure, low, high) => {
    expect(read(text).guidance).toEqual([expect.objectContaining({ measure, low, high, period: '2025' })]);
  });
});
