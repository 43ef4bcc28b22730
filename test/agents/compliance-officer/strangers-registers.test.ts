/** Registers and schedules in layouts and languages that the readers had not seen. */
import { describe, expect, it } from 'vitest';
import { findCertificates } from '../../../agents/tools/compliance/certificates.ts';
import { findPeriodicControls } from '../../../agents/tools/compliance/periodic-controls.ts';
import { findRoles } from '../../../agents/tools/compliance/processing-roles.ts';
import { readingOf } from '../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../agents/tools/compliance/retention.ts';
import { findRisks } from '../../../agents/tools/compliance/risks.ts';
import { findTransfers } from '../../../agents/tools/compliance/transfers.ts';
import { documentOf } from '../../support/agents/agent-inputs.ts';

const read = (text: string) => readingOf(documentOf(text));
const retentionIn = (text: string) =>
  findRetention(read(text)).facts.map(({ subject, period, trigger }) =>
    [subject, period.count, period.unit, trigger].filter((part) => part !== undefined).join(' '),
  );
const risksIn = (text: string) =>
  findRisks(read(text)).map(({ id, inherent, residual, treatment, owner }) =>
    [id, inherent, residual, treatment, owner].join(' '),
  );

describe('retention schedules', () => {
  it('name the period next to the data only as a time limit, and when it starts', () => {
    const text =
      '3 Löschfristen\n\n| Datenart | Frist | Fristbeginn | Rechtsgrundlage | löscht |\n|---|---|---|---|---|\n| Mieterakten | 3 Jahre | Vertragsende | BGB | Vermietung |\n| Türprotokolle | 30 Tage | Aufzeichnung | DSGVO | IT |';
    expect(retentionIn(text)).toEqual(['Mieterakten 3 year contract-end', 'Türprotokolle 30 day creation']);
  });

  it('have the unit in the name of the column', () => {
    const text =
      '| Record type | Retention (years) | Owner |\n|---|---|---|\n| Invoices | 10 | Finance |\n| Leases | 6 | Estates |';
    expect(retentionIn(text)).toEqual(['Invoices 10 year', 'Leases 6 year']);
  });

  it('are lists below a short line', () => {
    const text = 'Retention\n- Client files: seven years\n- Web logs: 14 days';
    expect(retentionIn(text)).toEqual(['Client files 7 year', 'Web logs 14 day']);
  });

  it('are blocks of fields for each activity', () => {
    const block = (name: string, period: string) =>
      `Processing activity: ${name}\nPurpose: administration\nRetention period: ${period}\nOwner: Office\n`;
    expect(
      retentionIn(`${block('Payroll', '6 years after end of employment')}\n${block('Visitors', '3 months')}`),
    ).toEqual(['Payroll 6 year employment-end', 'Visitors 3 month']);
  });

  it('have the activities as columns', () => {
    const text =
      '| | Lønn | Kameraovervåking |\n|---|---|---|\n| Formål | utbetaling | sikkerhet |\n| Databehandler | - | - |\n| Oppbevaringstid | 5 år | 7 dager |';
    expect(retentionIn(text)).toEqual(['Lønn 5 year', 'Kameraovervåking 7 day']);
  });
});

describe('registers of risks', () => {
  it('are blocks of fields', () => {
    const block = (id: string, before: number, after: number) =>
      `Risk ID: ${id}\nDescription: outage\nInherent risk: ${before} (high)\nResidual risk: ${after}\nResponse: Mitigate\nOwner: Head of IT\n`;
    expect(risksIn(`Risk register\n\n${block('OP-1', 20, 8)}\n${block('OP-2', 12, 6)}`)).toEqual([
      'OP-1 20 8 mitigate Head of IT',
      'OP-2 12 6 mitigate Head of IT',
    ]);
  });

  it('have headings of two levels, of which the score alone counts', () => {
    const text =
      '<table><tr><th rowspan=2>Ref</th><th rowspan=2>Risk</th><th colspan=3>Before treatment</th><th rowspan=2>Treatment</th><th colspan=3>After treatment</th><th rowspan=2>Owner</th></tr><tr><th>L</th><th>I</th><th>Score</th><th>L</th><th>I</th><th>Score</th></tr><tr><td>7.1</td><td>Flood</td><td>3</td><td>5</td><td>15</td><td>Reduce</td><td>1</td><td>5</td><td>5</td><td>Estates</td></tr></table>';
    expect(risksIn(text)).toEqual(['7.1 15 5 mitigate Estates']);
  });

  it('print the score of today before the one of the past', () => {
    const text =
      '| Ref | Risk | Now | Before | Decision | Owner |\n|---|---|---|---|---|---|\n| R1 | Theft | 4 | 12 | Reduce | Porter |';
    expect(risksIn(text)).toEqual(['R1 12 4 mitigate Porter']);
  });

  it('may have one blank between identifier and title', () => {
    const text =
      'Risk register\nID   Risk                                 L  I  Inherent  Treatment  Residual  Owner\nR-01 Ransomware on file servers           4  5  20        Mitigate   8         CISO\nR-02 Loss of a supplier                   3  4  12        Accept     12        COO';
    expect(risksIn(text)).toEqual(['R-01 20 8 mitigate CISO', 'R-02 12 12 accept COO']);
  });

  it('are not read from the lines of a letter', () => {
    expect(risksIn('From: Data Protection Office\nTo: The Commissioner\nDate: 17 October 2025')).toEqual([]);
  });
});

describe('lists of sub-processors', () => {
  it('are headed by a line of their own, with safeguards in German', () => {
    const reading = read(
      'Unterauftragsverarbeiter\n\nFirma;Leistung;Land;Garantie\nWolkenhaus AG;Hosting;Schweiz;Angemessenheitsbeschluss\nBrightmail Inc.;Newsletter;USA;Standardvertragsklauseln',
    );
    expect(findRoles(reading).map(({ name, role, place }) => `${name} ${role} ${place}`)).toContain(
      'Wolkenhaus AG sub-processor Switzerland',
    );
    expect(findTransfers(reading).map(({ destination, mechanism }) => `${destination} ${mechanism}`)).toEqual([
      'Switzerland adequacy',
      'United States scc',
    ]);
  });
});

describe('certificates', () => {
  it('name the holder on the line below the words that certify, and not the scope', () => {
    const text =
      'Certificate of registration\nCertificate No. 771204\n\nThis is to certify that the information security management system of\nFennimore Logistics B.V.\n\ncomplies with ISO/IEC 27001:2022\n\nScope: Hosting of platforms\nIssue date: 10 May 2026\nExpiry date: 9 May 2029';
    expect(findCertificates(read(text)).map(({ holder }) => holder)).toEqual(['Fennimore Logistics B.V.']);
  });
});

describe('intervals', () => {
  it.each([
    ['Access review | hver måned | IT', 'access-review 1 month'],
    ['Vulnerability scan | every Monday | SOC', 'vulnerability-scan 1 week'],
  ])('are read in %s', (row, expected) => {
    const text = `| Control | Frequency | Owner |\n|---|---|---|\n| ${row} |`;
    const found = findPeriodicControls(read(text)).facts;
    expect(found.map(({ activity, period }) => `${activity} ${period.count} ${period.unit}`)).toContain(expected);
  });
});
