/**
 * Single provisions of contracts: parties, amounts, durations, and texts that are not provisions. The texts were written for these
 * tests.
 */
import { describe, expect, it } from 'vitest';
import { type Document, parseDocument } from '../../../../agents/document/document.ts';
import { clauseChecklist } from '../../../../agents/tools/contract/clause-checklist.ts';
import { findContractDates } from '../../../../agents/tools/contract/contract-dates.ts';
import { isContract } from '../../../../agents/tools/contract/contract-nature.ts';
import { namedPartiesOf } from '../../../../agents/tools/contract/contract-parties.ts';
import { findTerm } from '../../../../agents/tools/contract/contract-term.ts';
import { findCovenants } from '../../../../agents/tools/contract/covenants.ts';
import { findForums } from '../../../../agents/tools/contract/forum.ts';
import { findIndemnities } from '../../../../agents/tools/contract/indemnities.ts';
import { findIpOwnership } from '../../../../agents/tools/contract/ip-ownership.ts';
import { findGoverningLaw } from '../../../../agents/tools/contract/law-and-forum.ts';
import { findLiabilityCaps } from '../../../../agents/tools/contract/liability-caps.ts';
import { findLiabilityExclusions } from '../../../../agents/tools/contract/liability-exclusions.ts';
import { findPaymentTerms } from '../../../../agents/tools/contract/payment-terms.ts';
import { findPlaceholders } from '../../../../agents/tools/contract/placeholders.ts';
import { findReferenceProblems } from '../../../../agents/tools/contract/references.ts';
import { findTerminationRights } from '../../../../agents/tools/contract/termination-rights.ts';

const intro =
  'This Agreement is made on 2 May 2026 between Oakmere Ltd ("Customer") and Pinnacle Works Inc. ("Supplier").\n\n';
const read = (text: string): Document => parseDocument({ message: 0, text });
const bare = <Found extends object>(list: readonly Found[]) =>
  list.map((found) =>
    Object.fromEntries(Object.entries(found).filter(([key]) => !['start', 'end', 'excerpt', 'isBroad'].includes(key))),
  );

describe('parties', () => {
  const parties = (text: string) => namedPartiesOf(read(text)).map((party) => [party.name, party.function]);

  it.each([
    [
      'rows of a table',
      '| Supplier | Nimbus Ltd, Cork |\n|---|---|\n| Customer | Vela GmbH |\n',
      [
        ['Nimbus Ltd', 'supplier'],
        ['Vela GmbH', 'customer'],
      ],
    ],
    [
      'bare brackets',
      'BETWEEN\n(1) HAZEL PUMPS LIMITED, registered in England (the Supplier); and\n(2) FERN WATER PLC (the Customer).\n',
      [
        ['HAZEL PUMPS LIMITED', 'supplier'],
        ['FERN WATER PLC', 'customer'],
      ],
    ],
    [
      'German roles',
      'zwischen\n\nHansa Druck GmbH & Co. KG, Kai 3, Hamburg, vertreten durch die Hansa Verwaltungs-GmbH\n- nachfolgend „Auftraggeber“ -\n\nund der\n\nElbe Wartung GmbH, Weg 1, Hamburg\n- nachfolgend „Auftragnehmer“ -\n',
      [
        ['Hansa Druck GmbH & Co. KG', 'customer'],
        ['Elbe Wartung GmbH', 'supplier'],
      ],
    ],
  ])('are read from %s', (_, text, expected) => {
    expect(parties(text)).toEqual(expected);
  });
});

describe('dates', () => {
  const roles = (text: string) => findContractDates(read(text), 50).map(({ iso, role }) => [iso, role]);

  it('of other agreements, offers and breaks have no role', () => {
    expect(
      roles(
        `${intro}The offer is valid until 1 June 2026. The master agreement dated 3 May 2024 stays in force. The Customer may terminate this Agreement with effect from 4 July 2027.`,
      ),
    ).toEqual([
      ['2026-05-02', 'effective'],
      ['2026-06-01', 'other'],
      ['2024-05-03', 'other'],
      ['2027-07-04', 'other'],
    ]);
  });

  it('in labelled rows and in signature blocks have a role', () => {
    const text = `Order date: 22 June 2026\nStart date: 1 July 2026\nEnd date: 30 June 2028\n\n${'The Supplier shall perform the services with care. '.repeat(8)}\n\nSigned for Oakmere Ltd\nDate: 24 June 2026\n`;
    expect(roles(text).map(([, role]) => role)).toEqual(['effective', 'start', 'end', 'signature']);
  });
});

