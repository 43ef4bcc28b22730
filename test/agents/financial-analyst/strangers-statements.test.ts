/** Statements in layouts, languages and words that the readers had not seen. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../agents/agent/agent.ts';
import { financialAnalyst } from '../../../agents/financial-analyst/index.ts';
import { documentOf } from '../../support/agents/agent-inputs.ts';

const resultOf = (name: string, text: string) =>
  financialAnalyst.tools.find((tool) => tool.name === name)!.run([documentOf(text)]).result as Record<string, Json>;

/** "item period value" of each figure. */
function figuresIn(text: string): string[] {
  const { figures } = resultOf('financial_statements', text) as unknown as {
    figures: { item: string; values: { period: string; value: string }[] }[];
  };
  return figures.flatMap(({ item, values }) => values.map(({ period, value }) => `${item} ${period} ${value}`));
}

function segmentsIn(text: string): string[] {
  const { segments } = resultOf('financial_disclosures', text) as unknown as {
    segments: { segment: string; item: string; period: string; value: string }[];
  };
  return segments.map(({ segment, item, period, value }) => `${segment} ${item} ${period} ${value}`);
}

describe('units', () => {
  it('take a bare dollar for the dollar of the unit, although a price is in another', () => {
    const text =
      'Annual report 2025\nAll amounts are in thousands of Canadian dollars.\n\n                 2025      2024\nRevenue       41,220    39,870\n\nOre averaged US$489 a tonne. Revenue was $41.2 million.';
    expect(resultOf('financial_statements', text).currencies).toEqual(['CAD']);
  });

  it('of a document that declares one for all amounts apply to its sentences', () => {
    const text =
      'Annual report 2025\nAmounts are in thousands of euros unless otherwise stated.\n\n                 2025      2024\nRevenue       41,220    39,870\n\nTotal assets were €61,905 at the year end.';
    expect(figuresIn(text)).toContain('total_assets 2025 61905000');
  });

  it('directly below a table apply to it', () => {
    const text =
      '| Year | Revenue | Net profit |\n|---|---|---|\n| 2024 | 33.9 | 2.2 |\n| 2025 | 36.4 | 2.9 |\n\nFigures in CHF million.';
    expect(figuresIn(text)).toContain('revenue 2025 36400000');
  });

  it('are not read from amounts in sentences above a table', () => {
    const text =
      'Rapport de gestion - exercice clos le 31 décembre 2025\nLe budget prévoit 7,9 millions d’euros de ventes.\nChiffres en euros\n\n                       2025       2024\nChiffre d’affaires  7 688 914  7 315 402';
    expect(figuresIn(text)).toContain('revenue 2025 7688914');
  });
});

describe('periods', () => {
  it('of quarters are headed by the year at the corner', () => {
    const text =
      'In EUR thousand\n2025                 Q1       Q2       Q3       Q4\nSales, 2025       1,512    1,589    1,496    1,423';
    expect(figuresIn(text)).toContain('revenue Q2 2025 1589000');
  });

  it('"Kv 2 2025" is a quarter and not a year', () => {
    const text = '| MSEK | Kv 2 2025 | Kv 2 2024 |\n|---|---|---|\n| Nettoomsättning | 312 | 298 |';
    expect(figuresIn(text)).toEqual(['revenue Q2 2025 312000000', 'revenue Q2 2024 298000000']);
  });
});

describe('sentences', () => {
  const annual = (text: string) => figuresIn(`Annual report 2025\n\n${text}`);

  it.each([
    ['Die Bilanzsumme erhöhte sich von 20,1 Mio. EUR auf 22,3 Mio. EUR.', 'total_assets', '22300000', '20100000'],
    ['Revenue rose from $11.0 million in 2024 to $12.0 million in 2025.', 'revenue', '12000000', '11000000'],
  ])('take the later amount of a rise for the period: %s', (text, item, now, before) => {
    expect(annual(text)).toEqual(expect.arrayContaining([`${item} 2025 ${now}`, `${item} 2024 ${before}`]));
  });

  it.each([
    ['Les disponibilités sont de 204 390 euros.', 'cash 2025 204390'],
    ['El resultado del ejercicio fue de 1,5 millones de euros.', 'net_income 2025 1500000'],
    ['Das Eigenkapital beträgt 5,2 Mio. EUR.', 'equity 2025 5200000'],
    ['Årets resultat udgør 15,1 mio. kr.', 'net_income 2025 15100000'],
    ['L’exercice se solde par un bénéfice de 156 733 euros.', 'net_income 2025 156733'],
  ])('state levels: %s', (text, figure) => {
    expect(annual(text)).toContain(figure);
  });

  it('do not take the size of a change for a level', () => {
    expect(annual('Le chiffre d’affaires a augmenté de 3 millions d’euros.')).toEqual([]);
  });

  it('do not date an amount by the year of the one compared', () => {
    const found = annual('Przychody ze sprzedaży wyniosły 88,4 mln zł wobec 81,2 mln zł w 2024 roku.');
    expect(found).toEqual(['revenue 2025 88400000', 'revenue 2024 81200000']);
  });
});

