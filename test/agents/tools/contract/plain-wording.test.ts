/** Provisions in plain language, in forms and letters, and in other languages. The sentences were written for these tests. */
import { describe, expect, it } from 'vitest';
import { type Document, parseDocument } from '../../../../agents/document/document.ts';
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
const clause = (text: string): Document => read(`${intro}4. ${text}`);

describe('limits of liability', () => {
  it.each([
    ["The Supplier's liability shall in no circumstances exceed the total fees paid.", ['Supplier', undefined]],
    ['The most either of us will have to pay the other is £250,000.', ['each party', '250000']],
    ['Neither party shall be liable to the other for more than $1,000,000 in aggregate.', ['each party', '1000000']],
    ['The liability of the Supplier is subject to a ceiling of £750,000.', ['Supplier', '750000']],
    ['The Supplier performs the work. Its liability is limited to $4,000,000 plus costs.', ['Supplier', '4000000']],
    ['La responsabilité totale du Prestataire ne saurait excéder 50 000 euros.', ['Prestataire', '50000']],
  ])('are found in %j', (text, [of, value]) => {
    const [cap] = findLiabilityCaps(clause(text as string));
    expect([cap?.of, cap?.kind === 'amount' ? cap.value : undefined]).toEqual([of, value]);
  });

  it('are not an insured sum', () => {
    expect(findLiabilityCaps(clause('The Supplier maintains liability insurance of up to £5,000,000.'))).toEqual([]);
  });

  it.each([
    ['We do not accept responsibility for lost profit or consequential loss.', 'indirect-loss lost-profits'],
    ['Neither party is liable for loss of use, revenue or profit.', 'lost-profits lost-revenue'],
    ['Eine Haftung für entgangenen Gewinn und Datenverlust besteht nicht.', 'lost-data lost-profits'],
  ])('exclude the losses of %j', (text, matters) => {
    const found = findLiabilityExclusions(clause(text)).map(({ effect, matter }) => [effect, matter]);
    expect(
      found
        .map(([, matter]) => matter)
        .sort()
        .join(' '),
    ).toBe(matters);
    expect(new Set(found.map(([effect]) => effect))).toEqual(new Set(['excluded loss']));
  });

  it('do not apply to the matters of an enumeration', () => {
    const text =
      'The limits do not apply to: (a) death; (b) a breach of confidence; (c) the indemnities; or (d) non-payment.';
    const found = findLiabilityExclusions(clause(text)).filter(({ effect }) => effect === 'carve-out');
    expect(found.map(({ matter }) => matter).sort()).toEqual([
      'confidentiality',
      'death-or-injury',
      'indemnity',
      'payment',
    ]);
  });
});

describe('rights to end a contract', () => {
  const rights = (text: string) =>
    findTerminationRights(read(`${intro}${text}`)).map(({ by, ground, notice, cure }) => [by, ground, notice, cure]);

  it('have their own period for each alternative', () => {
    const text =
      '6. Default. If the Customer does not pay within 7 days after notice, or breaks any other promise and does not fix it within 15 days, the Supplier can terminate this contract.';
    expect(rights(text)).toEqual([
      ['Supplier', 'non-payment', undefined, 'P7D'],
      ['Supplier', 'material-breach', undefined, 'P15D'],
    ]);
  });

  it('follow from a list of events of default', () => {
    const text =
      '5. Default\n\n5.1 Each of the following is an "Event of Default":\n(a) the Customer fails to pay an instalment within 5 days after it is due;\n(b) the Customer becomes insolvent.\n\n5.2 If an Event of Default continues, the Supplier may terminate this Agreement.\n';
    expect(rights(text)).toEqual(
      expect.arrayContaining([
        ['Supplier', 'non-payment', undefined, 'P5D'],
        ['Supplier', 'insolvency', undefined, undefined],
      ]),
    );
  });

  it('continue from one sentence to the next', () => {
    const text =
      "7. Stopping early. The Customer may stop the work at any time on two weeks' notice. The Supplier may do so if a bill remains unpaid for more than 30 days.";
    expect(rights(text)).toEqual([
      ['Customer', 'convenience', 'P2W', undefined],
      ['Supplier', 'non-payment', undefined, 'P30D'],
    ]);
  });

  it('are not for convenience if they need a missed target', () => {
    expect(
      rights("6. End. The Supplier may terminate on 90 days' notice if the Customer misses its target.")[0]?.[1],
    ).toBe(undefined);
  });
});

