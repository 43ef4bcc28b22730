/** Forms that statements take beyond tables with years: one fact per row, key figures, periods of any length. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { disclosuresTool } from '../../../../agents/tools/financial/disclosures-tool.ts';
import { type LineItem, nameTables, normaliseName } from '../../../../agents/tools/financial/line-items.ts';
import { toText } from '../../../../agents/tools/financial/rational.ts';
import { readStatements } from '../../../../agents/tools/financial/statements.ts';

const statementsOf = (text: string) => readStatements([{ message: 0, text }]);
const read = (text: string, item: LineItem): Record<string, string> =>
  Object.fromEntries(
    [...(statementsOf(text).figures.get(item) ?? [])].map(([period, { value }]) => [period, toText(value)]),
  );

interface Disclosures {
  readonly segments: readonly { readonly segment: string; readonly value: string }[];
  readonly restatements: readonly { readonly item: string; readonly reported: string; readonly restated: string }[];
  readonly covenants: readonly { readonly covenant: string; readonly limit: string; readonly actual: string }[];
}
const disclosuresOf = (text: string) => disclosuresTool.run([{ message: 0, text }]).result as unknown as Disclosures;

describe('names of items', () => {
  it('name one item each and are normalised', () => {
    const items = new Map<string, string>();
    for (const [item, list] of nameTables.flatMap((table) => Object.entries(table) as [string, string][])) {
      for (const name of list.split('|')) {
        expect([name, items.get(name) ?? item]).toEqual([name, item]);
        expect(normaliseName(name)).toBe(name);
        items.set(name, item);
      }
    }
  });

  it.each([
    ['Rörelseresultat', 'ebit'],
    ['Resultat af primær drift', 'ebit'],
    ['Salgsinntekter', 'revenue'],
    ['Zysk (strata) netto', 'net_income'],
    ['Resultado líquido do período', 'net_income'],
    ['Liikevaihto', 'revenue'],
    ['EBIT – Risultato operativo', 'ebit'],
    ['Bilanzsumme, Summe Passiva', 'total_liabilities_and_equity'],
  ] as const)('%s', (label, item) => {
    expect(read(`EUR thousands;2025;2024\n${label};1200;1100\nGoodwill;5;6\n`, item)).toEqual({
      2025: '1200000',
      2024: '1100000',
    });
  });
});

describe('tables with one fact per row', () => {
  const tagged = `tag,version,ddate,qtrs,uom,segments,coreg,value
Revenues,us-gaap/2024,20250201,4,USD,,,900000
Revenues,us-gaap/2024,20250201,4,USD,ProductOrService=Shoes;,,600000
Revenues,us-gaap/2024,20250201,4,USD,ProductOrService=Hats;,,300000
CostOfRevenue,us-gaap/2024,20240203,4,USD,,,500000
CostOfRevenue,us-gaap/2024,20240203,4,USD,Restatement=ScenarioPreviouslyReported;,,510000
Assets,us-gaap/2024,20250201,0,USD,,,700000
Assets,us-gaap/2024,20250201,0,USD,,ParentCompany,650000
LongTermDebtFairValue,us-gaap/2024,20250201,0,USD,,,127300
`;

  it('are read by elements, units and durations, without members and the parent company', () => {
    expect(read(tagged, 'revenue')).toEqual({ 2025: '900000' });
    expect(read(tagged, 'total_assets')).toEqual({ 2025: '700000' });
    expect(read(tagged, 'long_term_debt')).toEqual({});
  });

  it('state segments and restated figures', () => {
    const { segments, restatements } = disclosuresOf(tagged);
    expect(segments.map(({ segment, value }) => `${segment} ${value}`)).toEqual(['Shoes 600000', 'Hats 300000']);
    expect(restatements.map(({ item, reported, restated }) => [item, reported, restated])).toEqual([
      ['cost_of_sales', '510000', '500000'],
    ]);
  });

  it('are read in another order, with names, scenarios and the unit in the heading', () => {
    const ledger =
      'Betrag (TEUR);Szenario;Posten;Monate;Stichtag;Datenart\n1284;x;Umsatzerlöse;12;30.06.2025;Ist\n1300;x;Umsatzerlöse;12;30.06.2025;Budget\n310;x;Personalaufwand;12;30.06.2025;Ist\n98;x;Umsatzerlöse;1;30.06.2025;Ist\n';
    expect(read(ledger, 'revenue')).toEqual({ 2025: '1284000', '1M 2025-06-30': '98000' });
  });
});

describe('headings', () => {
  it('are periods with single blanks, above amounts with blanks between thousands', () => {
    const balance =
      'MSEK 30 sep 2025 31 dec 2024\nGoodwill 1 412,0 1 420,3\nVarulager 812,3 776,4\nSumma tillgångar 4 842,2 4 813,2\n';
    expect(read(balance, 'goodwill')).toEqual({ '2025-09-30': '1412000000', 2024: '1420300000' });
    expect(read(balance, 'inventories')).toEqual({ '2025-09-30': '812300000', 2024: '776400000' });
  });

  it('state months of any number, and a month keeps its length', () => {
    const pack =
      '_Financial year ends 31 March_\n\n| £000 | Oct-25 | 7m to Oct-25 | 7m to Oct-24 |\n|---|---|---|---|\n| Sales | 1,482 | 10,207 | 9,655 |\n| Gross profit | 564 | 3,817 | 3,537 |\n';
    expect(read(pack, 'revenue')).toEqual({
      '1M 2025-10-31': '1482000',
      '7M 2025-10-31': '10207000',
      '7M 2024-10-31': '9655000',
    });
  });

  it('do not join a percent sign to a period', () => {
    const table =
      '| (migliaia di euro) | 1° semestre 2025 | % | 1° semestre 2024 | % |\n|---|---|---|---|---|\n| Ricavi netti | 156.842 | 100,0 | 149.377 | 100,0 |\n| Utile del periodo | 7.734 | 4,9 | 5.788 | 3,9 |\n';
    expect(read(table, 'net_income')).toEqual({ 'H1 2025': '7734000', 'H1 2024': '5788000' });
  });

  it('may be missing above a balance sheet whose title states the day', () => {
    const balance =
      '## Balance sheet at 31 October 2025 (£000)\n\n| Stock | 1,306 |\n|---|---:|\n| Cash at bank | 385 |\n| Total assets | 5,918 |\n';
    expect(read(balance, 'inventories')).toEqual({ 2025: '1306000' });
  });

  it('give the previous year next to a column of units', () => {
    const balance =
      'Bilanz zum 31.12.2024\n\nAktiva                         EUR     Vorjahr TEUR\nI. Vorräte                1.120.300,00      1.050\nII. Kassenbestand           410.115,90        388\nSumme Aktiva              1.530.415,90      1.438\n';
    expect(read(balance, 'inventories')).toEqual({ 2024: '1120300', 2023: '1050000' });
  });

  it('are not given by sentences above the table', () => {
    const text =
      'Had the purchase closed in January, pro forma revenue would have been $88.9 million for the year.\n\n(in thousands of Canadian dollars)\n\nThree months ended March 31,    2025     2024\nRevenue                       84,216   79,940\nNet income                     1,369      923\n';
    expect(read(text, 'revenue')).toEqual({ 'Q1 2025': '84216000', 'Q1 2024': '79940000' });
    expect(statementsOf(text).currencies).toEqual(['CAD']);
  });
});

describe('rows', () => {
  it('continue the name of receivables and liabilities', () => {
    const balance =
      '<table><tr><th></th><th>31.12.2024<br>EUR</th><th>31.12.2023<br>TEUR</th></tr><tr><td>II. Forderungen und sonstige Vermögensgegenstände</td><td>2.486.192,75</td><td>2.391</td></tr><tr><td>- davon aus Lieferungen und Leistungen</td><td>2.301.877,20</td><td>2.208</td></tr><tr><td>C. Verbindlichkeiten</td><td>5.592.021,72</td><td>5.711</td></tr><tr><td>2. aus Lieferungen und Leistungen</td><td>1.406.331,87</td><td>1.297</td></tr></table>';
    expect(read(balance, 'receivables')).toEqual({ 2024: '2301877.2', 2023: '2208000' });
    expect(read(balance, 'payables')).toEqual({ 2024: '1406331.87', 2023: '1297000' });
  });

  it('of key figures print their own units and comparatives', () => {
    const highlights =
      'Annual Report 2024\n\nHighlights\nRevenue                         £612.4m   +4.2%\nAdjusted operating profit1      £66.4m    (2023: £61.2m)\nAdjusted earnings per share1    20.3p     (2023: 18.9p)\n';
    expect(read(highlights, 'revenue')).toEqual({ 2024: '612400000' });
    expect(read(highlights, 'adjusted_operating_income')).toEqual({ 2024: '66400000', 2023: '61200000' });
    expect(read(highlights, 'adjusted_eps')).toEqual({ 2024: '0.203', 2023: '0.189' });
  });

  it('of fields have the period of the title', () => {
    const fields =
      'KEY FINANCIALS, fiscal year ended 30 June 2025 (USD million)\n\nRevenue: 845.2 (FY24: 812.9)\nTotal debt: 310.0\n';
    expect(read(fields, 'revenue')).toEqual({ 2025: '845200000', 2024: '812900000' });
    expect(read(fields, 'total_debt')).toEqual({ 2025: '310000000' });
  });

  it('of a total without a label are the whole side and not the first group', () => {
    const balance =
      'Bilanz zum 31.12.2024 (TEUR)\n\nA K T I V A                    2024     2023\nA. Anlagevermögen\n   I. Sachanlagen             2.310    2.198\nB. Umlaufvermögen\n   I. Vorräte                 1.120    1.050\n                              3.430    3.248\n';
    expect([read(balance, 'non_current_assets'), read(balance, 'total_assets')]).toEqual([
      {},
      { 2024: '3430000', 2023: '3248000' },
    ]);
  });
});

describe('sentences', () => {
  it('keep all digits of an amount whose thousands are separated by blanks', () => {
    const report =
      'Delårsrapport januari–september 2025\n\nTREDJE KVARTALET 2025\n• Nettoomsättningen ökade till 1 284,6 MSEK (1 197,3).\n• Rörelseresultatet uppgick till 173,5 MSEK (136,4).\n';
    expect(read(report, 'revenue')).toEqual({ 'Q3 2025': '1284600000', 'Q3 2024': '1197300000' });
  });

  it('have the half-year that the title names', () => {
    const release =
      '# Résultats semestriels 2025\n\nLe résultat opérationnel courant de 41,8 M€ se compare à un budget.\n\n- Chiffre d’affaires de 512,4 M€, en hausse de 3,9 %\n';
    expect(read(release, 'revenue')).toEqual({ 'H1 2025': '512400000' });
  });

  it('state the amounts of covenants in the unit of the certificate', () => {
    const certificate =
      'COMPLIANCE CERTIFICATE\nFacilities Agreement dated 3 March 2023. Figures in EUR thousand.\nRelevant Period ended 30 June 2025.\n\n(a) Minimum Liquidity: Cash was 7,412 against a required minimum of 5,000.\n\n(b) Interest Cover: Covenant EBITDA to Interest Expense was 2.88:1. The ratio must not be less than 3.00:1. The Company did not comply.\n';
    expect(
      disclosuresOf(certificate).covenants.map(({ covenant, limit, actual }) => [covenant, limit, actual]),
    ).toEqual([
      ['minimum-liquidity', '5000000', '7412000'],
      ['interest-cover', '3', '2.88'],
    ]);
  });
});

describe('segments', () => {
  it('add up to revenue with eliminations', () => {
    const note =
      'Not 3 Rörelsesegment, januari–september 2025 (MSEK)\n\n                        Omsättning            Rörelseresultat\nMSEK                   2025      2024           2025      2024\nLuftbehandling        702,3     641,8          103,9      82,4\nKyla                  448,9     431,2           49,2      41,7\nService               171,0     158,4           31,8      26,5\nKoncerngemensamt/elim -37,6     -34,1          -11,4     -14,2\nKoncernen           1 284,6   1 197,3          173,5     136,4\n';
    expect(disclosuresOf(note).segments).toHaveLength(12);
  });
});