describe('labels', () => {
  it('of shares used for a loss per share are numbers of shares', () => {
    const text =
      'In thousands, except share data\n                                             2025         2024\nNet loss per share, basic and diluted       (2.94)       (2.26)\nWeighted-average shares used in computing net loss per share, basic and diluted   11,204,318   11,860,502';
    expect(figuresIn(text)).toEqual(expect.arrayContaining(['eps_basic 2025 -2.94', 'shares_basic 2025 11204318']));
  });

  it('of cash flows are recognised by the flow and the activity', () => {
    const text =
      'EUR thousand                                       2025      2024\nFlux nets de trésorerie d’exploitation            8,410     7,905\nPengestrømme fra investeringer                   (3,105)   (2,990)';
    expect(figuresIn(text)).toEqual(
      expect.arrayContaining(['operating_cash_flow 2025 8410000', 'investing_cash_flow 2025 -3105000']),
    );
  });

  it('of a reconciliation are the lines of the statement, too', () => {
    const text =
      'Reconciliation of adjusted EBITDA, $ million\n                      2025     2024\nNet income            21.4     18.2\nAdjusted EBITDA       44.8     39.8';
    expect(figuresIn(text)).toEqual(
      expect.arrayContaining(['net_income 2025 21400000', 'adjusted_ebitda 2025 44800000']),
    );
  });
});

describe('segments', () => {
  it('are read without their revenue with each other', () => {
    const text =
      'Segmentbericht GJ 2025 in Mio. €\n\n| Segment | Außenumsatz | Innenumsatz | EBIT |\n|---|---|---|---|\n| Pumpen | 220,4 | 11,2 | 24,1 |\n| Service | 77,1 | 0,9 | 9,9 |\n| Konzern | 297,5 | 0,0 | 34,0 |';
    expect(segmentsIn(text)).toEqual(
      expect.arrayContaining(['Pumpen revenue 2025 220400000', 'Service result 2025 9900000']),
    );
  });

  it('have no revenue in a table of orders', () => {
    const text =
      'Segment revenue and orders 2025\n\nOrder intake by segment, EUR million\n              2025     2024\nPumps         31.0     29.0\nValves        12.0     14.0\nTotal         43.0     43.0';
    expect(segmentsIn(text)).toEqual([]);
  });
});

describe('organic growth', () => {
  const growthIn = (text: string) =>
    (resultOf('financial_disclosures', text).organic_growth as unknown as { percent: string; period: string }[]).map(
      ({ percent, period }) => `${period} ${percent}`,
    );

  it('is read in sentences with its sign', () => {
    expect(growthIn('Annual report 2025\n\nSales fell; the organic decline was 2.5%.')).toEqual(['2025 -2.5']);
  });

  it('is read in rows', () => {
    const text = '| % | 2025 | 2024 |\n|---|---|---|\n| Organisk tillväxt | 4,4 | 3,1 |';
    expect(growthIn(text)).toEqual(['2025 4.4', '2024 3.1']);
  });

  it('is not a target', () => {
    expect(growthIn('Annual report 2025\n\nOur target is organic growth of 5% a year.')).toEqual([]);
  });
});

describe('forecasts', () => {
  it('are left out if their unit is open', () => {
    const text =
      'In thousands of dollars\n             2025     2024\nRevenue    41,220   39,870\n\nFor 2026 we plan capital expenditures of $45,000 to $50,000.';
    expect(resultOf('financial_disclosures', text).guidance).toEqual([]);
  });
});

describe('a year next to its first months', () => {
  it('stays a year below a note on the months, in whose brackets the year ends', () => {
    const text = [
      'Figures are from audited accounts (years ended 30 September) and from',
      'management accounts (three months ended 31 December).',
      '',
      '| €k | FY24 | FY25 | YTD Dec-24 | YTD Dec-25 |',
      '|---|---|---|---|---|',
      '| Revenue | 8,120 | 8,940 | 2,010 | 2,260 |',
      '| Cost of sales | (4,020) | (4,410) | (1,050) | (1,120) |',
    ].join('\n');
    expect(figuresIn(text).slice(0, 4)).toEqual([
      'revenue 2024 8120000',
      'revenue 2025 8940000',
      'revenue Q4 2024 2010000',
      'revenue Q4 2025 2260000',
    ]);
  });
});

describe('a unit of thousands', () => {
  it.each(['€k', '€ k', 'EUR k', 'EURk', 'in €k', 'k€', 'T€', '€000', '(€k)'])('is read as %s', (unit) => {
    const text = `| ${unit} | 2024 | 2025 |\n|---|---|---|\n| Revenue | 8,120 | 8,940 |\n| Cost of sales | (4,020) | (4,410) |`;
    expect(figuresIn(text)).toContain('revenue 2025 8940000');
    expect(resultOf('financial_statements', text).currencies).toEqual(['EUR']);
  });
});
