/**
 * Errors that reviewers found in the findings of four agents on real documents: each stays repaired in what the agent's tools
 * report together. Texts and figures are our own.
 */
import { describe, expect, it } from 'vitest';
import { agents } from '../../agents/registry.ts';

const resultsOf = (slug: string, text: string) => {
  const { tools } = agents.find((agent) => agent.slug === slug)!;
  return Object.fromEntries(tools.map(({ name, run }) => [name, run([{ message: 0, text }]).result])) as Record<
    string,
    Record<string, unknown>
  >;
};

describe('the financial analyst', () => {
  const figuresOf = (text: string) =>
    (
      resultsOf('financial-analyst', text).financial_statements as unknown as {
        figures: { item: string; values: { period: string; value: string }[] }[];
      }
    ).figures.flatMap(({ item, values }) => values.map(({ period, value }) => `${item} ${period} ${value}`));

  it('reads a statement of three columns by its three years, and nothing as "undated"', () => {
    const text = `Consolidated statements of income (in thousands)

                               Fiscal years ended
                      June 28, 2025   June 29, 2024   July 1, 2023
Net sales                     7,310           6,980          6,455
Gross profit                  2,940           2,790          2,580
`;
    expect(figuresOf(text)).toEqual([
      'revenue 2025 7310000',
      'revenue 2024 6980000',
      'revenue 2023 6455000',
      'gross_profit 2025 2940000',
      'gross_profit 2024 2790000',
      'gross_profit 2023 2580000',
    ]);
  });

  it.each([
    'CONDENSED BALANCE SHEETS\n(in thousands)\n\n',
    '## Condensed balance sheets (in thousands, except par value)\n\n',
    'Condensed balance sheets\n\n(Amounts in thousands)\n\n',
  ])('keeps "(in thousands)" of the caption %j', (caption) => {
    const table = '|  | March 31, 2026 | December 31, 2025 |\n|---|---:|---:|\n| Inventories | 5,120 | 4,870 |\n';
    expect(figuresOf(caption + table).map((figure) => figure.split(' ').at(-1))).toEqual(['5120000', '4870000']);
  });

  it('does not read the aggregate market value of common stock as inventories, or a year as gross profit', () => {
    const text =
      'The aggregate market value of the common stock held by non-affiliates was $812,400,000,000 on June 30, 2025.\n\nGross profit\n2025 2024\n\nDeferred revenue was $4.1 million in 2025 and $8.1 million in 2024.\n';
    expect(figuresOf(text).filter((figure) => /inventories|gross_profit|^revenue/.test(figure))).toEqual([]);
    const { growth } = resultsOf('financial-analyst', text).financial_growth as { growth: { item: string }[] };
    expect(growth.filter(({ item }) => item === 'revenue')).toEqual([]);
  });

  it('computes no return on the flows of a quarter, and does not annualise them', () => {
    const text = `(in thousands)           Three months ended March 31, 2026
Net sales                                     1,000
Net income                                      120

                                          March 31, 2026
Total assets                                  4,800
Total shareholders' equity                    2,400
`;
    const ratios = resultsOf('financial-analyst', text).financial_ratios as unknown as {
      id: string;
      values: { value?: string }[];
    }[];
    const values = (id: string) => ratios.find((ratio) => ratio.id === id)?.values.flatMap(({ value }) => value ?? []);
    expect([values('net_margin'), values('return_on_equity'), values('return_on_assets')]).toEqual([['12.0'], [], []]);
  });
});

describe('due diligence', () => {
  it.each([
    'The auditors issued an unqualified audit report on the financial statements for 2025.',
    'This Agreement is enforceable against the Company, except as limited by applicable bankruptcy, insolvency or similar laws.',
    "The Company's business as now conducted does not infringe the intellectual property of any third party.",
  ])('raises no red flag for: %s', (text) => {
    expect(resultsOf('due-diligence', text).red_flags).toMatchObject({ score: 0, score_uncapped: 0 });
  });
});