describe('term and dates', () => {
  it.each([
    [
      "The contract runs for five years. After that it rolls over for one year at a time unless one of us gives three months' notice before the year ends.",
      'P5Y automatic P1Y P3M',
    ],
    [
      'This agreement lasts two years. The parties may prolong it by a further year by written agreement.',
      'P2Y option P1Y ',
    ],
    [
      'Der Vertrag wird für die Dauer von drei Jahren geschlossen. Er verlängert sich um ein weiteres Jahr, wenn er nicht drei Monate vor Ablauf gekündigt wird.',
      'P3Y automatic P1Y P3M',
    ],
    ['The Term expires on the third anniversary of the Effective Date.', 'P3Y none  '],
  ])('are read from %j', (text, expected) => {
    const document = clause(`Term. ${text}`);
    const term = findTerm(document, findContractDates(document, 100));
    const { length = '', renewal = '', renewalLength = '', notice = '' } = term ?? {};
    expect([length, renewal, renewalLength, notice].join(' ')).toBe(expected);
  });

  it('take the start of the work and its end', () => {
    const dates = findContractDates(clause('Term. Our work starts on 1 June 2026 and ends on 30 November 2026.'), 100);
    expect(dates.map(({ iso, role }) => [iso, role]).slice(1)).toEqual([
      ['2026-06-01', 'start'],
      ['2026-11-30', 'end'],
    ]);
  });
});

describe('payment', () => {
  const terms = (text: string) =>
    findPaymentTerms(clause(`Payment. ${text}`)).map((term) =>
      term.kind === 'due' ? term.within : [term.percent, term.per, term.base],
    );

  it.each([
    ['Invoices are payable thirty (30) days end of month.', ['P30D']],
    ['The Customer settles each invoice no later than 30 days from receipt.', ['P30D']],
    ['Die Zahlungen sind 21 Tage nach Rechnungsdatum fällig.', ['P21D']],
    ['The deposit of £5,000 is repaid within 30 days of the end of the hire.', []],
    ['Rent that is late bears a late charge of five percent (5%).', []],
    ['Overdue amounts carry interest at 8% p.a. above the ECB base rate.', [['8', 'year', undefined]]],
  ])('of %j', (text, expected) => {
    expect(terms(text)).toEqual(expected);
  });
});

describe('law and forum', () => {
  it.each([
    ['Idaho law governs. Any lawsuit must be filed in Ada County, Idaho.', 'Idaho', 'Ada County, Idaho'],
    [
      'The rights of the parties are subject to the law of England and Wales, whose courts have exclusive jurisdiction.',
      'England and Wales',
      'England and Wales',
    ],
    ['Le contrat est soumis au droit français. Tout litige relève du Tribunal de commerce de Lyon.', 'France', 'Lyon'],
    [
      'THIS AGREEMENT IS GOVERNED BY THE LAW OF THE STATE OF NEW YORK. Venue is in Kings County.',
      'New York',
      'Kings County',
    ],
  ])('of %j', (text, law, place) => {
    const document = clause(`Law. ${text}`);
    expect(findGoverningLaw(document)[0]?.jurisdiction).toBe(law);
    expect(findForums(document)[0]?.seat).toBe(place);
  });
});

describe('ownership', () => {
  it.each([
    ["The tools and methods that the Supplier brings along stay the Supplier's property.", 'background-ip', 'Supplier'],
    [
      'All intellectual property created by the Supplier in performing the services is the property of the Customer.',
      'deliverables',
      'Customer',
    ],
    ['Each party keeps the rights that it owned before this agreement.', 'background-ip', 'each party'],
    ['Upon payment, all rights in the Deliverables pass to the Customer.', 'deliverables', 'Customer'],
    ['Title to the Software and all copies stays with the Supplier.', 'software', 'Supplier'],
    ['The Customer is and remains the owner of all data that it uploads.', 'customer-data', 'Customer'],
    [
      'Der Auftragnehmer überträgt dem Auftraggeber an allen Arbeitsergebnissen das ausschließliche Nutzungsrecht.',
      'deliverables',
      'Auftraggeber',
    ],
  ])('of %j', (text, subject, owner) => {
    expect(findIpOwnership(clause(`IP. ${text}`)).map((found) => [found.subject, found.owner])).toEqual([
      [subject, owner],
    ]);
  });

  it('follows the definition of a term', () => {
    const text = '"Records" means everything that the Customer uploads.\n\n5. The Records belong to the Customer.';
    expect(findIpOwnership(read(intro + text))[0]).toMatchObject({ subject: 'customer-data', owner: 'Customer' });
  });
});