describe('the term', () => {
  it.each([
    [
      'This Agreement runs for an initial term of three (3) years. It renews automatically for periods of one year unless a party gives 60 days notice before the end.',
      { length: 'P3Y', ending: 'fixed', renewal: 'automatic', renewalLength: 'P1Y', notice: 'P60D' },
    ],
    ['This Agreement is concluded for an indefinite period.', { ending: 'indefinite' }],
    [
      'Der Vertrag hat eine Mindestlaufzeit von 24 Monaten. Er verlängert sich um jeweils 12 Monate, sofern er nicht mit einer Frist von drei Monaten gekündigt wird.',
      { length: 'P24M', ending: 'fixed', renewal: 'automatic', renewalLength: 'P12M', notice: 'P3M' },
    ],
  ])('%s', (text, expected) => {
    const document = read(text);
    expect(findTerm(document, findContractDates(document, 10))).toMatchObject(expected);
  });
});

describe('liability', () => {
  it('has caps with the party and the fees that they refer to', () => {
    const text = `${intro}The Supplier's total liability shall not exceed the greater of £100,000 and 150% of the Charges paid in the 12 months before the claim.`;
    expect(bare(findLiabilityCaps(read(text)))).toEqual([
      { of: 'Supplier', kind: 'amount', value: '100000', currency: 'GBP' },
      { of: 'Supplier', kind: 'percent of fees', percent: '150', period: 'P12M' },
    ]);
  });

  it('does not report an insured sum as a cap', () => {
    const text = `${intro}The Supplier shall maintain liability insurance with limits of not less than $5,000,000.`;
    expect(findLiabilityCaps(read(text))).toEqual([]);
  });

  it('has excluded losses and carve-outs, also by the number of a clause', () => {
    const text = `${intro}1. Confidentiality\nEach party keeps secrets.\n2. Liability\nExcept for Section 1 and fraud, neither party shall be liable for indirect damages or lost profits.`;
    expect(
      findLiabilityExclusions(read(text))
        .map(({ effect, matter }) => `${effect}: ${matter}`)
        .sort(),
    ).toEqual([
      'carve-out: confidentiality',
      'carve-out: fraud',
      'excluded loss: indirect-loss',
      'excluded loss: lost-profits',
    ]);
  });
});

describe('indemnities and ownership', () => {
  it('name who owes and who owns, and omit denials', () => {
    const text = `${intro}The Supplier shall indemnify the Customer against all claims. The Customer shall not be required to indemnify the Supplier. The Deliverables vest in the Customer. The Supplier retains all rights in its tools.`;
    expect(bare(findIndemnities(read(text)))).toEqual([{ by: 'Supplier' }]);
    expect(bare(findIpOwnership(read(text)))).toEqual([
      { subject: 'deliverables', owner: 'Customer' },
      { subject: 'background-ip', owner: 'Supplier' },
    ]);
  });
});

describe('termination rights', () => {
  const rights = (text: string) => bare(findTerminationRights(read(intro + text)));

  it('have party, ground, notice and time to cure, also in lists', () => {
    expect(
      rights(
        'Either party may terminate this Agreement if the other:\n(a) commits a material breach and does not remedy it within 30 days of notice; or\n(b) becomes insolvent.\nThe Customer may terminate this Agreement for convenience on 90 days notice.',
      ),
    ).toEqual([
      { by: 'either party', ground: 'material-breach', cure: 'P30D' },
      { by: 'either party', ground: 'insolvency' },
      { by: 'Customer', ground: 'convenience', notice: 'P90D' },
    ]);
  });

  it('are not reported if the contract denies them', () => {
    expect(rights('The Supplier shall have no right to terminate for convenience.')).toEqual([]);
  });
});

describe('covenants', () => {
  const covenants = (text: string) => bare(findCovenants(read(intro + text)));

  it('name who is bound and how long', () => {
    expect(
      covenants(
        'For twelve months after the end of this Agreement the Supplier shall not solicit any employee of the Customer.',
      ),
    ).toEqual([{ type: 'non-solicitation', by: 'Supplier', duration: 'P12M', lasting: 'limited' }]);
  });

  it('are read below the title of a promise not to compete', () => {
    const text = `${intro}\n9. Non-compete\n9.1 For six months after the end of this Agreement the Supplier shall not work for the Customer's clients.\n`;
    expect(bare(findCovenants(read(text)))).toMatchObject([{ type: 'non-compete', by: 'Supplier', duration: 'P6M' }]);
  });

  it('are not reported if the contract only mentions them', () => {
    expect(
      covenants(
        'The Supplier is a non-exclusive supplier. A non-competition duty does not apply to the Supplier. Had the parties wished for one, they would have said so.',
      ),
    ).toEqual([]);
  });
});

