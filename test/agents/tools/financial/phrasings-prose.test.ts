/** Sentences that state figures, and sentences whose amounts belong to other items or years. */
import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(readStatements([{ message: 0, text }]).figures.get(item) ?? [])].map(([period, { value }]) => [
      period,
      toText(value),
    ]),
  );

describe('sentences', () => {
  it.each<[string, LineItem, Record<string, string>]>([
    [
      'Group revenue grew 7% to £412.6m in 2024, from £385.6m in 2023.',
      'revenue',
      { 2024: '412600000', 2023: '385600000' },
    ],
    ['Die Umsatzerlöse waren 2024 mit 31,2 Mio. EUR stabil.', 'revenue', { 2024: '31200000' }],
    [
      'Im Geschäftsjahr 2024 erzielte der Konzern Umsatzerlöse in Höhe von 312,4 Mio. EUR.',
      'revenue',
      { 2024: '312400000' },
    ],
    ['Die Gesellschaft hatte 2023 einen Jahresfehlbetrag von 0,8 Mio. EUR.', 'net_income', { 2023: '-800000' }],
    [
      'En 2024, le résultat opérationnel ressort à 57,1 M€ contre 52,8 M€ en 2023.',
      'ebit',
      { 2024: '57100000', 2023: '52800000' },
    ],
    ['In 2024 we invested £25.3m of capital expenditure and paid a dividend of £12.2m.', 'capex', { 2024: '25300000' }],
    ['Basic earnings per share were 41.2 pence in 2024.', 'eps_basic', { 2024: '0.412' }],
  ])('%s', (text, item, expected) => {
    expect(read(text, item)).toEqual(expected);
  });

  it.each<[string, LineItem]>([
    ['Das EBITDA des Wettbewerbers Transnordic lag 2024 bei 55 Mio. EUR.', 'ebitda'],
    ['Adjusted profit before tax was £14.8m in 2024.', 'adjusted_net_income'],
    ['Die Umsatzerlöse würden 2024 auf 20 Mio. EUR sinken.', 'revenue'],
  ])('%s gives no %s', (text, item) => {
    expect(read(text, item)).toEqual({});
  });

  it('do not date an amount by the year of a comparison figure', () => {
    const text = 'Revenue rose to £412.6m, from £385.6m in 2023, and gross profit reached £160.9m.';
    expect(Object.keys(read(text, 'gross_profit'))).toEqual(['undated']);
    const french = "Le chiffre d'affaires s'établit à 612,4 M€, en hausse de 5,6 % par rapport à 2023 (580,1 M€).";
    expect(read(french, 'revenue')['2023']).not.toBe('612400000');
  });
});
