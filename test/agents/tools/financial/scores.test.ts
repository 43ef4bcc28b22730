import { describe, expect, it } from 'vitest';
import { altmanModels, altmanOf, altmanScore } from '../../../../agents/tools/financial/altman.ts';
import { type BeneishVariable, beneishOf, beneishScore } from '../../../../agents/tools/financial/beneish.ts';
import { piotroskiOf } from '../../../../agents/tools/financial/piotroski.ts';
import { decimal, toFixed } from '../../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

const [z, zPrime, zDoublePrime] = altmanModels as [
  (typeof altmanModels)[0],
  (typeof altmanModels)[0],
  (typeof altmanModels)[0],
];
const read = (text: string) => readStatements([{ message: 0, text }]);

describe('Altman Z', () => {
  it('is 2.70 for the textbook firm with 0.34, 0.15, 0, 0.80 and 1.6', () => {
    // Published exercise with its answer: wizedu.com, question 366502, "Z score is 2.70".
    const { score, zone } = altmanScore(z, ['0.34', '0.15', '0', '0.80', '1.6'].map(decimal));
    expect([toFixed(score, 2), zone]).toEqual(['2.70', 'grey']);
  });

  it('separates the group means of Altman (1968), table 1', () => {
    const bankrupt = altmanScore(z, ['-0.061', '-0.626', '-0.318', '0.401', '1.5'].map(decimal));
    const sound = altmanScore(z, ['0.414', '0.355', '0.153', '2.477', '1.9'].map(decimal));
    expect([bankrupt.zone, sound.zone]).toEqual(['distress', 'safe']);
  });

  it('counts the limits of the grey zone as grey', () => {
    const at = (value: string) => altmanScore(z, ['0', '0', '0', '0', value].map(decimal)).zone;
    expect([at('1.80'), at('1.81'), at('2.99'), at('3.00')]).toEqual(['distress', 'grey', 'grey', 'safe']);
  });

  it('is computed in the three forms from one statement', () => {
    const text = `| | 2024 |
| Current assets | 400 |
| Current liabilities | 200 |
| Retained earnings | 100 |
| EBIT | 80 |
| Total liabilities | 500 |
| Total equity | 500 |
| Total assets | 1000 |
| Revenue | 1200 |
| Market capitalisation | 750 |
`;
    // By hand: X1 0.2, X2 0.1, X3 0.08, X4 1.5 by market or 1.0 by book, X5 1.2.
    expect(altmanOf(read(text), z, '2024')).toMatchObject({ value: '2.74', zone: 'grey' });
    expect(altmanOf(read(text), zPrime, '2024')).toMatchObject({ value: '2.09', zone: 'grey' });
    expect(altmanOf(read(text), zDoublePrime, '2024')).toMatchObject({ value: '3.23', zone: 'safe' });
  });

  it('lists missing inputs', () => {
    expect(altmanOf(read('| | 2024 |\n| Total assets | 10 |\n'), zPrime, '2024')).toEqual({
      not_computable:
        'current_assets, current_liabilities, retained_earnings, ebit, equity, total_liabilities, revenue missing',
    });
  });
});

describe('Beneish M', () => {
  const variables = (values: readonly string[]) => {
    const names: readonly BeneishVariable[] = ['DSRI', 'GMI', 'AQI', 'SGI', 'DEPI', 'SGAI', 'LVGI', 'TATA'];
    return Object.fromEntries(names.map((name, index) => [name, decimal(values[index]!)])) as Record<
      BeneishVariable,
      ReturnType<typeof decimal>
    >;
  };

  it('separates the means of Beneish (1999): manipulators above −1.78, others below', () => {
    const manipulators = beneishScore(
      variables(['1.465', '1.193', '1.254', '1.607', '1.077', '1.041', '1.111', '0.031']),
    );
    const others = beneishScore(variables(['1.031', '1.014', '1.039', '1.134', '1.001', '1.054', '1.037', '0.018']));
    expect([toFixed(manipulators, 2), toFixed(others, 2)]).toEqual(['-1.20', '-2.25']);
  });

  it('is −2.48 if nothing changes and all profit is cash', () => {
    const rows = [
      'Revenue',
      'Cost of sales',
      'Receivables',
      'Current assets',
      'Property, plant and equipment',
      'Total assets',
      'Depreciation',
      'SG&A',
      'Current liabilities',
      'Long-term debt',
      'Net income',
      'Operating cash flow',
    ];
    const values = [100, 60, 10, 40, 30, 100, 5, 15, 20, 25, 8, 8];
    const text = `| | 2024 | 2023 |\n${rows.map((row, index) => `| ${row} | ${values[index]} | ${values[index]} |\n`).join('')}`;
    // All indexes are 1 and TATA is 0: −4.84 + 0.920 + 0.528 + 0.404 + 0.892 + 0.115 − 0.172 − 0.327.
    expect(beneishOf(read(text), '2024')).toMatchObject({ value: '-2.48', above_threshold: false });
  });

  it('needs the previous year', () => {
    expect(beneishOf(read('| | 2024 |\n| Revenue | 1 |\n'), '2024')).toEqual({
      not_computable: 'the previous period is missing',
    });
  });
});

describe('Piotroski F', () => {
  const text = (rows: readonly string[]) => `| | 2024 | 2023 | 2022 |\n${rows.join('\n')}\n`;
  const strong = [
    '| Net income | 20 | 10 | 8 |',
    '| Operating cash flow | 30 | 15 | 9 |',
    '| Total assets | 220 | 200 | 190 |',
    '| Long-term debt | 40 | 50 | 55 |',
    '| Current assets | 90 | 70 | 60 |',
    '| Current liabilities | 40 | 40 | 40 |',
    '| Shares outstanding | 1000 | 1000 | 1000 |',
    '| Revenue | 300 | 250 | 240 |',
    '| Gross profit | 120 | 90 | 85 |',
  ];

  it('is 9 if every signal is good', () => {
    expect(piotroskiOf(read(text(strong)), '2024')).toMatchObject({ passed: 9, computed: 9, notes: [] });
  });

  it('drops by exactly the signal of new shares', () => {
    const { passed, signals } = piotroskiOf(
      read(text(strong.map((row) => row.replace('outstanding | 1000', 'outstanding | 1100')))),
      '2024',
    );
    expect([passed, signals.filter(({ passed: ok }) => ok === false).map(({ id }) => id)]).toEqual([
      8,
      ['no_new_shares'],
    ]);
  });

  it('drops by exactly the accrual signal if operating cash flow is below profit', () => {
    const { signals } = piotroskiOf(read(text(strong.map((row) => row.replace('flow | 30', 'flow | 19')))), '2024');
    expect(signals.filter(({ passed: ok }) => ok === false).map(({ id }) => id)).toEqual(['accrual']);
  });

  it('uses opening balances: returns are relative to the assets of the previous year', () => {
    const [roa] = piotroskiOf(read(text(strong)), '2024').signals;
    expect(roa).toMatchObject({ compared: ['0.1000', '0.0000'] });
  });

  it('notes that closing balances replace missing opening balances', () => {
    const twoYears = '| | 2024 | 2023 |\n| Net income | 20 | 10 |\n| Total assets | 200 | 100 |\n';
    const { signals, notes } = piotroskiOf(read(twoYears), '2024');
    expect(notes).toHaveLength(1);
    expect(signals[2]).toMatchObject({ passed: false, compared: ['0.1000', '0.1000'] });
    expect(signals[1]).toMatchObject({ not_computable: 'operating_cash_flow missing' });
  });
});
