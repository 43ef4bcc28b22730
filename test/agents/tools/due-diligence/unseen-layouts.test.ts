/** Layouts that put a value away from its label, and sentences whose numbers are no facts of the deal. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { capTable } from '../../../../agents/tools/due-diligence/cap-table.ts';
import { findControlTerms } from '../../../../agents/tools/due-diligence/control-terms.ts';
import { findEntries } from '../../../../agents/tools/due-diligence/data-room-index.ts';
import { findDisputes } from '../../../../agents/tools/due-diligence/disputes.ts';
import { flowOf } from '../../../../agents/tools/due-diligence/flow.ts';
import { findVetoes } from '../../../../agents/tools/due-diligence/governance-terms.ts';
import { findCapTables } from '../../../../agents/tools/due-diligence/holdings.ts';
import { checkFlags } from '../../../../agents/tools/due-diligence/red-flags.ts';
import { findInstruments } from '../../../../agents/tools/due-diligence/round-terms.ts';
import { findSeats } from '../../../../agents/tools/due-diligence/seats.ts';
import { findValueTerms } from '../../../../agents/tools/due-diligence/term-values.ts';
import { findWarrantyLimits } from '../../../../agents/tools/due-diligence/warranty-limits.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const read = (text: string) => parseDocument(documentOf(text));
const flagsOf = (text: string) => checkFlags([documentOf(text)]).raised.map(({ id }) => id);
const limitsOf = (text: string) => {
  const document = read(text);
  const flow = flowOf(document);
  return findWarrantyLimits(document, flow, findValueTerms(flow)).map(
    ({ limit, amount, percent }) => `${limit} ${amount ?? `${percent} %`}`,
  );
};
const valuesOf = (text: string) => findValueTerms(flowOf(read(text))).map(({ term, value }) => `${term} ${value}`);

describe('cap tables with other columns', () => {
  const rows = (total: number) =>
    `| Stake % | Units (000s) | Type | Member |\n|---|---|---|---|\n| 60.00 | 1,200 | Common | Ada Birch |\n` +
    `| 30.00 | 600 | Common | Colm Dray |\n| 10.00 | 200 | Options | Plan 2024 |\n| 100.00 | ${total} | | Total |\n`;

  it('reads holders from the last column and counts in thousands', () => {
    const [table] = findCapTables(read(rows(2_000)));
    expect(table?.holdings.map(({ holder, count, percent }) => [holder, count, percent])).toEqual([
      ['Ada Birch', 1_200_000n, '60.00'],
      ['Colm Dray', 600_000n, '30.00'],
      ['Plan 2024', 200_000n, '10.00'],
    ]);
    expect(table?.disagreements).toEqual([]);
  });

  it('takes no number for a holder', () => {
    expect(findCapTables(read('| Date | Shares |\n|---|---|\n| 12.5 | 900 |\n| 13.5 | 800 |\n'))).toEqual([]);
  });

  it('blames the pre-money valuation if the shares confirm the post-money valuation', () => {
    const text = `${rows(2_000)}\nPrice per share: $2.00. Pre-money valuation: $3,500,000. Amount raised: $1,000,000. Post-money valuation: $4,000,000.`;
    const { result } = capTable.run([documentOf(text)]);
    expect(result).toMatchObject({
      valuation_disagreements: [{ figure: 'pre-money', stated: '3500000', computed: '3000000' }],
    });
  });
});

describe('forms and lists', () => {
  it('keeps the term of a definition list with its description', () => {
    const html =
      '<html><body><h1>Round</h1><dl><dt>Amount raised</dt><dd>$2,000,000</dd><dt>Post-money valuation</dt><dd>$9,000,000</dd></dl></body></html>';
    expect(valuesOf(html)).toEqual(['investment 2000000', 'post-money 9000000']);
  });

  it('reads the ticked boxes of a form in two columns of blanks', () => {
    const form = `Total amount        $2,750,000, of which $900,000 at the
                    first closing.

Consents            While the notes are outstanding the Company
                    shall not, without the majority holders:
                    [x] incur debt over $90,000
                    [ ] change the size of the board
                    [x] pay dividends
`;
    expect(valuesOf(form)[0]).toBe('investment 2750000');
    expect(findVetoes(flowOf(read(form))).map(({ action }) => action)).toEqual(['debt', 'distributions']);
  });

  it('counts the parts of a board that follow its size', () => {
    const seats = findSeats(flowOf(read('Board: 7 – 3 Common, 2 Series B & Series A together, 2 mutual')));
    expect(seats.map(({ elected_by: by, seats: count }) => `${by} ${count}`).sort()).toEqual([
      'common 3',
      'independent 2',
      'preferred 2',
      'total 7',
    ]);
  });

  it('begins a paragraph at an item such as 9(b)', () => {
    const document = read(
      '9(a) Supply contract of Elm Tools Ltd: Elm may terminate on a change of control.\n9(b) Lease of unit 2: no provision on change of control. Landlord: Oakfield Estates plc.',
    );
    const terms = findControlTerms(document, flowOf(document));
    expect(terms.map(({ counterparty, consequence }) => `${counterparty} ${consequence}`)).toEqual([
      'Elm Tools Ltd termination',
      'Oakfield Estates plc none',
    ]);
  });

  it('reads a data room index in Polish by its legend', () => {
    const index =
      'Legenda: T = zamieszczono; N = nie zamieszczono; W = dokument utracił ważność\n\n' +
      '| Lp. | Stan | Nazwa dokumentu | Uwagi |\n|---|---|---|---|\n| 1.1 | T | Umowa spółki | |\n| 1.2 | N | Lista wspólników | |\n| 1.3 | W | Koncesja | |\n';
    expect(findEntries(read(index)).map(({ title, status }) => `${title}: ${status}`)).toEqual([
      'Umowa spółki: present',
      'Lista wspólników: missing',
      'Koncesja: expired',
    ]);
  });
});

describe('red flags', () => {
  it.each([
    'Ein Hinweis auf bestandsgefährdende Umstände ist im Bericht nicht enthalten.',
    'Is there any doubt that the company can continue as a going concern?',
    'Our standard lists matters that may have to be reported: data breaches, breaches of loan covenants and disputes over title to shares.',
    'A qualified audit opinion, a breach of covenants or a data breach would be a red flag.',
    'The firmware contains GPL-3.0 code, distributed as the license requires.',
  ])('raises none for %j', (text) => {
    expect(flagsOf(text)).toEqual([]);
  });

  it('raises going concern for a stated doubt', () => {
    expect(flagsOf('Management has substantial doubt about the next 12 months without new funds.')).toContain(
      'going_concern',
    );
  });
});

describe('limits of liability', () => {
  it('takes an amount that a liability shall not exceed for a cap', () => {
    expect(
      limitsOf('Warranties. The liability of the Seller under the indemnity in clause 9 shall not exceed £300,000.'),
    ).toEqual(['cap 300000']);
  });

  it('separates the smallest claim from the total, and skips a note to draft', () => {
    expect(
      limitsOf(
        'The Sellers are not liable for a Claim unless it exceeds £5,000 [Note to draft: the Buyer had £1,000] and the aggregate of all such Claims exceeds £50,000.',
      ),
    ).toEqual(['de-minimis 5000', 'basket 50000']);
    expect(
      limitsOf('Garantie : aucune demande inférieure à 2.000 € n’est recevable ; leur total doit dépasser 9.000 €.')[0],
    ).toBe('de-minimis 2000');
  });
});

describe('disputes and instruments', () => {
  it('takes no claims under warranties for a dispute', () => {
    const document = read(
      'The liability for all Claims (other than Tax Claims and claims under the Title Warranties) shall not exceed £1.',
    );
    expect(findDisputes(document, flowOf(document))).toEqual([]);
  });

  it('takes the status of a dispute from behind the denial of others', () => {
    const document = read(
      'La Société n’est menacée d’aucun litige : Mme Aude Kerguelen, ancienne salariée, lui réclame 8.000 € devant le tribunal.',
    );
    expect(findDisputes(document, flowOf(document))[0]?.status).toBe('pending');
  });

  it('leaves out a SAFE that has converted', () => {
    expect(
      findInstruments(read('The SAFE of Alder Fund ($100,000, cap $4,000,000) converted on May 3, 2025 into shares.')),
    ).toEqual([]);
  });

  it.each([
    ['Valutazione massima di € 3.000.000 (pre-money).', ['valuation-cap 3000000']],
    ['An earlier structure with SAFEs at a $4,000,000 post-money cap was dropped.', []],
    [
      'La valorisation est de 4.000.000 € avant l’opération, soit 5.000.000 € après.',
      ['pre-money 4000000', 'post-money 5000000'],
    ],
  ])('reads the values in %j', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });
});

describe('amendments of the same document', () => {
  it.each([
    ['In clause 2 "EUR 9,000,000" is replaced by "EUR 8,500,000".', 'The purchase price is EUR 9,000,000.'],
    [
      'In Ziffer 2 wird „EUR 9,000,000“ ersetzt: anstelle von „EUR 9,000,000“ gilt „EUR 8,500,000“.',
      'The purchase price is EUR 9,000,000.',
    ],
    ['En la cláusula 2, donde dice «EUR 9,000,000» dirá «EUR 8,500,000».', 'The purchase price is EUR 9,000,000.'],
  ])('%s', (amendment, term) => {
    expect(valuesOf(`${amendment}\n\n2. Price\n${term}\n`)).toEqual(['purchase-price 8500000']);
  });
});

describe('ledgers and lists of holders', () => {
  it('skip cancelled securities, and find the total in any column', () => {
    const text = `Security ID;Stakeholder;Security;Status;Quantity;% FD
C-1;Ada Quill;Common;outstanding;6,000;60.00
C-2;Bo Farr;Common;cancelled;1,000;
C-3;Cy Lund;Common;outstanding;4,000;40.00
;TOTAL;;;10,000;100.00
`;
    const [table] = findCapTables(read(text));
    expect(table?.holdings.map(({ holder, count, percent }) => [holder, count, percent])).toEqual([
      ['Ada Quill', 6_000n, '60.00'],
      ['Cy Lund', 4_000n, '40.00'],
    ]);
    expect(table?.disagreements).toEqual([]);
  });

  it('have headings in two rows, and holders with their dates of birth', () => {
    const text = `<table><tr><th rowspan="2">Gesellschafter</th><th rowspan="2">Lfd. Nr.</th><th colspan="2">Beteiligung</th></tr>
<tr><th>Anteile</th><th>in %</th></tr>
<tr><td>Ada Quill, geb. 01.02.1980, Gera</td><td>1-600</td><td>600</td><td>60,0 %</td></tr>
<tr><td>Lund GmbH, HRB 77 12</td><td>601-1.000</td><td>400</td><td>40,0 %</td></tr></table>`;
    expect(findCapTables(read(text))[0]?.holdings.map(({ holder, count }) => [holder, count])).toEqual([
      ['Ada Quill', 600n],
      ['Lund GmbH', 400n],
    ]);
  });

  it('name the instruments in their rows', () => {
    const text = `Security ID;Holder;Security;Status;Principal USD;Valuation cap USD;Discount %
S-1;Alder LP;Post-money SAFE;outstanding;250,000;5,000,000;20
S-2;Birch LP;Post-money SAFE;cancelled;100,000;4,000,000;
S-3;Cedar LP;Convertible note;outstanding;300,000;6,000,000;15
`;
    expect(findInstruments(read(text)).map(({ kind, terms }) => [kind, terms.holder])).toEqual([
      ['SAFE', 'Alder LP'],
      ['convertible note', 'Cedar LP'],
    ]);
  });
});

describe('an index drawn as a tree', () => {
  it('has the statuses of its legend', () => {
    const text = `Data room index
Legend:  [x] uploaded   [ ] missing   [~] draft   [!] expired
├── 01.01 Articles of association ............ [x]  2 MB
├── 01.02 Share register ..................... [ ]
└── 01.03 Waste permit ....................... [!]  1 MB
`;
    expect(findEntries(read(text)).map(({ title, status }) => `${title}: ${status}`)).toEqual([
      'Articles of association: present',
      'Share register: missing',
      'Waste permit: expired',
    ]);
  });
});

describe('sentences about others', () => {
  it.each([
    'Our competitor Tarn Analytics suffered a data breach of 1.2 million records in 2023.',
    'A deficit in a defined benefit pension scheme is a typical concern in this sector.',
    "The Company's former parent, Borrowdale Group plc, was fined by the ICO in 2021.",
  ])('raise no flag: %s', (text) => {
    expect(flagsOf(`Report on Alder Ltd (the "Company").\n\n${text}\n`)).toEqual([]);
  });
});
