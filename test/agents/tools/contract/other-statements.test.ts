/** Dates, periods and rights that stand in a contract without being terms of it. All texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { findContractDates } from '../../../../agents/tools/contract/contract-dates.ts';
import { findTerm } from '../../../../agents/tools/contract/contract-term.ts';
import { findPaymentTerms } from '../../../../agents/tools/contract/payment-terms.ts';
import { findTerminationRights } from '../../../../agents/tools/contract/termination-rights.ts';

const read = (text: string) => parseDocument({ message: 0, text });
const datesOf = (text: string) =>
  findContractDates(read(text), 20)
    .filter(({ role }) => role !== 'other' && role !== 'deadline')
    .map(({ role, iso }) => `${role} ${iso}`);
const rightsOf = (text: string) =>
  findTerminationRights(read(text)).map(({ by, ground, notice }) => [by, ground, notice].filter(Boolean).join(' '));
const dueOf = (text: string) =>
  findPaymentTerms(read(text)).flatMap((term) => (term.kind === 'due' ? [term.within] : []));

describe('a German lease', () => {
  const lease = `MIETVERTRAG

Vermieter: Nordhof Immobilien GmbH, Kiel
Mieter: Atelier Sundermann GmbH, Kiel

§ 1 Mietzeit
1. Das Mietverhältnis beginnt am 01.02.2027 und wird auf 4 Jahre fest abgeschlossen; es endet am 31.01.2031.
2. Der Mieter kann einmal die Verlängerung um 2 Jahre verlangen. Die Option ist spätestens 6 Monate vor Ablauf auszuüben.
3. § 545 BGB (stillschweigende Verlängerung) ist ausgeschlossen.
4. Das bisherige Mietverhältnis vom 03.04.2014 endet mit Ablauf des 31.01.2027.

§ 2 Miete
1. Die Miete erhöht sich ab dem 01.02.2029 um 3 %.

§ 3 Kündigung
1. Der Mieter kann mit einer Frist von 3 Monaten kündigen, wenn der Umbau nicht bis zum 30.06.2027 abgeschlossen ist.
`;

  it('begins and ends on its own dates, not on those of a rent step or of the former lease', () => {
    expect(datesOf(lease)).toEqual(['start 2027-02-01', 'end 2031-01-31']);
  });

  it('has an option if it excludes the tacit renewal of the law', () => {
    const document = read(lease);
    expect(findTerm(document, findContractDates(document, 20))).toMatchObject({
      length: 'P4Y',
      ending: 'fixed',
      renewal: 'option',
      renewalLength: 'P2Y',
      notice: 'P6M',
    });
  });

  it('may not be ended for convenience if its right to end depends on a condition with a date', () => {
    expect(rightsOf(lease)).toEqual(['Mieter']);
  });
});

describe('a guaranty', () => {
  const guaranty = `GUARANTY

This Guaranty is made by Ostrander Holdings LLC (the "Guarantor") in favor of First Quarry Bank (the "Bank").

1. Waivers. The Guarantor waives notice of any kind. The printed phrase "a surety may terminate upon thirty days' notice" does not apply.

2. Payment. The Guarantor shall pay within ten (10) days after written demand.

3. Representations. The Guarantor represents that its net worth at December 31, 2025 was not less than $4,000,000.

4. Covenants. Until payment in full the Guarantor shall (a) hold liquid assets, and (b) deliver its tax returns within thirty (30) days of filing.

/s/ A. Ostrander
Signed: 2/26/2026
`;

  it('has no right to terminate that it only quotes', () => {
    expect(rightsOf(guaranty)).toEqual([]);
  });

  it('has no date of signature in the sentence about a balance', () => {
    expect(datesOf(guaranty)).toEqual(['signature 2026-02-26']);
  });

  it('has no payment term in a duty to deliver documents', () => {
    expect(dueOf(guaranty)).toEqual(['P10D']);
  });
});

describe('an agreement by e-mail', () => {
  const chain = (earlier: string) => `From: Mina Castellan <mina@gorse.example>
To: Theo Lindqvist <theo@lindqvist.example>
Sent: Tuesday, June 9, 2026 10:12 AM
Subject: RE: Map drawings

Theo, this is our agreement. We pay within 21 days of your invoice. Either of us can stop this on 15 days' notice.

Mina

${earlier}`;
  const older =
    'From: Theo Lindqvist\nSent: Monday, June 8, 2026 9:00 PM\n\nI would prefer payment within 10 days of the invoice. Either party may terminate this agreement on 60 days notice.\n';

  it.each([
    ['marks of quotation', older.replaceAll(/^/gm, '> ')],
    ['the header of a mail program only', older],
  ])('has no terms of the older messages below it, with %s', (_, earlier) => {
    expect(dueOf(chain(earlier))).toEqual(['P21D']);
    expect(rightsOf(chain(earlier))).toEqual(['either party convenience P15D']);
  });

  it('has the terms of a newer message below it', () => {
    expect(dueOf(chain(older.replace('June 8', 'June 10')))).toEqual(['P21D', 'P10D']);
  });
});
