import { describe, expect, it } from 'vitest';
import { findAmounts } from '../../../../agents/tools/text/amounts.ts';
import { findDates } from '../../../../agents/tools/text/dates.ts';
import { findDurations } from '../../../../agents/tools/text/durations.ts';
import { findPercents } from '../../../../agents/tools/text/percents.ts';

describe('findAmounts', () => {
  it.each([
    ['Pay EUR 1,500.00 now', 'EUR 1,500.00', 'EUR', '1500'],
    ['€ 2.5 million', '€ 2.5 million', 'EUR', '2500000'],
    ['1.234,56 EUR', '1.234,56 EUR', 'EUR', '1234.56'],
    ['100 000 Kč', '100 000 Kč', 'CZK', '100000'],
    ["CHF 1'234.50", "CHF 1'234.50", 'CHF', '1234.5'],
    ['5 Mio. € im Jahr', '5 Mio. €', 'EUR', '5000000'],
    ['$ (3,000)', '$ (3,000)', 'USD', '-3000'],
    ['US$ 2,000,000', 'US$ 2,000,000', 'USD', '2000000'],
    ['£1.234', '£1.234', 'GBP', '1234'],
    ['7 dollars', '7 dollars', 'USD', '7'],
    ['USD 3bn', 'USD 3bn', 'USD', '3000000000'],
    ['pari a Euro 15.000', 'Euro 15.000', 'EUR', '15000'],
    ['euro 1.250,00', 'euro 1.250,00', 'EUR', '1250'],
    ['US dollars 5,000', 'US dollars 5,000', 'USD', '5000'],
    ['rund 150 TEUR', '150 TEUR', 'EUR', '150000'],
    ['TEUR 1.200', 'TEUR 1.200', 'EUR', '1200000'],
    ['15.000,- EUR', '15.000,- EUR', 'EUR', '15000'],
  ])('reads %s', (text, shown, currency, value) => {
    const [amount] = findAmounts(text);
    expect(text.slice(amount!.start, amount!.end)).toBe(shown);
    expect(amount).toMatchObject({ currency, value });
  });

  it('returns the sign if it is not a known currency', () => {
    expect(findAmounts('kr 50')).toEqual([{ start: 0, end: 5, currencyMark: 'kr', value: '50' }]);
  });

  it.each(['Abgasnorm Euro 6', 'in Euro 2025 2024'])('finds none in %s', (text) => {
    expect(findAmounts(text)).toEqual([]);
  });

  it('finds none without a currency', () => {
    expect(findAmounts('12 months, 5 %, section 7, ISO 27001, 3 THE')).toEqual([]);
  });
});

describe('findDates', () => {
  it.each([
    ['2026-11-21', '2026-11-21'],
    ['21.11.2026', '2026-11-21'],
    ['21. 11. 2026', '2026-11-21'],
    ['11/21/2026', '2026-11-21'],
    ['21 November 2026', '2026-11-21'],
    ['21st day of November, 2026', '2026-11-21'],
    ['November 21, 2026', '2026-11-21'],
    ['Nov. 21st 2026', '2026-11-21'],
    ['1er janvier 2026', '2026-01-01'],
    ['21. listopadu 2026', '2026-11-21'],
    ['3. März 2026', '2026-03-03'],
    ['5 de mayo de 2026', '2026-05-05'],
    ['May 2026', '2026-05'],
  ])('reads %s as %s', (text, iso) => {
    expect(findDates(`on ${text}.`)).toEqual([{ start: 3, end: 3 + text.length, iso, ambiguous: false }]);
  });

  it('reads 03/04/2026 day first and marks it as ambiguous', () => {
    expect(findDates('03/04/2026')).toEqual([{ start: 0, end: 10, iso: '2026-04-03', ambiguous: true }]);
  });

  it('skips days that do not exist', () => {
    expect(findDates('29.02.2024').map(({ iso }) => iso)).toEqual(['2024-02-29']);
    expect(findDates('29.02.2026, 31 April 2026, 32.1.2026, 2026-13-01')).toEqual([]);
  });

  it('does not read section numbers, versions or verbs as dates', () => {
    expect(findDates('1.2.99, 10.0.0.1, it may 2026 times, 1.2.3')).toEqual([]);
  });

  it('takes no pronoun for a month', () => {
    expect(findDates('Wenn Sie 2025 kündigen, schreiben Sie 2026 nichts.')).toEqual([]);
  });
});

describe('findDurations', () => {
  it.each([
    ['thirty (30) business days', 'P30D', true],
    ['72 hours', 'PT72H', false],
    ['72h', 'PT72H', false],
    ['twenty-four months', 'P24M', false],
    ['1.5 years', 'P1.5Y', false],
    ['two hundred days', 'P200D', false],
    ['drei Monate', 'P3M', false],
    ['10 pracovních dnů', 'P10D', true],
    ['dvou měsíců', 'P2M', false],
    ['tří let', 'P3Y', false],
    ['čtyř týdnů', 'P4W', false],
    ['dvaceti čtyř hodin', 'PT24H', false],
    ['patnácti pracovních dnů', 'P15D', true],
    ['5 let', 'P5Y', false],
    ['12-month', 'P12M', false],
    ['2 quarters', 'P6M', false],
  ])('reads %s as %s', (text, iso, business) => {
    const [duration] = findDurations(`for ${text}.`);
    expect(duration).toMatchObject({ start: 4, end: 4 + text.length, iso, business });
  });

  it('finds none without a count', () => {
    expect(findDurations('within days, per month, the year 2026 ended. Months pass')).toEqual([]);
    expect(findDurations('No one let the house. Dnia 1 stycznia 2025 roku.')).toEqual([]);
  });
});

describe('findPercents', () => {
  it('converts basis points and reads both decimal marks', () => {
    const text = '7.5 %, 0.125%, 50 bps, 12,5 %, 10 per cent, 1,234 %';
    expect(findPercents(text).map(({ value }) => value)).toEqual(['7.5', '0.125', '0.50', '12.5', '10', '1.234']);
  });
});
