/** Statements that resemble rules of the organisation, and registers with other orders of columns. */
import { describe, expect, it } from 'vitest';
import { findControls } from '../../../../agents/tools/compliance/control-register.ts';
import { findPeriodicControls } from '../../../../agents/tools/compliance/periodic-controls.ts';
import { readingOf } from '../../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../../agents/tools/compliance/retention.ts';
import { findRisks } from '../../../../agents/tools/compliance/risks.ts';
import { findTimeLimits } from '../../../../agents/tools/compliance/time-limits.ts';

const read = (text: string) => readingOf({ message: 0, text });
const retained = (text: string) =>
  findRetention(read(text)).facts.map(({ period: { count, unit } }) => `${count} ${unit}`);

describe('a retention period', () => {
  const title = 'Retention policy\n\nInvoices are kept for 10 years. ';

  it.each([
    'In the pilot the supplier kept recordings for 60 days; this is no longer so.',
    'The registrar permits entries to be stored for up to 3 years; we do not use this.',
    'The supervisory authority keeps the forms for 4 years.',
    'Changes since version 2: recordings are deleted after 72 hours instead of 20 days.',
    'Staff are trained in deletion every 2 years.',
    'Accidental deletions are reported to the DPO within 24 hours.',
  ])('is not taken from a sentence about something else: %s', (sentence) => {
    expect(retained(title + sentence)).toEqual(['10 year']);
  });

  it('is not the former one in brackets', () => {
    expect(retained('Retention policy\n\nAccess logs are kept for 200 days (before 2025: 30 days).')).toEqual([
      '200 day',
    ]);
  });
});

describe('a time limit', () => {
  it('of several in a sentence belongs to the part that names it', () => {
    const text =
      'Data processing agreement\n\nSub-processors\n\nThe processor gives 40 days’ notice of a new sub-processor, 10 days to object.';
    expect(findTimeLimits(read(text)).facts.map(({ what, period: { count } }) => [what, count])).toEqual([
      ['subprocessor-notice', 40],
      ['subprocessor-objection', 10],
    ]);
  });
});

describe('a register', () => {
  const profile = [
    'NIST Cybersecurity Framework 2.0 profile,,,,,',
    'Owner,Evidence,FY24,Subcategory,FY25 status,Tier',
    'Fleet Manager,FLEET-9,Not implemented,ID.AM-01,Fully implemented,3',
    'Payroll Lead,,Fully implemented,PR.AT-01,Not implemented,1',
    ',,,,,',
    '1,Backups run nightly. The profile is reviewed yearly by the Fleet Manager.,,,,',
  ].join('\n');

  it('may have its columns in any order, and those of an earlier year', () => {
    expect(
      findControls(read(profile)).map(({ clause, status, evidence, owner }) => [clause, status, evidence, owner]),
    ).toEqual([
      ['ID.AM-01', 'implemented', 'FLEET-9', 'Fleet Manager'],
      ['PR.AT-01', 'not-implemented', undefined, 'Payroll Lead'],
    ]);
  });

  it('gives its notes no owner, and no activity of another sentence', () => {
    const found = findPeriodicControls(read(profile)).facts.map(({ activity, period: { unit }, owner }) => [
      activity,
      unit,
      owner,
    ]);
    expect(found).toContainEqual(['backup', 'day', undefined]);
    expect(found).not.toContainEqual(['backup', 'year', 'Fleet Manager']);
  });

  it('of risks leaves out the closed ones', () => {
    const text =
      'Risk register\n\n| ID | Risk | Inherent | Residual | Owner |\n|---|---|---|---|---|\n| K-1 | Flood | 12 | 4 | CFO |\n| K-2 | Old fax | 9 | closed 02/2026 | CFO |\n';
    expect(findRisks(read(text)).map(({ id }) => id)).toEqual(['K-1']);
  });
});
