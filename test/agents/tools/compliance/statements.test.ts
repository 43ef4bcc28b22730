/** What documents of compliance state, in sentences and tables written for these tests. */
import { describe, expect, it } from 'vitest';
import { frameworkMentions } from '../../../../agents/tools/compliance/applied-frameworks.ts';
import { documentTypeOf } from '../../../../agents/tools/compliance/document-types.ts';
import { findIncident } from '../../../../agents/tools/compliance/incident-record.ts';
import { findPeriodicControls } from '../../../../agents/tools/compliance/periodic-controls.ts';
import { findRoles } from '../../../../agents/tools/compliance/processing-roles.ts';
import { readingOf } from '../../../../agents/tools/compliance/reading.ts';
import { findRetention } from '../../../../agents/tools/compliance/retention.ts';
import { findMeasures } from '../../../../agents/tools/compliance/security-measures.ts';
import { findTimeLimits } from '../../../../agents/tools/compliance/time-limits.ts';
import { findTransfers } from '../../../../agents/tools/compliance/transfers.ts';

const read = (text: string) => readingOf({ message: 0, text });

describe('the kind of a document', () => {
  it.each([
    ['INFORMATION SECURITY POLICY\n\n1. Purpose', 'policy'],
    ['Auftragsverarbeitungsvertrag\nzwischen der Alpha GmbH', 'data-processing-agreement'],
    ['Business Associate Agreement\n\nThis agreement …', 'business-associate-agreement'],
    ['Registre des activités de traitement\n\nMise à jour : 2026', 'processing-record'],
    ['Valutazione d’impatto sulla protezione dei dati', 'dpia'],
    ['Datum: 3 maart 2026\nBetreft: melding datalek\n', 'breach-notice'],
    ['C E R T I F I C A T E\n\nawarded to', 'certificate'],
    ['Registro de formación 2026', 'training-record'],
    ['PCI DSS Attestation of Compliance', 'attestation-of-compliance'],
  ])('of %j is %s', (text, type) => {
    expect(documentTypeOf(read(text))?.type).toBe(type);
  });

  it('is unknown where no title names one', () => {
    expect(documentTypeOf(read('Dear team,\n\nlunch is at noon.'))).toBeUndefined();
  });
});

describe('frameworks', () => {
  const statuses = (text: string) =>
    Object.fromEntries(frameworkMentions(read(text)).map(({ id, status }) => [id, status]));

  it.each([
    ['This standard implements ISO/IEC 27001:2022.', { iso_27001: 'applied' }],
    ['PCI DSS does not apply to the company.', { pci_dss: 'denied' }],
    ['Payment services are out of scope, and so is PCI DSS.', { pci_dss: 'denied' }],
    ['We intend to seek certification under ISO 22301 next year.', { iso_22301: 'planned' }],
    ['Our hosting provider holds a SOC 2 report.', { soc_2: 'of another party' }],
    ['Der Dienstleister ist nach ISO 27001 zertifiziert.', { iso_27001: 'of another party' }],
    ['La norme ISO 9001 ne fait pas partie du périmètre.', { iso_9001: 'denied' }],
    ['The reference to NIST CSF was removed.', { nist_csf: 'mentioned' }],
    ['The controller complies with the UK GDPR.', { uk_gdpr: 'applied' }],
    ['Processing under the UK GDPR and Regulation (EU) 2016/679.', { uk_gdpr: 'applied', gdpr: 'applied' }],
  ])('in %j are %o', (text, expected) => {
    expect(statuses(text)).toEqual(expected);
  });

  it('are denied by the answer of a questionnaire', () => {
    const table =
      '| No. | Question | Answer |\n|---|---|---|\n| 1 | Do you have a SOC 2 report? | No |\n| 2 | Are you certified to ISO 27001? | Yes |';
    expect(statuses(table)).toEqual({ soc_2: 'denied', iso_27001: 'applied' });
  });
});

