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