describe('the contract analyst', () => {
  const contract = `SERVICES AGREEMENT

This Agreement is made on 4 May 2026 between Fennel Ltd ("Customer") and Juniper Works Ltd ("Supplier").

1. Services
The Supplier shall provide the Services that the order describes, as stated in clause 3.

2. Fees
The Customer shall pay each invoice within 30 days of receipt.

3. Liability
The liability of each party is limited to £100,000, except for fraud.

4. Law
This Agreement is governed by the laws of England and Wales.
`;

  it('does not count headings as broken references to themselves', () => {
    const { reference_problems: problems } = resultsOf('contract-analyst', contract).contract_facts as {
      reference_problems: { items: { kind: string; what: string }[] };
    };
    expect(problems.items.filter(({ kind }) => /broken|missing/.test(kind))).toEqual([]);
  });

  it('reports a defined term as not used only if it is not used, also in the plural, in capitals or over two lines', () => {
    const text = `SERVICES AGREEMENT

1. Definitions
"Business Day" means a day on which banks are open in London.
"Deliverable" means each item that the order describes.
"Good Industry Practice" means the care of a skilled operator.
"Escrow Agent" means the bank that the parties appoint.

2. Services
The Supplier shall hand over the Deliverables within five Business
Days and shall follow GOOD INDUSTRY PRACTICE.
`;
    const { reference_problems: problems } = resultsOf('contract-analyst', text).contract_facts as {
      reference_problems: { items: { kind: string; what: string }[] };
    };
    expect(problems.items.filter(({ kind }) => kind === 'defined term not used').map(({ what }) => what)).toEqual([
      'Escrow Agent',
    ]);
  });

  it('has a score between 0 and 100 for an ordinary contract, and none without a contract', () => {
    const scoreOf = (text: string) => (resultsOf('contract-analyst', text).clause_checklist as { score: number }).score;
    expect(scoreOf(contract)).toBeGreaterThan(0);
    expect(scoreOf(contract)).toBeLessThan(100);
    expect([scoreOf(''), scoreOf('Hello, how are you?')]).toEqual([null, null]);
  });
});

describe('the medical analyst', () => {
  const eventsOf = (text: string) => {
    const { events } = resultsOf('medical-analyst', text).timeline as unknown as {
      events: { items: { date: string; event: string }[] };
    };
    return events.items.map(({ date, event }) => `${date} ${/\p{L}+/u.exec(event)![0]}`);
  };

  it('reads all dates of a note in the order that one of them shows', () => {
    expect(eventsOf('Admission: 03/14/2026.\n\n03/05/2026 Colonoscopy.\n\n04/02/2026 Echocardiogram.\n')).toEqual([
      '2026-03-05 Colonoscopy',
      '2026-03-14 Admission',
      '2026-04-02 Echocardiogram',
    ]);
    expect(eventsOf('Admission: 14/03/2026.\n\n03/05/2026 Colonoscopy.\n\n04/02/2026 Echocardiogram.\n')).toEqual([
      '2026-02-04 Echocardiogram',
      '2026-03-14 Admission',
      '2026-05-03 Colonoscopy',
    ]);
  });
});

describe('the tax analyst', () => {
  it('reads number, date, parties, net, rate, tax and gross of an invoice', () => {
    const text = `Alder Tools GmbH
Werkstraße 5, 70565 Stuttgart

Rechnung Nr. 2026-071                         Datum: 03.03.2026

Kunde: Birke Bau GmbH, Ring 2, 20095 Hamburg

Bohrkopf                     2        250,00        500,00
Nettobetrag                                         500,00
USt 19 %                                             95,00
Gesamtbetrag                              EUR       595,00
`;
    const { invoices } = resultsOf('tax-analyst', text).invoice_facts as { invoices: unknown[] };
    expect(invoices).toHaveLength(1);
    expect(invoices[0]).toMatchObject({
      number: { value: '2026-071' },
      date: { value: '2026-03-03' },
      seller: { value: 'Alder Tools GmbH' },
      buyer: { value: 'Birke Bau GmbH' },
      net: { value: '500' },
      rate: { value: '19 %' },
      tax: { value: '95' },
      gross: { value: '595' },
    });
  });
});
