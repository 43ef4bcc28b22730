/** Days, lengths, numbers, actions and findings of reports: a value belongs to its own day, clause and row. */
import { describe, expect, it } from 'vitest';
import { readDocument } from '../../../../agents/document/document.ts';
import { findCorrectiveActions } from '../../../../agents/tools/security/corrective-actions.ts';
import { findIdentifiers } from '../../../../agents/tools/security/identifiers.ts';
import { findImpacts } from '../../../../agents/tools/security/incident-impact.ts';
import { findIncidentTimes } from '../../../../agents/tools/security/incident-times.ts';
import { findPentestFindings } from '../../../../agents/tools/security/pentest-findings.ts';

const documentOf = (text: string) => readDocument({ message: 0, text });
const times = (text: string) =>
  Object.fromEntries(
    findIncidentTimes(documentOf(text)).times.map(({ point, date, time }) => [point, `${date} ${time}`]),
  );
const durations = (text: string) =>
  Object.fromEntries(findIncidentTimes(documentOf(text)).durations.map(({ of, minutes }) => [of, minutes]));
const impacts = (text: string) => findImpacts(documentOf(text)).map(({ of, count }) => `${of} ${count}`);

describe('the day of a chronology', () => {
  const chronology = '## Timeline\n\n09:12 start of impact\n09:40 detected by an alert\n10:05 mitigated\n';

  it('is not the day on which the report was sent', () => {
    const text = `From: Kim\nTo: all\nDate: Mon, 9 May 2033 10:00:00 +0000\nSubject: review\n\nOn 4 May 2033 from 09:12 the pumps stopped.\n\n${chronology}`;
    expect(times(text).start).toBe('2033-05-04 09:12');
  });

  it('moves on after the night, and is not known after another long step back', () => {
    const table = (...rows: string[]) =>
      `Incident on 4 May 2033.\n\n| Time | Event |\n|---|---|\n${rows.map((row) => `| ${row} |\n`).join('')}`;
    const night = table('22:10 | start of impact', '23:55 | detected', '07:10 | mitigated');
    expect(times(night)).toMatchObject({ detection: '2033-05-04 23:55', mitigation: '2033-05-05 07:10' });
    const gap = table('15:10 | start of impact', '16:55 | detected', '08:10 | mitigated');
    expect(times(gap)).not.toHaveProperty('mitigation');
  });

  it('has the clock of the zone that the report names', () => {
    const text =
      'Incident on 4 May 2033. All times in UTC.\n\n## Timeline\n\n| UTC+2 | UTC | Event |\n|---|---|---|\n| 11:12 | 09:12 | Impact starts |\n| 11:40 | 09:40 | Detected |\n';
    expect(times(text)).toEqual({ start: '2033-05-04 09:12', detection: '2033-05-04 09:40' });
  });
});

describe('lengths', () => {
  it('belong to the nearest words before them', () => {
    const text = 'Time to detect 12 minutes, from detection to mitigation 30 minutes, impact in total 42 minutes.';
    expect(durations(text)).toEqual({ detection: 12, mitigation: 30, impact: 42 });
  });

  it.each([
    ["Durée de l'interruption : 1 h 12. Délai de détection : 9 minutes.", { impact: 72, detection: 9 }],
    ['Impact duration: 02:15 (hh:mm)', { impact: 135 }],
    ['Dauer der Störung: 3 Stunden. Entdeckt nach 7 Minuten.', { impact: 180, detection: 7 }],
  ])('reads %s', (text, expected) => {
    expect(durations(text)).toEqual(expected);
  });
});

describe('affected numbers', () => {
  it('are parts of a whole, and not the whole', () => {
    const text =
      '## Impact\n\n9 of our 31 servers were encrypted. 1.2 million messages were delayed.\n\n| Affected | Number |\n|---|---|\n| Customers | 70 |\n| Total customers | 8,000 |\n';
    expect(impacts(text)).toEqual(['hosts 9', 'messages 1200000', 'customers 70']);
  });
});

describe('actions and findings', () => {
  it('reads actions as labelled lines', () => {
    const text =
      '## Actions\n\nTask: Rotate all keys\nOwner: Ada Brook\nDue: 2033-06-01\n\nTask: Buy a clock\nStatus: rejected\nOwner: Ops\nDue: 2033-06-02\n';
    expect(findCorrectiveActions(documentOf(text)).map(({ task, owner, due }) => [task, owner, due])).toEqual([
      ['Rotate all keys', 'Ada Brook', '2033-06-01'],
    ]);
  });

  it('reads ratings in titles, numbers with V and hosts that look like numbers', () => {
    const text =
      '# Penetration test\n\n### [HIGH] V-01 Default password\n\nHost: cam-07\n\n### V-02 Banner (Low)\n\nHost: web-02\n';
    expect(findPentestFindings(documentOf(text)).map(({ id, severity, host }) => [id, severity, host])).toEqual([
      ['V-01', 'high', 'cam-07'],
      ['V-02', 'low', 'web-02'],
    ]);
  });

  it.each(['No encryption (T1486) took place.', 'CVE-2033-1111 was assigned in error.'])('denies %s', (text) => {
    expect(findIdentifiers(text).map(({ isDenied }) => isDenied)).toEqual([true]);
  });
});
