/** Special conditions, particulars, permissions and comments as contracts of many kinds write them. All texts are our own. */
import { describe, expect, it } from 'vitest';
import { withNewWords } from '../../../../agents/tools/contract/changed-clauses.ts';
import { contractFacts } from '../../../../agents/tools/contract/contract-facts.ts';

type Facts = Record<string, { items: Record<string, unknown>[] }>;
const read = (text: string) => contractFacts.run([{ message: 0, text }]).result as unknown as Facts;
const list = (text: string, name: string) => read(text)[name]!.items;

describe('special conditions', () => {
  const contract = (special: string) => `SPECIAL CONDITIONS
${special}

CONDITIONS between Reedham Cranes Ltd (the "Owner") and Stoke Builders Ltd (the "Hirer")
D4.1 The Hirer shall pay invoices within 30 days of receipt.
D7.2 The Owner's total liability under this contract is limited to GBP 200,000.
D9.1 The Hirer may terminate this contract at any time on two months' notice.
D10 This contract is governed by English law.
`;

  it('reads new words of a clause as agreed', () => {
    const [due] = list(contract('S1 In condition D4.1 "30 days" is replaced by "45 days".'), 'payment_terms');
    expect(due).toMatchObject({ within: 'P45D' });
  });

  it('reads a new sum of a clause as agreed', () => {
    const [cap] = list(contract('S1 The sum in condition D7.2 is replaced by GBP 350,000.'), 'liability_caps');
    expect(cap).toMatchObject({ value: '350000' });
  });

  it('blanks words whose replacement is longer', () => {
    const text = 'In clause 2 "5 days" is replaced by "fifteen days".\n2 Pay within 5 days.\n3 End.';
    expect(withNewWords(text)).toBe(
      'In clause 2 "5 days" is replaced by "fifteen days".\n2 Pay within       .\n3 End.',
    );
  });

  it('does not choose between two sums', () => {
    const text = 'The sum in clause 2 is replaced by EUR 900.\n2 Pay EUR 100 or EUR 200.';
    expect(withNewWords(text)).toBe(text);
  });

  it('takes nothing from a clause with a letter that does not apply', () => {
    expect(list(contract('S1 Condition D9.1 does not apply.'), 'termination_rights')).toEqual([]);
  });
});

describe('particulars', () => {
  it('reads rows that begin with a reference', () => {
    const text = `WAREHOUSE ORDER

  P1   The Provider        Castle Moorings Ltd, Hull
  P2   The Client          Ferry Foods Limited
  P3   Date of contract    4 May 2026
  P4   Start date          1 July 2026

1. The Client shall pay invoices within 14 days of their date.
2. This contract is governed by English law.
`;
    expect(list(text, 'parties').map(({ name, function: code }) => [name, code])).toEqual([
      ['Castle Moorings Ltd', 'supplier'],
      ['Ferry Foods Limited', 'customer'],
    ]);
    expect(list(text, 'dates').map(({ iso, role }) => [iso, role])).toEqual([
      ['2026-05-04', 'effective'],
      ['2026-07-01', 'start'],
    ]);
  });
});

describe('names, dates and permissions', () => {
  const lease = `LEASE AGREEMENT made as of March 2, 2026 (the "Effective Date") between J. Orville Hask (the "Landlord") and Dune Wind, LLC (the "Tenant").
1. Tenant may assign this Lease or mortgage its interest without consent.
2. Landlord shall not let any other unit to a competitor of Tenant.
3. This Lease is the entire agreement and replaces the letter of intent dated January 5, 2025.
4. This Lease is governed by the laws of Texas.
`;

  it('keeps the initials of a person', () => {
    expect(list(lease, 'parties').map(({ name }) => name)).toContain('J. Orville Hask');
  });

  it('takes no date of a document that the contract replaces', () => {
    expect(list(lease, 'dates').map(({ role }) => role)).toEqual(['effective', 'other']);
  });

  it('reads a promise not to serve a competitor as exclusivity, and a permission as no restriction', () => {
    expect(list(lease, 'covenants').map(({ type, by }) => [type, by])).toEqual([['exclusivity', 'Landlord']]);
    const restricted = lease.replace('Tenant may assign this Lease or', 'Neither party may assign this Lease or');
    expect(list(restricted, 'covenants').map(({ type }) => type)).toContain('no-assignment');
  });

  it('reports neither the initials of a commentator nor sections of a code', () => {
    const text = `SERVICES AGREEMENT between Quill Ltd (the "Supplier") and Vane Ltd (the "Customer").
> Comment [AB]: agreed.
1.1 The Supplier shall provide the work.
2.1 The Customer shall pay the fees within 20 days of invoice.
3.1 Liability follows article 1382 of the civil code.
4.1 Either party may terminate on one month's notice.
5.1 This agreement is governed by English law.
`;
    expect(list(text, 'placeholders')).toEqual([]);
    expect(list(text, 'reference_problems')).toEqual([]);
  });
});

describe('payment', () => {
  it('reads interest in French and leaves out what a former tenant paid', () => {
    const text = `Bail entre la société Halle Neuve SAS, ci-après « le Bailleur », et la société Vélo Rapide SARL, ci-après « le Preneur ».
1. Le loyer est payable par trimestre. Chaque facture est à régler dans les quinze jours de sa réception.
2. Toute somme impayée porte intérêt au taux de 7 % l'an.
3. L'ancien locataire versait un loyer payable sous soixante jours.
4. Le bail est soumis au droit français.
`;
    expect(list(text, 'payment_terms').map(({ kind, within, percent }) => [kind, within ?? percent])).toEqual([
      ['due', 'P15D'],
      ['late interest', '7'],
    ]);
  });
});