describe('promises', () => {
  it.each([
    [
      "For one year after the engagement neither of us will poach the other's staff.",
      ['non-solicitation', 'each party', 'P1Y'],
    ],
    [
      'The Supplier shall not supply the goods to anyone else in the Territory.',
      ['exclusivity', 'Supplier', undefined],
    ],
    [
      'Keine Partei darf Rechte ohne Zustimmung der anderen Partei übertragen.',
      ['no-assignment', 'each party', undefined],
    ],
    [
      "The Supplier needs the Customer's written consent before it assigns this Agreement.",
      ['no-assignment', 'Supplier', undefined],
    ],
    [
      'The Supplier may not reveal trade secrets of the Customer. This lasts for three years after the work ends.',
      ['confidentiality', 'Supplier', 'P3Y'],
    ],
  ])('bind a side in %j', (text, [type, by, duration]) => {
    const [found] = findCovenants(clause(`Duties. ${text}`));
    expect([found?.type, found?.by, found?.duration]).toEqual([type, by, duration]);
  });

  it.each([
    ['The Supplier will make good any loss that the Customer suffers because of a third-party claim.', 'Supplier'],
    ['The Supplier will defend the Customer from claims and will indemnify Customer for damages awarded.', 'Supplier'],
    ['The Customer is indemnified by the Supplier for infringement claims.', 'Supplier'],
  ])('to indemnify are those of the right side in %j', (text, by) => {
    expect(findIndemnities(clause(`Indemnity. ${text}`)).map((found) => found.by)).toEqual([by]);
  });
});

describe('forms, letters and amendments', () => {
  it('reads a form whose labels name the sides and the terms', () => {
    const document = read(
      'Issued by,"Ferrant Cloud, Inc.",\nSold to,"Mosley Rail LLC",\nTerm,24 months,\nPayment,"Net 45",\nGoverning law,As agreed,\nLiability cap,"$20,000",\n',
    );
    expect(isContract(document)).toBe(true);
    expect(namedPartiesOf(document).map((party) => [party.name, party.function])).toEqual([
      ['Ferrant Cloud, Inc.', 'supplier'],
      ['Mosley Rail LLC', 'customer'],
    ]);
  });

  it('reads the sides of a French contract', () => {
    const document = read(
      'CONTRAT DE PRESTATION\n\nEntre les soussignés :\n\nLa société Cuivre Numérique SAS, dont le siège social est à Lyon (ci-après « le Prestataire »),\n\net\n\nLa société Prés du Sud SARL, dont le siège est à Arles (ci-après « le Client »).\n\nArticle 1 - Objet\nLe Prestataire réalise un site.\n',
    );
    expect(namedPartiesOf(document).map((party) => [party.name, party.function])).toEqual([
      ['Cuivre Numérique SAS', 'supplier'],
      ['Prés du Sud SARL', 'customer'],
    ]);
  });

  it('takes the sender and the addressee of a letter as the parties', () => {
    const document = read(
      'Harrow Storage Ltd\n1 Dock Road\n\nVine & Stone Limited\n4 Market Hill\n\nDear Sirs\n\nAMENDMENT TO THE STORAGE AGREEMENT\n\n1. In clause 3.1 (Term), "31 May 2027" is replaced by "31 May 2029".\n2. Clause 9.4 remains. Our liability in this letter shall not exceed £1,000.\n3. More.\n4. More.\n5. More.\n\nYours faithfully\n',
    );
    expect(namedPartiesOf(document).map((party) => [party.name, party.function])).toEqual([
      ['Harrow Storage Ltd', 'supplier'],
      ['Vine & Stone Limited', 'customer'],
    ]);
    expect(findContractDates(document, 100).find(({ role }) => role === 'end')?.iso).toBe('2029-05-31');
    expect(findReferenceProblems(document)).toEqual([]);
  });

  it('finds open alternatives in brackets, and no blank in a signature block', () => {
    const body = 'The courts have [non-exclusive] jurisdiction. [Reserved] '.padEnd(600, 'The parties agree. ');
    const found = findPlaceholders(`${body}\n\nLyon, ____________________\n(__________, Director)\n`);
    expect(found.map(({ what }) => what)).toEqual(['non-exclusive']);
  });
});
