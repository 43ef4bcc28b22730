/** Agreements in the layouts of public templates and filings. Texts are our own. */
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../../../agents/document/document.ts';
import { clauseChecklist } from '../../../../agents/tools/contract/clause-checklist.ts';
import { findReferenceProblems } from '../../../../agents/tools/contract/references.ts';
import { documentOf } from '../../../support/agents/agent-inputs.ts';

const problems = (text: string) =>
  findReferenceProblems(parseDocument(documentOf(text))).map(({ kind, what }) => `${what}: ${kind}`);
const score = (text: string) => (clauseChecklist.run([documentOf(text)]).result as { score: number }).score;

const body = `ARTICLE I
DEFINITIONS

Section 1.1. Terms. "Services" means the work in Schedule A; "Fee" means the price. "Key Person" has the meaning of Section 2.2.

ARTICLE II
PERFORMANCE

Section 2.1. Duty. The Supplier shall perform each service with care. Section 2.2. Staff. The Supplier names its key persons.
Section 2.3. Payment. All fees are due under Section 2.1 and Article I.

ARTICLE III
TERM

Section 3.1. Length. One year.

SCHEDULE A
The work.
`;

describe('references', () => {
  it('are not broken by headings that contain their own number, by tables of contents, or by clauses at the beginning of a line', () => {
    expect(problems(body)).toEqual([]);
    expect(problems(`Section 1.1. Terms ........ 3\nSection 2.1. Duty ......... 4\n\n${body}`)).toEqual([]);
  });

  it('are broken if no clause has the number', () => {
    expect(problems(`${body}\nAs agreed in Section 9.4 and Schedule D.`)).toEqual([
      'Section 9.4: clause not found',
      'Schedule D: schedule not found',
    ]);
  });

  it('find a defined term in another case, in the plural, across lines and in Markdown', () => {
    const text = '**"Work Product"** means results. **"Fees"** means prices.\n\nThe work\nproducts are paid by a fee.';
    expect(problems(text)).toEqual([]);
    expect(problems('"Territory" means Austria. The price is fixed.')).toEqual(['Territory: defined term not used']);
  });
});

const balanced = `SERVICES AGREEMENT

This Agreement is made between Alder Ltd ("Customer") and Birch GmbH ("Supplier") on 1 March 2026.

1. Services
The Supplier shall perform the services described in Schedule A.

2. Fees and payment
The Customer shall pay EUR 4,000 a month within 30 days of each invoice. Late payment bears interest of 5 % a year.

3. Term and termination
This Agreement begins on 1 April 2026 and runs for two years. Either party may terminate this Agreement on 60 days' written notice, and at once for material breach or insolvency.

4. Limitation of liability
The liability of each party is limited to the fees paid in twelve months, save for fraud, wilful misconduct, gross negligence, death or personal injury.

5. Confidentiality
Each party keeps confidential information secret for five years after termination; public information is excepted.

6. Data protection
The Supplier processes personal data under Article 28 GDPR on documented instructions, keeps them secure and reports breaches.

7. Governing law and jurisdiction
This Agreement is governed by the laws of Austria. The courts of Vienna have exclusive jurisdiction.

8. Intellectual property
The Customer owns the results; the Supplier keeps its tools and grants a licence to them.

9. Warranties
The Supplier warrants that the services conform to Schedule A and remedies defects within 30 days.

10. Indemnification
The Supplier indemnifies the Customer against third party claims of infringement; the Customer gives notice of claims and leaves the defence to the Supplier.

11. Force majeure
No party is liable for events beyond its control, such as war, flood or strike; it gives notice within five days.

12. Assignment
Neither party may assign this Agreement without the prior written consent of the other.

13. General
Notices are given in writing to the addresses above. Amendments need writing signed by both parties. This Agreement is the entire agreement. If a provision is invalid, the remaining provisions stay in effect. No waiver is implied by delay. Clauses 4, 5 and 7 survive termination.
`;

const oneSided = `VENDOR TERMS

These terms are between Birch GmbH ("Vendor") and the buyer named in the order.

1. Services
The Vendor will provide services as it sees fit.

2. Fees
The buyer shall pay all fees [●] in advance. The Vendor may increase the fees at any time.

3. Liability
The buyer bears unlimited liability. The services are provided as is.

4. Changes
The Vendor may amend these terms at any time in its sole discretion.
`;

describe('the risk score', () => {
  it('differs widely between a balanced agreement and a one-sided draft', () => {
    expect(score(balanced)).toBeLessThanOrEqual(40);
    expect(score(oneSided)).toBe(100);
  });

  it('is the same in Markdown and in HTML', () => {
    const markdown = balanced.replace(/^(\d+)\. (.+)$/gm, '## $1. $2');
    const html = `<html><body>${balanced
      .split('\n\n')
      .map((block) =>
        /^\d+\. /.test(block) ? block.replace(/^(.+)\n/, '<h2>$1</h2><p>').concat('</p>') : `<p>${block}</p>`,
      )
      .join('')}</body></html>`;
    expect([score(markdown), score(html)]).toEqual([score(balanced), score(balanced)]);
  });
});
