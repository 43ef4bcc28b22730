/** Tax rate reconciliations in layouts of other authors; companies and figures are invented. */
import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../../bench/agents-quality/evaluate.ts';

/** "2025 item Patent box -2400000 -3". */
const bridge = (text: string) =>
  factsOf('tax-analyst', text)
    .filter(({ kind }) => kind === 'tax_rate_bridge')
    .map(({ value: { period, role, item, amount, rate } }) =>
      [period, role, item, amount, rate].filter((part) => part !== undefined).join(' '),
    );

describe('a reconciliation', () => {
  it('has a column for each item', () => {
    const text =
      'Rate bridge, FY2025, GBP million\n\n| | Expected tax at 25% | Patent box | Prior-year items | Tax charge |\n|---|---|---|---|---|\n| Amount | 20.0 | (2.4) | 0.4 | 18.0 |\n| Rate % | 25.0 | (3.0) | 0.5 | 22.5 |\n';
    expect(bridge(text)).toEqual([
      '2025 statutory 20000000 25',
      '2025 item Patent box -2400000 -3',
      '2025 item Prior-year items 400000 0.5',
      '2025 effective 18000000 22.5',
    ]);
  });

  it('has a row for each item of each year, with the unit in a field name', () => {
    const rows = (year: number, expected: number, item: number) =>
      `${year},Profit before tax,${expected * 4},\n${year},Expected tax at group rate,${expected},25.0\n${year},Tax holiday,${item},-1.0\n${year},Effective tax,${expected + item},24.0\n`;
    const text = `year,line,amount_kchf,percent\n${rows(2025, 900, -36)}${rows(2024, 750, -30)}`;
    expect(bridge(text)).toEqual([
      '2025 statutory 900000 25',
      '2025 item Tax holiday -36000 -1',
      '2025 effective 864000 24',
      '2024 statutory 750000 25',
      '2024 item Tax holiday -30000 -1',
      '2024 effective 720000 24',
    ]);
  });

  it('takes the year of a date in its heading', () => {
    const text =
      'Überleitung, in T€                              31.12.2025   31.12.2024\nErgebnis vor Steuern                               1.500        1.300\nTheoretischer Steueraufwand                          450          390\nHinzurechnungen                                       15           12\nEffektiver Steueraufwand                             465          402\n';
    expect(bridge(text).filter((line) => line.includes('item'))).toEqual([
      '2025 item Hinzurechnungen 15000',
      '2024 item Hinzurechnungen 12000',
    ]);
  });

  it('takes year and unit of a note below it', () => {
    const text =
      'Resultaat voor belasting | 5.000 | | \nVennootschapsbelasting tegen 25,8% | 1.290 | 25,8\nDeelnemingsvrijstelling | -258 | -5,2\nNiet-aftrekbare bedragen | 30 | 0,6\nTotaal belastingen in de winst-en-verliesrekening | 1.062 | 21,2\nBedragen in EUR 1.000, boekjaar 2025.\n';
    expect(bridge(text)).toEqual([
      '2025 statutory 1290000 25.8',
      '2025 item Deelnemingsvrijstelling -258000 -5.2',
      '2025 item Niet-aftrekbare bedragen 30000 0.6',
      '2025 effective 1062000 21.2',
    ]);
  });

  it('ignores a column without a result, and makes it no previous year', () => {
    const text =
      'Preuve d’impôt – exercice clos le 30 juin 2026 (en k€)\n\n| Libellé | Base | Impôt |\n|---|---|---|\n| Résultat avant impôt | 1 200 | |\n| Impôt théorique à 25 % | 1 200 | 300 |\n| Amendes | 16 | 4 |\n| Impôt comptabilisé | | 304 |\n';
    expect(bridge(text)).toEqual(['2026 statutory 300000 25', '2026 item Amendes 4000', '2026 effective 304000']);
  });

  it('is a list of rates, with a minus sign inside brackets', () => {
    const text =
      'Tax reconciliation 2025, USD m\n\nIncome before taxes                    250.0\nTax at 21% statutory rate               52.5  (21.0%)\nStock compensation                      -3.5  (-1.4%)\nProvision for income taxes              49.0  (19.6%)\n';
    expect(bridge(text)).toContain('2025 item Stock compensation -3500000 -1.4');
  });
});
