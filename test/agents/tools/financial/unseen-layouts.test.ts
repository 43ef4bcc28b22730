/** Layouts in which figures stand next to others that look alike: restated, exceptional, projected, quoted. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { readCovenants } from '../../../../agents/tools/financial/covenants.ts';
import { growthByPeriod } from '../../../../agents/tools/financial/growth.ts';
import { readGuidance } from '../../../../agents/tools/financial/guidance.ts';
import type { LineItem } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { computeRatios } from '../../../../agents/tools/financial/ratios.ts';
import { readRestatements } from '../../../../agents/tools/financial/restatements.ts';
import { readSegments } from '../../../../agents/tools/financial/segments.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';
import { tieOutFailures } from '../../../../agents/tools/financial/tie-outs.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const readingOf = (text: string) => statementsOf(text).readings[0]!;
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );
const failuresOf = (text: string) =>
  tieOutFailures(statementsOf(text)).map(({ check, stated, correct }) => `${check} ${stated} ${correct}`);

describe('columns of one period', () => {
  it('give the restated figures, and the reported ones only as restatements with the signs of the statement', () => {
    const text = [
      'Halbjahresbericht 2025 (in Mio. EUR)',
      '',
      '                             H1 2024       H1 2024      H1 2025',
      '                           berichtet     angepasst',
      'Umsatzerlöse                   640,2         612,9        650,0',
      'Materialaufwand               (300,0)       (290,0)      (305,0)',
      'Ergebnis vor Steuern            41,0          40,0         38,0',
      'Ertragsteuern                  (11,0)        (10,5)       (10,0)',
    ].join('\n');
    expect(read(text, 'revenue')).toEqual({ 'H1 2024': '612900000', 'H1 2025': '650000000' });
    const restatements = readRestatements(readingOf(text.replace('berichtet', '  publié ')));
    expect(restatements.find(({ item }) => item === 'income_tax')).toMatchObject({
      reported: { numerator: 11_000_000n },
      restated: { numerator: 10_500_000n },
    });
  });

  it('give the total, not the exceptional items', () => {
    const text = [
      'Income statement (£m)',
      '                         52 weeks to 26 July 2025            52 weeks to 27 July 2024',
      '                      Trading  Exceptional      Total     Trading  Exceptional      Total',
      'Revenue                 310.0            -      310.0       298.0            -      298.0',
      'Operating profit         30.0         (4.0)      26.0        28.0         (1.0)      27.0',
    ].join('\n');
    expect(read(text, 'ebit')).toEqual({ 2025: '26000000', 2024: '27000000' });
  });
});

describe('a spreadsheet model', () => {
  const text = [
    'Client,Harbour Mill Ltd.,,,',
    'Currency,CAD thousands,,,',
    ',,,,',
    'Line,Item,FYE 30-Jun-24,FYE 30-Jun-25,Proj FYE 30-Jun-26',
    '10,Net sales,4000,4400,5000',
    '20,Operating profit,400,484,600',
    ',,,,',
    'Ref,Covenant,Test date,Required,Actual',
    'C1,Funded debt / EBITDA,30-Jun-25,max 3.50x,2.90x',
    'C2,Tangible net worth,30-Jun-25,"min 1,200",1500',
  ].join('\n');

  it('takes its unit from a labelled cell', () => {
    expect(read(text, 'revenue')).toMatchObject({ 2024: '4000000', 2025: '4400000' });
    expect(readingOf(text).currency).toBe('CAD');
  });

  it('has no ratios and no growth of a projected year', () => {
    const statements = statementsOf(text);
    expect(computeRatios(statements).some(({ period }) => period.endsWith('E'))).toBe(false);
    expect(growthByPeriod(statements).map(({ to }) => to)).not.toContain('2026E');
  });

  it('names each covenant in the cell behind its reference, with the date of its row', () => {
    expect(readCovenants(readingOf(text)).facts.map(({ covenant, testDate }) => [covenant, testDate])).toEqual([
      ['leverage', '2025-06-30'],
      ['minimum-net-worth', '2025-06-30'],
    ]);
  });
});

describe('months in digits', () => {
  it('are the months from the first to the second', () => {
    const text = [
      'Bericht an die Gesellschafter am 7. August 2025, 9:00 bis 11:30 Uhr (TEUR)',
      '',
      '                    01-06/2024    01-06/2025',
      'Umsatzerlöse            12.400        13.100',
      'Materialaufwand          6.100         6.400',
    ].join('\n');
    expect(read(text, 'revenue')).toEqual({ 'H1 2024': '12400000', 'H1 2025': '13100000' });
  });
});

describe('minutes of a meeting', () => {
  it('date figures by the title of their item, not by the day of the meeting', () => {
    const text = [
      'Protokoll der Versammlung am 7. August 2025, 9:00 bis 11:30 Uhr',
      '',
      'TOP 2  Feststellung des Jahresabschlusses zum 31. Dezember 2024',
      '',
      'Die Bilanzsumme erhöhte sich auf 9,4 Mio. EUR (Vorjahr 8,8 Mio. EUR).',
    ].join('\n');
    expect(read(text, 'total_assets')).toEqual({ 2024: '9400000', 2023: '8800000' });
  });

  it.each([
    'Der Planentwurf 2027 (Umsatz 52 Mio. EUR) wird im Dezember vorgelegt.',
    'Pueden formularlo las sociedades que no superan 8.000.000 euros de cifra de negocios.',
    'Nach der Übernahme von Alder & Söhne (Umsatz 2024: 18,6 Mio. EUR) wächst die Gruppe.',
    "L'EBITDA est compris entre 245 M€ et 255 M€.",
    'We ended the quarter with $170.8 million in cash, cash equivalents and marketable securities.',
  ])('do not report plans, limits, ranges or figures of something else: %s', (sentence) => {
    expect(readingOf(`Bericht 2025\n\n${sentence}\n`).sentences).toEqual([]);
  });
});

describe('checks', () => {
  it('do not compare a figure with that of a quoted message below', () => {
    const text = [
      'Please ignore my last mail. Year to 31 May 2025, in GBP thousands:',
      '',
      '                      FY24      FY25',
      'Turnover             9,000     9,500',
      'Gross profit         3,000     3,100',
      '',
      '> Draft FY25 in GBP thousands:',
      '>   Turnover             9,500',
      '>   Gross profit         3,300',
    ].join('\n');
    expect(failuresOf(text)).toEqual([]);
  });

  it('compare a rate alone with both years of the statements', () => {
    const statement =
      'Cuentas anuales\n\n                    2025      2024\nImporte neto de la cifra de negocios   900,00   1.000,00\n\n';
    expect(failuresOf(`${statement}La cifra de negocios ha disminuido un 8,0 % respecto a 2024.`)).toEqual([
      'stated-ratio -8.0 -10.0',
    ]);
    expect(failuresOf(`${statement}La cifra de negocios ha disminuido un 10 % respecto a 2024.`)).toEqual([]);
  });

  it('do not add up profit and tax where operations are discontinued', () => {
    const text = [
      '(in thousands)              2025',
      'Profit before tax          1,000',
      'Income tax                   250',
      'Result of discontinued operations   (300)',
      'Net income                   450',
    ].join('\n');
    expect(failuresOf(text)).toEqual([]);
  });

  it('do not divide net debt by the EBITDA of a half-year', () => {
    const text = [
      'Half-year report (in € million)',
      '',
      '                 H1 2025    H1 2024',
      'EBITDA             100.0       95.0',
      '',
      'Net debt was €300 million at 30 June 2025. The covenant leverage ratio was 1.5x against a maximum of 3.0x, tested at 30 June 2025.',
    ].join('\n');
    expect(failuresOf(text)).toEqual([]);
  });
});

describe('an outlook as a list', () => {
  it('gives the forecasts, without those that they replace', () => {
    const text = [
      'Comptes semestriels 2025 (en millions d’euros)',
      '',
      'Perspectives 2025',
      '',
      "- croissance du chiffre d'affaires comprise entre 2 % et 3 % ;",
      '- EBITDA compris entre 45 M€ et 55 M€ (auparavant : entre 50 M€ et 60 M€).',
    ].join('\n');
    const found = readGuidance(readingOf(text)).map(({ measure, low, high }) => [measure, toText(low), toText(high)]);
    expect(found).toEqual([
      ['revenue_growth', '2', '3'],
      ['ebitda', '45000000', '55000000'],
    ]);
  });
});

describe('segments by division', () => {
  it('have the measure of the nearest caption', () => {
    const text = [
      'RESULTS: EBITDA TARGET RAISED',
      '',
      'Sales by division (EUR million)',
      '',
      '                 2025      2024',
      'Paper           120.0     110.0',
      'Boards           80.0      75.0',
      'Total           200.0     185.0',
    ].join('\n');
    expect(readSegments(readingOf(text)).figures.map(({ segment, item }) => `${segment} ${item}`)).toEqual([
      'Paper revenue',
      'Paper revenue',
      'Boards revenue',
      'Boards revenue',
    ]);
  });
});
