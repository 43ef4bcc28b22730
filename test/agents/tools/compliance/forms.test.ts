/** One fact in several forms: registers, forms with labels above values, letters, lists, and further languages. */
import { describe, expect, it } from 'vitest';
import { findCertificates } from '../../../../agents/tools/compliance/certificates.ts';
import { findControls } from '../../../../agents/tools/compliance/control-register.ts';
import { findGaps } from '../../../../agents/tools/compliance/gaps.ts';
import { findIncident } from '../../../../agents/tools/compliance/incident-record.ts';
import { findPeriodicControls } from '../../../../agents/tools/compliance/periodic-controls.ts';
import { findRoles } from '../../../../agents/tools/compliance/processing-roles.ts';
import { readingOf } from '../../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../../agents/tools/compliance/retention.ts';
import { findRisks } from '../../../../agents/tools/compliance/risks.ts';
import { findMeasures } from '../../../../agents/tools/compliance/security-measures.ts';
import { findTimeLimits } from '../../../../agents/tools/compliance/time-limits.ts';

const read = (text: string) => readingOf({ message: 0, text });
const limits = (text: string) =>
  findTimeLimits(read(text)).facts.map(({ what, period: { count, unit } }) => `${what} ${count} ${unit}`);
const repeated = (text: string) =>
  findPeriodicControls(read(text)).facts.map(({ activity, period: { count, unit } }) => `${activity} ${count} ${unit}`);
const measures = (text: string) => findMeasures(read(text)).facts.map(({ measure, status }) => `${measure} ${status}`);
const kept = (text: string) =>
  findRetention(read(text)).facts.map(({ subject, period: { count, unit } }) => `${subject}: ${count} ${unit}`);

describe('a control', () => {
  const controls = (text: string) =>
    findControls(read(text)).map(({ framework, clause, status }) => `${framework} ${clause} ${status}`);

  it('belongs to the framework that the column of its row names', () => {
    const table =
      '| Clause | Framework | Status | Evidence |\n|---|---|---|---|\n| A.8.24 | ISO 27001 | Implemented | R-1 |\n| 3.7.4 | PCI DSS | Not implemented | - |';
    expect(controls(`Cryptography standard\n\nWe apply ISO 27001 and PCI DSS.\n\n${table}`)).toEqual([
      'iso_27001 A.8.24 implemented',
      'pci_dss 3.7.4 not-implemented',
    ]);
  });

  it('has the state of the ticked column, and a title behind its number', () => {
    const table =
      '| Req. | In place | N/A | Not in place | Remarks |\n|---|---|---|---|---|\n| 1 | x | | | |\n| 9 | | x | | hosted |\n| 11 | | | x | open |';
    expect(controls(`Attestation of Compliance\n\nPCI DSS\n\n${table}`)).toEqual([
      'pci_dss 1 implemented',
      'pci_dss 9 not-applicable',
      'pci_dss 11 not-implemented',
    ]);
    const sampled =
      '| Control | Result |\n|---|---|\n| A.5.24 Incident planning | conforms |\n| A.8.23 Filtering | partially |';
    expect(controls(`Audit report\n\nISO/IEC 27001\n\n${sampled}`)).toEqual([
      'iso_27001 A.5.24 implemented',
      'iso_27001 A.8.23 partial',
    ]);
  });
});

describe('a risk', () => {
  it('is rated as in the latest of several years', () => {
    const table =
      '| ID | Risk | Inherent | Residual FY25 | Residual FY26 | Response | Owner |\n|---|---|---|---|---|---|---|\n| R-1 | Theft | 20 | 12 | 6 | Reduce | CFO |';
    expect(findRisks(read(`Risk register\n\n${table}`)).map(({ residual }) => residual)).toEqual([6]);
  });
});

describe('an event of an incident', () => {
  it('has its label on the line above its date', () => {
    const form = [
      'Meldung einer Verletzung des Schutzes personenbezogener Daten',
      '',
      'Beginn der Verletzung',
      '    27.07.2026',
      'Ende der Verletzung',
      '    29.07.2026',
      'Information durch den Auftragsverarbeiter',
      '    30.07.2026',
    ].join('\n');
    expect(findIncident(read(form)).events.map(({ event, date }) => `${event} ${date}`)).toEqual([
      'occurred 2026-07-27',
      'ended 2026-07-29',
      'controller-notified 2026-07-30',
    ]);
  });

  it('is the first and the last day of a span', () => {
    const text =
      'Notice of data breach\n\nAn unauthorized party copied files between January 27, 2025 and February 18, 2025.';
    expect(findIncident(read(text)).events.map(({ event, date }) => `${event} ${date}`)).toEqual([
      'ended 2025-02-18',
      'occurred 2025-01-27',
    ]);
  });
});

describe('a party', () => {
  it('has the role that parentheses give it in a record of processing', () => {
    const csv =
      'Verzeichnis von Verarbeitungstätigkeiten, Art. 30 DSGVO\n\nNr.;Verarbeitung;Zweck;Empfänger;Drittland;Löschfrist\n1;Kurse;Vertrag;"Alba GmbH (AV, Deutschland); Unterauftrag: Nimbus Inc. (USA)";-;3 Jahre\n2;Lohn;Recht;Finanzamt;-;6 Jahre';
    expect(findRoles(read(csv)).map(({ name, role, place }) => `${name} ${role} ${place}`)).toEqual([
      'Alba GmbH processor Germany',
      'Nimbus Inc. sub-processor United States',
    ]);
  });
});

