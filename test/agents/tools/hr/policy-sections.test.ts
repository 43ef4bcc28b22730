import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { documentKind } from '../../../../agents/tools/hr/document-kind.ts';
import { findPolicySections } from '../../../../agents/tools/hr/policy-sections.ts';
import { policyTool } from '../../../../agents/tools/hr/tools.ts';

const handbook = `# Staff Handbook

## 1. Privacy

Coming soon.

## 2. Travel expenses

Claim within 30 days with receipts. Your manager approves claims above EUR 200 before they are paid.

## 3. Complaints

Please refer to procedure C-7 on the notice board of your site or ask the personnel office.
`;

describe('the policies of a handbook', () => {
  it('are present only if a section has rules', () => {
    const found = findPolicySections(readDocument({ message: 0, text: handbook }));
    const status = Object.fromEntries(found.map((entry) => [entry.id, entry.status]));
    expect(status).toMatchObject({
      data_protection: 'named',
      expenses: 'present',
      grievance: 'named',
      leave: 'absent',
    });
  });

  it('are not checked for job advertisements, timesheets and contracts', () => {
    for (const text of [
      'Night porter wanted\n\nWe offer paid leave and equal opportunities. Apply by email to the hotel.\n',
      'Employee: Ada\n2024-03-04 08:00-12:00\n2024-03-05 annual leave\n',
      'Employment contract\n\nThe employee has 25 days of annual leave.\n',
    ]) {
      expect(policyTool.run([{ message: 0, text }])).toMatchObject({ result: { policies: [] } });
    }
  });

  it('are recognised by the title of the document', () => {
    const kind = (text: string) => documentKind(readDocument({ message: 0, text }));
    expect(kind(handbook)).toBe('handbook');
    expect(kind('Remote Work Policy\n\nYou may work from home on two days.\n')).toBe('policy');
    expect(kind('Arbeitsvertrag\n\nzwischen A und B\n')).toBe('contract');
    expect(kind('Barista wanted\n\nSend your letter to us.\n')).toBe('other');
  });
});
