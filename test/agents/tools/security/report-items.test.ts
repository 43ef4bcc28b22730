/** Actions, times and quotations of reports whose lists are numbered, marked with signs or bracketed. */
import { describe, expect, it } from 'vitest';
import { incidentReport } from '../../../../agents/tools/security/incident-report.ts';
import { findSecrets } from '../../../../agents/tools/security/secrets.ts';

type Lists = Readonly<Record<string, { readonly items: readonly Readonly<Record<string, unknown>>[] }>>;

const read = (text: string) => incidentReport.run([{ message: 0, text }]).result as unknown as Lists;
const report = (actions: string) =>
  `# Incident report: queue outage\n\n## Root cause\n\nThe disk was full.\n\n## Remediation\n\n${actions}\n`;
const actionsOf = (actions: string) =>
  read(report(actions)).actions!.items.map(({ task, owner, due }) => [task, owner, due].filter(Boolean).join(' | '));

describe('the actions of a report', () => {
  it('are the items of a numbered list, also of items that stand alone in their lines', () => {
    expect(
      actionsOf('1. Rotated the keys (completed 2026-03-04)\n2. Doubled the disks (completed 2026-03-06)'),
    ).toEqual(['Rotated the keys | 2026-03-04', 'Doubled the disks | 2026-03-06']);
  });

  it('have an owner only if a capitalised name follows "by"', () => {
    expect(actionsOf('- Credit all shops affected by higher bills\n- Review of the queue by Dana Okafor')).toEqual([
      'Credit all shops affected by higher bills',
      'Review of the queue by Dana Okafor | Dana Okafor',
    ]);
  });

  it('are no links, and begin behind their sign', () => {
    expect(actionsOf('- ✅ Doubled the disks\n    - https://example.org/changes/7\n- Alert on full disks')).toEqual([
      'Doubled the disks',
      'Alert on full disks',
    ]);
  });
});

describe('the times of an incident', () => {
  it('are bounded by the times in brackets behind the stated length', () => {
    const text =
      '# Queue outage\n\nDate: 2026-03-03\n\n## Timeline\n\n- 10:45 - Release 8 deployed\n- 14:59 - Support notices two tickets\n- 16:00 - Error rate spikes\n- 16:11 - Release 8 reverted\n\nTotal impact duration: 5 hours 26 minutes (10:45 - 16:11 UTC)\nDetection delay: 4 hours 14 minutes\n\n## Impact\n\nThe incident affected 40 customers.\n';
    const found = read(text);
    expect(found.times!.items.map(({ point, time }) => `${point} ${time}`)).toEqual([
      'start 10:45',
      'detection 14:59',
      'mitigation 16:11',
    ]);
    expect(found.statements!.items.map(({ about, quote }) => `${about}: ${quote}`)).not.toContain(
      'detection: 4 hours 14 minutes',
    );
  });
});

describe('a password in prose', () => {
  const kinds = (text: string) => findSecrets(text).map(({ kind }) => kind);

  it('is found between quotation marks behind its name', () => {
    expect(kinds('The service account password (`Qu1ll_7fox!`) was in a public repository.')).toEqual(['password']);
    expect(kinds('Das Passwort lautet „Qu1ll7fox“.')).toEqual(['password']);
  });

  it('is not found in the name of a field or a setting', () => {
    expect(kinds('The password `min_length` is 12, and the password (`hash`) is salted.')).toEqual([]);
  });
});