describe('a time limit', () => {
  it('has its topic from the words that open its paragraph', () => {
    const text =
      'Data processing agreement\n\nBreach. We notify you at the latest 48 hours after becoming aware.\n\nAudit. You may audit on 20 days’ notice.';
    expect(limits(text)).toEqual(['breach-notification 48 hour', 'audit-notice 20 day']);
  });

  it.each([
    ['the law', 'Law requires that entities notify individuals of a breach within 60 days.'],
    ['a sample', '3 of 20 leavers kept access to their accounts for 31 days.'],
    ['an example', 'Example: accounts are disabled within 24 hours.'],
  ])('is not what %s states', (_, sentence) => {
    expect(limits(`Policy\n\n${sentence}`)).toEqual([]);
  });
});

describe('a period of keeping', () => {
  it.each([
    ['Recordings | kept 90 days', '| Recordings | kept 90 days |\n| Invoices | kept 10 years |'],
    ['Recordings: retention 90 days', 'Recordings: retention 90 days'],
    ['Recordings are deleted after 90 days', 'Recordings are deleted after 90 days.'],
  ])('has its subject: %s', (_, text) => {
    expect(kept(`Retention policy\n\n${text}`)[0]).toBe('Recordings: 90 day');
  });
});

describe('a measure', () => {
  it('has the state that the other cell of its row or the plan in its sentence gives', () => {
    const rows = 'Encryption of data at rest:      no\nTenant separation:               yes';
    expect(measures(`Security measures\n\n${rows}`)).toEqual(['encryption-at-rest absent', 'data-separation in-place']);
    expect(measures('Agreement\n\nMulti-factor authentication shall be enabled no later than July 1, 2027.')).toEqual([
      'mfa planned',
    ]);
  });
});

describe('documents in further languages', () => {
  it.each([
    [
      'Swedish',
      'Policy\n\nSystemägare granskar behörigheter var tredje månad och säkerhetskopior tas dagligen.',
      ['access-review 3 month', 'backup 1 day'],
    ],
    [
      'Polish',
      'Procedura\n\nSzkolenie pracowników odbywa się co rok. Testy penetracyjne wykonuje się raz na dwa lata.',
      ['training 1 year', 'penetration-test 2 year'],
    ],
    [
      'Portuguese',
      'Política\n\nAs autorizações de acesso são revistas trimestralmente. A formação é anual.',
      ['access-review 3 month', 'training 1 year'],
    ],
  ])('state what is repeated: %s', (_, text, expected) => {
    expect(repeated(text)).toEqual(expected);
  });

  it('state time limits and periods of keeping', () => {
    expect(limits('Policy\n\nKonton ska stängas inom 24 timmar när en anställning upphör.')).toEqual([
      'access-revocation 24 hour',
    ]);
    expect(kept('Procedura\n\nRejestr incydentów przechowuje się przez 5 lat.')).toEqual([
      'Rejestr incydentów: 5 year',
    ]);
  });
});

describe('a certificate', () => {
  it('of a provider is not the one of the organisation', () => {
    const text = 'Policy\n\nIts hosting provider, Vantaa Cloud Oy, is certified to ISO/IEC 27018.';
    expect(findCertificates(read(text)).map(({ standard, holder }) => `${standard} ${holder}`)).toEqual([
      'iso_27018 Vantaa Cloud Oy',
    ]);
  });
});

describe('a gap', () => {
  it('is a graded finding with the date of its correction', () => {
    const report = [
      'Audit report',
      '',
      'ISO/IEC 27001',
      '',
      '3. FINDINGS',
      '',
      '  2026-01   MAJOR   A.8.15 Logging',
      '            Evidence: no review could be shown.',
      '            Correction to be accepted by:   20 August 2026',
      '',
    ].join('\n');
    expect(findGaps(read(report)).map(({ reference, nature, due }) => `${reference} ${nature} ${due}`)).toEqual([
      '2026-01 major-nonconformity 2026-08-20',
    ]);
  });
});

describe('a questionnaire', () => {
  it('has no limit in a remark that compares an answer with another text, under unknown headings', () => {
    const row = (question: string, answer: string, remark: string) => `| ${question} | ${answer} | ${remark} |`;
    const text = [
      'Supplier questionnaire under the GDPR',
      '',
      row('How soon do you report a breach to customers?', 'Within 48 hours', 'The contract requires 24 hours'),
      row('How is data encrypted?', 'AES-256', 'Fine'),
      row('How fast is access removed for leavers?', 'Within 2 days', 'Our policy asks for 4 hours'),
    ].join('\n');
    expect(limits(text)).toEqual(['breach-notification 48 hour', 'access-revocation 2 day']);
  });
});

describe('a title', () => {
  const head = ['ORCHARD VALLEY TRANSIT AUTHORITY                         DPIA no. 2026/04', `${' '.repeat(66)}final`];
  const page = [...head, '           DATA PROTECTION IMPACT ASSESSMENT', '', 'Cameras on board record the seats.'];

  it.each([0, 2])('in the middle of its line is not part of the line above, after %i empty lines', (lines) => {
    const text = '\n'.repeat(lines) + page.join('\n');
    expect(read(text).clauses.map((clause) => clause.text)).toContain('DATA PROTECTION IMPACT ASSESSMENT');
  });
});