describe('periodic controls', () => {
  const controls = (text: string) =>
    findPeriodicControls(read(text)).facts.map(({ activity, period, owner }) => [
      activity,
      period.count,
      period.unit,
      owner,
    ]);

  it.each([
    ['The IT manager reviews user access every six months.', ['access-review', 6, 'month', 'IT manager']],
    ['Backups are taken nightly by the operations team.', ['backup', 1, 'day', 'operations team']],
    [
      'Die Firewallregeln werden halbjährlich durch die Netzwerkgruppe überprüft.',
      ['firewall-review', 6, 'month', 'Netzwerkgruppe'],
    ],
    [
      'Les sauvegardes font l’objet d’un test de restauration tous les trois mois.',
      ['restore-test', 3, 'month', undefined],
    ],
    ['Un test di penetrazione è svolto ogni due anni.', ['penetration-test', 2, 'year', undefined]],
    ['El inventario de activos se actualiza cada trimestre.', ['asset-inventory', 3, 'month', undefined]],
    ['De leveranciers worden jaarlijks beoordeeld door Inkoop.', ['supplier-review', 1, 'year', 'Inkoop']],
    ['Keys are rotated every 365 days.', ['key-rotation', 365, 'day', undefined]],
  ])('are read in %j', (text, expected) => {
    expect(controls(text)).toEqual([expected]);
  });

  it.each([
    'Rev. 3 required password changes every 60 days.',
    'Customers are responsible for reviewing the access of their users every 30 days.',
    'A regular change of passwords every 90 days is no longer required.',
    'Example: keys are rotated every 90 days.',
    'Our annual report shows the revenue of each quarter.',
  ])('are not read in %j', (text) => {
    expect(controls(text)).toEqual([]);
  });
});

describe('time limits', () => {
  const limits = (text: string) =>
    findTimeLimits(read(text)).facts.map(({ what, period }) => `${what} ${period.count} ${period.unit}`);

  it.each([
    [
      'The Processor shall notify the Controller of a personal data breach within 48 hours.',
      ['breach-notification 48 hour'],
    ],
    ['The Processor gives 30 days’ notice of any new sub-processor.', ['subprocessor-notice 30 day']],
    ['The Controller may object to a new sub-processor within 14 days.', ['subprocessor-objection 14 day']],
    ['Kritische Schwachstellen werden innerhalb von 14 Tagen behoben.', ['patching 14 day']],
    ['Les comptes des partants sont désactivés dans un délai de 24 heures.', ['access-revocation 24 hour']],
    ['Verzoeken van betrokkenen worden binnen vijf werkdagen doorgestuurd.', ['data-subject-request 5 business day']],
    ['Audits are announced with a notice of 15 business days.', ['audit-notice 15 business day']],
    [
      'Under NIS2, a significant incident is reported to the CSIRT within 24 hours and a final report follows within one month.',
      ['incident-report 24 hour', 'incident-report 1 month'],
    ],
  ])('are read in %j', (text, expected) => {
    expect(limits(text)).toEqual(expected);
  });

  it('leave out the law that a contract quotes, and suppositions', () => {
    expect(
      limits(
        'DATA PROCESSING AGREEMENT\n\nThe Controller must itself notify the supervisory authority of a breach within 72 hours.',
      ),
    ).toEqual([]);
    expect(limits('In that case we would notify customers of the breach within 12 hours.')).toEqual([]);
  });
});

describe('retention', () => {
  const kept = (text: string) =>
    findRetention(read(text)).facts.map(({ subject, period, trigger }) => [
      subject,
      `${period.count} ${period.unit}`,
      trigger,
    ]);

  it.each([
    ['Access logs are retained for 13 months.', ['Access logs', '13 month', undefined]],
    ['Personalakten werden drei Jahre nach Austritt gelöscht.', ['Personalakten', '3 year', 'employment-end']],
    [
      'Les enregistrements sont conservés 30 jours à compter de leur collecte.',
      ['enregistrements', '30 day', 'creation'],
    ],
    [
      'Within 60 days of the end of the contract the processor deletes all personal data.',
      ['personal data', '60 day', 'contract-end'],
    ],
  ])('is read in %j', (text, expected) => {
    expect(kept(text)).toEqual([expected]);
  });

  it('is read from a table, and not from passwords', () => {
    expect(kept('| Data | Retention period |\n|---|---|\n| Invoices | 10 years |\n| CVs | 6 months |')).toEqual([
      ['Invoices', '10 year', undefined],
      ['CVs', '6 month', undefined],
    ]);
    expect(kept('Passwords expire after 90 days.')).toEqual([]);
  });
});

