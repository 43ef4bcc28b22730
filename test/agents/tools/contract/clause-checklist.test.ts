import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkClauses, clauseChecklist, riskScore } from '../../../../agents/tools/contract/clause-checklist.ts';
import { severityWeights } from '../../../../agents/tools/contract/clause-spec.ts';
import { clauses } from '../../../../agents/tools/contract/clause-table.ts';

const agreement = readFileSync(
  join(import.meta.dirname, '../../contract-analyst/documents/services-agreement.txt'),
  'utf8',
);

function statusOf(text: string, id: string) {
  return checkClauses([{ message: 0, text }]).find((finding) => finding.id === id)!;
}

/** The agreement without the paragraph or section that begins with a text. */
function without(...beginnings: readonly string[]): string {
  let text = agreement;
  for (const beginning of beginnings) {
    const start = text.indexOf(beginning);
    if (start === -1) throw new Error(`${beginning} is not in the agreement`);
    const isSection = /^\d{1,2}\. /.test(beginning);
    const length = text.slice(start + 1).search(isSection ? /\n\n/ : /\n/);
    text = text.slice(0, start) + text.slice(start + 1 + length);
  }
  return text;
}

describe('the clause table', () => {
  it('has 23 clauses with the weights of the contract', () => {
    expect(clauses).toHaveLength(23);
    expect(new Set(clauses.map(({ id }) => id)).size).toBe(23);
    expect(severityWeights).toEqual({ critical: 25, high: 15, medium: 8 });
  });
});

describe('an absent clause', () => {
  it.each([
    ['termination', '5. Termination', 25],
    ['confidentiality', '6. Confidentiality', 25],
    ['governing_law', '17. Governing Law', 25],
    ['intellectual_property', '8. Intellectual Property', 15],
    ['warranties', '9. Warranties', 15],
    ['indemnification', '10. Indemnity', 15],
    ['force_majeure', '13. Force Majeure', 15],
    ['insurance', '12. Insurance', 8],
    ['notices', '16.1', 8],
    ['amendment', '16.3', 8],
    ['entire_agreement', '16.2', 8],
    ['severability', '16.4', 8],
    ['waiver', '16.5', 8],
    ['survival', '16.6', 8],
  ])('%s adds its weight to the score', (id, beginning, weight) => {
    const finding = statusOf(without(beginning), id);
    // Mentions elsewhere may count as traces of the clause, but never as a sound clause.
    expect(finding.status).not.toBe('found');
    expect([weight, Math.ceil(weight / 2)]).toContain(finding.points);
  });

  it('is reported if no other text mentions it', () => {
    expect(statusOf(without('12. Insurance'), 'insurance')).toMatchObject({ status: 'absent', points: 8 });
    expect(
      statusOf(without('7. Data Protection', 'Schedule C Data', 'Subject, duration'), 'data_protection'),
    ).toMatchObject({
      status: 'absent',
      points: 25,
    });
    expect(statusOf(without('13. Force Majeure'), 'force_majeure')).toMatchObject({ status: 'absent', points: 15 });
  });
});

describe('a weak clause', () => {
  it('adds half of its weight, rounded up, and lists the missing wording', () => {
    const text = agreement.replace(', and in any event EUR 500,000', ', and in any event [●]');
    expect(statusOf(text, 'limitation_of_liability')).toMatchObject({
      status: 'weak',
      points: 13,
      why: '1 placeholder still open',
    });
  });

  it('includes a clause without its carve-outs', () => {
    const text = without('11.1 Nothing in this Agreement');
    expect(statusOf(text, 'limitation_of_liability').why).toContain('no carve-out');
  });

  it('includes a clause that its own wording invalidates', () => {
    const text = agreement.replace(
      'The Supplier warrants that',
      'The Services are provided as is. The Supplier warrants that',
    );
    expect(statusOf(text, 'warranties')).toMatchObject({ status: 'weak', points: 8, why: 'given as is' });
  });
});

describe('text that does not count as a clause', () => {
  it('is a table of contents', () => {
    const contents = 'AGREEMENT\n\n1. Confidentiality\n2. Insurance\n3. Force Majeure\n4. Data Protection\n';
    const findings = checkClauses([{ message: 0, text: contents }]);
    expect(findings.filter(({ status }) => status !== 'absent')).toEqual([]);
  });

  it('is a question that names it', () => {
    const question =
      'Is there a limitation of liability that shall not exceed the fees? Who may terminate this agreement?';
    expect(checkClauses([{ message: 0, text: question }]).every(({ status }) => status === 'absent')).toBe(true);
  });

  it('is a short message sent with a long document', () => {
    const text = without('12. Insurance');
    const question = 'The supplier shall maintain insurance cover of EUR 5 million, I believe.';
    const findings = checkClauses([
      { message: 0, text },
      { message: 1, text: question },
    ]);
    expect(findings.find(({ id }) => id === 'insurance')?.status).toBe('absent');
  });
});

