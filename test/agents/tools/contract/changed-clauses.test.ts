/** Clauses that the same contract deletes, replaces or leaves to a form. All texts are our own. */
import { expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseChecklist } from '../../../../agents/tools/contract/clause-checklist.ts';
import { findContractDates } from '../../../../agents/tools/contract/contract-dates.ts';
import { namedPartiesOf } from '../../../../agents/tools/contract/contract-parties.ts';
import { findCovenants } from '../../../../agents/tools/contract/covenants.ts';
import { findGoverningLaw } from '../../../../agents/tools/contract/law-and-forum.ts';
import { findLiabilityCaps } from '../../../../agents/tools/contract/liability-caps.ts';
import { findPaymentTerms } from '../../../../agents/tools/contract/payment-terms.ts';

const read = (text: string) => parseDocument({ message: 0, text });

const contract = (special: string) =>
  read(`SPECIAL CONDITIONS
${special}

CONDITIONS
3. The Owner's total liability under this contract is limited to GBP 20,000.

4. This contract is governed by the law of Scotland.
`);

it('takes nothing from a clause that the special conditions delete', () => {
  expect(findGoverningLaw(contract('None.'))).toHaveLength(1);
  expect(findGoverningLaw(contract('Clause 4 is deleted.'))).toEqual([]);
  expect(findGoverningLaw(contract('If the Hirer is a consumer, clause 4 does not apply.'))).toHaveLength(1);
});

it('takes no amount that the special conditions replace', () => {
  expect(findLiabilityCaps(contract('None.'))).toHaveLength(1);
  expect(findLiabilityCaps(contract('Clause 3 is amended: for "GBP 20,000" read "GBP 90,000".'))).toEqual([]);
});

it('takes no period for the case that a form is left blank', () => {
  expect(
    findPaymentTerms(read('Invoices are payable as stated in box 5 or, where box 5 is blank, within 21 days.')),
  ).toEqual([]);
});

it('takes a hirer for no employee who is hired', () => {
  expect(findCovenants(read('The Hirer may not off-hire before the end of the fixed period.'))).toEqual([]);
});

it('takes the stamp of the recipient for no signature', () => {
  const text = `${'The parties keep this agreement. '.repeat(12)}\n\nSigned for Alder Ltd\n\nRECEIVED 9 May 2026 MAIL ROOM`;
  expect(findContractDates(read(text), 20).map(({ role }) => role)).not.toContain('signature');
});

it('takes an arbitration institution for no party', () => {
  const names = namedPartiesOf(
    read(
      'Contract between Alder Inc. ("Supplier") and the users. Disputes go to the Elm Arbitration Association ("EAA").',
    ),
  ).map(({ name }) => name);
  expect(names).not.toContainEqual(expect.stringContaining('Arbitration'));
});

it('does not count the marks of a comparison as open placeholders in the risk score', () => {
  const text = (mark: (old: string, now: string) => string) => `SUPPLY AGREEMENT
This Agreement is made between Alder Ltd ("Supplier") and Birch Ltd ("Customer").
1. Payment
Customer pays within ${mark('10', '30')} days of the date of the invoice.
2. Termination
Either party may terminate this Agreement on ${mark('9', '60')} days' notice.
3. Law
This Agreement is governed by the laws of ${mark('Ireland', 'England')}.
`;
  const scoreOf = (shown: string) => clauseChecklist.run([{ message: 0, text: shown }]).result;
  const compared = scoreOf(text((old, now) => `[-${old}-] [+${now}+]`)) as unknown as { score: number };
  const clean = scoreOf(text((_, now) => now)) as unknown as { score: number };
  expect(compared.score).toBe(clean.score);
});