describe('security measures', () => {
  const measures = (text: string) =>
    findMeasures(read(text)).facts.map(({ measure, status }) => `${measure} ${status}`);

  it.each([
    ['Disks are encrypted at rest with AES-256.', ['encryption-at-rest in-place']],
    ['Multi-factor authentication is not yet enabled for contractors.', ['mfa absent']],
    ['A SIEM is planned for 2027.', ['logging planned']],
    ['Die Mandanten sind logisch getrennt.', ['data-separation in-place']],
    ['L’authentification multifacteur sera déployée en 2027.', ['mfa planned']],
    ['MFA, which had not been enabled at the time, has been switched on.', ['mfa in-place']],
    ['Employees sign a confidentiality agreement before they start.', ['confidentiality-undertaking in-place']],
  ])('are read in %j', (text, expected) => {
    expect(measures(text)).toEqual(expected);
  });

  it('follow the answers of a questionnaire', () => {
    const table =
      '| Question | Answer | Comment |\n|---|---|---|\n| Is MFA enforced? | Partially | Roll-out planned for June |\n| Do you run endpoint protection? | No | |\n| Backup frequency | Daily | |';
    expect(measures(table)).toEqual(['mfa in-place', 'mfa planned', 'endpoint-protection absent', 'backup in-place']);
  });
});

describe('parties and transfers', () => {
  const agreement = `DATA PROCESSING AGREEMENT

between Orchard Retail Ltd, 2 Mill Lane, Leeds LS1 4AB ("Controller") and Beacon Cloud B.V., Kade 5, 1011 AB Amsterdam ("Processor").

This agreement is made under Article 28 GDPR.

ANNEX 2 - SUB-PROCESSORS

| Name | Service | Location |
|---|---|---|
| Tallis Support Inc. | support | United States |
| Nordlys Hosting AS | hosting | Norway |

Transfers to the United States rely on the standard contractual clauses.
`;

  it('are read from definitions and lists', () => {
    expect(findRoles(read(agreement)).map(({ name, role, place }) => [name, role, place])).toEqual([
      ['Orchard Retail Ltd', 'controller', 'United Kingdom'],
      ['Beacon Cloud B.V.', 'processor', 'Netherlands'],
      ['Tallis Support Inc.', 'sub-processor', 'United States'],
      ['Nordlys Hosting AS', 'sub-processor', 'Norway'],
    ]);
  });

  it('have transfers only to third countries, with a mechanism that is agreed', () => {
    expect(findTransfers(read(agreement)).map(({ range: _, ...each }) => each)).toEqual([
      { destination: 'United States', mechanism: 'scc', recipient: 'Tallis Support Inc.' },
    ]);
    const conditional = agreement.replace(
      /Transfers to .*/,
      'Transfers may only take place if standard contractual clauses are concluded.',
    );
    expect(findTransfers(read(conditional))).toEqual([]);
  });
});

describe('the course of an incident', () => {
  const notice = `To: Information Commissioner's Office
Date: 12 May 2026
Subject: Notification of a personal data breach

On 3 May 2026 a laptop was stolen from a car. The theft was discovered on 4 May 2026.
The stolen device held the records of 214 patients. The affected patients were informed by letter on 8 May 2026.

In total we treat 9,000 patients, whose records were not affected.
`;

  it('is read from a notice', () => {
    const { events, persons } = findIncident(read(notice));
    expect(Object.fromEntries(events.map(({ event, date }) => [event, date]))).toEqual({
      'authority-notified': '2026-05-12',
      occurred: '2026-05-03',
      detected: '2026-05-04',
      'persons-notified': '2026-05-08',
    });
    expect(persons?.count).toBe(214);
  });

  it('is not read from other documents', () => {
    expect(findIncident(read(notice.replace('Notification of a personal data breach', 'Lunch'))).events).toEqual([]);
  });
});