describe('payment', () => {
  it.each([
    ['Invoices are paid net 30.', { kind: 'due', within: 'P30D' }],
    ['The Customer shall pay the charge within 28 days of demand.', { kind: 'due', within: 'P28D' }],
    [
      'Late payments bear interest at 8 percentage points above the base rate under § 247 BGB.',
      { kind: 'late interest', percent: '8', per: 'year', base: 'german-base-rate' },
    ],
    [
      'Overdue sums bear interest of 1.5% per month.',
      { kind: 'late interest', percent: '1.5', per: 'month', base: 'fixed' },
    ],
  ])('%s', (text, expected) => {
    expect(findPaymentTerms(read(text))).toMatchObject([expected]);
  });

  it('does not report a threshold or a discount period as a due date', () => {
    const text =
      'We may suspend the service if an invoice is more than 15 days overdue. Bei Zahlung binnen 10 Tagen werden 2 % Skonto gewährt.';
    expect(findPaymentTerms(read(text))).toEqual([]);
  });
});

describe('law and forum', () => {
  it('reads German wording, and no bracketed alternative', () => {
    const german = read(
      'Es gilt das Recht der Bundesrepublik Deutschland. Ausschließlicher Gerichtsstand ist Stuttgart.',
    );
    expect(findGoverningLaw(german)).toMatchObject([{ jurisdiction: 'Germany' }]);
    expect(findForums(german)).toMatchObject([{ kind: 'courts', seat: 'Stuttgart', exclusive: true }]);
    const draft = read(
      'This Agreement is governed by Texas law. [ALTERNATIVE: This Agreement is governed by Ohio law.]',
    );
    expect(findGoverningLaw(draft).map(({ jurisdiction }) => jurisdiction)).toEqual(['Texas']);
  });
});

describe('drafting defects', () => {
  const numbered = '1. One\nText.\n2. Two\nText.\n3. Three\nText.\n4. Four\nText.\n5. Five\n';

  it('reports a missing clause in a list of references, but no section of a statute', () => {
    const text = `${numbered}Sections 1, 2 and 9 survive, excluding sections 24 to 28 of the Landlord and Tenant Act 1954.`;
    expect(findReferenceProblems(read(text)).map(({ what }) => what)).toEqual(
      ['Sections 9'].map((what) => what.replace('Sections', 'Section')),
    );
  });

  it('finds capitalised terms without a definition', () => {
    const text =
      '"Fees" means the price. "Site" means the yard. "Work" means the job. The Fees for the Work on the Site follow the Prior Estimates.';
    expect(findReferenceProblems(read(text))).toMatchObject([{ kind: 'term not defined', what: 'Prior Estimates' }]);
  });

  it('finds placeholders with their text, but no signature lines', () => {
    expect(
      findPlaceholders('From [START DATE] for [twelve (12)] months. [Note: delete before issue.]\nBy: ______').map(
        ({ what }) => what,
      ),
    ).toEqual(['START DATE', 'twelve (12)', 'Note']);
  });
});

describe('a text that is not a contract', () => {
  const article = `Our client bulletin: liability caps in practice\n\n${'In this bulletin we look at clauses that our clients negotiate. Suppliers often ask that liability shall not exceed the charges. '.repeat(14)}This bulletin is not legal advice.`;
  const statute =
    "Sale of Widgets Act 2019\n\nAn Act to make provision about contracts.\n1 Terms\nThe buyer may terminate the contract. A seller's liability shall not exceed the price.\n2 Title\nThis Act may be cited as the Sale of Widgets Act 2019.";

  it.each([article, statute])('has no score and no findings', (text) => {
    expect(isContract(read(text))).toBe(false);
    expect(clauseChecklist.run([{ message: 0, text }]).result).toMatchObject({ score: null, clauses: [] });
  });
});

describe('the clause checklist', () => {
  it('reports a clause marked as intentionally omitted, with no points', () => {
    const text = `${intro}1. Insurance. Not used.\n2. Liability\nThe Supplier's liability is limited to EUR 10,000.`;
    const { clauses } = clauseChecklist.run([{ message: 0, text }]).result as { clauses: { id: string }[] };
    expect(clauses.find(({ id }) => id === 'insurance')).toMatchObject({ status: 'left out', points: 0 });
  });

  it('does not flag an order for terms that its master contract has', () => {
    const text =
      'ORDER FORM\n\nThis Order Form is made under the Master Services Agreement between the parties.\nSupplier: Nimbus Ltd\nCustomer: Vela GmbH\n\nThe Customer shall pay EUR 100 within 30 days of invoice.';
    const { clauses } = clauseChecklist.run([{ message: 0, text }]).result as { clauses: { gap?: string }[] };
    expect(clauses.filter(({ gap }) => gap !== undefined)).toEqual([]);
  });
});