describe('a contract in Markdown', () => {
  const text = [
    '# Master Services Agreement',
    'This Agreement is entered into by and between **Signal Works LLC**, a Missouri company (the "**Advisor**"), and **[CLIENT NAME]** (the "**Client**").',
    '## 1. Services',
    '**1.1 Scope.** Advisor shall provide the services described in one or more Statements of Work.',
    '## 2. Term',
    '**2.1 Renewal.** This Agreement starts on the Effective Date and continues for [12] months.',
    '## 3. General',
    '**3.1 Waiver.** Waivers must be signed by the waiving party.',
    '**3.2 Severability.** If any provision is held unenforceable, the rest remains in effect.',
    '**3.3 Governing Law.** This Agreement is governed by the laws of [STATE].',
  ].join('\n\n');
  const findings = checkClauses([{ message: 0, text }]);
  const finding = (id: string) => findings.find((each) => each.id === id)!;

  it('is read by its bold headings', () => {
    for (const id of ['scope', 'waiver', 'severability']) expect(finding(id).status, id).toBe('found');
  });

  it('has its placeholders counted', () => {
    expect(finding('term').why).toBe('1 placeholder still open');
    expect(finding('governing_law').why).toBe('1 placeholder still open');
    expect(finding('parties')).toMatchObject({ status: 'weak' });
  });

  it('does not count a signature line as a placeholder', () => {
    const signed =
      '1. Insurance\nThe Supplier shall maintain insurance of EUR 1 million.\n\nSigned for Acme: ________\nDate: ________\n';
    expect(checkClauses([{ message: 0, text: signed }]).find(({ id }) => id === 'insurance')?.status).toBe('found');
  });
});

describe('the type of contract', () => {
  const nda =
    "MUTUAL NON-DISCLOSURE AGREEMENT\n\n1. Confidentiality\nEach party shall keep the other party's information secret. It does not apply to public information.\n2. Term\nThis agreement starts on 1 May 2026 and lasts two years. The confidentiality obligations survive for five years.\n";

  it('is the type that the text names, and determines which clauses may be absent', () => {
    const { result, digest } = clauseChecklist.run([{ message: 0, text: nda }]);
    expect(result).toMatchObject({ document_kind: 'confidentiality agreement' });
    expect(digest[1]).toContain(
      'confidentiality agreement. Often left out there: Subject and scope; Price and payment',
    );
  });

  it('accepts required wording of a clause elsewhere in the text', () => {
    expect(statusOf(nda, 'confidentiality').status).toBe('found');
  });
});

describe('the risk score', () => {
  it('is the sum of all weights, capped at 100', () => {
    const findings = checkClauses([{ message: 0, text: '' }]);
    expect(findings.reduce((sum, { points }) => sum + points, 0)).toBe(8 * 25 + 7 * 15 + 8 * 8);
    expect(riskScore(findings.map((finding, index) => (index === 0 ? { ...finding, status: 'weak' } : finding)))).toBe(
      100,
    );
  });

  it.each(['', 'Please review my contract.', 'What is the weather in Brno?'])(
    'is omitted for a text without anything to review: %j',
    (text) => {
      const { result, digest } = clauseChecklist.run([{ message: 0, text }]);
      expect(result).toMatchObject({ score: null });
      expect(digest).toEqual([expect.stringContaining('No risk score')]);
    },
  );

  it('does not count clauses that contracts of this type omit on purpose', () => {
    const text =
      'NON-DISCLOSURE AGREEMENT between Northwind Ltd ("Discloser") and Meridian GmbH ("Recipient").\n1. Confidentiality\nThe Recipient shall keep the information confidential.\n';
    const payment = checkClauses([{ message: 0, text }]).find(({ id }) => id === 'payment');
    expect(payment).toMatchObject({ status: 'absent', points: 0 });
  });

  it('uses the best of several documents for each clause', () => {
    const half = agreement.indexOf('\n9. Warranties');
    const parts = [agreement.slice(0, half), agreement.slice(half)];
    const findings = checkClauses(parts.map((text, message) => ({ message, text })));
    expect(riskScore(findings)).toBe(0);
    expect(new Set(findings.map(({ span }) => span?.message))).toEqual(new Set([0, 1]));
  });

  it('notes that the text is not English', () => {
    const german = 'Der Lieferant erbringt die Leistungen gemäß Anlage. Die Vergütung ist fällig. '.repeat(20);
    const { result, digest } = clauseChecklist.run([{ message: 0, text: german }]);
    expect(result).toMatchObject({ language: 'other' });
    expect(digest.join()).toContain('not English');
  });
});
